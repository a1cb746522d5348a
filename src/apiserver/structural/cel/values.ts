/**
 * Values of custom resources as CEL expressions see them: typed by their schema, with names that CEL can spell. Models: v1.24
 * apiextensions-apiserver third_party/forked/celopenapi/model schemas.go, escaping.go; pkg/apiserver/schema/cel values.go.
 */
import { Duration } from '@marcbachmann/cel-js/evaluator';
import { isLong } from '../../../schema/shape/index.ts';
import { bytesOfBase64, isBase64, parseGoDuration } from '../../../schema/values/index.ts';
import type { Structural } from '../members.ts';

const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
const SPELT: Readonly<Record<string, string>> = { '.': '__dot__', '-': '__dash__', '/': '__slash__' };

/** Returns the name of a property in expressions; undefined: none can name it. */
export function escaped(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_.\-/][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  return name.replace(/__|[.\-/]/g, (found) => SPELT[found] ?? '__underscores__');
}

const TEXT = { type: 'string' };

/** The members of metadata that rules may read, at the root and of embedded resources. */
const META: Structural = { type: 'object', properties: { name: TEXT, generateName: TEXT } };

/** Returns the properties that expressions may select. `isResource`: the node is the root or an embedded resource. */
export function selectable({ properties = {} }: Structural, isResource: boolean): Readonly<Record<string, Structural>> {
  return isResource ? { ...properties, apiVersion: TEXT, kind: TEXT, metadata: META } : properties;
}

export const isResource = (node: Structural, isRoot: boolean): boolean => isRoot || node['x-kubernetes-embedded-resource'] === true;

/** Returns a value for expressions; what the schema does not have is left out. */
export function celValue(value: unknown, node: Structural | undefined, isRoot = false): unknown {
  if (typeof value === 'number') return node?.type === 'number' || !Number.isSafeInteger(value) ? value : BigInt(value);
  if (isLong(value)) return node?.type === 'number' ? Number(value.text) : BigInt(value.text);
  if (typeof value === 'string') return node?.type === 'string' ? formatted(value, node.format) : value;
  if (Array.isArray(value)) return value.map((item) => celValue(item, node?.items));
  if (typeof value !== 'object' || value === null) return value;
  return members(value as Readonly<Record<string, unknown>>, node, isRoot);
}

function members(value: Readonly<Record<string, unknown>>, node: Structural | undefined, isRoot: boolean): unknown {
  const more = node?.additionalProperties;
  if (typeof more === 'object') return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, celValue(item, more)]));
  const entries: [string, unknown][] = [];
  for (const [name, of] of Object.entries(selectable(node ?? {}, isResource(node ?? {}, isRoot)))) {
    const spelt = escaped(name);
    if (spelt !== undefined && Object.hasOwn(value, name)) entries.push([spelt, celValue(value[name], of)]);
  }
  return Object.fromEntries(entries);
}

function formatted(value: string, format: string | undefined): unknown {
  if (format === 'date' || format === 'date-time') return Number.isNaN(Date.parse(value)) ? value : new Date(value);
  if (format === 'byte') return isBase64(value) ? bytesOfBase64(value) : value;
  if (format !== 'duration') return value;
  const parsed = parseGoDuration(value);
  return parsed.error === undefined ? Duration.fromMilliseconds(Number(parsed.value / 1_000_000n)) : value;
}
