/** The cause of a failure: what broke, and which write broke it. Findings with the same cause count as one, whatever faults led to it. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { choiceText, replaying, SOMEBODY } from '../choices/index.ts';
import { type Livelock, livelockText, type Starvation, starvationText, watchLivelocks, watchStarvation } from '../livelock/index.ts';
import type { PointChoice, Scenario } from '../scenario/index.ts';
import { type RunFailure, simulate, type SimulateOptions } from '../simulation/index.ts';
import { type CacheView, cacheViewOf, type Entry, entryAt, type Trace, withoutChance } from '../trace/index.ts';
import { bump, compareText, present } from '../../schema/values/index.ts';

/** The definitions of a run: a user's definitions, planted bugs. */
export type Making = Pick<SimulateOptions, 'with' | 'invariants' | 'controllers' | 'alter'>;

const LIVELOCK = 'no livelock';
/** Delayed messages may arrive this long after the end of faults, in milliseconds: twice the longest delay. */
const LATE_MS = 60_000;
const STARVATION = 'no starvation';

/** Whether a cause is a livelock or starvation, which no single failure of a run shows. */
export const isLiveness = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === LIVELOCK || claim === STARVATION;

/** Whether a cause is certain only at the end of a run: a key that fails may still succeed. */
export const isKnownLast = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === STARVATION;

/** Creates detectors for a run; failures count from the end of fault injection on. */
export function watchLiveness(world: () => Cluster | undefined, quietAt: number) {
  const livelocks = watchLivelocks(world);
  const starvations = watchStarvation(world, quietAt, LATE_MS);
  return {
    observe(entry: Entry): void {
      livelocks.observe(entry);
      starvations.observe(entry);
    },
    /**
     * Merges livelock and starvation with other causes, the most informative first: after violations by a write, and before expectations
     * that never became true.
     */
    among(others: readonly Cause[]): readonly Cause[] {
      const { livelock } = livelocks;
      const { current: starvation } = starvations;
      if (livelock === undefined && starvation === undefined) return others;
      return [
        ...others.filter(({ action }) => action !== undefined),
        ...(livelock === undefined ? [] : [livelockCause(livelock)]),
        ...(starvation === undefined ? [] : [starvationCause(starvation)]),
        ...others.filter(({ action }) => action === undefined),
      ];
    },
  };
}

function livelockCause(livelock: Livelock): Cause {
  const { message, detail } = livelockText(livelock);
  const who = [...new Set(livelock.moves.map(({ controller, actor }) => controller ?? actor))].sort(compareText);
  return { claim: LIVELOCK, controller: who.join(', '), message: [message, ...detail].join('\n') };
}

function starvationCause(starvation: Starvation): Cause {
  const { message, detail } = starvationText(starvation);
  const { process, controller, why } = starvation;
  return { claim: STARVATION, process, controller, why: sketch(why), message: [message, ...detail].join('\n') };
}

/** An invariant or assertion that did not hold, and the write that broke it, where there is one. */
export interface Cause {
  /** The name of the invariant, or a description of the expectation. */
  readonly claim: string;
  readonly process?: string;
  readonly controller?: string;
  /** `create Pod`. */
  readonly action?: string;
  /** The reason of that write, without the parts that differ from run to run. */
  readonly why?: string;
  readonly message: string;
}

const VARIABLE = /"[^"]*"|'[^']*'|\S*\d\S*/g;
const known = new Map<string, string>();
/** Reasons with names and numbers are unlimited in number, so the memo is bounded. */
const MOST_KNOWN = 20_000;

/** Returns a sentence without quotations, numbers and generated names. */
function sketch(text: string): string {
  let found = known.get(text);
  if (found === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, (found = withoutChance(text).replace(VARIABLE, '…')));
  }
  return found;
}

/** Returns the identity of a cause: equal texts mean one cause. */
export const causeText = ({ claim, controller = '', action = '', why = '' }: Cause): string => [claim, controller, action, why].join(' | ');

