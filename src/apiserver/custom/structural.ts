/** A structural schema of custom resources, validated before it is used. Models: v1.24 apiextensions v1 JSONSchemaProps, without CEL rules. */
import { any, bool, type Infer, int32, list, oneOf, type Schema, str } from '../../schema/shape/index.ts';

const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'] as const;
const number = { type: 'float64' } as const;

const MEMBERS = {
  type: oneOf(str(), TYPES),
  description: str(),
  title: str(),
  example: any,
  format: str(),
  required: list(str()),
  enum: list(any),
  default: any,
  nullable: bool,
  pattern: str(),
  minimum: number,
  maximum: number,
  exclusiveMinimum: bool,
  exclusiveMaximum: bool,
  minLength: int32,
  maxLength: int32,
  minItems: int32,
  maxItems: int32,
  minProperties: int32,
  maxProperties: int32,
  'x-kubernetes-preserve-unknown-fields': bool,
  'x-kubernetes-int-or-string': bool,
  'x-kubernetes-list-type': oneOf(str(), ['atomic', 'map', 'set']),
  'x-kubernetes-list-map-keys': list(str()),
  'x-kubernetes-map-type': oneOf(str(), ['atomic', 'granular']),
} as const satisfies Readonly<Record<string, Schema>>;
const KNOWN: ReadonlySet<string> = new Set([...Object.keys(MEMBERS), 'properties', 'additionalProperties', 'items']);

export type Structural = { readonly [K in keyof typeof MEMBERS]?: Infer<(typeof MEMBERS)[K]> } & {
  readonly properties?: Readonly<Record<string, Structural>>;
  readonly additionalProperties?: Structural | boolean;
  readonly items?: Structural;
};

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
  if (!TYPES.some((type) => type === node['type']) && !(node['type'] === undefined && open))
    bad(`${path}.type`, `expected one of ${TYPES.join(', ')}`);
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
