import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import type { Schema } from '../../../src/schema/shape/types.ts';
import { identityOf } from '../../../src/apiserver/patch/typed-schema.ts';
import { schemaOf } from './facts.ts';
import { oracleJson } from '../../support/oracle.ts';

const { definitions } = oracleJson('v1.24/api/discovery/schema-facts.json') as {
  definitions: Readonly<
    Record<string, { 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[] }>
  >;
};

/** Returns the merge rules by path; a recursive schema is followed once. */
function rules(schema: Schema, path = '', seen: readonly Schema[] = []): Record<string, string> {
  if (seen.includes(schema) || seen.length > 14) return {};
  const below = [...seen, schema];
  switch (schema.type) {
    case 'list': {
      const identity = identityOf(schema);
      const strategy =
        schema.patchStrategy === undefined
          ? ''
          : ` patch ${schema.patchStrategy}${schema.patchMergeKey ? ` by ${schema.patchMergeKey}` : ''}`;
      return {
        [path]: `${Array.isArray(identity) ? `by ${identity.join()}` : String(identity)}${strategy}`,
        ...rules(schema.items, `${path}[]`, below),
      };
    }
    case 'map':
      return { [path]: schema.mapType === 'atomic' ? 'atomic' : 'members', ...rules(schema.values, `${path}{}`, below) };
    case 'object': {
      const own = `${schema.mapType === 'atomic' ? 'atomic' : 'members'}${schema.patchStrategy === undefined ? '' : ` patch ${schema.patchStrategy}`}`;
      return Object.assign(
        { [path]: own },
        ...Object.entries(schema.fields).map(([name, field]) => rules(field, `${path}.${name}`, below)),
      ) as Record<string, string>;
    }
    default:
      return {};
  }
}

describe('merge rules as published', () => {
  const kinds = kindsFor(namesFor('k8s.io'));
  for (const kind of kinds.list()) {
    const name = Object.keys(definitions).find((key) =>
      definitions[key]?.['x-kubernetes-group-version-kind']?.some(
        (gvk) => gvk.kind === kind.kind && gvk.version === kind.version && gvk.group === kinds.names.group(kind.groupPrefix),
      ),
    );
    if (name === undefined) continue;
    it(kind.kind, () => {
      const published = rules(schemaOf(name));
      const ours = rules(kind.schema);
      const wrong = Object.keys(ours).filter((path) => published[path] !== undefined && published[path] !== ours[path]);
      expect(wrong.map((path) => `${path}: ${ours[path]} instead of ${published[path]}`)).toEqual([]);
    });
  }
});
