/** The permissions of each controller, under an account of its own. Models: v1.24 bootstrappolicy controller_policy.go. */
import { EVENTS, may, READ, type BindingRow, type Line, type RoleRow, type Rules } from './table.ts';

/** Rules for the objects that a controller makes true. */
const owned = (groups: string, resource: string, verbs = `${READ} update`): readonly Line[] => [
  may(verbs, groups, resource),
  may('update', groups, `${resource}/status`),
  may('update', groups, `${resource}/finalizers`),
];
const makesPods = may('create delete list patch watch', 'core', 'pods');
const slices = [
  may('create delete get list update', 'discovery', 'endpointslices'),
  may('create', 'discovery', 'endpointslices/restricted'),
];

/** Controllers whose children are pods, or that work for them. */
const workloads: Rules = {
  'cronjob-controller': [
    may(`${READ} update`, 'batch', 'cronjobs'),
    may(`create delete ${READ} patch update`, 'batch', 'jobs'),
    may('update', 'batch', 'cronjobs/status'),
    may('update', 'batch', 'cronjobs/finalizers'),
    may('delete list', 'core', 'pods'),
  ],
  'daemon-set-controller': [
    ...owned('apps extensions', 'daemonsets', READ),
    may('list watch', 'core', 'nodes'),
    makesPods,
    may('create', 'core', 'pods/binding'),
    may(`create delete ${READ} patch update`, 'apps', 'controllerrevisions'),
  ],
  'deployment-controller': [
    ...owned('apps extensions', 'deployments'),
    may(`create delete ${READ} patch update`, 'apps extensions', 'replicasets'),
    may(`${READ} update`, 'core', 'pods'),
  ],
  'disruption-controller': [
    may(READ, 'apps extensions', 'deployments'),
    may(READ, 'apps extensions', 'replicasets'),
    may(READ, 'core', 'replicationcontrollers'),
    may(READ, 'policy', 'poddisruptionbudgets'),
    may(READ, 'apps', 'statefulsets'),
    may('update', 'policy', 'poddisruptionbudgets/status'),
    may('get', '*', '*/scale'),
  ],
  'horizontal-pod-autoscaler': [
    may(READ, 'autoscaling', 'horizontalpodautoscalers'),
    may('update', 'autoscaling', 'horizontalpodautoscalers/status'),
    may('get update', '*', '*/scale'),
    may('list', 'core', 'pods'),
    may('list', 'metrics', 'pods'),
    may('get list', 'custom.metrics', '*'),
    may('get list', 'external.metrics', '*'),
  ],
  'job-controller': [...owned('batch', 'jobs', `${READ} patch update`), makesPods],
  'replicaset-controller': [...owned('apps extensions', 'replicasets'), makesPods],
  'replication-controller': [...owned('core', 'replicationcontrollers'), makesPods],
  'statefulset-controller': [
    may('list watch', 'core', 'pods'),
    ...owned('apps', 'statefulsets', READ),
    may('create delete get patch update', 'core', 'pods'),
    may(`create delete ${READ} patch update`, 'apps', 'controllerrevisions'),
    may('create get', 'core', 'persistentvolumeclaims'),
  ],
  'ttl-after-finished-controller': [may(`delete ${READ}`, 'batch', 'jobs')],
};

const storage: Rules = {
  'attachdetach-controller': [
    may('list watch', 'core', 'persistentvolumeclaims persistentvolumes'),
    may(READ, 'core', 'nodes'),
    may('patch update', 'core', 'nodes/status'),
    may('list watch', 'core', 'pods'),
    may(`create delete ${READ}`, 'storage', 'volumeattachments'),
    may(READ, 'storage', 'csidrivers'),
    may(READ, 'storage', 'csinodes'),
  ],
  'ephemeral-volume-controller': [
    may('update', 'core', 'pods/finalizers'),
    may(READ, 'core', 'pods'),
    may(`create ${READ}`, 'core', 'persistentvolumeclaims'),
  ],
  'expand-controller': [
    may(`${READ} patch update`, 'core', 'persistentvolumes'),
    may('patch update', 'core', 'persistentvolumeclaims/status'),
    may(READ, 'core', 'persistentvolumeclaims'),
    may(READ, 'storage', 'storageclasses'),
    may('get', 'core', 'endpoints services'),
    may('get', 'core', 'secrets'),
  ],
  'persistent-volume-binder': [
    may(`create delete ${READ} update`, 'core', 'persistentvolumes'),
    may('update', 'core', 'persistentvolumes/status'),
    may(`${READ} update`, 'core', 'persistentvolumeclaims'),
    may('update', 'core', 'persistentvolumeclaims/status'),
    may(`create delete ${READ}`, 'core', 'pods'),
    may(READ, 'storage', 'storageclasses'),
    may('create delete get update', 'core', 'endpoints services'),
    may('get list', 'core', 'secrets'),
    may('get list', 'core', 'nodes'),
    may('watch', 'core', 'events'),
  ],
  'pv-protection-controller': [may(`${READ} update`, 'core', 'persistentvolumes')],
  'pvc-protection-controller': [may(`${READ} update`, 'core', 'persistentvolumeclaims'), may(READ, 'core', 'pods')],
};

