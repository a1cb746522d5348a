/** What is different between two steps, object by object, however many writes it took. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { isHeartbeat, summarizeChange } from './change-text.ts';
import type { Trace } from './trace.ts';

/** What became of one object between two moments. */
export interface ObjectChange {
  readonly kind: string;
  readonly key: string;
  /** Absent: it was not there. */
  readonly before?: ApiObject;
  /** Absent: it is gone. */
  readonly after?: ApiObject;
  /** What changed, in a few words; empty for what came or went. */
  readonly summary: string;
}

/** Objects that came, went or changed after step `from` up to step `to`, in the order of their first write. Heartbeats are no change. */
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
