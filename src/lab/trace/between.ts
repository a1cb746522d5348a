/** The differences between two steps of a trace, object by object, however many writes each took. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { isHeartbeat, summarizeChange } from './change-text.ts';
import type { Trace } from './trace.ts';

/** The change of one object between two moments. */
export interface ObjectChange {
  readonly kind: string;
  readonly key: string;
  /** Absent: the object did not exist. */
  readonly before?: ApiObject;
  /** Absent: the object no longer exists. */
  readonly after?: ApiObject;
  /** The changed fields, in a few words; empty for an object that was created or deleted. */
  readonly summary: string;
}

/**
 * Returns the objects that were created, deleted or changed after step `from` and up to step `to`, in the order of their first write.
 * Heartbeats do not count as changes.
 */
export function changesBetween(trace: Trace, from: number, to: number): readonly ObjectChange[] {
  const touched = new Map<
    string,
    { kind: string; key: string; before: ApiObject | undefined; after: ApiObject | undefined; revision: number }
  >();
  for (let at = from; at < to; at++) {
    const entry = trace.entries[at];
    if (entry?.type !== 'write') continue;
    const {
      change: { kind, key, type, previous, object, revision },
    } = entry;
    const place = `${kind} ${key}`;
    const after = type === 'DELETED' ? undefined : object;
    const known = touched.get(place);
    if (known === undefined) touched.set(place, { kind, key, before: previous, after, revision });
    else {
      known.after = after;
      known.revision = revision;
    }
  }
  return [...touched.values()].flatMap(({ kind, key, before, after, revision }) => {
    if (before === undefined && after === undefined) return [];
    if (before === undefined || after === undefined)
      return [{ kind, key, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }), summary: '' }];
    const change = { revision, type: 'MODIFIED', kind, key, object: after, previous: before, at: 0, entry: 0 } as const;
    return isHeartbeat(change) ? [] : [{ kind, key, before, after, summary: summarizeChange(change) }];
  });
}
