import { describe, expect, it } from 'vitest';
import { fieldText, kindsFor, structText } from '../../../src/apiserver/kinds/index.ts';
import { namesFor, SHARED_TEXTS, type Texts } from '../../../src/apiserver/machinery/index.ts';
import type { Schema } from '../../../src/schema/shape/index.ts';

/** Structs shared with pods and volumes; only the fields that the cluster acts on are described. */
const IN_PART: ReadonlySet<string> = new Set(['PodSpec', 'PersistentVolumeSpec']);
const KINDS = kindsFor(namesFor('orch.io')).list();
const DESCRIPTIONS: readonly Texts[] = [SHARED_TEXTS, ...KINDS.map(({ texts }) => texts)];

/** Returns the structs below a schema with their fields. Without `all`, structs below the partly described ones are left out. */
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

describe('descriptions', () => {
  it.each(KINDS)('cover every field of $kind', (kind) => {
    const missing = [...structsOf(kind.schema, new Map())]
      .filter(([struct]) => !IN_PART.has(struct))
      .flatMap(([struct, fields]) => [
        ...(structText(struct) === undefined ? [struct] : []),
        ...[...fields].filter((field) => fieldText(struct, field) === undefined).map((field) => `${struct}.${field}`),
      ]);
    expect(missing).toEqual([]);
  });

  it('name only existing structs and fields', () => {
    const there = new Map<string, Set<string>>();
    for (const domain of ['orch.io', 'k8s.io'] as const)
      for (const kind of kindsFor(namesFor(domain)).list()) structsOf(kind.schema, there, true);
    const stale = DESCRIPTIONS.flatMap((descriptions) =>
      Object.entries(descriptions).flatMap(([struct, fields]) =>
        Object.keys(fields)
          .filter((field) => (field === '' ? !there.has(struct) : there.get(struct)?.has(field) !== true))
          .map((field) => `${struct}.${field}`),
      ),
    );
    expect(stale).toEqual([]);
  });

  it('are unique: no struct is described twice', () => {
    const structs = DESCRIPTIONS.flatMap((descriptions) => Object.keys(descriptions));
    expect(structs.filter((struct, at) => structs.indexOf(struct) < at)).toEqual([]);
  });

  it('do not depend on the domain', () => {
    expect(
      JSON.stringify(DESCRIPTIONS.flatMap((descriptions) => Object.values(descriptions).flatMap((fields) => Object.values(fields)))).match(
        /kube|k8s/gi,
      ),
    ).toBeNull();
  });

  it('are not found for names of Object.prototype', () => {
    expect(fieldText('constructor', 'toString')).toBeUndefined();
    expect(fieldText('JobSpec', 'constructor')).toBeUndefined();
  });
});
