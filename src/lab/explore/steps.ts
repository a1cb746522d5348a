/** Helpers for random scenarios: steps at relative times, faults for processes in any state, the end of all faults. */
import fc from 'fast-check';
import type { ClusterSpec, FaultCall, LatencyRange, Manifest, Scenario, Step, WritingAction } from '../scenario/index.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
const START_AT = Date.UTC(2024, 2, 1);

export const after = (afterMs: number) => ({ timing: { when: 'after', afterMs } }) as const;
/** The delay between two steps: often none, or so short that the effects of the first are not observed when the second happens. */
export const waits: fc.Arbitrary<number> = fc.constantFrom(0, 3, 400, SECOND, 2500, 7 * SECOND, 20 * SECOND);

export const patching = (afterMs: number, target: object, patch: unknown, subresource?: 'status'): Step =>
  ({
    ...after(afterMs),
    verb: 'patch',
    target,
    type: 'merge',
    patch,
    ignoreNotFound: true,
    ...(subresource === undefined ? {} : { subresource }),
  }) as Step;
export const deleting = (afterMs: number, target: object, more: Partial<Extract<WritingAction, { verb: 'delete' }>> = {}): Step =>
  ({ ...after(afterMs), verb: 'delete', target, ignoreNotFound: true, ...more }) as Step;

/** Faults that need a process up, or down. Its state is unknown when a scenario is generated; in the wrong state nothing happens. */
const PARTICULAR: ReadonlySet<string> = new Set(['crash', 'stop', 'restart', 'relist', 'nodeDown', 'nodeUp', 'nodeNotReady', 'nodeReady']);
const calling = (name: string, subject: string, parameters: FaultCall['parameters'] = {}): FaultCall => ({
  name,
  subject,
  parameters: PARTICULAR.has(name) ? { ...parameters, ifPossible: true } : parameters,
});
export const faulting = (afterMs: number, name: string, subject: string, parameters: FaultCall['parameters'] = {}): Step => ({
  ...after(afterMs),
  verb: 'fault',
  fault: calling(name, subject, parameters),
});

export interface TroubleOptions {
  /** The longest time that a process is disconnected, milliseconds. */
  readonly longestCutMs?: number;
  /** false: lists are never stale. */
  readonly staleLists?: boolean;
}

/** Faults of processes that end by themselves. */
export const troubles = (
  subjects: readonly string[],
  { longestCutMs = 50 * SECOND, staleLists = true }: TroubleOptions = {},
): fc.Arbitrary<Step> => {
  const subject = fc.constantFrom(...subjects);
  const fault = (name: string, parameters: fc.Arbitrary<FaultCall['parameters']>): fc.Arbitrary<Step> =>
    fc.tuple(waits, subject, parameters).map(([ms, who, values]) => faulting(ms, name, who, values));
  return fc.oneof(
    fault(
      'crash',
      fc.constantFrom(100, SECOND, 10 * SECOND, 40 * SECOND).map((restartAfter) => ({ restartAfter })),
    ),
    fault(
      'crash',
      fc.integer({ min: 1, max: 5 }).map((afterWrites) => ({ afterWrites, restartAfter: SECOND })),
    ),
    fault(
      'lag',
      fc.constantFrom(200, 2 * SECOND).map((by) => ({ by, for: 10 * SECOND })),
    ),
    fault('failRequest', fc.record({ times: fc.integer({ min: 1, max: 4 }), code: fc.constantFrom(409, 500, 503) })),
    fault('failRequest', fc.constant({ loseResponse: true })),
    fault(
      'partition',
      fc.constantFrom(3 * SECOND, 12 * SECOND, 50 * SECOND).map((ms) => ({ for: Math.min(ms, longestCutMs) })),
    ),
    fault('relist', staleLists ? fc.constantFrom({}, { staleBy: SECOND }, { staleBy: 8 * SECOND }) : fc.constant({})),
  );
};

/** Nodes are silent for a while, or report that they are not ready. */
export const silences = (nodes: readonly string[]): fc.Arbitrary<Step> =>
  fc
    .tuple(waits, fc.constantFrom(...nodes), fc.constantFrom('nodeDown', 'nodeDown', 'nodeUp', 'nodeNotReady', 'nodeReady'))
    .map(([ms, node, name]) => faulting(ms, name, node));

/** Enough time for silence to be detected, evictions to be due, volumes to be force-detached. */
export const pauses: fc.Arbitrary<Step> = fc
  .constantFrom(45 * SECOND, 90 * SECOND, 6 * MINUTE)
  .map((ms): Step => ({ ...after(ms), verb: 'note', note: 'time passes' }));

/** Clocks are correct, all processes run, nodes are ready. */
export const mended = (afterMs: number, processes: readonly string[], nodes: readonly string[]): readonly Step[] => [
  { ...after(afterMs), verb: 'note', note: 'everything mends' },
  ...processes.flatMap((name): readonly Step[] => [faulting(0, 'skew', name, { by: 0 }), faulting(0, 'restart', name)]),
  ...nodes.flatMap((node) => [faulting(0, 'nodeUp', node), faulting(SECOND, 'nodeReady', node)]),
];

/** Returns conditions that must hold at a time after the previous step. */
export const expecting = (afterMs: number, ...conditions: readonly string[]): Step => ({
  ...after(afterMs),
  verb: 'expect',
  expectations: conditions.map((cel) => ({ expect: 'cel', expression: { cel } })),
});

/** Returns conditions that must hold when the cluster is settled. */
export const expectingAtRest = (...conditions: readonly string[]): Step => ({
  ...expecting(0, ...conditions),
  timing: { when: 'settled' },
});

const latencyUpTo = (most: readonly number[]): fc.Arbitrary<LatencyRange> =>
  fc.tuple(fc.constantFrom(...most), fc.boolean()).map(([maxMs, jitters]) => ({ minMs: jitters ? 0 : maxMs, maxMs }));
export const latencies: fc.Arbitrary<ClusterSpec['latency']> = fc.record({ api: latencyUpTo([0, 5, 40]), watch: latencyUpTo([0, 1, 50]) });
export const seeds: fc.Arbitrary<number> = fc.integer({ min: 1, max: 1_000_000 });

/** Fixed latencies in milliseconds, and pods that start and stop quickly. */
export const steady = (api: number, watch: number): Pick<ClusterSpec, 'latency' | 'podBehaviors'> => ({
  latency: { api: { minMs: api, maxMs: api }, watch: { minMs: watch, maxMs: watch } },
  podBehaviors: [{ startDelayMs: 200, terminationDelayMs: 100 }],
});

const CAPACITY = { cpu: '8', memory: '16Gi', pods: '110' };

/** Returns the governing service of a set. */
export const headless = (name: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { clusterIP: 'None', selector: { app: name } },
});

/** Returns a scenario with defaults for all members that are not given. */
export const found = ({
  nodes,
  cluster = {},
  ...rest
}: {
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly nodes: readonly string[];
  readonly cluster?: Partial<ClusterSpec>;
} & Partial<Omit<Scenario, 'cluster'>>): Scenario => ({
  name: 'found',
  title: 'Found by a property',
  startAt: START_AT,
  limits: { steps: 1_000_000, timeMs: 86_400_000 },
  domain: 'orch.io',
  featureGates: {},
  cluster: {
    nodes: nodes.map((name) => ({ name, capacity: CAPACITY })),
    scheduler: [],
    latency: { api: { minMs: 0, maxMs: 0 }, watch: { minMs: 0, maxMs: 0 } },
    podBehaviors: [],
    storageDrivers: [],
    ...cluster,
  },
  namespaces: [],
  manifests: [],
  ...rest,
});
