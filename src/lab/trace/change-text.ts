/**
 * Summaries of the changes of a write, and of all writes between two steps. Timestamps that only report liveness do not count as changes.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { isMapping, present } from '../../schema/values/index.ts';
import { differsOnlyIn, diffValues, type PathChange } from './diff.ts';
import type { Trace } from './trace.ts';

const LONGEST = 60;

/** Formats a value on one line: conditions by their status, others as JSON, cut where it gets long. */
function short(value: unknown): string {
  if (isMapping(value) && typeof value['type'] === 'string' && typeof value['status'] === 'string')
    return typeof value['reason'] === 'string' && value['reason'] !== '' ? `${value['status']} (${value['reason']})` : value['status'];
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  if (text === '') return '""';
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** A change as `status.active 2 → 3`. */
export const formatChange = ({ path, before, after }: PathChange): string =>
  before === undefined
    ? `${path} = ${short(after)}`
    : after === undefined
      ? `${path} removed (was ${short(before)})`
      : `${path} ${short(before)} → ${short(after)}`;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** Whether a value is an instant, or absent. */
export const isInstant = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && INSTANT.test(value));

/** Whether a write changed nothing but timestamps: a heartbeat. */
export const isHeartbeat = ({ type, previous, object }: Change): boolean =>
  type === 'MODIFIED' &&
  previous !== undefined &&
  differsOnlyIn(previous, object, ({ before, after }) => isInstant(before) && isInstant(after) && before !== undefined);

/** The length in characters after which no further change is added. */
const MOST_CHARACTERS = 60;
const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** A change as `formatChange` has it; of a structure, for a reader of sentences, only its path. */
export function tellChange(change: PathChange): string {
  const values = [change.before, change.after].filter((value) => value !== undefined);
  const isPlain = values.every((value) => isScalar(value) || (isMapping(value) && 'status' in value && 'type' in value));
  return isPlain ? formatChange(change) : `${change.path}${change.after === undefined ? ' removed' : ''}`;
}

/** Returns the most informative changes of a write on one line: scalar values before structures, as many as fit. */
export function summarizeChange({ previous, object }: Change, format: (change: PathChange) => string = formatChange): string {
  if (previous === undefined) return 'replaced';
  const all = diffValues(previous, object);
  const significant = all.filter(({ path, before, after }) => path !== 'metadata.generation' && !(isInstant(before) && isInstant(after)));
  const isStructure = ({ before, after }: PathChange): number => Number(!isScalar(before) || !isScalar(after));
  const ordered = (significant.length > 0 ? significant : all).toSorted((a, b) => isStructure(a) - isStructure(b));
  let text = '';
  let shown = 0;
  for (const change of ordered) {
    if (text.length > MOST_CHARACTERS) break;
    text += `${shown++ === 0 ? '' : ', '}${format(change)}`;
  }
  if (shown === 0) return 'nothing but its revision';
  return shown < ordered.length ? `${text}, and ${ordered.length - shown} more` : text;
}

/** The change of one object between two moments. */
export interface ObjectChange {
  readonly kind: string;
  readonly key: string;
  readonly before?: ApiObject;
  readonly after?: ApiObject;
  /** The changed fields, in a few words; empty for an object that was created or deleted. */
  readonly summary: string;
}

/**
 * Returns the objects that were created, deleted or changed after step `from` and up to step `to`, in the order of their first write.
 * Heartbeats do not count as changes.
 */
export function changesBetween(trace: Trace, from: number, to: number): readonly ObjectChange[] {
  /** The first and the last write of each object. */
  const touched = new Map<string, { readonly first: Change; last: Change }>();
  for (let at = from; at < to; at++) {
    const entry = trace.entries[at];
    if (entry?.type !== 'write') continue;
    const { change } = entry;
    const place = `${change.kind} ${change.key}`;
    const known = touched.get(place);
    if (known === undefined) touched.set(place, { first: change, last: change });
    else known.last = change;
  }
  return [...touched.values()].flatMap(({ first, last }) => {
    const { kind, key } = first;
    const before = first.previous;
    const after = last.type === 'DELETED' ? undefined : last.object;
    if (before === undefined && after === undefined) return [];
    if (before === undefined || after === undefined) return [{ kind, key, ...present({ before, after }), summary: '' }];
    const change = { ...last, type: 'MODIFIED', object: after, previous: before } as const;
    return isHeartbeat(change) ? [] : [{ kind, key, before, after, summary: summarizeChange(change) }];
  });
}
