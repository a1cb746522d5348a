/** The types of entries, one row each: who acted, and the line of an entry with its tone. Readers of traces take these from here. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { membersOf } from '../../schema/values/index.ts';
import { isHeartbeat, summarizeChange } from './change-text.ts';
import type { Entry } from './trace.ts';

/** The sort of an entry, by which a renderer chooses its colour. */
export type Tone =
  | 'created'
  | 'changed'
  | 'removed'
  | 'event'
  | 'refused'
  | 'decided'
  | 'seen'
  | 'fault'
  | 'held'
  | 'broken'
  | 'note'
  | 'operation';

/** The process that acted, and its controller where one did. */
export interface Author {
  readonly process: string;
  readonly controller?: string | undefined;
}

/** The parts of a line that differ from type to type. */
export interface Said {
  readonly who: string;
  readonly what: string;
  readonly about?: string;
  /** `rv 87`; absent or empty: none. */
  readonly revision?: string;
  readonly why?: string;
  /** For a fault: its parameters, as the scenario writes them. */
  readonly given?: string;
}

interface EntryType<E> {
  /** Absent: no process of the cluster acted. */
  by?(entry: E): Author;
  tone(entry: E): Tone;
  /** `why` is the reason of the decision that the entry carries out. */
  line(entry: E, why: string): Said;
}

// Many controllers run in this process, so the controller's name is more informative than the process's.
const MANAGER = 'controller-manager';
const whoOf = ({ process, controller }: Author): string => (process === MANAGER && controller !== undefined ? controller : process);

/** Shortens a key for display: the namespace `default` is omitted. */
export const shortKey = (key: string): string => (key.startsWith('default/') ? key.slice('default/'.length) : key);

/** Returns the key of the object that an Event is about. */
function eventSubject(object: ApiObject): string | undefined {
  const { namespace, name } = membersOf(object['involvedObject']);
  if (typeof name !== 'string') return undefined;
  return typeof namespace === 'string' ? `${namespace}/${name}` : name;
}

const isMarked = ({ previous, object }: Change): boolean =>
  previous?.metadata.deletionTimestamp === undefined && object.metadata.deletionTimestamp !== undefined;

function toneOfChange(change: Change): Tone {
  if (change.type === 'DELETED') return 'removed';
  if (eventSubject(change.object) !== undefined) return 'event';
  return change.type === 'ADDED' ? 'created' : isMarked(change) ? 'removed' : 'changed';
}

/** `create Pod web-1`, `update Job: status.active 2 → 3`; the name is omitted where the line contains it already. */
function whatOf(change: Change, about: string): string {
  const { object, kind, key } = change;
  const { reason, message } = object;
  if (eventSubject(object) !== undefined && change.type !== 'DELETED')
    return `event ${String(reason)}: ${typeof message === 'string' ? message : ''}`;
  const name = key === about ? kind : `${kind} ${shortKey(key)}`;
  if (change.type === 'ADDED') return `create ${name}`;
  if (change.type === 'DELETED') return `delete ${name}`;
  return isMarked(change) ? `mark ${name} for deletion` : `update ${name}: ${summarizeChange(change)}`;
}

const TIMERS = { backoff: 'its back-off ends', wake: 'wakes up', delay: 'its delay ends' } as const;
const LONGEST_REFUSAL = 160;
const clipped = (text: string): string => (text.length > LONGEST_REFUSAL ? `${text.slice(0, LONGEST_REFUSAL)}…` : text);
const firstLine = (text: string): string => text.trimStart().split('\n')[0] ?? '';

export type Transition = Extract<Entry, { readonly type: 'process' }>;

/** Whether a process goes on with what it has: it begins to lead, or to watch more kinds, or, as a client, has listed. */
export const goesOn = ({ what }: Pick<Transition, 'what'>): boolean => what === 'leads' || what === 'follows' || what === 'lists';

/** The transition of a process; with the reason why it did not start, or the feature gates in which it differs from its cluster. */
function transitionText({ what, refusal, gates = {}, lists }: Transition): string {
  if (refusal !== undefined) return `does not start: ${refusal}`;
  const kinds = (lists?.kinds ?? []).map(({ kind }) => kind).join(', ');
  if (what === 'lists') return `lists ${kinds} as of rv ${lists?.revision}`;
  if (what === 'follows') return `follows ${kinds}`;
  const differing = Object.entries(gates).map(([name, on]) => `${name} ${on ? 'on' : 'off'}`);
  return differing.length === 0 ? what : `${what}, with ${differing.join(', ')}`;
}

