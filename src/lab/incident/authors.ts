/**
 * Who made the requests of an audit log: the components of the control plane and the nodes, by their users, and everyone else. Names: v1.24
 * plugin/pkg/auth/authorizer/rbac/bootstrappolicy controller_policy.go, cmd/kube-controller-manager app.
 */
import type { Names } from '../../apiserver/machinery/index.ts';

/** The service accounts of controllers that are simulated, by the controller here. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  job: 'job-controller',
  'job-ttl': 'ttl-after-finished-controller',
  'cron-job': 'cronjob-controller',
  deployment: 'deployment-controller',
  'replica-set': 'replicaset-controller',
  'stateful-set': 'statefulset-controller',
  'daemon-set': 'daemon-set-controller',
  disruption: 'disruption-controller',
  endpoints: 'endpoint-controller',
  'endpoint-slice': 'endpointslice-controller',
  'endpoint-slice-mirroring': 'endpointslicemirroring-controller',
  'garbage-collector': 'generic-garbage-collector',
  'horizontal-pod-autoscaler': 'horizontal-pod-autoscaler',
  namespace: 'namespace-controller',
  'node-lifecycle': 'node-controller',
  'taint-eviction': 'node-controller',
  'pod-gc': 'pod-garbage-collector',
  'resource-quota': 'resourcequota-controller',
  'service-account': 'service-account-controller',
  'root-certificate': 'root-ca-cert-publisher',
  'attach-detach': 'attachdetach-controller',
  'claim-binder': 'persistent-volume-binder',
  'volume-binder': 'persistent-volume-binder',
  'claim-protection': 'pvc-protection-controller',
  'volume-protection': 'pv-protection-controller',
  'cluster-role-aggregation': 'clusterrole-aggregation-controller',
};

/** Controllers that are not simulated, whose writes are no requests of a client either. */
const OTHERS: readonly string[] = [
  'bootstrap-signer',
  'certificate-controller',
  'cloud-provider',
  'ephemeral-volume-controller',
  'expand-controller',
  'legacy-service-account-token-cleaner',
  'replication-controller',
  'route-controller',
  'service-controller',
  'token-cleaner',
  'tokens-controller',
  'ttl-controller',
];

const CONTROLLERS: ReadonlySet<string> = new Set([...Object.values(ACCOUNTS), ...OTHERS]);
const ACCOUNT = /^system:serviceaccount:(?:kube|orch)-system:(.+)$/;
const NODE = /^system:node:(.+)$/;
const COMPONENT = /^system:(?:kube|orch)-(scheduler|controller-manager)$/;
const SERVER = 'system:apiserver';

/** The author of a request: a component of the control plane, a node, the server itself; `cluster`: one of them, as a watch does not say. */
export type Component =
  | { readonly sort: 'controller' | 'scheduler' | 'server' | 'cluster'; readonly name: string }
  | { readonly sort: 'node'; readonly name: string; readonly node: string };

/** Returns the component that a user is; undefined: a person or a foreign program. */
export function componentOf(user: string, userAgent: string): Component | undefined {
  if (user === SERVER) return { sort: 'server', name: SERVER };
  const node = NODE.exec(user)?.[1];
  if (node !== undefined) return { sort: 'node', name: `agent/${node}`, node };
  const account = ACCOUNT.exec(user)?.[1];
  if (account !== undefined) return CONTROLLERS.has(account) ? { sort: 'controller', name: account } : undefined;
  const component = COMPONENT.exec(user)?.[1];
  if (component === undefined) return undefined;
  if (component === 'scheduler') return { sort: 'scheduler', name: 'scheduler' };
  // Without credentials of their own, controllers are recognised by the end of the program's name.
  return { sort: 'controller', name: ACCOUNT.exec(userAgent.split('/').at(-1) ?? '')?.[1] ?? 'controller-manager' };
}

export interface Identity {
  readonly username: string;
  readonly groups: readonly string[];
}

const AUTHENTICATED = 'system:authenticated';
const accountOf = (namespace: string, name: string): Identity => ({
  username: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED],
});

/** Returns the user under which a process of this cluster would ask a real server; undefined: it is no process. */
export function identityOf(process: string, controller: string | undefined, kind: string, names: Names): Identity | undefined {
  if (process === 'server' || process === 'api-server') return { username: SERVER, groups: ['system:masters'] };
  if (process.startsWith('agent/'))
    return { username: `system:node:${process.slice('agent/'.length)}`, groups: ['system:nodes', AUTHENTICATED] };
  if (controller === undefined) return undefined;
  if (Object.hasOwn(ACCOUNTS, controller)) return accountOf(names.systemNamespace, ACCOUNTS[controller] ?? controller);
  if (controller.startsWith('scheduler')) return { username: `system:${names.schedulerName}`, groups: [AUTHENTICATED] };
  if (kind === 'Lease')
    return {
      username: `system:${process.startsWith('scheduler') ? names.schedulerName : names.controllerManagerName}`,
      groups: [AUTHENTICATED],
    };
  return accountOf('default', process.startsWith('storage-driver/') ? process.slice('storage-driver/'.length) : controller);
}
