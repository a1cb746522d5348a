/** Explains why no object matched: the nearest object, with expected and found values. */
import { match, type Difference } from './match.ts';
import type { Manifest } from './values.ts';

interface Named {
  readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown };
}

export interface Mismatch {
  /** The nearest object, if there is any. */
  readonly nearest?: object;
  readonly differences: readonly Difference[];
  /** The same as several lines of text. */
  readonly text: string;
}

/** Explains a mismatch. Candidates are the objects of the expected kind; of equally near ones the first is chosen. */
export function explainMismatch(expected: Manifest, candidates: readonly object[]): Mismatch {
  const kind = expected.kind ?? 'object';
  let nearest: object | undefined;
  let differences: readonly Difference[] = [];
  let best = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const found = kind === 'Secret' ? match(expected, candidate).map(hidden) : match(expected, candidate);
    const distance = found.reduce((sum, { path }) => sum + weight(path), 0);
    if (distance >= best) continue;
    [nearest, differences, best] = [candidate, found, distance];
  }
  if (nearest === undefined) return { differences: [], text: `there is no ${kind} at all` };
  if (differences.length === 0) return { nearest, differences, text: `${kind} ${nameOf(nearest)} matches` };
  return { nearest, differences, text: `no ${kind} matches; nearest is ${kind} ${nameOf(nearest)}:\n${formatDifferences(differences)}` };
}

/** Removes values of Secrets from reports: only the difference itself is reported. */
const hidden = (difference: Difference): Difference =>
  /^(?:data|stringData)\b/.test(difference.path)
    ? { ...difference, expected: HIDDEN, ...(difference.found === undefined ? {} : { found: HIDDEN }) }
    : difference;

const HIDDEN = '<redacted>';

/** An object with another name is rarely the intended one, so differences in name and namespace weigh most. */
const weight = (path: string) => (path === 'metadata.name' || path === 'metadata.namespace' ? 1_000 : 1);

function nameOf(object: Named): string {
  const { name, namespace } = object.metadata ?? {};
  return namespace === undefined ? String(name) : `${String(namespace)}/${String(name)}`;
}

const LINES = 20;

/** Formats one difference on each line, in columns. */
function formatDifferences(differences: readonly Difference[], indent = '  '): string {
  const shown = differences
    .slice(0, LINES)
    .map(({ path, expected, found }) => [path, show(expected), found === undefined ? 'nothing' : show(found)] as const);
  const widths = [0, 1].map((column) => Math.min(50, Math.max(...shown.map((cells) => cells[column as 0 | 1].length))));
  const lines = shown.map(
    ([path, expected, found]) => `${indent}${path.padEnd(widths[0] ?? 0)}  expected ${expected.padEnd(widths[1] ?? 0)}  found ${found}`,
  );
  if (differences.length > LINES) lines.push(`${indent}and ${differences.length - LINES} more`);
  return lines.join('\n');
}

const LONGEST = 80;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
