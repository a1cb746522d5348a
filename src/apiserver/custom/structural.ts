/**
 * A structural schema of custom resources, validated before it is used. Models: v1.24 apiextensions v1 JSONSchemaProps, without CEL rules.
 */

/** A node of a schema, with the supported members. */
export interface Structural {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Structural>>;
  readonly additionalProperties?: Structural | boolean;
  readonly items?: Structural;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
}

const TYPES: readonly unknown[] = ['object', 'array', 'string', 'integer', 'number', 'boolean'];
const KNOWN: ReadonlySet<string> = new Set([
  'type',
  'description',
  'title',
  'example',
  'format',
  'properties',
  'additionalProperties',
  'items',
  'required',
  'enum',
  'default',
  'nullable',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
]);
const DEEPEST = 40;

export type Note = (path: string, message: string) => void;

/** Whether a value is a structural schema; all problems are reported to `note`. */
export function isStructural(value: unknown, path: string, note: Note, depth = 0): value is Structural {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(path, 'expected a schema', note);
  if (depth > DEEPEST) return refuse(path, `it is more than ${DEEPEST} levels deep`, note);
  const node = value as Readonly<Record<string, unknown>>;
  let fine = true;
  const bad = (at: string, message: string): void => {
    note(at, message);
    fine = false;
  };
  for (const key of Object.keys(node))
    if (!KNOWN.has(key)) bad(`${path}.${key}`, 'is not modelled: leave it out, or check it in a kind in TypeScript (defineCustomKind)');
  const open = node['x-kubernetes-preserve-unknown-fields'] === true || node['x-kubernetes-int-or-string'] === true;
  if (!TYPES.includes(node['type']) && !(node['type'] === undefined && open)) bad(`${path}.type`, `expected one of ${TYPES.join(', ')}`);
  if (node['type'] === 'array' && node['items'] === undefined) bad(`${path}.items`, 'an array needs items');
  const { pattern } = node;
  if (pattern !== undefined && (typeof pattern !== 'string' || !isPattern(pattern))) bad(`${path}.pattern`, 'is not a regular expression');
  const keys = node['x-kubernetes-list-map-keys'];
  if (node['x-kubernetes-list-type'] === 'map' && (!Array.isArray(keys) || keys.length === 0))
    bad(`${path}.x-kubernetes-list-map-keys`, 'a list of type map needs keys');
  for (const [name, inner] of Object.entries(node['properties'] ?? {}))
    if (!isStructural(inner, `${path}.properties[${name}]`, note, depth + 1)) fine = false;
  if (node['items'] !== undefined && !isStructural(node['items'], `${path}.items`, note, depth + 1)) fine = false;
  const more = node['additionalProperties'];
  if (typeof more === 'object' && !isStructural(more, `${path}.additionalProperties`, note, depth + 1)) fine = false;
  return fine;
}

const refuse = (path: string, message: string, note: Note): false => {
  note(path, message);
  return false;
};

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}
