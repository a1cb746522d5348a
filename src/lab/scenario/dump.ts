/**
 * Manifests that a cluster gave out (`kubectl get -o yaml`): what the server sets is left out, as a server refuses to be told it, and what
 * the controllers of the dump made is left to the controllers here. Identities, statuses and times of the dump are not taken over.
 */
import type { CLUSTER } from './cluster-format.ts';
import type { Value } from './fields.ts';
import type { Manifest, SourcedManifest } from './types.ts';

type RawNodes = NonNullable<Value<typeof CLUSTER>['nodes']>;

/** Manifests to begin with, and what was left out of them. */
export interface Start {
  readonly manifests: readonly SourcedManifest[];
  /** The machines of the dump; absent: it has none, or the scenario says its own. */
  readonly nodes?: RawNodes;
  /** For people; absent: no manifest comes from a cluster. */
  readonly lintWarning?: string;
}

const SET_BY_THE_SERVER: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
  'ownerReferences',
]);

/** What a scenario begins with: manifests as they are, unless a cluster gave them out. */
export function startOf(manifests: readonly SourcedManifest[], hasNodes: boolean): Start {
  if (!manifests.some(({ object }) => comesFromACluster(object))) return { manifests };
  const uids = new Set(manifests.map(({ object }) => object.metadata?.['uid']));
  const made = manifests.filter(({ object }) => ownersOf(object).some((owner) => owner['controller'] === true && uids.has(owner['uid'])));
  const nodes = manifests.filter(({ object }) => object.kind === 'Node' && comesFromACluster(object));
  const left = new Set([...made, ...nodes]);
  return {
    manifests: manifests.filter((each) => !left.has(each)).map(({ object, ...rest }) => ({ object: asWritten(object), ...rest })),
    ...(nodes.length === 0 || hasNodes ? {} : { nodes: nodes.map(({ object }) => machineOf(object)) }),
    lintWarning: `the manifests come from a cluster: uid, resourceVersion, status and what else the server sets are set anew, ${count(made.length, 'object')} that controllers made ${made.length === 1 ? 'is' : 'are'} left to them, ${count(nodes.length, 'Node')} ${nodes.length === 1 ? 'is a machine' : 'are machines'} of the cluster`,
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`;

const comesFromACluster = ({ metadata = {} }: Manifest): boolean =>
  metadata['uid'] !== undefined && metadata['resourceVersion'] !== undefined;

const ownersOf = ({ metadata = {} }: Manifest): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(metadata['ownerReferences']) ? metadata['ownerReferences'].filter(isRecord) : [];

function asWritten(object: Manifest): Manifest {
  if (!comesFromACluster(object)) return object;
  const { status: _, metadata = {}, ...rest } = object;
  return { ...rest, metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => !SET_BY_THE_SERVER.has(name))) };
}

type Machine = Extract<RawNodes, readonly unknown[]>[number];

/** A machine as a scenario says it. */
function machineOf({ metadata = {}, spec, status }: Manifest): Machine {
  const capacity = isRecord(status) && isRecord(status['capacity']) ? status['capacity'] : undefined;
  const taints: unknown = isRecord(spec) ? spec['taints'] : undefined;
  return {
    name: String(metadata['name']),
    ...(isRecord(metadata['labels']) ? { labels: textsOf(metadata['labels']) } : {}),
    ...(capacity === undefined ? {} : { capacity: textsOf(capacity) }),
    ...(Array.isArray(taints) ? { taints: taints.filter(isRecord).map(taintOf) } : {}),
  };
}

const textsOf = (record: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]));

const taintOf = ({ key, value, effect }: Readonly<Record<string, unknown>>): NonNullable<Machine['taints']>[number] => ({
  key: String(key),
  effect: effect as 'NoSchedule',
  ...(typeof value === 'string' ? { value } : {}),
});
