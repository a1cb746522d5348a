/**
 * What clients depend on does not change: the number of each field in protobuf, and which are published as required. `published.txt` has
 * them, by Go struct; `UPDATE_GOLDEN=1` adds what is new.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import type { Schema } from '../../../src/schema/shape/index.ts';

const path = join(import.meta.dirname, 'published.txt');

/** Lines such as `ConfigMap.data 2`, or `Lease.spec 2 required`, of every struct below a kind, once. */
function linesOf(kind: string, schema: Schema, lines: Set<string>, above: ReadonlySet<object> = new Set()): void {
  if (schema.type === 'list') linesOf(kind, schema.items, lines, above);
  if (schema.type === 'map') linesOf(kind, schema.values, lines, above);
  if (schema.type !== 'object' || above.has(schema.fields)) return;
  for (const [name, field] of Object.entries(schema.fields)) {
    lines.add(`${schema.go}.${name} ${String(field.wire ?? '-')}${field.required === true ? ' required' : ''}`);
    linesOf(kind, field, lines, new Set([...above, schema.fields]));
  }
}

it('numbers and requirements of published fields are as they were', () => {
  const lines = new Set<string>();
  for (const { kind, schema } of kindsFor(namesFor('orch.io')).list()) linesOf(kind, schema, lines);
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
  // A struct may differ between kinds, but a field that was never required has not become so.
  const fields = new Set(published.map((line) => line.split(' ')[0]));
  expect([...lines].filter((line) => fields.has(line.split(' ')[0]) && !published.includes(line))).toEqual([]);
});
