/**
 * Schemas for tests, from the published facts: merge keys of lists, atomic values. Top-level structs are encoded even when empty, as in Go.
 */
import type { Schema } from '../../../src/schema/shape/types.ts';
import { oracleJson } from '../../support/oracle.ts';

interface Fact {
  readonly ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Fact>>;
  readonly additionalProperties?: Fact;
  readonly items?: Fact;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

let definitions: Readonly<Record<string, Fact>> | undefined;

/** Returns the schema of a definition: `io.k8s.api.apps.v1.StatefulSet`. */
export function schemaOf(name: string): Schema {
  definitions ??= (oracleJson('v1.24/api/discovery/schema-facts.json') as { definitions: Readonly<Record<string, Fact>> }).definitions;
  return convert({ ref: name }, 0);
}

/** Returns the schema of a kind of a recorded group. */
export function schemaOfKind(kind: string): Schema {
  definitions ??= (oracleJson('v1.24/api/discovery/schema-facts.json') as { definitions: Readonly<Record<string, Fact>> }).definitions;
  const name = Object.keys(definitions).find((key) => key.endsWith(`.v1.${kind}`));
  if (name === undefined) throw new Error(`no schema facts of ${kind}`);
  return schemaOf(name);
}

const OPEN: Readonly<Record<string, Schema>> = {
  Quantity: { type: 'quantity' },
  IntOrString: { type: 'intOrString' },
  Time: { type: 'time' },
  MicroTime: { type: 'microTime' },
  FieldsV1: { type: 'any' },
  RawExtension: { type: 'any' },
  JSONSchemaProps: { type: 'any' },
};

function convert(fact: Fact, depth: number): Schema {
  const name = fact.ref?.split('.').at(-1) ?? '';
  const open = OPEN[name];
  if (open !== undefined) return open;
  const target =
    fact.ref === undefined
      ? fact
      : {
          ...definitions?.[fact.ref],
          ...(fact['x-kubernetes-patch-strategy'] === undefined
            ? {}
            : { 'x-kubernetes-patch-strategy': fact['x-kubernetes-patch-strategy'] }),
        };
  const strategy = target['x-kubernetes-patch-strategy'] === undefined ? {} : { patchStrategy: target['x-kubernetes-patch-strategy'] };
  const atomic = target['x-kubernetes-map-type'] === 'atomic' ? { mapType: 'atomic' as const } : {};
  if (target.properties !== undefined) {
    const fields: Record<string, Schema> = {};
    for (const [field, below] of Object.entries(target.properties)) {
      const protocol = field === 'protocol' && name !== 'NetworkPolicyPort' ? { default: 'TCP' } : {};
      const required = target.required?.includes(field) === true ? { required: true as const, always: true as const } : {};
      const top = depth === 0 && (field === 'metadata' || field === 'spec' || field === 'status') ? { always: true as const } : {};
      fields[field] = { ...convert(below, depth + 1), ...protocol, ...required, ...top };
    }
    return { type: 'object', go: name, fields, ...atomic, ...strategy };
  }
  if (target.type === 'array') {
    const listType = target['x-kubernetes-list-type'];
    const listMapKeys = target['x-kubernetes-list-map-keys'];
    const patchMergeKey = target['x-kubernetes-patch-merge-key'];
    return {
      type: 'list',
      items: convert(target.items ?? {}, depth + 1),
      ...strategy,
      ...(listType === undefined ? {} : { listType }),
      ...(listMapKeys === undefined ? {} : { listMapKeys }),
      ...(patchMergeKey === undefined ? {} : { patchMergeKey }),
    };
  }
  if (target.additionalProperties !== undefined) return { type: 'map', values: convert(target.additionalProperties, depth + 1), ...atomic };
  switch (target.type) {
    case 'string':
      return target.format === 'byte' ? { type: 'bytes' } : { type: 'string' };
    case 'integer':
      return { type: target.format === 'int64' ? 'int64' : 'int32' };
    case 'number':
      return { type: 'float64' };
    case 'boolean':
      return { type: 'boolean' };
    default:
      return { type: 'any' };
  }
}
