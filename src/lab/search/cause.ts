/** The cause of a failure: what broke, and which write broke it. Findings with the same cause count as one, whatever faults led to it. */
import { storeKey } from '../../apiserver/machinery/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { GIVES_UP } from '../../controlplane/shared/index.ts';
import { LONGEST_FAULT_MS, SOMEBODY } from '../choices/index.ts';
import { type Livelock, livelockText, type Starvation, starvationText, watchLivelocks, watchStarvation } from '../livelock/index.ts';
import type { RunFailure, SimulateOptions } from '../simulation/index.ts';
import { type Entry, withoutChance } from '../trace/index.ts';
import { compareText, present } from '../../schema/values/index.ts';

/** `mine`: what the user wrote counts; `all`: built-in code too. Without controllers of the user's, everything counts in both. */
export type Judge = 'mine' | 'all';

/** The definitions of a run: a user's definitions, planted bugs. */
export interface Making extends Pick<SimulateOptions, 'with' | 'invariants' | 'controllers' | 'alter'> {
  /** Whose failures count. Default: `mine`. */
  readonly judge?: Judge;
}

/** The claim of a run that reaches a limit. */
export const SETTLES = 'the cluster settles';
/** The claim of a controller that breaks the rules of controllers. */
export const CONTRACT = 'controllers fulfil their contract';
const EXPECTATION = 'the expectation';
/** The claim of an expectation, by its place. */
export const claimOf = (source: RunFailure['source']): string =>
  source === undefined ? EXPECTATION : `${EXPECTATION} at line ${source.line}, column ${source.col}`;
const LIVELOCK = 'no livelock';
const STARVATION = 'no starvation';

/** Whether a cause is a livelock or starvation, which no single failure of a run shows. */
export const isLiveness = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === LIVELOCK || claim === STARVATION;

/** Whether a cause is an expectation of the scenario. */
export const isExpectation = ({ claim }: Pick<Cause, 'claim'>): boolean => claim.startsWith(EXPECTATION);

/** Whether a cause is an invariant, which breaks at an instant. */
export const isInvariant = (cause: Pick<Cause, 'claim'>): boolean =>
  !isExpectation(cause) && !isLiveness(cause) && cause.claim !== SETTLES && cause.claim !== CONTRACT;

/** Whether a cause is certain only at the end of a run: a key that fails may still succeed. */
export const isKnownLast = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === STARVATION;

/** Creates detectors for a run; failures count from the end of fault injection on. */
export function watchLiveness(world: () => Cluster | undefined, quietAt: number) {
  const livelocks = watchLivelocks(world);
  const starvations = watchStarvation(world, quietAt, LONGEST_FAULT_MS);
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
  /** The object of the failure was created by a controller of the user. */
  readonly own?: true;
  /** A built-in controller has dropped this key after its retries, so what is expected or waited for cannot come. */
  readonly gaveUp?: string;
  /** It broke in built-in code alone, so it does not count (see `judgement.ts`). */
  readonly elsewhere?: true;
}

const VARIABLE = /"[^"]*"|'[^']*'|\S*\d\S*/g;
const known = new Map<string, string>();
/** Reasons with names and numbers are unlimited in number, so the memo is bounded. */
const MOST_KNOWN = 20_000;

/** Returns a sentence without quotations, numbers and generated names. */
export function sketch(text: string): string {
  let found = known.get(text);
  if (found === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, (found = withoutChance(text).replace(VARIABLE, '…')));
  }
  return found;
}

/** Returns the identity of a cause: equal texts mean one cause. */
export const causeText = ({ claim, controller = '', action = '', why = '' }: Cause): string => [claim, controller, action, why].join(' | ');

type WriteEntry = Extract<Entry, { type: 'write' }>;

/**
 * Creates a listener that collects causes. A failed step is no cause, because the scenario could not continue. `mine`: the names of the
 * user's controllers.
 */
export function collectCauses(mine: ReadonlySet<string>) {
  /** The broken assertions, in order, each once. */
  const broken: Cause[] = [];
  /** The reasons of all decisions as `controller: why`, sketched. */
  const whys = new Set<string>();
  const decisions = new Map<number, string>();
  /** Objects that the user's controllers created, by kind and key. */
  const made = new Set<string>();
  /** What built-in controllers have dropped after their retries, as `controller key`. */
  const dropped = new Set<string>();
  let write: WriteEntry | undefined;
  const isOwn = ({ about }: RunFailure): boolean =>
    about !== undefined && made.has(`${about.kind} ${storeKey(about.namespace, about.name)}`);
  return {
    broken,
    whys,
    observe(entry: Entry): void {
      if (entry.type === 'reconcile') {
        decisions.set(entry.id, entry.why);
        whys.add(`${entry.controller}: ${sketch(entry.why)}`);
        if (entry.why.endsWith(GIVES_UP)) dropped.add(`${entry.controller} ${entry.key}`);
        else if (dropped.size > 0) dropped.delete(`${entry.controller} ${entry.key}`);
      } else if (entry.type === 'write') {
        write = entry;
        if (mine.size > 0 && entry.change.type === 'ADDED' && entry.controller !== undefined && mine.has(entry.controller))
          made.add(`${entry.change.kind} ${entry.change.key}`);
      }
    },
    failed(failure: RunFailure, isByWrite = false): void {
      const cause = causeOf(failure, isByWrite ? write : undefined, decisions);
      if (cause === undefined || broken.some(({ claim }) => claim === cause.claim)) return;
      const [gaveUp] = isExpectation(cause) || cause.claim === SETTLES ? dropped : [];
      const full = gaveUp === undefined ? cause : { ...cause, gaveUp, message: `${cause.message}\n  ${gaveUp}: ${GIVES_UP}` };
      broken.push(isOwn(failure) ? { ...full, own: true } : full);
    },
  };
}

function causeOf(
  { kind, message, detail, invariant, controller, source }: RunFailure,
  write: WriteEntry | undefined,
  decisions: ReadonlyMap<number, string>,
): Cause | undefined {
  if (kind === 'step') return undefined;
  // What somebody writes is a fault, and no decision.
  if (kind === 'invariant' && write?.actor === SOMEBODY) return undefined;
  if (kind === 'expectation') return { claim: claimOf(source), message: [message, ...detail].join('\n') };
  if (kind !== 'invariant') return present({ claim: kind === 'limit' ? SETTLES : CONTRACT, message, controller });
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
