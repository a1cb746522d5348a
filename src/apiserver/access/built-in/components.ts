/** Roles for the components of a cluster: node agents, the control plane, their helpers. Models: v1.24 bootstrappolicy policy.go. */
import { EVENTS, may, mayAsk, READ, type BindingRow, type RoleRow, rolesOf, type Rules } from './table.ts';

const REVIEWS = [may('create', 'authentication', 'tokenreviews'), may('create', 'authorization', 'subjectaccessreviews')] as const;
/** A leader records itself in a Lease; older releases used Endpoints. */
const leads = (name: string) =>
  [
    may('create', 'coordination', 'leases'),
    may('get update', 'coordination', 'leases', name),
    may('create', 'core', 'endpoints'),
    may('get update', 'core', 'endpoints', name),
  ] as const;
const approver = (signer: string): Rules => ({
  [`system:certificates.k8s.io:${signer}-approver`]: [may('approve', 'certificates', 'signers', `kubernetes.io/${signer}`)],
});
const bootstrapper = (name: string): Rules => ({
  [`system:certificates.k8s.io:certificatesigningrequests:${name}`]: [may('create', 'certificates', `certificatesigningrequests/${name}`)],
});

/** Roles of node agents and other components on nodes. */
const onNodes: Rules = {
  'system:node': [
    may('create', 'authentication', 'tokenreviews'),
    may('create', 'authorization', 'localsubjectaccessreviews subjectaccessreviews'),
    may(READ, 'core', 'services'),
    may(`create ${READ}`, 'core', 'nodes'),
    may('patch update', 'core', 'nodes/status'),
    may('patch update', 'core', 'nodes'),
    EVENTS,
    may(READ, 'core', 'pods'),
    may('create delete', 'core', 'pods'),
    may('patch update', 'core', 'pods/status'),
    may('create', 'core', 'pods/eviction'),
    may(READ, 'core', 'configmaps secrets'),
    may('get', 'core', 'persistentvolumeclaims persistentvolumes'),
    may('get', 'core', 'endpoints'),
    may(`create ${READ}`, 'certificates', 'certificatesigningrequests'),
    may('create delete get patch update', 'coordination', 'leases'),
    may('get', 'storage', 'volumeattachments'),
    may('create', 'core', 'serviceaccounts/token'),
    may('get patch update', 'core', 'persistentvolumeclaims/status'),
    may(READ, 'storage', 'csidrivers'),
    may('create delete get patch update', 'storage', 'csinodes'),
    may(READ, 'node', 'runtimeclasses'),
  ],
  'system:node-problem-detector': [may('get', 'core', 'nodes'), may('patch', 'core', 'nodes/status'), EVENTS],
  'system:node-proxier': [
    may('list watch', 'core', 'endpoints services'),
    may(READ, 'core', 'nodes'),
    EVENTS,
    may('list watch', 'discovery', 'endpointslices'),
  ],
  'system:kubelet-api-admin': [
    may(READ, 'core', 'nodes'),
    may('proxy', 'core', 'nodes'),
    may('*', 'core', 'nodes/log nodes/metrics nodes/proxy nodes/spec nodes/stats'),
  ],
};

/** Roles of the control plane and its helpers. */
const besideNodes: Rules = {
  'system:node-bootstrapper': [may(`create ${READ}`, 'certificates', 'certificatesigningrequests')],
  'system:auth-delegator': REVIEWS,
  'system:kube-aggregator': [may(READ, 'core', 'endpoints services')],
  'system:kube-controller-manager': [
    EVENTS,
    ...leads('kube-controller-manager'),
    may('create', 'core', 'secrets serviceaccounts'),
    may('delete', 'core', 'secrets'),
    may('get', 'core', 'configmaps namespaces secrets serviceaccounts'),
    may('update', 'core', 'secrets serviceaccounts'),
    ...REVIEWS,
    may('list watch', '*', '*'),
    may('create', 'core', 'serviceaccounts/token'),
  ],
  'system:kube-dns': [may('list watch', 'core', 'endpoints services')],
  'system:persistent-volume-provisioner': [
    may(`create delete ${READ}`, 'core', 'persistentvolumes'),
    may(`${READ} update`, 'core', 'persistentvolumeclaims'),
    may(READ, 'storage', 'storageclasses'),
    may('watch', 'core', 'events'),
    EVENTS,
  ],
  ...bootstrapper('nodeclient'),
  ...bootstrapper('selfnodeclient'),
  'system:volume-scheduler': [
    may(`${READ} patch update`, 'core', 'persistentvolumes'),
    may(READ, 'storage', 'storageclasses'),
    may(`${READ} patch update`, 'core', 'persistentvolumeclaims'),
  ],
  ...approver('legacy-unknown'),
  ...approver('kubelet-serving'),
  ...approver('kube-apiserver-client'),
  ...approver('kube-apiserver-client-kubelet'),
  'system:service-account-issuer-discovery': [mayAsk('get', '/.well-known/openid-configuration /openid/v1/jwks')],
  'system:heapster': [may(READ, 'core', 'events namespaces nodes pods'), may(READ, 'extensions', 'deployments')],
  'system:kube-scheduler': [
    EVENTS,
    ...leads('kube-scheduler'),
    may(READ, 'core', 'nodes'),
    may(`delete ${READ}`, 'core', 'pods'),
    may('create', 'core', 'bindings pods/binding'),
    may('patch update', 'core', 'pods/status'),
    may(READ, 'core', 'replicationcontrollers services'),
    may(READ, 'apps extensions', 'replicasets'),
    may(READ, 'apps', 'statefulsets'),
    may(READ, 'policy', 'poddisruptionbudgets'),
    may(READ, 'core', 'persistentvolumeclaims persistentvolumes'),
    ...REVIEWS,
    may(READ, 'storage', 'csinodes'),
    may(READ, 'core', 'namespaces'),
    may(READ, 'storage', 'csidrivers'),
    may(READ, 'storage', 'csistoragecapacities'),
  ],
};

