/**
 * What clients depend on does not change: of each field its number in protobuf, whether it is published as required, its type in Go, and
 * what of it is valid. `published.txt` has them, by Go struct; `UPDATE_GOLDEN=1` adds what is new.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { goType, type Schema } from '../../../src/schema/shape/index.ts';

const path = join(import.meta.dirname, 'published.txt');

/** Facts with a place of their own in a line, texts for people, and what is compared with the recorded server. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  'type go about says wire required fields items values memo listType listMapKeys mapType patchStrategy patchMergeKey'.split(' '),
);

/** The facts of a schema, functions by their names only: `{"format":"label","needed":true}`. */
const factsOf = (schema: Schema): string => {
  const facts = Object.entries(schema).flatMap(([name, fact]) =>
    ELSEWHERE.has(name) || fact === undefined ? [] : [[name, typeof fact === 'function' ? 'computed' : (fact as unknown)] as const],
  );
  return facts.length === 0 ? '' : ` ${JSON.stringify(Object.fromEntries(facts.sort(([a], [b]) => (a < b ? -1 : 1))))}`;
};

const isStruct = (schema: Schema): boolean => schema.type === 'object';
const itemOf = (schema: Schema): Schema | undefined =>
  schema.type === 'list' ? schema.items : schema.type === 'map' ? schema.values : undefined;

/** Lines such as `ConfigMap.data 2 map[string]string`, or `Lease.spec 2 required v1.LeaseSpec`, of every struct below a kind, once. */
function linesOf(schema: Schema, lines: Set<string>, above: ReadonlySet<object> = new Set()): void {
  const item = itemOf(schema);
  if (item !== undefined) linesOf(item, lines, above);
  if (schema.type !== 'object' || above.has(schema.fields)) return;
  for (const [name, field] of Object.entries(schema.fields)) {
    const of = itemOf(field);
    const ofItems = of === undefined || isStruct(of) ? '' : factsOf(of);
    const required = field.required === true ? ' required' : '';
    lines.add(
      `${schema.go}.${name} ${String(field.wire ?? '-')}${required} ${goType(field)}${factsOf(field)}${ofItems === '' ? '' : ` of${ofItems}`}`,
    );
    linesOf(field, lines, new Set([...above, schema.fields]));
  }
}

it('what is published of fields is as it was', () => {
  const lines = new Set<string>();
  for (const { schema } of kindsFor(namesFor('orch.io')).list()) linesOf(schema, lines);
  if (process.env['UPDATE_GOLDEN'] !== undefined)
    writeFileSync(
      path,
      [...lines]
        .sort()
        .map((line) => `${line}\n`)
        .join(''),
    );
  const published = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  expect(published.length).toBeGreaterThan(500);
  expect(published.filter((line) => !lines.has(line))).toEqual([]);
  // A struct may differ between kinds, but no field of it has become another one.
  const fields = new Set(published.map((line) => line.split(' ')[0]));
  expect([...lines].filter((line) => fields.has(line.split(' ')[0]) && !published.includes(line))).toEqual([]);
});
