/** Incidents that need livelock detection: a search leads from a scenario that holds to one that continues without progress. */
import { describe, expect, it } from 'vitest';
import type { ConfigMap } from '../../../src/apiserver/kinds/index.ts';
import { defineController, idle, update, write, type Controller } from '../../../src/controlplane/runtime/index.ts';
import { formatScenario } from '../../../src/lab/scenario/index.ts';
import { search, type Finding, type SearchOptions } from '../../../src/lab/search/index.ts';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const found = (scenario: Scenario, options: SearchOptions): readonly Finding[] => {
  const searched = search(scenario, { runs: 64, untilFound: true, ...options });
  if ('unfit' in searched) throw new Error(`${searched.unfit}: ${searched.messages.join('; ')}`);
  return searched.findings;
};

/**
 * Two nodes with capacity for one pod each, one of them about to be drained by a taint. One pod tolerates it indefinitely, the other for
 * five seconds. The first is scheduled first, and the scenario holds.
 */
const maintenance = (tolerationSeconds: string): Scenario =>
  scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: maintenance }
spec:
  until: 30s
  cluster:
    latency: { api: 2ms, watch: 1ms }
    nodes:
      - { name: small, capacity: { cpu: "1", memory: 4Gi, pods: "10" } }
      - { name: large, capacity: { cpu: "2", memory: 8Gi, pods: "10" }, taints: [{ key: maintenance, effect: NoExecute, value: "soon" }] }
    podBehaviors: [{ startDelay: 200ms, terminationDelay: 500ms }]
  steps:
    - at: 1s
      apply:
        apiVersion: apps/v1
        kind: ReplicaSet
        metadata: { name: stays }
        spec: { replicas: 1, selector: { matchLabels: { app: stays } }, template: { metadata: { labels: { app: stays } }, spec: { tolerations: [{ key: maintenance, operator: Exists, effect: NoExecute }], containers: [{ name: c, image: "c:1", resources: { requests: { cpu: 900m } } }] } } }
    - at: 1100ms
      apply:
        apiVersion: apps/v1
        kind: ReplicaSet
        metadata: { name: goes }
        spec: { replicas: 1, selector: { matchLabels: { app: goes } }, template: { metadata: { labels: { app: goes } }, spec: { tolerations: [{ key: maintenance, operator: Exists, effect: NoExecute${tolerationSeconds} }], containers: [{ name: c, image: "c:1", resources: { requests: { cpu: 900m } } }] } } }
    - at: 30s
      expect: { cel: "objects('Pod').size() == 2 && objects('Pod').all(p, p.status.phase == 'Running')" }
`);

describe('a search finds', () => {
  it('a livelock of taints and evictions, with one choice and the repeated writes', { timeout: 120_000 }, () => {
    const [first] = found(maintenance(', tolerationSeconds: 5'), { seed: 1, faults: ['late'] });
    if (first === undefined) throw new Error('nothing was found');
    expect(first.cause.claim).toBe('no livelock');
    expect(first.choices).toHaveLength(1);
    expect(first.words.join('\n')).toMatch(/livelock: the cluster was in one state 8 times, with \d+ writes between/);
    expect(first.words.join('\n')).toContain('taint-eviction: delete Pod default/goes-…, because "its tolerationSeconds have passed"');
    expect(first.words.join('\n')).toContain('replica-set: create Pod default/goes-*');
    // It vanishes with the fix: who may stay for as long as it likes is evicted by nobody.
    const file = scenarioIn(formatScenario(first.scenario));
    expect(evictions({ ...file, choices: first.choices })).toBeGreaterThan(8);
    expect(evictions({ ...maintenance(''), choices: first.choices })).toBe(0);
  });

  it('a finalizer that no controller removes, which vanishes when its owner reads the present objects', { timeout: 120_000 }, () => {
    const controllers = (): readonly Controller[] => [guard(false)];
    const first = found(GUARDED, { seed: 1, controllers }).find(({ cause }) => cause.claim.startsWith('the expectation'));
    if (first === undefined) throw new Error('nothing was found');
    expect(first.choices.length, JSON.stringify(first.choices)).toBeLessThanOrEqual(2);
    const broken = (controller: Controller) => simulate(first.scenario, { controllers: () => [controller] }).failures.length;
    expect(broken(guard(false))).toBeGreaterThan(0);
    expect(broken(guard(true))).toBe(0);
  });
});

describe('a key that fails', () => {
  const stubborn = (untilMs: number) => found(KEPT, { seed: 1, faults: ['late'], controllers: () => [keeper(untilMs)] });

  it('indefinitely is found, with the answer of the server', { timeout: 120_000 }, () => {
    const [first] = stubborn(Infinity);
    expect(first?.cause).toMatchObject({ claim: 'no starvation', controller: 'keeper', why: 'it is to be kept' });
    expect(first?.choices).toHaveLength(1);
    expect(first?.words.join('\n')).toMatch(
      /keeper in controller-manager makes no progress with default\/bone: .* no fault is active\n.*modified/,
    );
  });

  it('for minutes after the faults, and then succeeds, is no finding', { timeout: 120_000 }, () => {
    expect(stubborn(5 * 60_000)).toEqual([]);
  });
});

/** How often a pod was evicted for a taint. */
function evictions(scenario: Scenario): number {
  let count = 0;
  simulate(scenario, {
    onEntry(entry) {
      if (entry.type === 'write' && entry.controller === 'taint-eviction') count++;
    },
  });
  return count;
}

const KEPT = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: kept }
spec:
  until: 10s
  cluster: { nodes: { count: 0 }, latency: { api: 2ms, watch: 1ms } }
  steps:
    - { at: 1s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: bone }, data: { a: "1" } } }
    - { at: 2s, patch: { target: ConfigMap/bone, type: merge, patch: { data: { b: "2" } } } }
    - { at: 10s, expect: { match: { kind: ConfigMap, metadata: { name: bone }, data: { b: "2" } } } }
`);

