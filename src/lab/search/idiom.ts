/** The idiom that usually mends what a search has found: a hint, from the decision and the faults. `help idioms` has the whole list. */
import type { InjectedFault, PointChoice } from '../scenario/index.ts';
import type { Blamed, Retold } from './blame.ts';

/** A hint, with the topic of the guide that says more. */
export interface Hint {
  readonly idiom: string;
  readonly text: string;
  readonly topic: string;
}

interface Evidence {
  readonly faults: ReadonlySet<InjectedFault['do']>;
  readonly blamed: Blamed;
}

interface Idiom {
  readonly name: string;
  readonly text: string;
  fits(evidence: Evidence): boolean;
}

const verbsOf = ({ blamed: { writes } }: Evidence): ReadonlySet<string> =>
  new Set(writes.map(({ request }) => request.split(' ')[0] ?? ''));

const unseenOf = ({ blamed }: Evidence) => blamed.cacheView?.unseen ?? [];

const hasDrawnName = ({ blamed: { writes } }: Evidence): boolean =>
  writes.some(({ change: { type, object } }) => type === 'ADDED' && (object.metadata.generateName ?? '') !== '');

/** Whether the controller had not seen that an object is another of the same name, or is gone. */
const isNamesake = (evidence: Evidence): boolean =>
  unseenOf(evidence).some(
    ({ how, saw, was }) => how === 'gone' || (saw !== undefined && was !== undefined && saw.metadata.uid !== was.metadata.uid),
  );

/** The first that fits is the hint. */
const IDIOMS: readonly Idiom[] = [
  {
    name: 'deterministic name',
    text: 'name a child after its owner in place of generateName, so that a second create is refused with AlreadyExists; or wait for expectationsSatisfied',
    fits: (evidence) => hasDrawnName(evidence),
  },
  {
    name: 'uid precondition',
    text: 'delete and update with the uid that was read, so that another object of the same name survives',
    fits: (evidence) => (verbsOf(evidence).has('delete') || verbsOf(evidence).has('patch')) && isNamesake(evidence),
  },
  {
    name: 'finalizer first',
    text: 'add the finalizer in a write of its own before the first child or the first outside effect, and remove it last',
    fits: ({ blamed, faults }) =>
      faults.has('crash') && blamed.writes.some(({ change: { object } }) => object.metadata.deletionTimestamp !== undefined),
  },
  {
    name: 'live read',
    text: 'read from the server itself (a write of op get or list, the answer in resume) before a step that cannot be taken back',
    fits: (evidence) => verbsOf(evidence).has('delete') && unseenOf(evidence).length > 0,
  },
  {
    name: 'expectations',
    text: 'wait for expectationsSatisfied: it is false until the cache shows the own writes of this key',
    fits: (evidence) => verbsOf(evidence).has('create') && unseenOf(evidence).some(({ how }) => how === 'missing'),
  },
  {
    name: 'resourceVersion precondition',
    text: 'update the version that was read, and let a Conflict requeue the key, so that an old version never overwrites a newer one',
    fits: (evidence) => (verbsOf(evidence).has('update') || verbsOf(evidence).has('patch')) && unseenOf(evidence).length > 0,
  },
  {
    name: 'requeue',
    text: 'return the error or a wake-up when a write is refused: a key that is not queued again waits for the next event',
    fits: ({ faults }) => faults.has('refuse'),
  },
  {
    name: 'idempotent writes',
    text: 'derive each next write from what is there, and never from what an earlier write must have done: a process may end between two writes, or an answer be lost',
    fits: ({ faults }) => faults.has('crash') || faults.has('lose'),
  },
  {
    name: 'live read',
    text: 'read from the server itself (a write of op get or list, the answer in resume) before a step that cannot be taken back',
    fits: (evidence) => unseenOf(evidence).length > 0,
  },
];

/** Returns the idiom that usually mends such a finding; undefined: none is known. */
export function hintOf({ blamed }: Retold, choices: readonly PointChoice[]): Hint | undefined {
  if (blamed === undefined) return undefined;
  const evidence: Evidence = { blamed, faults: new Set(choices.map(({ injectedFault }) => injectedFault.do)) };
  const found = IDIOMS.find(({ fits }) => fits(evidence));
  return found && { idiom: found.name, text: found.text, topic: 'idioms' };
}
