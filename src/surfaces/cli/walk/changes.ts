/** The changes between two moments, as lines. */
import { diffValues, formatChange, shortKey, wordsFor, type ObjectChange } from '../../../lab/trace/index.ts';
import { count, type Palette } from '../../report/index.ts';

/** Events are left to `state`, like lease renewals: they are not changes of the workload. */
const QUIET: ReadonlySet<string> = new Set(['Event']);
const SHOWN = 12;
const EACH = 4;

/** Changes, a line each; many new objects of a kind share one line. */
export function changeLines(changes: readonly ObjectChange[], palette: Palette): readonly string[] {
  const shownChanges = changes.filter(({ kind }) => !QUIET.has(kind));
  const lines = [
    ...came(
      shownChanges.filter(({ before }) => before === undefined),
      '+',
      palette.good,
    ),
    ...shownChanges
      .filter(({ before, after }) => before !== undefined && after !== undefined)
      .map((change) => `  ${palette.warn('~')} ${changed(change, palette)}`),
    ...came(
      shownChanges.filter(({ before, after }) => before !== undefined && after === undefined),
      '-',
      palette.bad,
    ),
  ];
  if (lines.length === 0) return [palette.dim('  nothing changed')];
  return lines.length <= SHOWN
    ? lines
    : [...lines.slice(0, SHOWN), palette.dim(`  and ${lines.length - SHOWN} more; state and diff show them`)];
}

function changed(change: ObjectChange, palette: Palette): string {
  const { kind, key, summary, before, after } = change;
  const words = wordsFor(change);
  if (words === undefined) return `${kind} ${palette.strong(shortKey(key))}: ${summary}`;
  // The words do not describe the spec, so its changes are added. For a pod the words include the node.
  const wanted = kind === 'Pod' ? [] : diffValues(before?.['spec'], after?.['spec'], 'spec').slice(0, WANTED).map(formatChange);
  return `${kind}: ${[words, ...wanted].join('; ')}`;
}

const WANTED = 2;

function came(changes: readonly ObjectChange[], feature: string, paint: (text: string) => string): readonly string[] {
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const keys = changes.filter((change) => change.kind === kind).map(({ key }) => shortKey(key));
    return keys.length <= EACH
      ? keys.map((key) => `  ${paint(`${feature} ${kind} ${key}`)}`)
      : [`  ${paint(`${feature} ${count(keys.length, kind)}`)}: ${keys.slice(0, EACH).join(', ')}, …`];
  });
}
