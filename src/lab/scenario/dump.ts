/**
 * Imports manifests that a cluster printed (`kubectl get -o yaml`): fields that the server sets are removed, because a server refuses some
 * of them, and objects that controllers created are left to the simulated controllers. Uids, statuses and times are not kept.
 */
import { isMapping, plural } from '../../schema/values/index.ts';
import type { CLUSTER } from './cluster-format.ts';
import type { Value } from './fields.ts';
import type { Manifest, SourcedManifest } from './values.ts';

type RawNodes = NonNullable<Value<typeof CLUSTER>['nodes']>;

export interface Start {
  readonly manifests: readonly SourcedManifest[];
  /** The nodes of the manifests; absent: there are none, or the scenario defines its own. */
  readonly nodes?: RawNodes;
  /** A summary for a reader; absent: no manifest comes from a cluster. */
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

/** Returns the initial manifests of a scenario, unchanged unless a cluster printed them. */
export function startOf(manifests: readonly SourcedManifest[], hasNodes: boolean): Start {
  if (!manifests.some(({ object }) => comesFromACluster(object))) return { manifests };
  const uids = new Set(manifests.map(({ object }) => object.metadata?.['uid']));
  const made = manifests.filter(({ object }) => ownersOf(object).some((owner) => owner['controller'] === true && uids.has(owner['uid'])));
  const nodes = manifests.filter(({ object }) => object.kind === 'Node' && comesFromACluster(object));
  const left = new Set([...made, ...nodes]);
  return {
    manifests: manifests.filter((each) => !left.has(each)).map(({ object, ...rest }) => ({ object: asWritten(object), ...rest })),
    ...(nodes.length === 0 || hasNodes ? {} : { nodes: nodes.map(({ object }) => machineOf(object)) }),
    lintWarning: `the manifests come from a cluster: uid, resourceVersion, status and other fields of the server are set again, ${plural(made.length, 'object')} that controllers made ${made.length === 1 ? 'is' : 'are'} left to them, ${plural(nodes.length, 'Node')} ${nodes.length === 1 ? 'is a machine' : 'are machines'} of the cluster`,
  };
}

const comesFromACluster = ({ metadata = {} }: Manifest): boolean =>
  metadata['uid'] !== undefined && metadata['resourceVersion'] !== undefined;

const ownersOf = ({ metadata = {} }: Manifest): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(metadata['ownerReferences']) ? metadata['ownerReferences'].filter(isMapping) : [];

function asWritten(object: Manifest): Manifest {
  if (!comesFromACluster(object)) return object;
  const { status: _, metadata = {}, ...rest } = object;
  return { ...rest, metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => !SET_BY_THE_SERVER.has(name))) };
}

type Machine = Extract<RawNodes, readonly unknown[]>[number];

function machineOf({ metadata = {}, spec, status }: Manifest): Machine {
  const capacity = isMapping(status) && isMapping(status['capacity']) ? status['capacity'] : undefined;
  const taints: unknown = isMapping(spec) ? spec['taints'] : undefined;
  return {
    name: String(metadata['name']),
    ...(isMapping(metadata['labels']) ? { labels: textsOf(metadata['labels']) } : {}),
    ...(capacity === undefined ? {} : { capacity: textsOf(capacity) }),
    ...(Array.isArray(taints) ? { taints: taints.filter(isMapping).map(taintOf) } : {}),
  };
}

const textsOf = (record: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]));

const taintOf = ({ key, value, effect }: Readonly<Record<string, unknown>>): NonNullable<Machine['taints']>[number] => ({
  key: String(key),
  effect: effect as 'NoSchedule',
  ...(typeof value === 'string' ? { value } : {}),
});
