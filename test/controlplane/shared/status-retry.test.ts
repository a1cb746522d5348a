/** A status update that conflicts because of a stale cache: the retry is upstream's, and does not last as long as the cache lags. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const SPECS = {
  ReplicaSet: 'replicas: 1, ',
  DaemonSet: '',
  StatefulSet: 'replicas: 1, serviceName: web, ',
} as const;

/** The conflicts of status updates, and when the server first has the status, while the cache of sets lags by 30 s. */
function staleCache(kind: keyof typeof SPECS) {
  const read = readScenarios(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: stale }
spec:
  cluster: { nodes: { count: 1 }, podBehaviors: [{ readyDelay: 13s }] }
  steps:
    - apply: { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: None, selector: { app: web } } }
    - apply: { apiVersion: apps/v1, kind: ${kind}, metadata: { name: web }, spec: { ${SPECS[kind]}selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }
    - at: 5s
      fault: { lag: controller-manager, kinds: [${kind}], by: 30s, for: 1m }
    - at: 10s
      patch: { target: ${kind}/web, patch: { metadata: { annotations: { x: "1" } } } }
    - { when: settled, note: It rests. }
`);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const [scenario] = read.scenarios;
  if (scenario === undefined) throw new Error('no scenario');
  const { trace, verdict } = simulate(scenario, { trace: true });
  const entries = trace?.entries ?? [];
  const conflicts = entries.filter((entry) => entry.type === 'refusal' && entry.status.code === 409).length;
  const ready = entries.find(
    (entry) =>
      entry.type === 'write' &&
      entry.change.kind === kind &&
      Object.entries(entry.change.object['status'] as object).some(([name, value]) => /ready/i.test(name) && value === 1),
  );
  return { verdict, conflicts, readyAt: ready === undefined ? undefined : ready.at - (trace?.startAt ?? 0) };
}

describe('a status over a stale cache', () => {
  it.each(['ReplicaSet', 'DaemonSet'] as const)('of a %s is written over what the server has', (kind) => {
    // The second conflict is at 40 s: the cache then shows the state before the status of 13 s.
    expect(staleCache(kind)).toEqual({ verdict: 'held', conflicts: 2, readyAt: 13_000 });
  });

  it('of a StatefulSet is tried five times per sync, then the key backs off', () => {
    // Back-offs of 5 ms, 10 ms, … 20.48 s fit into the 27 s of the cache's lag: 13 syncs.
    expect(staleCache('StatefulSet')).toMatchObject({ verdict: 'held', conflicts: 65 });
  });
});
