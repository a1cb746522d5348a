import { describe, expect, it } from 'vitest';
import { fieldText, kindsFor, structText } from '../../../src/apiserver/kinds/index.ts';
import { namesFor, SHARED_TEXTS, type Texts } from '../../../src/apiserver/machinery/index.ts';
import type { Schema } from '../../../src/schema/shape/index.ts';

/** Shared with pods and volumes, and described as far as the cluster acts on them. */
const IN_PART: ReadonlySet<string> = new Set(['PodSpec', 'PersistentVolumeSpec']);
const KINDS = kindsFor(namesFor('orch.io')).list();
const BOOKS: readonly Texts[] = [SHARED_TEXTS, ...KINDS.map(({ texts }) => texts)];

/** Structs below a schema and their fields; without what is below those described in part, unless `all`. */
function structsOf(schema: Schema, found: Map<string, Set<string>>, all = false, seen = new Set<object>()): Map<string, Set<string>> {
  if (schema.type === 'list') return structsOf(schema.items, found, all, seen);
  if (schema.type === 'map') return structsOf(schema.values, found, all, seen);
  if (schema.type !== 'object' || seen.has(schema.fields)) return found;
  seen.add(schema.fields);
  const known = found.get(schema.go) ?? new Set<string>();
  found.set(schema.go, known);
  for (const [field, inner] of Object.entries(schema.fields)) {
    known.add(field);
    if (all || !IN_PART.has(schema.go)) structsOf(inner, found, all, seen);
  }
  return found;
}

describe('what fields mean', () => {
  it.each(KINDS)('is said of $kind, every field of it', (kind) => {
    const missing = [...structsOf(kind.schema, new Map())]
      .filter(([go]) => !IN_PART.has(go))
      .flatMap(([go, fields]) => [
        ...(structText(go) === undefined ? [go] : []),
        ...[...fields].filter((field) => fieldText(go, field) === undefined).map((field) => `${go}.${field}`),
      ]);
    expect(missing).toEqual([]);
  });

  it('is said of nothing that is not there', () => {
    const there = new Map<string, Set<string>>();
    for (const domain of ['orch.io', 'k8s.io'] as const)
      for (const kind of kindsFor(namesFor(domain)).list()) structsOf(kind.schema, there, true);
    const stale = BOOKS.flatMap((room) =>
      Object.entries(room).flatMap(([go, fields]) =>
        Object.keys(fields)
          .filter((field) => (field === '' ? !there.has(go) : there.get(go)?.has(field) !== true))
          .map((field) => `${go}.${field}`),
      ),
    );
    expect(stale).toEqual([]);
  });

  it('is said once: no struct in two places', () => {
    const structs = BOOKS.flatMap((room) => Object.keys(room));
    expect(structs.filter((go, at) => structs.indexOf(go) < at)).toEqual([]);
  });

  it('is said in words that both domains can use', () => {
    expect(
      JSON.stringify(BOOKS.flatMap((room) => Object.values(room).flatMap((fields) => Object.values(fields)))).match(/kube|k8s/gi),
    ).toBeNull();
  });

  it('finds nothing under names of Object', () => {
    expect(fieldText('constructor', 'toString')).toBeUndefined();
    expect(fieldText('JobSpec', 'constructor')).toBeUndefined();
  });
});
