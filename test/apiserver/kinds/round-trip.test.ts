/** Every object of every recorded case is canonical already: decoding changes nothing, not even the order of fields. */
import { describe, expect, it } from 'vitest';
import { decode } from '../../../src/schema/shape/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { oracleCases, type OracleVersion } from '../../support/oracle.ts';

const registry = kindsFor(namesFor('k8s.io'));
const VERSIONS: readonly OracleVersion[] = ['v1.24', 'v1.24-gates'];

describe('recorded objects', () => {
  for (const version of VERSIONS) {
    it(`${version}: are canonical, and the second time returned by reference`, () => {
      let seen = 0;
      for (const { name, trace } of oracleCases(version)) {
        for (const { object } of trace as unknown as readonly { readonly object?: ApiObject }[]) {
          if (object === undefined) continue;
          const kind = registry.byKind(object.kind);
          expect(kind, `${name}: ${object.kind}`).toBeDefined();
          if (kind === undefined) continue;
          const { managedFields: _, ...metadata } = object.metadata;
          const stored = { ...object, metadata };
          const text = JSON.stringify(stored);
          const canonical = decode(kind.schema, stored);
          if (JSON.stringify(canonical) !== text)
            expect(canonical, `${name}: ${object.kind} ${object.metadata.name}`).toEqual(JSON.parse(text));
          expect(JSON.stringify(canonical)).toBe(text);
          expect(decode(kind.schema, canonical)).toBe(canonical);
          seen += 1;
        }
      }
      expect(seen).toBeGreaterThan(1000);
    });
  }
});
