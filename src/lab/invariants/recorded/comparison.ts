/**
 * Compares the writes of a run with recorded ones, and the invariant that the first difference breaks. Objects with drawn names are identified
 * by their owners: the n-th time that something happens to a pod of a Job stands for the n-th time in the record, and both must be near in time.
 */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { formatDurationMs, keptIn, present } from '../../../schema/values/index.ts';
import type { Recorded, RecordedWrite } from '../../scenario/index.ts';
import { factsOf, identityIn, LEFT_OUT, newFacts, createSubjects, type Subjects } from './facts.ts';
import { type Invariant, type Violation, withExercised } from '../invariant.ts';

const WITHIN_MS = 10_000;

interface RunWrite extends RecordedWrite {
  readonly object: ApiObject;
}

/** Where a run and the record part: what each of them has; absent: it has nothing of this kind then. */
export interface Difference {
  /** Milliseconds since the start. */
  readonly atMs: number;
  readonly run?: RunWrite;
  readonly log?: RecordedWrite;
  /** The record does not have what the run did, or the run has not done what the record has. */
  readonly lacks: 'log' | 'run';
}

interface Expected {
  readonly write: RecordedWrite;
  readonly isMet: boolean;
}

const keyOf = ({ of, did }: Pick<RecordedWrite, 'of' | 'did'>): string => `${of}: ${did}`;

/** Whether a controller, scheduler or node of the cluster wrote: not a user, the server by itself, or a storage driver, which is a guest. */
const isWrittenByCluster = (controller: string | undefined, actor = ''): boolean =>
  controller !== undefined && !actor.startsWith('storage-driver/');

/** What a change has made true, a write for each. */
function writesIn({ type, kind, object, previous }: Change, atMs: number, by: string | undefined, subjects: Subjects): readonly RunWrite[] {
  const of = subjects.of(kind, identityIn(object));
  if (of === undefined) return [];
  const did =
    type === 'DELETED'
      ? object.metadata.deletionTimestamp === undefined
        ? ['deleted']
        : []
      : newFacts(kind, previous === undefined ? undefined : factsOf(kind, previous), factsOf(kind, object));
  return did.map((what) => ({ atMs, of, did: what, object, ...(by === undefined ? {} : { by }) }));
}

const firstWord = (text: string): string => text.split(' ', 1)[0] ?? '';

/** The sort of a write: `Pod created`, `Pod bound`. */
export const classOf = ({ of, did }: Pick<RecordedWrite, 'of' | 'did'>): string => `${firstWord(of)} ${firstWord(did)}`;

type State = ReturnType<typeof stateOf>;

function stateOf({ withinMs = WITHIN_MS, untilMs, covers = [], writes }: Recorded) {
  const sorted = [...writes].sort((a, b) => a.atMs - b.atMs);
  /** The places in `expected` by key, and how many of them are met or reported. */
  const open = new Map<string, { readonly places: number[]; next: number }>();
  for (const [place, write] of sorted.entries()) keptIn(open, keyOf(write), () => ({ places: [], next: 0 })).places.push(place);
  return {
    withinMs,
    end: untilMs ?? sorted.at(-1)?.atMs ?? 0,
    expected: sorted.map((write): Expected => ({ write, isMet: false })),
    open,
    covers: new Set(covers),
    /** What the run did last to the objects of a subject, beside the record. */
    besides: new Map<string, RunWrite>(),
    met: 0,
    /** Up to here everything is met, or reported. */
    from: 0,
  };
}

export function createComparison(recorded: Recorded) {
  const state = stateOf(recorded);
  const { expected, withinMs } = state;
  const subjects = createSubjects();
  const skip = (): Expected | undefined => {
    while (expected[state.from]?.isMet === true) state.from++;
    return expected[state.from];
  };
  return {
    /** How many recorded writes the run has made. */
    get met() {
      return state.met;
    },
    /** Compares a change of the run, unless a client made it; returns what the record does not have. */
    saw(change: Change, atMs: number, controller: string | undefined, actor: string | undefined): readonly Difference[] {
      if (LEFT_OUT.has(change.kind)) return [];
      if (change.type === 'ADDED') subjects.remember(change.kind, identityIn(change.object));
      if (!isWrittenByCluster(controller, actor)) return [];
      return writesIn(change, atMs, controller ?? actor, subjects).flatMap((write) => compare(state, write) ?? []);
    },
    /** When the next recorded write is overdue, milliseconds since the start; undefined: none is left. */
    nextDue(): number | undefined {
      const next = skip();
      return next === undefined ? undefined : next.write.atMs + withinMs;
    },
    /** Returns the recorded writes that are overdue. */
    overdue(nowMs: number): readonly Difference[] {
      const found: Difference[] = [];
      for (let next = skip(); next !== undefined && next.write.atMs + withinMs <= nowMs; next = skip()) {
        const { write } = next;
        close(state, write, state.from);
        const run = state.besides.get(write.of);
        const isNear = run !== undefined && Math.abs(run.atMs - write.atMs) <= withinMs;
        found.push({ atMs: write.atMs, log: write, lacks: 'run', ...(isNear ? { run } : {}) });
      }
      return found;
    },
  };
}

