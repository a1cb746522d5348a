/**
 * Turns a recorded case into a scenario. Names with random parts are nobody's to know: an object that a controller named is meant by its
 * place in the order of creation (`nth`), everything else by its name. Uids are nobody's either: a reference to an object that lives at
 * that moment loses its uid, and whoever runs the scenario fills in that of the object there. (The tool that came with the recordings
 * does neither for cluster-scoped names and uids, so those cases could not be replayed.)
 */
import type { RecordedAction, RecordedCase, TraceLine } from './recording.ts';

const KINDS: Readonly<Record<string, string>> = {
  jobs: 'Job', cronjobs: 'CronJob', statefulsets: 'StatefulSet', pods: 'Pod', services: 'Service', persistentvolumeclaims: 'PersistentVolumeClaim',
  persistentvolumes: 'PersistentVolume', nodes: 'Node', configmaps: 'ConfigMap', endpoints: 'Endpoints', namespaces: 'Namespace', resourcequotas: 'ResourceQuota',
  storageclasses: 'StorageClass', csidrivers: 'CSIDriver', csinodes: 'CSINode', volumeattachments: 'VolumeAttachment', endpointslices: 'EndpointSlice',
  leases: 'Lease', limitranges: 'LimitRange', clusterroles: 'ClusterRole', poddisruptionbudgets: 'PodDisruptionBudget',
};
const CLUSTER_SCOPED = new Set(['Node', 'PersistentVolume', 'StorageClass', 'CSIDriver', 'CSINode', 'VolumeAttachment', 'Namespace', 'ClusterRole']);
/** The gates that were on in the recordings called `-gates`. */
const GATES = { JobTrackingWithFinalizers: true, CronJobTimeZone: true, StatefulSetAutoDeletePVC: true, MaxUnavailableStatefulSet: true };

/** A scenario document as the format's reader takes it. */
export interface ScenarioDocument {
  readonly apiVersion: 'scenario.orch.io/v1';
  readonly kind: 'Scenario';
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>> & { readonly steps: readonly Readonly<Record<string, unknown>>[] };
}

interface Target { readonly kind: string | undefined; readonly namespace?: string; readonly name?: string; readonly nth?: number }

/** Whether a case can be a scenario at all: one about processes only has nothing to apply. */
export function isScenario({ actions }: RecordedCase): boolean {
  return actions.namespace !== undefined && actions.startWallClock !== undefined && actions.durationSeconds !== undefined;
}

export function toScenario(recorded: RecordedCase, { gates = false }: { readonly gates?: boolean } = {}): ScenarioDocument {
  const { name, actions: { namespace = '', startWallClock, durationSeconds = 0, actions }, trace } = recorded;
  const given = new Set(actions.filter(({ method }) => method === 'POST').map(({ body }) => nameOf(body)));
  const find = (path: string, at: number): Target => target(path, at, { namespace, given, trace });
  const alive = (uid: unknown, at: number): boolean => typeof uid === 'string' && livesAt(trace, uid, at);
  const nodes = ['node-0', 'node-1', 'node-2', ...(name === 'p-node-lost' ? ['lost-0'] : [])];
  return {
    apiVersion: 'scenario.orch.io/v1', kind: 'Scenario', metadata: { name },
    spec: {
      title: `Recorded: ${name}`, seed: 1, domain: 'k8s.io', startTime: startWallClock, until: milliseconds(durationSeconds),
      featureGates: gates ? GATES : {},
      cluster: {
        ...candidates(actions),
        nodes: nodes.map((node) => ({ name: node, capacity: { cpu: '64', memory: '256Gi', pods: '500' } })),
        latency: { api: '5ms', watch: '1ms' },
        storageDrivers: [{
          name: 'csi.fake.example', attachDelay: '300ms', detachDelay: '300ms', provisionDelay: '200ms',
          storageClasses: [{ name: 'fake-csi', volumeBindingMode: 'Immediate', reclaimPolicy: 'Delete' }],
        }],
      },
      namespaces: [namespace],
      steps: actions.map((action) => forgetUids(action, alive)).flatMap((action) => stepOf(action, find)),
    },
  };
}

function stepOf(action: RecordedAction, find: (path: string, at: number) => Target): Record<string, unknown>[] {
  const at = milliseconds(action.t);
  if (action.note !== undefined && action.note !== '') {
    const fault = faultOf(action.note);
    return fault === undefined ? [] : [{ at, fault }];
  }
  if (action.method === undefined) return [];
  const write = writeOf(action, find);
  return [action.code !== undefined && action.code >= 300 ? { at, expectError: { ...write, code: action.code } } : { at, ...write }];
}

/** Who stands for election, where the case speaks of it. The second scheduler is there from the start, a few milliseconds early. */
function candidates(actions: readonly RecordedAction[]): Record<string, unknown> {
  return actions.some(({ note = '' }) => /second \S*scheduler/.test(note)) ? { schedulers: 2, controllerManagers: 1 } : {};
}

