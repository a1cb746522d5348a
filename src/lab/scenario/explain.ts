/** Why nothing matched: the object that came nearest, with what was expected against what was found. */
import { match, type Difference } from './match.ts';
import type { Manifest } from './types.ts';

interface Named {
  readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown };
}

export interface Mismatch {
  /** The nearest object, if there was any. */
  readonly nearest?: object;
  readonly differences: readonly Difference[];
  /** The same for eyes, several lines. */
  readonly text: string;
}

/** Candidates are the objects of the expected kind; of equally near ones the first is taken. */
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

/** Values of Secrets stay out of reports: that they differ is all that is said. */
const hidden = (difference: Difference): Difference =>
  /^(?:data|stringData)\b/.test(difference.path)
    ? { ...difference, expected: HIDDEN, ...(difference.found === undefined ? {} : { found: HIDDEN }) }
    : difference;

const HIDDEN = '<redacted>';

/** Another name is another object: whoever meant this one wants to hear about its fields. */
const weight = (path: string) => (path === 'metadata.name' || path === 'metadata.namespace' ? 1_000 : 1);

function nameOf(object: Named): string {
  const { name, namespace } = object.metadata ?? {};
  return namespace === undefined ? String(name) : `${String(namespace)}/${String(name)}`;
}

const LINES = 20;

/** One line a difference, in columns. */
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
