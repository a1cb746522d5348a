/** The cluster of a scenario that begins with a dump: its machines and drivers are those of the dump, and those that the file adds. */
import { formatInstant } from './targets.ts';
import { compileCluster } from './compile-cluster.ts';
import type { ClusterSpec, ScenarioFrom } from './types.ts';

/** Compiles the cluster; without a dump, as the file says it. */
export function clusterFrom(from: ScenarioFrom | undefined, raw: Parameters<typeof compileCluster>[0]): ClusterSpec {
  if (from === undefined) return compileCluster(raw);
  const { nodes, storageDrivers, usage } = from.snapshot;
  const cluster = compileCluster({ nodes: [], ...raw });
  const stated = new Set(cluster.storageDrivers.map(({ name }) => name));
  return {
    ...cluster,
    nodes: [...nodes, ...cluster.nodes],
    ...(usage.length === 0 ? {} : { usage: [...(cluster.usage ?? []), ...usage] }),
    storageDrivers: [...storageDrivers.filter(({ name }) => !stated.has(name)), ...cluster.storageDrivers],
  };
}

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`;

/** What was read, and what was missing, a line each. */
export function notesOn({ paths, snapshot: { objects, nodes, foreign, takenAt, notes } }: ScenarioFrom): readonly string[] {
  const kinds = new Set(objects.map(({ kind }) => kind)).size;
  const silent = nodes.filter(({ restored }) => restored === 'down').length;
  const time = takenAt === undefined ? '' : `, as of ${formatInstant(takenAt)}`;
  return [
    `from ${paths.join(', ')}: ${count(objects.length, 'object')} of ${count(kinds, 'kind')}${foreign.length === 0 ? '' : ` (${foreign.length} foreign)`}, ${count(nodes.length, 'node')}${silent === 0 ? '' : ` (${silent} silent)`}${time}`,
    ...notes,
  ];
}
