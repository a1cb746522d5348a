/** What moves a cluster that is at rest: time alone, or its control plane starting anew. Nothing should; heartbeats and events do not count. */
import type { ApiObject, Node } from '../../cluster/api/index.ts';
import type { Run } from '../simulation/index.ts';

const UNCOUNTED: ReadonlySet<string> = new Set(['Event', 'Lease']);
const CALM_MS = 600_000;

/** An object as far as it matters: an agent repeats the status of its node every few minutes. */
function fingerprint(object: ApiObject): string {
  if (object.kind !== 'Node') return object.metadata.resourceVersion;
  const node = object as Node;
  return JSON.stringify(node, (member, value: unknown) => (member === 'lastHeartbeatTime' || (member === 'resourceVersion' && value === node.metadata.resourceVersion) ? undefined : value));
}

function snapshot({ cluster: { kinds, store } }: Run): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  for (const { kind } of kinds.list()) {
    if (UNCOUNTED.has(kind)) continue;
    for (const object of store.values(kind)) seen.set(`${kind} ${object.metadata.namespace === undefined ? '' : `${object.metadata.namespace}/`}${object.metadata.name}`, fingerprint(object));
  }
  return seen;
}

/** The objects that changed, came or went when the control plane was started anew and some minutes passed; none is right. A run that never came to rest has been told of already. */
export function stirredByRestart(run: Run): readonly string[] {
  const { cluster, settled } = run;
  if (!settled) return [];
  const before = snapshot(run);
  for (const name of cluster.runtime.names()) {
    if (name.startsWith('agent/') || !cluster.runtime.crash(name)) continue;
    cluster.runtime.restart(name, cluster.now + 1000);
  }
  cluster.runUntil(cluster.now + CALM_MS);
  const afterwards = snapshot(run);
  return [...new Set([...before.keys(), ...afterwards.keys()])].filter((name) => before.get(name) !== afterwards.get(name)).map((name) => `at rest, a restart of the control plane changes ${name}`);
}
