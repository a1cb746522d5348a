/**
 * A run as text, for pages without the engine. A later version of an object is stored as a difference, which is small. After reading,
 * versions share their equal parts, as in the engine.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Entry, Trace } from '../../lab/trace/index.ts';
import type { RunData } from './protocol.ts';

/** A change of a value: another value, or changed members of an object or list. */
type Patch =
  /** Another value. */
  | { readonly v: unknown }
  /** Members that are new or replaced, deleted, changed; the order of names if it has changed. */
  | {
      readonly s?: Members;
      readonly d?: readonly string[];
      readonly i?: readonly (readonly [string, Patch])[];
      readonly o?: readonly string[];
    };
type Members = readonly (readonly [string, unknown])[];
type Plain = Readonly<Record<string, unknown>>;

interface Written {
  readonly run: Omit<RunData, 'trace'>;
  readonly trace: Omit<Trace, 'prologue' | 'entries'>;
  /** Number of prologue entries. */
  readonly prologue: number;
  readonly entries: readonly unknown[];
}

/** Returns a run as one line of JSON. */
export function recordingText({ trace, ...run }: RunData): string {
  const { prologue, entries, ...rest } = trace;
  const last = new Map<string, unknown>();
  const written: Written = {
    run,
    trace: rest,
    prologue: prologue.length,
    entries: [...prologue, ...entries].map((entry) => (entry.type === 'write' ? shortened(entry, last) : entry)),
  };
  return JSON.stringify(written);
}

type Write = Extract<Entry, { type: 'write' }>;

const placeOf = ({ change: { kind, key } }: Write): string => `${kind} ${key}`;

function shortened(entry: Write, last: Map<string, unknown>): unknown {
  const { previous, object, ...change } = entry.change;
  const before = last.get(placeOf(entry));
  if (change.type === 'DELETED') last.delete(placeOf(entry));
  else last.set(placeOf(entry), object);
  if (before === undefined) return { ...entry, change: { ...change, object } };
  // With elided renewals, the previous version is not the last one that was written.
  const was = previous === undefined ? undefined : patchOf(before, previous);
  return { ...entry, change: { ...change, ...(was === undefined ? {} : { was }), patch: patchOf(previous ?? before, object) ?? {} } };
}

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The change between two values; undefined: they are equal. */
function patchOf(before: unknown, after: unknown): Patch | undefined {
  if (before === after) return undefined;
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) return membersPatch({ ...before }, { ...after });
  if (isPlain(before) && isPlain(after)) return membersPatch(before, after);
  return JSON.stringify(before) === JSON.stringify(after) ? undefined : { v: after };
}

function membersPatch(before: Plain, after: Plain): Patch | undefined {
  const had = Object.keys(before);
  const has = Object.keys(after).filter((key) => after[key] !== undefined);
  const s = has.filter((key) => !Object.hasOwn(before, key)).map((key) => [key, after[key]] as const);
  const d = had.filter((key) => !Object.hasOwn(after, key) || after[key] === undefined);
  const i = has.flatMap((key) => {
    const patch = Object.hasOwn(before, key) ? patchOf(before[key], after[key]) : undefined;
    return patch === undefined ? [] : [[key, patch] as const];
  });
  const order = [...had.filter((key) => !d.includes(key)), ...s.map(([key]) => key)];
  const o = order.every((key, at) => key === has[at]) ? undefined : has;
  if (s.length + d.length + i.length === 0 && o === undefined) return undefined;
  return {
    ...(s.length === 0 ? {} : { s }),
    ...(d.length === 0 ? {} : { d }),
    ...(i.length === 0 ? {} : { i }),
    ...(o === undefined ? {} : { o }),
  };
}

function patched(before: unknown, patch: Patch): unknown {
  if ('v' in patch) return patch.v;
  if (typeof before !== 'object' || before === null) throw new Error('the recording says what changed in something that is not there');
  const { s = [], d = [], i = [], o } = patch;
  const gone = new Set(d);
  const inner = new Map(i);
  const members = [
    ...Object.entries(before)
      .filter(([key]) => !gone.has(key))
      .map(([key, value]: readonly [string, unknown]): readonly [string, unknown] => {
        const change = inner.get(key);
        return [key, change === undefined ? value : patched(value, change)];
      }),
    ...s,
  ];
  if (Array.isArray(before)) return members.map(([, value]) => value);
  const by = new Map(members);
  // `Object.fromEntries` creates own members, so a label named `__proto__` is safe.
  return Object.fromEntries(o === undefined ? members : o.map((key) => [key, by.get(key)]));
}

/** Reads what `recordingText` wrote. */
export function readRecording(text: string): RunData {
  // The page contains it, so its type is known.
  const { run, trace, prologue, entries } = JSON.parse(text) as Written;
  const last = new Map<string, unknown>();
  const all = entries.map((entry) => lengthened(entry as Entry | ShortWrite, last));
  return { ...run, trace: { ...trace, prologue: all.slice(0, prologue), entries: all.slice(prologue) } };
}

type ShortWrite = Omit<Write, 'change'> & {
  readonly change: Omit<Write['change'], 'object'> & { readonly patch: Patch; readonly was?: Patch };
};

function lengthened(entry: Entry | ShortWrite, last: Map<string, unknown>): Entry {
  if (entry.type !== 'write') return entry;
  const place = `${entry.change.kind} ${entry.change.key}`;
  const whole = 'patch' in entry.change ? withObject(entry.change, last.get(place)) : entry.change;
  if (whole.type === 'DELETED') last.delete(place);
  else last.set(place, whole.object);
  return { ...entry, change: whole };
}

/** `before`: the last written version. The page contains it, so its type is known. */
function withObject({ patch, was, ...change }: ShortWrite['change'], before: unknown): Write['change'] {
  const previous = (was === undefined ? before : patched(before, was)) as ApiObject;
  return { ...change, object: patched(previous, patch) as ApiObject, previous };
}
