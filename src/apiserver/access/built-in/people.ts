/** Roles for people: administrators, editors, viewers. Models: v1.24 plugin/pkg/auth/authorizer/rbac/bootstrappolicy policy.go. */
import { may, mayAsk, READ, WRITE, type BindingRow, type Line, type RoleRow } from './table.ts';

const INFO = '/healthz /livez /readyz /version /version/';

/** The rules of viewers, who may not read Secrets. */
const viewRules: readonly Line[] = [
  may(
    READ,
    'core',
    'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
  ),
  may(
    READ,
    'core',
    'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
  ),
  may(READ, 'core', 'namespaces'),
  may(READ, 'discovery', 'endpointslices'),
  may(
    READ,
    'apps',
    'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
  ),
  may(READ, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  may(READ, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
  may(
    READ,
    'extensions',
    'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
  ),
  may(READ, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
  may(READ, 'networking', 'ingresses ingresses/status networkpolicies'),
];

const editRules: readonly Line[] = [
  may(READ, 'core', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
  may('impersonate', 'core', 'serviceaccounts'),
  may(WRITE, 'core', 'pods pods/attach pods/exec pods/portforward pods/proxy'),
  may('create', 'core', 'pods/eviction'),
  may(
    WRITE,
    'core',
    'configmaps endpoints events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
  ),
  may('create', 'core', 'serviceaccounts/token'),
  may(
    WRITE,
    'apps',
    'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
  ),
  may(WRITE, 'autoscaling', 'horizontalpodautoscalers'),
  may(WRITE, 'batch', 'cronjobs jobs'),
  may(
    WRITE,
    'extensions',
    'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
  ),
  may(WRITE, 'policy', 'poddisruptionbudgets'),
  may(WRITE, 'networking', 'ingresses networkpolicies'),
];

export const people = (): readonly RoleRow[] => [
  { name: 'cluster-admin', rules: [may('*', '*', '*'), mayAsk('*', '*')] },
  { name: 'system:discovery', rules: [mayAsk('get', `/api /api/* /apis /apis/* /openapi /openapi/* ${INFO}`)] },
  { name: 'system:monitoring', rules: [mayAsk('get', '/healthz /healthz/* /livez /livez/* /metrics /readyz /readyz/*')] },
  { name: 'system:basic-user', rules: [may('create', 'authorization', 'selfsubjectaccessreviews selfsubjectrulesreviews')] },
  { name: 'system:public-info-viewer', rules: [mayAsk('get', INFO)] },
  { name: 'system:aggregate-to-view', aggregatesTo: 'view', rules: viewRules },
  { name: 'view', aggregates: 'view', aggregatesTo: 'edit', rules: [] },
  { name: 'system:aggregate-to-edit', aggregatesTo: 'edit', rules: editRules },
  { name: 'edit', aggregates: 'edit', aggregatesTo: 'admin', rules: [] },
  {
    name: 'system:aggregate-to-admin',
    aggregatesTo: 'admin',
    rules: [
      may('create', 'authorization', 'localsubjectaccessreviews'),
      may(`${READ} ${WRITE}`, 'rbac.authorization', 'rolebindings roles'),
    ],
  },
  { name: 'admin', aggregates: 'admin', rules: [] },
];

const KNOWN = ['Group', 'system:authenticated'] as const;

export const peopleBindings = (): readonly BindingRow[] => [
  { name: 'cluster-admin', subjects: [['Group', 'system:masters']] },
  { name: 'system:monitoring', subjects: [['Group', 'system:monitoring']] },
  { name: 'system:public-info-viewer', subjects: [KNOWN, ['Group', 'system:unauthenticated']] },
  { name: 'system:discovery', subjects: [KNOWN] },
  { name: 'system:basic-user', subjects: [KNOWN] },
];
