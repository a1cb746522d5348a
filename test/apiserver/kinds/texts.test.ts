import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { fieldText, namesFor } from '../../../src/apiserver/machinery/index.ts';
import type { ObjectShape, Schema } from '../../../src/schema/shape/index.ts';

/** Structs shared with pods and volumes; only the fields that the cluster acts on are described. */
const IN_PART: ReadonlySet<string> = new Set(['PodSpec', 'PersistentVolumeSpec']);
const KINDS = kindsFor(namesFor('orch.io')).list();

/** Structs of a schema; without what is below those described in part, unless `all`. */
function structsOf(schema: Schema, all = false, seen = new Map<object, ObjectShape>()): ReadonlyMap<object, ObjectShape> {
  if (schema.type === 'list') return structsOf(schema.items, all, seen);
  if (schema.type === 'map') return structsOf(schema.values, all, seen);
  if (schema.type !== 'object' || seen.has(schema.fields)) return seen;
  seen.set(schema.fields, schema);
  if (all || !IN_PART.has(schema.go)) for (const inner of Object.values(schema.fields)) structsOf(inner, all, seen);
  return seen;
}

describe('what fields mean', () => {
  it.each(KINDS)('is said of $kind, every field of it', ({ schema }) => {
    const missing = [...structsOf(schema).values()]
      .filter(({ go }) => !IN_PART.has(go))
      .flatMap((struct) => [
        ...(struct.about === undefined ? [struct.go] : []),
        ...Object.keys(struct.fields)
          .filter((field) => fieldText(struct, field) === undefined)
          .map((field) => `${struct.go}.${field}`),
      ]);
    expect(missing).toEqual([]);
  });

  it.each(KINDS)('has a wire number in $kind, one of its own in each struct', ({ schema }) => {
    for (const { go, fields } of structsOf(schema, true).values()) {
      const numbers = Object.values(fields).flatMap(({ wire }) => (wire === undefined ? [] : [String(wire)]));
      expect([...new Set(numbers)], go).toEqual(numbers);
      const without = Object.keys(fields).filter((name) => fields[name]?.wire === undefined);
      expect(
        without.filter((name) => name !== 'kind' && name !== 'apiVersion'),
        go,
      ).toEqual([]);
    }
  });

  it('finds nothing under names of Object', () => {
    const [first] = KINDS;
    if (first === undefined) throw new Error('there are kinds');
    expect(fieldText(first.schema, 'toString')).toBeUndefined();
    expect(fieldText(first.schema, 'constructor')).toBeUndefined();
  });
});
