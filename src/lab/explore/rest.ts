/**
 * What stirs a cluster that is at rest: time alone, or its control plane starting anew. Nothing should; heartbeats, leases and events do
 * not count.
 */
import type { Change } from '../../apiserver/store/index.ts';
import type { Run } from '../simulation/index.ts';
import { diffValues, summarizeChange } from '../trace/index.ts';

const UNCOUNTED: ReadonlySet<string> = new Set(['Event', 'Lease']);
/** What goes on in the background, such as the passes over nodes, comes to an end. */
const SETTLING_MS = 60_000;
const QUIESCENCE_MS = 600_000;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** Instants, nothing, or a mapping of them: an agent repeats the status of its node, an empty slice is told when it was looked at. */
const tellsTime = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' ? INSTANT.test(value) : typeof value === 'object' && Object.values(value).every(tellsTime));
const isTelling = ({ type, previous, object }: Change): boolean =>
  type !== 'MODIFIED' ||
  previous === undefined ||
  diffValues(previous, object).some(
    ({ path, before, after }) => path !== 'metadata.resourceVersion' && !(tellsTime(before) && tellsTime(after)),
  );

/**
 * What was written when the control plane was started anew and some minutes passed, a line each; none is right. A run that never came to
 * rest has been told of already.
 */
export function stirredByRestart({ cluster, settled }: Run): readonly string[] {
  if (!settled) return [];
  cluster.runUntil(cluster.now + SETTLING_MS);
  const stirred = new Set<string>();
  const watching = cluster.observations.subscribe((observation) => {
    if (observation.type !== 'write' || UNCOUNTED.has(observation.change.kind) || !isTelling(observation.change)) return;
    const { type, kind, key } = observation.change;
    stirred.add(
      `at rest, after a restart of the control plane, ${observation.controller ?? observation.actor} ${type === 'ADDED' ? `creates ${kind} ${key}` : type === 'DELETED' ? `deletes ${kind} ${key}` : `changes ${kind} ${key}: ${summarizeChange(observation.change)}`}`,
    );
  });
  try {
    for (const name of cluster.runtime.names())
      if (!name.startsWith('agent/') && cluster.runtime.crash(name)) cluster.runtime.restart(name, cluster.now + 1000);
    cluster.runUntil(cluster.now + QUIESCENCE_MS);
  } finally {
    watching.unsubscribe();
  }
  return [...stirred];
}