const network: Rules = {
  'endpoint-controller': [
    may(READ, 'core', 'pods services'),
    may('create delete get list update', 'core', 'endpoints'),
    may('create', 'core', 'endpoints/restricted'),
  ],
  'endpointslice-controller': [may(READ, 'core', 'nodes pods services'), may('update', 'core', 'services/finalizers'), ...slices],
  'endpointslicemirroring-controller': [
    may(READ, 'core', 'endpoints services'),
    may('update', 'core', 'services/finalizers'),
    may('update', 'core', 'endpoints/finalizers'),
    ...slices,
  ],
  'route-controller': [may('list watch', 'core', 'nodes'), may('patch', 'core', 'nodes/status')],
  'service-controller': [may(READ, 'core', 'services'), may('patch update', 'core', 'services/status'), may('list watch', 'core', 'nodes')],
};

/** Controllers of nodes, namespaces, accounts, and garbage. */
const upkeep: Rules = {
  'certificate-controller': [
    may(`delete ${READ}`, 'certificates', 'certificatesigningrequests'),
    may('update', 'certificates', 'certificatesigningrequests/approval certificatesigningrequests/status'),
    may('approve', 'certificates', 'signers', 'kubernetes.io/kube-apiserver-client-kubelet'),
    may(
      'sign',
      'certificates',
      'signers',
      'kubernetes.io/kube-apiserver-client kubernetes.io/kube-apiserver-client-kubelet kubernetes.io/kubelet-serving kubernetes.io/legacy-unknown',
    ),
    may('create', 'authorization', 'subjectaccessreviews'),
  ],
  'clusterrole-aggregation-controller': [may(`escalate ${READ} patch update`, 'rbac.authorization', 'clusterroles')],
  'generic-garbage-collector': [may(`delete ${READ} patch update`, '*', '*')],
  'namespace-controller': [
    may(`delete ${READ}`, 'core', 'namespaces'),
    may('update', 'core', 'namespaces/finalize namespaces/status'),
    may('delete deletecollection get list', '*', '*'),
  ],
  'node-controller': [
    may('delete get list patch update', 'core', 'nodes'),
    may('patch update', 'core', 'nodes/status'),
    may('patch update', 'core', 'pods/status'),
    may('delete get list', 'core', 'pods'),
    may('get', 'core', 'pods'),
  ],
  'pod-garbage-collector': [may('delete list watch', 'core', 'pods'), may('get list', 'core', 'nodes')],
  'resourcequota-controller': [may('list watch', '*', '*'), may('update', 'core', 'resourcequotas/status')],
  'root-ca-cert-publisher': [may('create update', 'core', 'configmaps')],
  'service-account-controller': [may('create', 'core', 'serviceaccounts')],
  'ttl-controller': [may('list patch update watch', 'core', 'nodes')],
};

const ALL: Rules = { ...workloads, ...storage, ...network, ...upkeep };

/** Controllers that record no events. */
const SILENT: ReadonlySet<string> = new Set(['clusterrole-aggregation-controller', 'namespace-controller', 'pod-garbage-collector']);

export const controllers = (): readonly RoleRow[] =>
  Object.entries(ALL).map(([name, rules]) => ({
    name: `system:controller:${name}`,
    rules: SILENT.has(name) ? rules : [...rules, EVENTS],
  }));

export const controllerBindings = (): readonly BindingRow[] =>
  Object.keys(ALL).map((name) => ({ name: `system:controller:${name}`, subjects: [['ServiceAccount', name]] }));
