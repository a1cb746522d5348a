/** Redaction of traces: each value of a Secret is replaced by a number, the same value by the same number. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { isMapping } from '../../schema/values/index.ts';
import type { Entry, Trace } from './trace.ts';

const FIELDS: ReadonlySet<string> = new Set(['data', 'stringData']);
/** `kubectl apply` stores the whole manifest in this annotation. */
const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Creates a redaction, which replaces the values of Secrets by numbers, consistently across calls. A number shows whether a value has
 * changed and nothing else; a digest of a short value could be guessed.
 */
export function createRedaction() {
  const numbers = new Map<unknown, number>();
  const known = new WeakMap<ApiObject, ApiObject>();
  const hide = (value: unknown): string => {
    const number = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, number);
    return `<redacted ${number}>`;
  };
  const hideAll = (values: Readonly<Record<string, unknown>>): object =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hide(value)]));
  const object = (given: ApiObject): ApiObject => {
    if (given.kind !== 'Secret') return given;
    const before = known.get(given);
    if (before !== undefined) return before;
    const values = Object.entries(given).flatMap(([name, value]) =>
      FIELDS.has(name) && isMapping(value) ? [[name, hideAll(value)] as const] : [],
    );
    const { annotations } = given.metadata;
    const metadata =
      annotations?.[APPLIED] === undefined
        ? given.metadata
        : { ...given.metadata, annotations: { ...annotations, [APPLIED]: hide(annotations[APPLIED]) } };
    const hidden: ApiObject = { ...given, ...Object.fromEntries(values), metadata };
    known.set(given, hidden);
    return hidden;
  };
  return {
    object,
    entry(entry: Entry): Entry {
      if (entry.type !== 'write' || entry.change.kind !== 'Secret') return entry;
      const { object: now, previous } = entry.change;
      const before = previous === undefined ? {} : { previous: object(previous) };
      return { ...entry, change: { ...entry.change, object: object(now), ...before } };
    },
  };
}

/** Returns a redacted copy of a trace; the same trace where it contains no Secret. */
export function redacted(trace: Trace): Trace {
  const { entry } = createRedaction();
  const all = [...trace.prologue, ...trace.entries];
  if (!all.some((each) => each.type === 'write' && each.change.kind === 'Secret')) return trace;
  return { ...trace, prologue: trace.prologue.map(entry), entries: trace.entries.map(entry) };
}
