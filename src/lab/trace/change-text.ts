/** Summaries of the changes of a write. Timestamps that only report liveness do not count as changes. */
import type { Change } from '../../apiserver/store/index.ts';
import { differsOnlyIn, diffValues, type PathChange } from './diff.ts';

const LONGEST = 60;

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
const isInstant = (value: unknown): boolean => value === undefined || value === null || (typeof value === 'string' && INSTANT.test(value));

/** Whether a write changed nothing but timestamps: a heartbeat. */
export function isHeartbeat({ type, previous, object }: Change): boolean {
  return (
    type === 'MODIFIED' &&
    previous !== undefined &&
    differsOnlyIn(previous, object, ({ before, after }) => isInstant(before) && isInstant(after) && before !== undefined)
  );
}

/** The length in characters after which no further change is added. */
const MOST_CHARACTERS = 60;
const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Returns the most informative changes of a write on one line: scalar values before structures, as many as fit. */
export function summarizeChange({ previous, object }: Change): string {
  if (previous === undefined) return 'replaced';
  const all = diffValues(previous, object);
  const significant = all.filter(({ path, before, after }) => path !== 'metadata.generation' && !(isInstant(before) && isInstant(after)));
  const changes = significant.length > 0 ? significant : all;
  const ordered = [
    ...changes.filter(({ before, after }) => isScalar(before) && isScalar(after)),
    ...changes.filter(({ before, after }) => !(isScalar(before) && isScalar(after))),
  ];
  let text = '';
  let shown = 0;
  for (const change of ordered) {
    if (text.length > MOST_CHARACTERS) break;
    text += `${shown++ === 0 ? '' : ', '}${formatChange(change)}`;
  }
  if (shown === 0) return 'nothing but its revision';
  return shown < ordered.length ? `${text}, and ${ordered.length - shown} more` : text;
}
