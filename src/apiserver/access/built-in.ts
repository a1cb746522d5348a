/** The roles and bindings a cluster that judges access begins with. Models: v1.24 plugin/pkg/auth/authorizer/rbac/bootstrappolicy policy.go. Left out: roles of components. */
import type { Names, ObjectInput } from '../vocabulary/index.ts';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];

type Rule = Readonly<Record<string, readonly string[]>>;
const rule = (verbs: readonly string[], apiGroups: readonly string[], resources: string): Rule => ({
  verbs,
  apiGroups,
  resources: resources.split(' '),
});
const path = (verbs: readonly string[], nonResourceURLs: readonly string[]): Rule => ({ verbs, nonResourceURLs });

/** What one may do who edits. */
const editing = (names: Names): readonly Rule[] => [
  rule(READ, [''], 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
  rule(['impersonate'], [''], 'serviceaccounts'),
  rule(WRITE, [''], 'pods pods/attach pods/exec pods/portforward pods/proxy'),
  rule(['create'], [''], 'pods/eviction'),
  rule(
    WRITE,
    [''],
    'configmaps endpoints events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
  ),
  rule(['create'], [''], 'serviceaccounts/token'),
  rule(
    WRITE,
    ['apps'],
    'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
  ),
  rule(WRITE, ['autoscaling'], 'horizontalpodautoscalers'),
  rule(WRITE, ['batch'], 'cronjobs jobs'),
  rule(
    WRITE,
    ['extensions'],
    'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
  ),
  rule(WRITE, ['policy'], 'poddisruptionbudgets'),
  rule(WRITE, [names.group('networking')], 'ingresses networkpolicies'),
];

/** What one sees who may look, secrets aside. */
const viewing = (names: Names): readonly Rule[] => [
  rule(
    READ,
    [''],
    'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
  ),
  rule(
    READ,
    [''],
    'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
  ),
  rule(READ, [''], 'namespaces'),
  rule(READ, [names.group('discovery')], 'endpointslices'),
  rule(
    READ,
    ['apps'],
    'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
  ),
  rule(READ, ['autoscaling'], 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  rule(READ, ['batch'], 'cronjobs cronjobs/status jobs jobs/status'),
  rule(
    READ,
    ['extensions'],
    'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
  ),
  rule(READ, ['policy'], 'poddisruptionbudgets poddisruptionbudgets/status'),
  rule(READ, [names.group('networking')], 'ingresses ingresses/status networkpolicies'),
];

/** What one may besides who administers a namespace. */
const administering = (names: Names): readonly Rule[] => [
  rule(['create'], [names.group('authorization')], 'localsubjectaccessreviews'),
  rule([...WRITE.slice(0, 3), ...READ, ...WRITE.slice(3)], [names.group('rbac.authorization')], 'rolebindings roles'),
];

export function builtInRoles(names: Names): readonly ObjectInput[] {
  const apiGroup = names.group('rbac.authorization');
  const labels = { [names.key('', 'bootstrapping')]: 'rbac-defaults' };
  const role = (name: string, rules: readonly Rule[]): ObjectInput => ({
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRole',
    metadata: { name, labels },
    rules,
  });
  const binding = (name: string, ...groups: readonly string[]): ObjectInput => ({
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: groups.map((group) => ({ kind: 'Group', apiGroup, name: group })),
  });
  const info = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
  return [
    role('cluster-admin', [rule(['*'], ['*'], '*'), path(['*'], ['*'])]),
    binding('cluster-admin', 'system:masters'),
    role('system:public-info-viewer', [path(['get'], info)]),
    binding('system:public-info-viewer', 'system:authenticated', 'system:unauthenticated'),
    role('system:discovery', [
      path(
        ['get'],
        ['/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez', '/openapi', '/openapi/*', '/readyz', '/version', '/version/'],
      ),
    ]),
    binding('system:discovery', 'system:authenticated'),
    role('system:basic-user', [rule(['create'], [names.group('authorization')], 'selfsubjectaccessreviews selfsubjectrulesreviews')]),
    binding('system:basic-user', 'system:authenticated'),
    role('view', viewing(names)),
    role('edit', [...editing(names), ...viewing(names)]),
    role('admin', [...editing(names), ...administering(names), ...viewing(names)]),
  ];
}