/** What was done to a process or a machine, from the note about it. */
function faultOf(note: string): Record<string, string> | undefined {
  if (/second \S*scheduler .*stopped/.test(note)) return { stop: 'scheduler-1' };
  const who = /node agent of (\S+)|of (\S+) killed/.exec(note);
  const node = who?.[1] ?? who?.[2];
  if (node === undefined) return undefined;
  if (/killed|silent/.test(note)) return { nodeDown: node };
  if (note.includes('back')) return { nodeUp: node };
  if (note.includes('Ready=False')) return { nodeNotReady: node };
  return note.includes('Ready=True') ? { nodeReady: node } : undefined;
}

function writeOf({ t, method, path = '', contentType = '', body }: RecordedAction, find: (path: string, at: number) => Target): Record<string, unknown> {
  const plain = path.split('?')[0] ?? '';
  if (method === 'POST' && plain.endsWith('/eviction')) return { evict: { target: find(plain, t) } };
  if (method === 'POST') return { create: ourAnnotations(body) };
  if (method === 'PUT') return { replace: ourAnnotations(body) };
  if (method === 'PATCH') {
    const subresource = plain.endsWith('/status') ? { subresource: 'status' } : {};
    return { patch: { target: find(plain, t), type: contentType.includes('strategic') ? 'strategic' : 'merge', ...subresource, patch: ourAnnotations(body) } };
  }
  const propagationPolicy = body?.['propagationPolicy'];
  const gracePeriodSeconds = body?.['gracePeriodSeconds'];
  const options = { ...(isTruthy(propagationPolicy) ? { propagationPolicy } : {}), ...(gracePeriodSeconds !== undefined ? { gracePeriodSeconds } : {}) };
  return { delete: { target: find(plain, t), ...options } };
}

function target(path: string, at: number, { namespace, given, trace }: { namespace: string; given: ReadonlySet<string | undefined>; trace: readonly TraceLine[] }): Target {
  const parts = path.replace(/\/(status|eviction)$/, '').split('/');
  const kind = KINDS[parts.at(-2) ?? ''];
  const name = parts.at(-1) ?? '';
  if (kind !== undefined && CLUSTER_SCOPED.has(kind)) {
    // A volume that a driver made has a name of its own; only recordings that show it tell which one it is.
    const nth = given.has(name) || !name.startsWith('pvc-') ? 0 : existing(trace, undefined, kind, at).indexOf(name) + 1;
    return nth === 0 ? { kind, name } : { kind, nth };
  }
  const where = parts[parts.indexOf('namespaces') + 1] ?? '';
  // Names we gave, names of StatefulSet pods, and whatever lies outside the case's own namespace.
  const known = given.has(name) || /-\d+$/.test(name) || where !== namespace;
  return known ? { kind, namespace: where, name } : { kind, namespace: where, nth: existing(trace, namespace, kind, at).indexOf(name) + 1 };
}

/** Names of the objects of a kind that there are at a time, by creation. */
function existing(trace: readonly TraceLine[], namespace: string | undefined, kind: string | undefined, at: number): (string | undefined)[] {
  const names = new Set<string | undefined>();
  for (const { t, type, object } of trace) {
    if (t > at || object.kind !== kind || object.metadata === undefined || object.metadata.namespace !== namespace) continue;
    if (type === 'DELETED') names.delete(object.metadata.name);
    else names.add(object.metadata.name);
  }
  return [...names];
}

function livesAt(trace: readonly TraceLine[], uid: string, at: number): boolean {
  let lives = false;
  for (const { t, type, object } of trace) if (t <= at && object.metadata !== undefined && object.metadata.uid === uid) lives = type !== 'DELETED';
  return lives;
}

/** The action with owner references that name living objects without their recorded uids. */
function forgetUids(action: RecordedAction, alive: (uid: unknown, at: number) => boolean): RecordedAction {
  const metadata = action.body?.['metadata'] as { readonly ownerReferences?: readonly Readonly<Record<string, unknown>>[] } | undefined;
  if (metadata?.ownerReferences === undefined || metadata.ownerReferences === null) return action;
  const ownerReferences = metadata.ownerReferences.map(({ uid, ...rest }) => (alive(uid, action.t) ? rest : { ...rest, uid }));
  return { ...action, body: { ...action.body, metadata: { ...metadata, ownerReferences } } };
}

/** The recordings say `sim/…` where scenarios say `sim.orch.io/…`. */
function ourAnnotations(body: unknown): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body).replaceAll('"sim/', '"sim.orch.io/'));
}

function nameOf(body: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const metadata = body?.['metadata'];
  const name: unknown = typeof metadata === 'object' && metadata !== null && 'name' in metadata ? metadata.name : undefined;
  return typeof name === 'string' ? name : undefined;
}

function milliseconds(seconds: number): string {
  return `${Math.round(seconds * 1000)}ms`;
}

function isTruthy(value: unknown): boolean {
  return Boolean(value);
}