/** Creates a listener that collects causes. A failed step is no cause, because the scenario could not continue. */
export function collectCauses() {
  /** The broken assertions, in order, each once. */
  const broken: Cause[] = [];
  /** The reasons of all decisions as `controller: why`, sketched. */
  const whys = new Set<string>();
  const decisions = new Map<number, string>();
  let write: Extract<Entry, { type: 'write' }> | undefined;
  return {
    broken,
    whys,
    observe(entry: Entry): void {
      if (entry.type === 'reconcile') {
        decisions.set(entry.id, entry.why);
        whys.add(`${entry.controller}: ${sketch(entry.why)}`);
      } else if (entry.type === 'write') write = entry;
    },
    failed(failure: RunFailure): void {
      const cause = causeOf(failure, write, decisions);
      if (cause !== undefined && !broken.some(({ claim }) => claim === cause.claim)) broken.push(cause);
    },
  };
}

function causeOf(
  { kind, message, detail, invariant, controller, source }: RunFailure,
  write: Extract<Entry, { type: 'write' }> | undefined,
  decisions: ReadonlyMap<number, string>,
): Cause | undefined {
  if (kind === 'step') return undefined;
  // What somebody writes is a fault, and no decision.
  if (kind === 'invariant' && write?.actor === SOMEBODY) return undefined;
  if (kind === 'expectation')
    return {
      claim: `the expectation${source === undefined ? '' : ` at line ${source.line}, column ${source.col}`}`,
      message: [message, ...detail].join('\n'),
    };
  if (kind !== 'invariant')
    return present({ claim: kind === 'limit' ? 'the cluster settles' : 'controllers fulfil their contract', message, controller });
  const why = write?.causes.map((id) => decisions.get(id)).find((text) => text !== undefined);
  return present({
    claim: invariant ?? message,
    message,
    process: write?.actor,
    action: write && `${write.request.split(' ')[0] ?? ''} ${write.change.kind}`,
    controller: write?.controller,
    why: why === undefined ? undefined : sketch(why),
  });
}

/** Returns the lines; the first says what broke. */
export function wordsFor(scenario: Scenario, choices: readonly PointChoice[], cause: Cause, making: Making): readonly string[] {
  const run = simulate(scenario, { ...making, trace: true, tries: false, digest: false, chooser: replaying(choices) });
  const failure = isLiveness(cause)
    ? undefined
    : (run.failures.find(({ invariant }) => cause.claim === invariant) ?? run.failures.find(({ kind }) => kind !== 'step'));
  const decided = run.trace === undefined || failure?.kind !== 'invariant' ? undefined : decisionBehind(run.trace, failure.traceStep);
  return [
    ...(failure === undefined ? cause.message.split('\n') : [failure.message, ...failure.detail.map((line) => `  ${line.trim()}`)]),
    ...(decided === undefined ? [] : [`${decided.controller} wrote because "${decided.why}"${unseenText(decided.cacheView)}`]),
    ...(failure?.waits ?? []).map((line) => `  ${line.trim()}`),
    ...choices.map((choice) => `- ${choiceText(choice)}`),
  ];
}

function decisionBehind(trace: Trace, step: number) {
  const cacheView = cacheViewOf(trace, step);
  const decision = cacheView === undefined ? undefined : entryAt(trace, cacheView.step);
  return cacheView !== undefined && decision?.type === 'reconcile'
    ? { controller: decision.controller, why: decision.why, cacheView }
    : undefined;
}

/** Describes the changes that the cache did not contain, by kind. */
function unseenText({ unseen }: CacheView): string {
  if (unseen.length === 0) return '';
  const kinds = new Map<string, number>();
  for (const { kind } of unseen) bump(kinds, kind);
  const what = [...kinds].map(([kind, count]) => (count === 1 ? `a change of a ${kind}` : `changes of ${count} ${kind}s`));
  return `, while its cache had not seen ${what.join(' and ')} (${withoutChance(unseen[0]?.key ?? '')}${unseen.length > 1 ? ', …' : ''})`;
}