/** Marks a recorded write, the first of its key that is open, as met or as reported. */
function close({ expected, open }: State, write: RecordedWrite, place: number): void {
  const same = open.get(keyOf(write));
  if (same !== undefined) same.next++;
  expected[place] = { write, isMet: true };
}

function compare(state: State, write: RunWrite): Difference | undefined {
  const same = state.open.get(keyOf(write));
  const place = same?.places[same.next];
  const recorded = place === undefined ? undefined : state.expected[place]?.write;
  if (place !== undefined && recorded !== undefined && recorded.atMs - state.withinMs <= write.atMs) {
    close(state, recorded, place);
    state.met++;
    return undefined;
  }
  // Near its end the record may lack what came later there.
  if (write.atMs + state.withinMs > state.end) return undefined;
  state.besides.set(write.of, write);
  if (!state.covers.has(classOf(write))) return undefined;
  const log = recorded ?? nearest(state, write);
  return { atMs: write.atMs, run: write, lacks: 'log', ...(log === undefined ? {} : { log }) };
}

/** What the record has of the same objects, the same in other words if it can be: bound to another node, another phase. */
function nearest({ expected, withinMs, from }: State, write: RunWrite): RecordedWrite | undefined {
  const sort = firstWord(write.did);
  let found: RecordedWrite | undefined;
  for (let at = from; at < expected.length; at++) {
    const { write: other, isMet } = expected[at] ?? {};
    if (other === undefined || other.atMs > write.atMs + withinMs) break;
    if (isMet === true || other.of !== write.of) continue;
    if (firstWord(other.did) === sort) return other;
    found ??= other;
  }
  return found;
}

const timeOf = (ms: number): string => `${(ms / 1000).toFixed(3)}s`;

/** A difference as a sentence, and a line for each side. */
export function describeDifference({ atMs, run, log, lacks }: Difference, within = WITHIN_MS) {
  const what = lacks === 'log' ? run : log;
  const near = formatDurationMs(within);
  const side = (name: string, write: RecordedWrite | undefined): string =>
    write === undefined
      ? `  ${name}  nothing of the kind within ${near}`
      : `  ${name}  ${timeOf(write.atMs)}  ${write.by ?? '?'}: ${write.of}: ${write.did}${write.log === undefined ? '' : `  (${write.log})`}`;
  const sides = [side('log', log), side('run', run)];
  return {
    message: `the run and the log part at ${timeOf(atMs)}: only the ${lacks === 'log' ? 'run' : 'log'} has ${what === undefined ? '?' : keyOf(what)}`,
    detail: sides,
  };
}

export function recordedInvariant(recorded: Recorded): Invariant {
  const violation = (difference: Difference | undefined): Violation | undefined =>
    difference === undefined
      ? undefined
      : { ...describeDifference(difference, recorded.withinMs), ...present({ object: difference.run?.object }) };
  const { source } = recorded;
  return {
    name: 'recorded-writes',
    temporal: 'always',
    description: 'The controllers, scheduler and nodes write what those of the recorded cluster wrote.',
    kinds: ['*'],
    ...present({ source }),
    check() {
      const comparison = createComparison(recorded);
      const dueAt = { startAt: 0 };
      return withExercised(
        { exercised: () => comparison.met },
        {
          onChange(change, facts, controller, actor) {
            dueAt.startAt = facts.startAt;
            if (facts.now < facts.startAt) return undefined;
            const [first] = comparison.saw(change, facts.now - facts.startAt, controller, actor);
            return violation(first);
          },
          deadline() {
            const due = comparison.nextDue();
            return due === undefined || dueAt.startAt === 0 ? undefined : dueAt.startAt + due;
          },
          onTime: (facts) => violation(comparison.overdue(facts.now - facts.startAt)[0]),
          onEnd: (facts) => violation(comparison.overdue(facts.now - facts.startAt)[0]),
        },
      );
    },
  };
}
