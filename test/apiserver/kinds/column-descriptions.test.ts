/** Descriptions of columns are in our own words: none equals a sentence of the recorded server, in either domain. */
import { expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { oracleLines } from '../../support/oracle.ts';

const TABLES = ['v1.24/api/list.jsonl', 'v1.24/api/watch.jsonl', 'v1.24/api/errors.jsonl', 'v1.24-workloads/api/list.jsonl'];

/** Collects the recorded descriptions of columns with more than one word. */
function recorded(value: unknown, into: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if ('columnDefinitions' in value && Array.isArray(value.columnDefinitions))
    for (const { description = '' } of value.columnDefinitions as readonly { readonly description?: string }[])
      if (description.includes(' ')) into.add(description);
  for (const member of Object.values(value)) recorded(member, into);
}

it('of ours differ from those of the recorded server', () => {
  const theirs = new Set<string>();
  for (const table of TABLES) for (const line of oracleLines(table, (text) => JSON.parse(text) as unknown)) recorded(line, theirs);
  expect(theirs.size).toBeGreaterThan(30);
  for (const domain of ['orch.io', 'k8s.io'] as const) {
    const taken = kindsFor(namesFor(domain))
      .list()
      .flatMap(({ kind, columns }) =>
        columns.filter(({ description = '' }) => theirs.has(description)).map(({ name }) => `${kind}: ${name}`),
      );
    expect(taken).toEqual([]);
  }
});
