/**
 * Livelock and starvation: planted ones are detected and described; activity that ends by itself or is meant to repeat is not reported.
 * (`orders.test.ts` checks that no shipped scenario has one.)
 */
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../src/controlplane/cluster.ts';
import { create, defineController, idle, remove, update, write, type Controller } from '../../../src/controlplane/runtime/index.ts';
import { livelockText, starvationText, watchLivelocks, watchStarvation } from '../../../src/lab/livelock/index.ts';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { simulate, type SimulateOptions } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

/** Runs a scenario with the detectors; returns the highest number of visits of one state, and the detections. */
function watched(scenario: Scenario, options: SimulateOptions = {}) {
  const there: { cluster?: Cluster } = {};
  const livelocks = watchLivelocks(() => there.cluster);
  const hungry = watchStarvation(() => there.cluster);
  let most = 0;
  simulate(scenario, {
    ...options,
    tries: false,
    digest: false,
    onCluster: (cluster) => (there.cluster = cluster),
    onEntry(entry) {
      livelocks.observe(entry);
      hungry.observe(entry);
      most = Math.max(most, livelocks.most);
    },
  });
  return { most, livelock: livelocks.livelock, starvation: hungry.starvation };
}

const fight = (rest = '', until = '3s'): Scenario =>
  scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: fight }
spec:
  until: ${until}
  cluster: { nodes: { count: 0 }, latency: { api: 2ms, watch: 1ms } }
  steps:
    - { at: 1s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: bone }, data: { a: "1" } } }
${rest}`);

const planted = (name: string, rest: Pick<Controller<'ConfigMap'>, 'reconcile'> & Partial<Controller<'ConfigMap'>>): Controller =>
  defineController({ name, reconciles: 'ConfigMap', writes: ['ConfigMap'], models: 'nothing: it is planted', ...rest });
const isBone = ({ metadata }: { readonly metadata: { readonly name: string } }): boolean => metadata.name === 'bone';
/** A controller that writes its own value. */
const wants = (value: string): Controller =>
  planted(`wants-${value}`, {
    reconcile({ self }) {
      const { data = {} } = self;
      if (!isBone(self) || data['a'] === value) return idle('it is as it should be');
      return write(
        `it should be ${value}`,
        update(self, (draft) => void ((draft as { data?: unknown }).data = { a: value })),
      );
    },
  });
/** One creates what the other deletes. */
const maker = planted('maker', {
  reconcile: ({ self, cache }) =>
    !isBone(self) || cache.list('Secret', 'default').length > 0
      ? idle('there is one')
      : write('there is none', create({ apiVersion: 'v1', kind: 'Secret', metadata: { generateName: 'made-', namespace: 'default' } })),
  watches: [{ kind: 'Secret', enqueue: () => 'default/bone' }],
  writes: ['Secret'],
});
const taker: Controller = defineController({
  name: 'taker',
  reconciles: 'Secret',
  writes: ['Secret'],
  models: 'nothing: it is planted',
  reconcile: ({ self }) => write('nobody asked for it', remove(self)),
});
const only = (...some: readonly Controller[]) => ({ controllers: (): readonly Controller[] => some });

describe('a livelock', () => {
  it('is two controllers that undo each other, reported with writes and reasons', () => {
    const { most, livelock } = watched(fight(), only(wants('1'), wants('2')));
    expect(most).toBeGreaterThanOrEqual(60);
    if (livelock === undefined) throw new Error('none was seen');
    expect(livelock.visits).toBe(8);
    const { message, detail } = livelockText(livelock);
    expect(message).toMatch(/^livelock: the cluster was in one state 8 times, with 2 writes between, \d+ms long$/);
    expect(detail.map((line) => line.trim()).sort()).toEqual([
      'wants-1: update ConfigMap default/bone, because "it should be 1"',
      'wants-2: update ConfigMap default/bone, because "it should be 2"',
    ]);
  });

  it('is found although names, uids and timestamps differ each time', () => {
    const { most, livelock } = watched(fight(), only(maker, taker));
    expect(most).toBeGreaterThanOrEqual(60);
    expect(new Set(livelock?.moves.map(({ controller }) => controller))).toEqual(new Set(['maker', 'taker']));
  });

  it('is none where the state grows each time, or a user acts', () => {
    const counts = planted('counts', {
      reconcile({ self }) {
        const { a = '0' } = self.data ?? {};
        if (!isBone(self) || Number(a) > 100) return idle('enough');
        return write(
          'one more',
          update(self, (draft) => void ((draft as { data?: unknown }).data = { a: String(Number(a) + 1) })),
        );
      },
    });
    expect(watched(fight(), only(counts))).toMatchObject({ most: 1, livelock: undefined });
    const there = (nth: number): string =>
      `    - { at: ${nth + 2}s, patch: { target: ConfigMap/bone, type: merge, patch: { data: { a: "${nth % 2}" } } } }`;
    const byHand = fight(Array.from({ length: 40 }, (_, nth) => there(nth)).join('\n'), '1m');
    expect(watched(byHand, only(wants('1')))).toMatchObject({ livelock: undefined });
  });

  it('is none where it follows a schedule', () => {
    const hourly = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: hourly }
spec:
  until: 12m
  cluster: { nodes: { count: 1 }, podBehaviors: [{ runFor: 2s }] }
  steps:
    - at: 1s
      apply:
        apiVersion: batch/v1
        kind: CronJob
        metadata: { name: pay }
        spec: { schedule: "* * * * *", successfulJobsHistoryLimit: 0, jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "pay:1" }] } } } } }
`);
    expect(watched(hourly).livelock).toBeUndefined();
  });
});

describe('starvation', () => {
  const stubborn = planted('stubborn', {
    reconcile: ({ self }) =>
      isBone(self)
        ? write('it is to be another kind of thing', { op: 'update', object: { ...self, metadata: { ...self.metadata, uid: 'another' } } })
        : idle('it is another one'),
  });

  it('is a key that fails again and again, with the answer of the server', () => {
    const { starvation } = watched(fight(), only(stubborn));
    if (starvation === undefined) throw new Error('none was seen');
    expect(starvation).toMatchObject({ process: 'controller-manager', controller: 'stubborn', key: 'default/bone', failures: 8 });
    const { message, detail } = starvationText(starvation);
    expect(message).toBe(
      'starvation: stubborn in controller-manager makes no progress with default/bone: 8 failures in a row, and no fault is active',
    );
    expect(detail).toEqual([
      expect.stringMatching(/^ {2}the server answered: .*uid/i),
      '  its reason was "it is to be another kind of thing"',
    ]);
  });

  it('is none where a fault causes it, or the key succeeds in between', () => {
    const failing = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: failing }
spec:
  until: 3s
  cluster: { nodes: { count: 0 } }
  steps:
    - { at: 1s, fault: { failRequest: controller-manager, times: 9 } }
    - { at: 2s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: bone }, data: { a: "1" } } }
`);
    expect(watched(failing, only(wants('2'))).starvation).toBeUndefined();
    const retries = planted('retries', {
      reconcile: ({ self, failures }) => (isBone(self) && failures < 5 ? { why: 'not yet', writes: [], backoff: 'retry' } : idle('now')),
    });
    expect(watched(fight(), only(retries)).starvation).toBeUndefined();
  });
});
