/** Faults of random scenarios, for processes and nodes in any state, and the end of all faults. */
import fc from 'fast-check';
import type { FaultCall, Step } from '../scenario/index.ts';
import { delayed, later, MINUTE, SECOND, waits } from './steps.ts';

/** Faults that need a process up, or down. Its state is unknown when a scenario is generated; in the wrong state nothing happens. */
const PARTICULAR: ReadonlySet<string> = new Set(['crash', 'stop', 'restart', 'relist', 'nodeDown', 'nodeUp', 'nodeNotReady', 'nodeReady']);
export const faulting = (name: string, subject: string, parameters: FaultCall['parameters'] = {}): Step =>
  later(0, {
    verb: 'fault',
    fault: { name, subject, parameters: PARTICULAR.has(name) ? { ...parameters, ifPossible: true } : parameters },
  });

export interface TroubleOptions {
  /** The longest time that a process is disconnected, milliseconds. */
  readonly longestCutMs?: number;
  /** false: lists are never stale. */
  readonly staleLists?: boolean;
}

/** Parameters of a fault that ends by itself, with the name of the fault. */
const called = (name: string, parameters: fc.Arbitrary<FaultCall['parameters']>): fc.Arbitrary<Omit<FaultCall, 'subject'>> =>
  parameters.map((values) => ({ name, parameters: values }));

/** A lost response: a creation is repeated although it was carried out, which upstream's controllers do not notice at once either. */
export const lostResponse = called('failRequest', fc.constant({ loseResponse: true }));

/** Returns faults of processes that end by themselves, except lost responses. */
export const passingFaults = ({
  longestCutMs = 50 * SECOND,
  staleLists = true,
}: TroubleOptions): fc.Arbitrary<Omit<FaultCall, 'subject'>> =>
  fc.oneof(
    called('crash', fc.record({ restartAfter: fc.constantFrom(100, SECOND, 10 * SECOND, 40 * SECOND) })),
    called('crash', fc.record({ afterWrites: fc.integer({ min: 1, max: 5 }), restartAfter: fc.constant(SECOND) })),
    called('lag', fc.record({ by: fc.constantFrom(200, 2 * SECOND), for: fc.constant(10 * SECOND) })),
    called('failRequest', fc.record({ times: fc.integer({ min: 1, max: 4 }), code: fc.constantFrom(409, 500, 503) })),
    called('partition', fc.record({ for: fc.constantFrom(3 * SECOND, 12 * SECOND, 50 * SECOND).map((ms) => Math.min(ms, longestCutMs)) })),
    called('relist', staleLists ? fc.constantFrom({}, { staleBy: SECOND }, { staleBy: 8 * SECOND }) : fc.constant({})),
  );

/** Faults of processes that end by themselves, at once. */
export const faultsOf = (subjects: readonly string[], options: TroubleOptions = {}): fc.Arbitrary<Step> =>
  fc
    .tuple(fc.constantFrom(...subjects), fc.oneof({ weight: 6, arbitrary: passingFaults(options) }, { weight: 1, arbitrary: lostResponse }))
    .map(([subject, { name, parameters }]) => faulting(name, subject, parameters));

/** Stale lists of single kinds, for the controllers. */
export const staleListsOf = (...kinds: readonly string[]): fc.Arbitrary<Step> =>
  fc
    .record({ kinds: fc.constantFrom(...kinds).map((kind) => [kind]), staleBy: fc.constantFrom(SECOND, 8 * SECOND) })
    .map((parameters) => faulting('relist', 'controller-manager', parameters));

/** Nodes are silent for a while, or report that they are not ready. */
export const silencesOf = (nodes: readonly string[]): fc.Arbitrary<Step> =>
  fc
    .tuple(fc.constantFrom(...nodes), fc.constantFrom('nodeDown', 'nodeDown', 'nodeUp', 'nodeNotReady', 'nodeReady'))
    .map(([node, name]) => faulting(name, node));

const timed = (steps: fc.Arbitrary<Step>): fc.Arbitrary<Step> => fc.tuple(waits, steps).map(([ms, step]) => delayed(ms, step));
/** Faults of processes that end by themselves. */
export const troubles = (subjects: readonly string[], options: TroubleOptions = {}): fc.Arbitrary<Step> =>
  timed(faultsOf(subjects, options));
/** Nodes are silent for a while, or report that they are not ready. */
export const silences = (nodes: readonly string[]): fc.Arbitrary<Step> => timed(silencesOf(nodes));

/** Enough time for silence to be detected, evictions to be due, volumes to be force-detached. */
export const pauses: fc.Arbitrary<Step> = fc
  .constantFrom(45 * SECOND, 90 * SECOND, 6 * MINUTE)
  .map((ms) => later(ms, { verb: 'note', note: 'time passes' }));

/** Clocks are correct, all processes run, nodes are ready. */
export const mended = (afterMs: number, processes: readonly string[], nodes: readonly string[] = []): readonly Step[] => [
  later(afterMs, { verb: 'note', note: 'everything mends' }),
  ...processes.flatMap((name) => [faulting('skew', name, { by: 0 }), faulting('restart', name)]),
  ...nodes.flatMap((node) => [faulting('nodeUp', node), later(SECOND, faulting('nodeReady', node))]),
];

/** Agents whose Node was deleted register it again: they do so at their start. */
export const returning = (agents: readonly string[]): readonly Step[] =>
  agents.map((agent) => later(SECOND, faulting('crash', agent, { restartAfter: SECOND })));