export const components = (): readonly RoleRow[] => rolesOf({ ...onNodes, ...besideNodes });

export const componentBindings = (): readonly BindingRow[] => [
  { name: 'system:node-proxier', subjects: [['User', 'system:kube-proxy']] },
  { name: 'system:kube-controller-manager', subjects: [['User', 'system:kube-controller-manager']] },
  { name: 'system:kube-dns', subjects: [['ServiceAccount', 'kube-dns']] },
  { name: 'system:kube-scheduler', subjects: [['User', 'system:kube-scheduler']] },
  { name: 'system:volume-scheduler', subjects: [['User', 'system:kube-scheduler']] },
  { name: 'system:service-account-issuer-discovery', subjects: [['Group', 'system:serviceaccounts']] },
  // Nodes have a node authorizer of their own upstream; the binding exists so that users can add subjects.
  { name: 'system:node', subjects: [] },
];

const PUBLIC = 'kube-public';
const SYSTEM = 'kube-system';
const CONFIG = 'extension-apiserver-authentication';
const account = (name: string): readonly (readonly ['ServiceAccount', string])[] => [['ServiceAccount', name]];

/** Roles of one namespace. Models: v1.24 bootstrappolicy namespace_policy.go. */
export const namespaced = (): readonly RoleRow[] => [...rolesOf(inSystem, SYSTEM), ...rolesOf(inPublic, PUBLIC)];

const leaderLock = (name: string): Rules => ({
  [`system::leader-locking-${name}`]: [may('watch', 'core', 'configmaps'), may('get update', 'core', 'configmaps', name)],
});

const inSystem: Rules = {
  [`${CONFIG}-reader`]: [may(READ, 'core', 'configmaps', CONFIG)],
  'system:controller:bootstrap-signer': [may(READ, 'core', 'secrets')],
  'system:controller:cloud-provider': [may(`create ${READ}`, 'core', 'configmaps')],
  'system:controller:token-cleaner': [may(`delete ${READ}`, 'core', 'secrets'), EVENTS],
  ...leaderLock('kube-controller-manager'),
  ...leaderLock('kube-scheduler'),
};

const inPublic: Rules = {
  'system:controller:bootstrap-signer': [may(READ, 'core', 'configmaps'), may('update', 'core', 'configmaps', 'cluster-info'), EVENTS],
};

export const namespacedBindings = (): readonly BindingRow[] => [
  {
    namespace: SYSTEM,
    name: `system::${CONFIG}-reader`,
    role: `${CONFIG}-reader`,
    subjects: [
      ['User', 'system:kube-controller-manager'],
      ['User', 'system:kube-scheduler'],
    ],
  },
  ...['kube-controller-manager', 'kube-scheduler'].map((name) => ({
    namespace: SYSTEM,
    name: `system::leader-locking-${name}`,
    subjects: [['User', `system:${name}`] as const, ...account(name)],
  })),
  ...['bootstrap-signer', 'cloud-provider', 'token-cleaner'].map((name) => ({
    namespace: SYSTEM,
    name: `system:controller:${name}`,
    subjects: account(name),
  })),
  { namespace: PUBLIC, name: 'system:controller:bootstrap-signer', subjects: account('bootstrap-signer') },
];
