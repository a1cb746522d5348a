/** The cluster of a scenario that begins with a dump: its machines and drivers are those of the dump, and those that the file adds. */
import { plural, present } from '../../schema/values/index.ts';
import { formatInstant } from './targets.ts';
import { compileCluster } from './compile-cluster.ts';
import type { BEHAVIORS } from './cluster-format.ts';
import type { Value } from './fields.ts';
import type { Behavior, ClusterSpec, ScenarioFrom } from './types.ts';

/** Compiles the cluster; without a dump, as the file says it. */
export function clusterFrom(from: ScenarioFrom | undefined, raw: Parameters<typeof compileCluster>[0]): ClusterSpec {
  if (from === undefined) return compileCluster(raw);
  const { nodes, storageDrivers } = from.snapshot;
  const more = behaviorOf(from);
  const cluster = compileCluster({ nodes: [], ...raw });
  const stated = new Set(cluster.storageDrivers.map(({ name }) => name));
  return {
    ...cluster,
    nodes: [...nodes, ...cluster.nodes],
    podBehaviors: [...cluster.podBehaviors, ...more.podBehaviors],
    ...(more.usage.length === 0 ? {} : { usage: [...(cluster.usage ?? []), ...more.usage] }),
    ...(more.metrics.length === 0 ? {} : { metrics: [...(cluster.metrics ?? []), ...more.metrics] }),
    storageDrivers: [...storageDrivers.filter(({ name }) => !stated.has(name)), ...cluster.storageDrivers],
  };
}

export function compileBehaviors(raw: Value<typeof BEHAVIORS>): Behavior {
  const { podBehaviors, usage, metrics } = compileCluster({ nodes: [], ...raw });
  return { podBehaviors, ...present({ usage, metrics }) };
}

/** What a dump and its file of behaviours add to the cluster of a scenario. A usage that the file states is not that of the dump. */
export function behaviorOf({ snapshot, behavior = { podBehaviors: [] } }: ScenarioFrom): Required<Behavior> {
  const { podBehaviors, usage = [], metrics = [] } = behavior;
  const stated = new Set(usage.map(keyOf));
  return { podBehaviors, usage: [...usage, ...snapshot.usage.filter((each) => !stated.has(keyOf(each)))], metrics };
}

const keyOf = ({ namespace, selector }: NonNullable<Behavior['usage']>[number]): string => JSON.stringify([namespace, selector]);

/** What was read, and what was missing, a line each. */
export function notesOn({ paths, snapshot: { objects, nodes, foreign, takenAt, notes } }: ScenarioFrom): readonly string[] {
  const kinds = new Set(objects.map(({ kind }) => kind)).size;
  const silent = nodes.filter(({ restored }) => restored === 'down').length;
  const time = takenAt === undefined ? '' : `, as of ${formatInstant(takenAt)}`;
  return [
    `from ${paths.join(', ')}: ${plural(objects.length, 'object')} of ${plural(kinds, 'kind')}${foreign.length === 0 ? '' : ` (${foreign.length} foreign)`}, ${plural(nodes.length, 'node')}${silent === 0 ? '' : ` (${silent} silent)`}${time}`,
    ...notes,
  ];
}