const ofActor = ({ actor, controller }: { readonly actor: string; readonly controller?: string }): Author => ({
  process: actor,
  controller,
});
const ofController = ({ process, controller }: Author): Author => ({ process, controller });
const ofProcess = ({ process }: Author): Author => ({ process });

const TYPES: { readonly [T in Entry['type']]: EntryType<Extract<Entry, { readonly type: T }>> } = {
  write: {
    by: ofActor,
    tone: ({ change }) => toneOfChange(change),
    line(entry, why) {
      const { change, key: about = change.key } = entry;
      const subject = shortKey(eventSubject(change.object) ?? about);
      return { who: whoOf(ofActor(entry)), about: subject, what: whatOf(change, about), revision: `rv ${change.revision}`, why };
    },
  },
  refusal: {
    by: ofActor,
    tone: () => 'refused',
    line: (entry) => ({
      who: whoOf(ofActor(entry)),
      about: shortKey(entry.key ?? ''),
      what: `refused ${entry.status.code ?? ''}: ${entry.request}`,
      why: clipped(entry.status.message ?? ''),
    }),
  },
  delivery: {
    by: ofProcess,
    tone: () => 'seen',
    line: ({ process, key, kind, delta, revision }) => ({
      who: process,
      about: shortKey(key),
      what: `sees ${delta.toLowerCase()} ${kind}`,
      revision: `rv ${revision}`,
    }),
  },
  reconcile: {
    by: ofController,
    tone: () => 'decided',
    line: (entry) => ({
      who: whoOf(entry),
      about: shortKey(entry.key),
      what: entry.writes === 0 ? 'decides to wait' : `decides on ${entry.writes} ${entry.writes === 1 ? 'write' : 'writes'}`,
      why: entry.why,
    }),
  },
  timer: {
    by: ofController,
    tone: () => 'seen',
    line: (entry) => ({ who: whoOf(entry), about: shortKey(entry.key), what: TIMERS[entry.because] }),
  },
  process: {
    by: ofProcess,
    tone: (entry) => (entry.what === 'lists' ? 'seen' : entry.what === 'started' || goesOn(entry) ? 'operation' : 'fault'),
    line: (entry) => ({ who: entry.process, what: transitionText(entry) }),
  },
  operation: { tone: () => 'operation', line: ({ label }) => ({ who: 'scenario', what: label }) },
  fault: {
    tone: () => 'fault',
    line: ({ fault, detail, given: { text } = { text: '' } }) => ({
      who: 'fault',
      about: fault,
      what: detail,
      ...(text === '' ? {} : { given: `(${text})` }),
    }),
  },
  check: {
    tone: ({ held }) => (held ? 'held' : 'broken'),
    line: ({ name, held, detail }) => ({ who: 'check', about: name, what: held ? 'held' : 'BROKEN', why: detail }),
  },
  note: { tone: () => 'note', line: ({ text }) => ({ who: 'note', what: firstLine(text) }) },
};

const typeOf = ({ type }: Entry): EntryType<Entry> => TYPES[type];

export const isEntryType = (value: unknown): value is Entry['type'] => typeof value === 'string' && Object.hasOwn(TYPES, value);

export const toneOf = (entry: Entry): Tone => typeOf(entry).tone(entry);

/** Returns who acted; undefined: the scenario, a fault or a check. */
export const authorOf = (entry: Entry): Author | undefined => typeOf(entry).by?.(entry);

/** Returns the parts of an entry's line that its type determines. */
export const saidIn = (entry: Entry, why: string): Said => typeOf(entry).line(entry, why);

/**
 * Returns a filter of the entries that a reader needs at first sight: no deliveries, no heartbeats, and decisions to wait only with a new
 * reason. It is called once for each entry, in order.
 */
export function createRelevance(): (entry: Entry) => boolean {
  const lastWhy = new Map<string, string>();
  return (entry) => {
    switch (entry.type) {
      case 'write':
        return !isHeartbeat(entry.change);
      case 'delivery':
      case 'timer':
        return false;
      case 'process':
        // Stopping and being stopped is shown; the end of its controllers, a moment earlier, is not.
        return entry.what !== 'retires' && entry.what !== 'lists';
      case 'reconcile': {
        const who = `${entry.process} ${entry.controller} ${entry.key}`;
        const last = lastWhy.get(who);
        if (last !== undefined || entry.writes > 0 || entry.wakeAt !== undefined) lastWhy.set(who, entry.why);
        // A decision that writes is shown by its writes. A controller that never takes part is omitted.
        return entry.writes === 0 && last !== entry.why && (last !== undefined || entry.wakeAt !== undefined);
      }
      default:
        return true;
    }
  };
}
