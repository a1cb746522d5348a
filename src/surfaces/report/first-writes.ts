/** The first writes of a run that begins with a dump, as text: one line for each reason. */
import type { FirstWrite } from '../../lab/simulation/index.ts';
import { count, firstWords } from './table.ts';
import type { RunSummary } from './summary.ts';
import type { Palette } from './terminal.ts';

const NAMED = 3;

/** Nothing where the run begins with an empty cluster. */
export function firstWriteLines({ firstWrites }: RunSummary, palette: Palette): readonly string[] {
  if (firstWrites === undefined) return [];
  if (firstWrites.length === 0) return [`  ${palette.good('at rest')}: the restored cluster writes nothing by itself in its first minute`];
  const groups = new Map<string, { readonly first: FirstWrite; readonly objects: string[] }>();
  for (const write of firstWrites) {
    const { author, request, object, why = '' } = write;
    // What is particular to one object does not make another reason.
    const key = [author, request.split(' ', 2).join(' '), object.kind, why.replaceAll(/\d+/g, '#')].join('\n');
    const group = groups.get(key) ?? { first: write, objects: [] };
    groups.set(key, group);
    group.objects.push(`${object.namespace === undefined ? '' : `${object.namespace}/`}${object.name}`);
  }
  return [
    `  ${palette.warn('not at rest')}: ${count(firstWrites.length, 'write')} of the restored cluster by itself in its first minute`,
    ...[...groups.values()].map(({ first, objects }) => {
      const names = firstWords([...new Set(objects)], NAMED);
      return `    ${first.author}: ${objects.length} × ${first.object.kind} (${names})${first.why === undefined ? '' : `, because ${first.why}`}`;
    }),
  ];
}
