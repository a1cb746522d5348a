/**
 * Entries as plain data, for recordings and for parts of a run on their way to the page: a version of an object is a difference from its
 * last one, a new object one from the last new object of its kind. Once read, versions share their equal parts, as in the engine, and so
 * do the objects of one template.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Entry, Trace } from '../../lab/trace/index.ts';
import { isMapping, present } from '../../schema/values/index.ts';
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

type Write = Extract<Entry, { type: 'write' }>;

/** By `kind key`, the last version of each object; by kind, its last new object. */
type Last = Map<string, unknown>;

const placeOf = ({ kind, key }: Pick<Write['change'], 'kind' | 'key'>): string => `${kind} ${key}`;

/** Returns a packer of one run's entries, in their order; what it returns is plain data. */
export function entryPacker(): (entry: Entry) => unknown {
  const last: Last = new Map();
  return (entry) => (entry.type === 'write' ? packed(entry, last) : entry);
}

function packed(entry: Write, last: Last): unknown {
  const { previous, object, ...change } = entry.change;
  const before = last.get(placeOf(change));
  const like = last.get(change.kind);
  keep(last, entry.change);
  if (before === undefined)
    return { ...entry, change: like === undefined ? { ...change, object } : { ...change, like: patchOf(like, object) ?? {} } };
  // With elided renewals, the previous version is not the last one that was written.
  const was = previous === undefined ? undefined : patchOf(before, previous);
  return { ...entry, change: { ...change, ...(was === undefined ? {} : { was }), patch: patchOf(previous ?? before, object) ?? {} } };
}

function keep(last: Last, { type, kind, key, object }: Write['change']): void {
  if (!last.has(placeOf({ kind, key }))) last.set(kind, object);
  if (type === 'DELETED') last.delete(placeOf({ kind, key }));
  else last.set(placeOf({ kind, key }), object);
}

type PackedWrite = Omit<Write, 'change'> & {
  readonly change: Omit<Write['change'], 'object'> &
    ({ readonly patch: Patch; readonly was?: Patch } | { readonly like: Patch } | { readonly object: ApiObject });
};

/** Returns the reader of what a packer has returned. It comes from this build, so its type is known. */
export function entryUnpacker(): (packed: unknown) => Entry {
  const last: Last = new Map();
  const texts = new Map<string, string>();
  return (packed) => {
    const entry = packed as Exclude<Entry, Write> | PackedWrite;
    if (entry.type !== 'write') return withSharedTexts(entry, texts);
    const change = unpackedChange(entry.change, last);
    keep(last, change);
    return { ...entry, change };
  };
}

function unpackedChange(packed: PackedWrite['change'], last: Last): Write['change'] {
  if ('object' in packed) return packed;
  if ('like' in packed) {
    const { like, ...change } = packed;
    return { ...change, object: patched(last.get(change.kind), like) as ApiObject };
  }
  const { patch, was, ...change } = packed;
  const before = last.get(placeOf(change));
  const previous = (was === undefined ? before : patched(before, was)) as ApiObject;
  return { ...change, object: patched(previous, patch) as ApiObject, previous };
}

/** Texts that come in messages are copies: hundreds of thousands of entries share a few names. */
function withSharedTexts<E extends Entry>(entry: E, texts: Map<string, string>): E {
  const shared: Record<string, string> = {};
  for (const [name, value] of Object.entries(entry)) {
    if (typeof value !== 'string') continue;
    const known = texts.get(value);
    if (known === undefined) texts.set(value, value);
    else shared[name] = known;
  }
  // In place: there are hundreds of thousands of entries.
  return Object.assign(entry, shared);
}

/** The change between two values; undefined: they are equal. */
function patchOf(before: unknown, after: unknown): Patch | undefined {
  if (before === after) return undefined;
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) return membersPatch({ ...before }, { ...after });
  if (isMapping(before) && isMapping(after)) return membersPatch(before, after);
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
  const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);
  return present({ s: some(s), d: some(d), i: some(i), o });
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
  const pack = entryPacker();
  const written: Written = { run, trace: rest, prologue: prologue.length, entries: [...prologue, ...entries].map((entry) => pack(entry)) };
  return JSON.stringify(written);
}

/** Reads what `recordingText` wrote. */
export function readRecording(text: string): RunData {
  // The page contains it, so its type is known.
  const { run, trace, prologue, entries } = JSON.parse(text) as Written;
  const unpack = entryUnpacker();
  const all = entries.map((entry) => unpack(entry));
  return { ...run, trace: { ...trace, prologue: all.slice(0, prologue), entries: all.slice(prologue) } };
}