/** Marks a ConfigMap with its first cached version, however often that is refused; after a time it reads again. */
const keeper = (untilMs: number): Controller =>
  defineController<'ConfigMap', unknown, { first?: ConfigMap; at: number }>({
    name: 'keeper',
    reconciles: 'ConfigMap',
    writes: ['ConfigMap'],
    models: 'nothing: it is planted',
    start: () => ({ at: 0 }),
    observe({ object, old }, { state, now }) {
      if (old === undefined && object.metadata.name === 'bone') Object.assign(state, { first: object, at: now });
    },
    reconcile({ self, state: { first = self, at }, now }) {
      if (self.metadata.name !== 'bone' || self.metadata.labels?.['kept'] === 'yes') return idle('it is kept');
      return write(
        'it is to be kept',
        update(now < at + untilMs ? first : self, (draft) => void (draft.metadata.labels = { kept: 'yes' })),
      );
    },
  });

const HELD = 'example.com/held';

/** Holds every ConfigMap until it has observed its mark; `looks`: also one that was marked while it did not watch. */
const guard = (looks: boolean): Controller =>
  defineController<'ConfigMap', unknown, { readonly marked: Set<string> }>({
    name: 'guard',
    reconciles: 'ConfigMap',
    writes: ['ConfigMap'],
    models: 'nothing: it is planted',
    start: () => ({ marked: new Set() }),
    observe({ object, old }, { state }) {
      if (object.metadata.deletionTimestamp !== undefined && (old !== undefined || looks)) state.marked.add(object.metadata.uid);
    },
    reconcile({ self, state }) {
      const { uid, finalizers = [], deletionTimestamp } = self.metadata;
      const isHeld = finalizers.includes(HELD);
      if (self.metadata.name !== 'bone') return idle('it is another one');
      if (deletionTimestamp === undefined && !isHeld)
        return write(
          'it is to be held',
          update(self, (draft) => void (draft.metadata.finalizers = [...finalizers, HELD])),
        );
      if (!state.marked.has(uid) || !isHeld) return idle('it is held for as long as it lives');
      return write(
        'it may go',
        update(self, (draft) => void (draft.metadata.finalizers = finalizers.filter((each) => each !== HELD))),
      );
    },
  });

const GUARDED = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: guarded }
spec:
  until: 10s
  cluster: { nodes: { count: 0 }, latency: { api: 2ms, watch: 1ms } }
  steps:
    - { at: 1s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: bone }, data: { a: "1" } } }
    - { at: 2s, delete: ConfigMap/bone }
    - { at: 10s, expect: { cel: "!objects('ConfigMap').exists(c, c.metadata.name == 'bone')" } }
`);
