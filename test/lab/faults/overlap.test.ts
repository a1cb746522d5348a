/** Overlapping faults combine as the table of the guide says: random pairs are compared with a model of each fault. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faults } from '../../../src/lab/faults/index.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const SEED = 24;
const RUNS = 25;

interface At {
  readonly at: number;
  readonly step: string;
}

/** Runs steps at instants, milliseconds since the start; each instant differs. */
function run(steps: readonly At[], untilMs: number): Run {
  const lines = [...steps].sort((a, b) => a.at - b.at).map(({ at, step }) => `    - { at: ${at}ms, ${step} }`);
  const text = `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: overlap }\nspec:\n  until: ${untilMs}ms\n  cluster: { nodes: { count: 1 } }\n${lines.length === 0 ? '' : `  steps:\n${lines.join('\n')}\n`}`;
  const read = readScenarios(text);
  if ('problems' in read) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  const [scenario] = read.scenarios;
  if (scenario === undefined) throw new Error('no scenario');
  return simulate(scenario, { trace: true });
}

const CM = 'controller-manager';
/** The controller manager watches ConfigMaps: returns when one that is created at an instant is delivered to it. */
function deliveredAt(faulted: readonly At[], at: number): number | undefined {
  const probe: At = { at, step: 'apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: probe } }' };
  const { trace } = run([...faulted, probe], 60_000);
  const delivery = trace?.entries.find((entry) => entry.type === 'delivery' && entry.process === CM && entry.key === 'default/probe');
  return delivery === undefined || trace === undefined ? undefined : delivery.at - trace.startAt;
}

/** Instants of faults end in 0, those of probes in 5. */
const instant = (most: number) => fc.integer({ min: 1, max: most / 10 }).map((tenths) => tenths * 10);
const probe = instant(9000).map((at) => at + 5);
const span = instant(8000);

const check = <T>(property: fc.IPropertyWithHooks<T>): void => {
  fc.assert(property, { seed: SEED, numRuns: RUNS });
};

describe('overlapping faults', () => {
  it('cuts last until the later end, and lags add up', () => {
    const cut = fc.record({ is: fc.constant('cut' as const), at: instant(9000), ms: span });
    const lag = fc.record({ is: fc.constant('lag' as const), at: instant(9000), ms: span, by: instant(3000) });
    const either = fc.oneof(cut, lag);
    check(
      fc.property(either, either, probe, (one, other, at) => {
        fc.pre(one.at !== other.at);
        const inForce = [one, other].filter((each) => each.at < at && at < each.at + each.ms);
        const from = Math.max(at, ...inForce.map((each) => (each.is === 'cut' ? each.at + each.ms : 0)));
        const late = inForce.reduce((sum, each) => sum + (each.is === 'lag' ? each.by : 0), 0);
        const steps = [one, other].map((each) => ({
          at: each.at,
          step:
            each.is === 'cut'
              ? `fault: { partition: ${CM}, for: ${each.ms}ms }`
              : `fault: { lag: ${CM}, by: ${each.by}ms, for: ${each.ms}ms }`,
        }));
        expect(deliveredAt(steps, at)).toBe(from + late);
      }),
    );
  });

  it('a request is refused by any of them, and handled by none', () => {
    const lose = { at: 1000, step: `fault: { failRequest: ${CM}, loseResponse: true, kinds: [Pod] }` };
    const cut = { at: 1010, step: `fault: { partition: ${CM}, for: 5s }` };
    const job = {
      at: 990,
      step: 'apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a, annotations: { n: "1" } }, spec: { suspend: true, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }',
    };
    for (const [first, second] of [
      [lose, cut],
      [
        { ...cut, at: 1000 },
        { ...lose, at: 1010 },
      ],
    ] as const) {
      // The Job is resumed before the partition, and its pod is created while both faults are active.
      const lag = { at: 995, step: `fault: { lag: ${CM}, by: 20ms, for: 1s }` };
      const resume = { at: 998, step: 'patch: { target: Job/a, patch: { spec: { suspend: false } } }' };
      const { trace, cluster } = run([job, lag, resume, first, second], 60_000);
      const made =
        trace?.entries.filter((entry) => entry.type === 'write' && entry.change.kind === 'Pod' && entry.change.type === 'ADDED') ?? [];
      expect(made.map(({ at }) => at - (trace?.startAt ?? 0) > 6000)).toEqual([true]);
      expect([...cluster.store.values('Pod')]).toHaveLength(1);
    }
  });

  it('the last skew applies, and then the previous one that is still active', () => {
    check(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: -9, max: 9 }), fc.nat(5)), { maxLength: 12 }), (acts) => {
        const { cluster } = run([], 10);
        const lasting: { readonly by: number; lift(): void }[] = [];
        for (const [adds, by, which] of acts) {
          if (adds) lasting.push({ by, lift: cluster.runtime.addSkew('scheduler', by) });
          else lasting.splice(which % Math.max(1, lasting.length), 1)[0]?.lift();
          cluster.runUntil(cluster.now + 1);
          expect(cluster.runtime.process('scheduler')?.skewMs).toBe(lasting.at(-1)?.by ?? 0);
        }
      }),
    );
  });

  it('a scheduled restart ends only its own crash', () => {
    const crash = fc.record({ is: fc.constant('crash' as const), at: instant(9000), back: fc.option(span) });
    const start = fc.record({ is: fc.constant('start' as const), at: instant(9000) });
    check(
      fc.property(fc.uniqueArray(fc.oneof(crash, start), { maxLength: 5, selector: ({ at }) => at }), (acts) => {
        const sorted = [...acts].sort((a, b) => a.at - b.at);
        const expected: (readonly [number, 'up' | 'down'])[] = [];
        let downSince: { readonly back: number | undefined } | undefined;
        const comeBack = (until: number): void => {
          if (downSince?.back === undefined || downSince.back > until) return;
          expected.push([downSince.back, 'up']);
          downSince = undefined;
        };
        for (const act of sorted) {
          comeBack(act.at);
          if (act.is === 'crash' && downSince === undefined) {
            expected.push([act.at, 'down']);
            downSince = { back: act.back === null ? undefined : act.at + act.back };
          } else if (act.is === 'start' && downSince !== undefined) {
            expected.push([act.at, 'up']);
            downSince = undefined;
          }
        }
        comeBack(60_000);
        const steps = sorted.map((act) => ({
          at: act.at,
          step:
            act.is === 'start'
              ? 'fault: { restart: scheduler, ifPossible: true }'
              : `fault: { crash: scheduler, ifPossible: true${act.back === null ? '' : `, restartAfter: ${act.back}ms`} }`,
        }));
        const { trace } = run(steps, 60_000);
        const startAt = trace?.startAt ?? 0;
        const seen = trace?.entries.flatMap((entry) =>
          entry.type === 'process' && entry.process === 'scheduler' && (entry.what === 'crashed' || entry.what === 'started')
            ? [[entry.at - startAt, entry.what === 'started' ? 'up' : 'down']]
            : [],
        );
        expect(seen).toEqual(expected);
      }),
    );
  });
});

it('every fault says what several of it do together', () => {
  expect(faults.filter(({ overlap }) => overlap === undefined).map(({ name }) => name)).toEqual([]);
});
