/**
 * What is wrong with the structural schema of custom resources. Models: v1.24 apiextensions-apiserver pkg/apis/apiextensions/validation ValidateCustomResourceDefinitionOpenAPISchema, pkg/apiserver/schema validation.go.
 */
import type { Schema } from '../../schema/shape/index.ts';
import { append, compareText, isMapping } from '../../schema/values/index.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../machinery/index.ts';
import { celErrors } from './cel/compile.ts';
import { alternativesOf, completenessErrors, isIntOrStringPattern, nestedErrors } from './junctors.ts';
import { MEMBERS, type Structural, TYPES } from './members.ts';

/** Members with schemas in them: one, several by name, or a list. */
const INNER = {
  items: 'one',
  not: 'one',
  additionalProperties: 'one or whether any',
  properties: 'by name',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  'x-kubernetes-validations': 'rules',
} as const;

/** Members of JSON Schema that no definition may have. */
const REFUSED: readonly string[] = ['$ref', 'definitions', 'dependencies', 'id', 'patternProperties', 'additionalItems'];

/** Deeper schemas are refused, because everything that reads one recurses. */
const DEEPEST = 60;
/** After so many errors the rest is not looked for. */
const ENOUGH = 100;

/**
 * Returns the errors of a schema at a path, sorted: first what is not a schema at all; if there is none, what upstream's schemas must not
 * have; if there is none, what is not structural.
 */
export function structuralErrors(value: unknown, path: string): readonly FieldError[] {
  const malformed: FieldError[] = [];
  readable(value, path, malformed, 0);
  if (malformed.length > 0) return malformed;
  const schema = value as Structural;
  const general: FieldError[] = [];
  eachSchema(schema, path, (node, at) => {
    append(general, generalErrors(node, at));
  });
  if (general.length > 0) return sorted(general);
  const errors: FieldError[] = [];
  invariants(schema, 'root', path, errors);
  completenessErrors(schema, schema, path, errors);
  return sorted(errors.length > 0 ? errors : celErrors(schema, path));
}

const sorted = (errors: readonly FieldError[]): readonly FieldError[] =>
  [...errors].sort((one, other) => compareText(one.field, other.field) || compareText(one.detail, other.detail));

/** Notes members of the wrong JSON type. */
function readable(value: unknown, path: string, errors: FieldError[], depth: number): void {
  if (errors.length > ENOUGH) return;
  if (!isMapping(value)) return void errors.push(invalid(path, value, 'must be a schema'));
  if (depth > DEEPEST) return void errors.push(invalid(path, '', `must have at most ${DEEPEST} levels`));
  for (const [name, member] of Object.entries(value)) {
    if (Object.hasOwn(MEMBERS, name)) {
      const expected = misfit(MEMBERS[name as keyof typeof MEMBERS], member);
      if (expected !== undefined) errors.push(invalid(`${path}.${name}`, member, `must be ${expected}`));
    } else if (Object.hasOwn(INNER, name)) readableInner(name as keyof typeof INNER, member, `${path}.${name}`, errors, depth + 1);
  }
}

function readableInner(name: keyof typeof INNER, member: unknown, path: string, errors: FieldError[], depth: number): void {
  switch (INNER[name]) {
    case 'one':
      if (name === 'items' && Array.isArray(member)) errors.push(forbidden(path, 'items must be a schema object and not an array'));
      else readable(member, path, errors, depth);
      return;
    case 'one or whether any':
      if (typeof member !== 'boolean') readable(member, path, errors, depth);
      return;
    case 'by name':
      if (!isMapping(member)) errors.push(invalid(path, member, 'must be a mapping from names to schemas'));
      else for (const [key, inner] of Object.entries(member)) readable(inner, `${path}[${key}]`, errors, depth);
      return;
    case 'list':
      if (!Array.isArray(member)) errors.push(invalid(path, member, 'must be a list of schemas'));
      else for (const [at, inner] of member.entries()) readable(inner, `${path}[${at}]`, errors, depth);
      return;
    case 'rules':
      if (!Array.isArray(member)) errors.push(invalid(path, member, 'must be a list of rules'));
      else for (const [at, rule] of member.entries()) readableRule(rule, `${path}[${at}]`, errors);
  }
}

function readableRule(rule: unknown, path: string, errors: FieldError[]): void {
  if (!isMapping(rule)) errors.push(invalid(path, rule, 'must be a rule'));
  else if (typeof rule['rule'] !== 'string' || rule['rule'].trim() === '') errors.push(required(`${path}.rule`, 'rule is not specified'));
  else if (rule['message'] !== undefined && typeof rule['message'] !== 'string')
    errors.push(invalid(`${path}.message`, rule['message'], 'must be a string'));
}

/** What a member should be; undefined: it is. */
function misfit(schema: Schema, value: unknown): string | undefined {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'a string';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'int32':
      return Number.isInteger(value) && Number(value) >= 0 ? undefined : 'a whole number from 0';
    case 'float64':
      return typeof value === 'number' ? undefined : 'a number';
    case 'list':
      return Array.isArray(value) && value.every((item) => misfit(schema.items, item) === undefined)
        ? undefined
        : schema.items.type === 'string'
          ? 'a list of strings'
          : 'a list';
    default:
      return undefined;
  }
}

function innerSchemas(node: Structural, path: string): readonly (readonly [node: Structural, path: string])[] {
  const { items, additionalProperties: more, properties = {} } = node;
  return [
    ...(items === undefined ? [] : [[items, `${path}.items`] as const]),
    ...Object.entries(properties).map(([name, inner]) => [inner, `${path}.properties[${name}]`] as const),
    ...(typeof more === 'object' ? [[more, `${path}.additionalProperties`] as const] : []),
    ...alternativesOf(node, path),
  ];
}

function eachSchema(node: Structural, path: string, visit: (node: Structural, path: string) => void): void {
  visit(node, path);
  for (const [inner, at] of innerSchemas(node, path)) eachSchema(inner, at, visit);
}

function generalErrors(node: Structural, path: string): readonly FieldError[] {
  const given = node as Readonly<Record<string, unknown>>;
  const errors: FieldError[] = REFUSED.filter((name) => given[name] !== undefined).map((name) =>
    forbidden(`${path}.${name}`, `${name} is not supported`),
  );
  if (node.type === 'null') errors.push(forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  else if (node.type !== undefined && node.type !== '' && !TYPES.some((type) => type === node.type))
    errors.push(notSupported(`${path}.type`, node.type, TYPES));
  if (node.uniqueItems === true)
    errors.push(forbidden(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'));
  const more = node.additionalProperties;
  if (Object.keys(node.properties ?? {}).length > 0 && (more === false || typeof more === 'object'))
    errors.push(forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  append(errors, listTypeErrors(node, path));
  const mapType = node['x-kubernetes-map-type'];
  if (mapType !== undefined && mapType !== 'atomic' && mapType !== 'granular')
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  if (mapType !== undefined && node.type !== 'object')
    errors.push(invalid(`${path}.type`, node.type ?? '', 'must be object if x-kubernetes-map-type is specified'));
  return errors;
}

/** Models: ValidateCustomResourceDefinitionOpenAPISchema, the parts of x-kubernetes-list-type. */
function listTypeErrors(node: Structural, path: string): readonly FieldError[] {
  const listType = node['x-kubernetes-list-type'];
  const keys = node['x-kubernetes-list-map-keys'] ?? [];
  const errors: FieldError[] = [];
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType))
    errors.push(notSupported(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
  if (listType !== undefined && node.type !== 'array')
    errors.push(invalid(`${path}.type`, node.type ?? '', 'must be array if x-kubernetes-list-type is specified'));
  const keysAt = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length > 0 && listType !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const at = `${path}.x-kubernetes-list-type`;
    errors.push(listType === undefined ? required(at, why) : invalid(at, listType, why));
  }
  if (listType !== 'map') return errors;
  if (keys.length === 0) errors.push(required(keysAt, 'must not be empty if x-kubernetes-list-type is map'));
  const { items } = node;
  if (items === undefined) errors.push(required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
  else if (items.type !== 'object')
    errors.push(invalid(`${path}.items.type`, items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map"));
  for (const [at, key] of keys.entries()) {
    const of = items?.properties?.[key];
    if (of === undefined) errors.push(invalid(`${keysAt}[${at}]`, key, 'entries must all be names of item properties'));
    else if (of.type === 'array' || of.type === 'object')
      errors.push(
        invalid(`${path}.items.properties[${key}].type`, of.type, "must be a scalar type if parent array's x-kubernetes-list-type is map"),
      );
    else if (of.default === undefined && items?.required?.includes(key) !== true)
      errors.push(
        required(
          `${path}.items.properties[${key}].default`,
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      );
  }
  return errors;
}

const EMPTY_TYPE = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
} as const;

function invariants(node: Structural, level: keyof typeof EMPTY_TYPE, path: string, errors: FieldError[]): void {
  const { type = '', items, properties = {}, additionalProperties: more } = node;
  if (type === 'array' && items === undefined) errors.push(required(`${path}.items`, 'must be specified'));
  if (items !== undefined) invariants(items, 'item', `${path}.items`, errors);
  for (const [name, inner] of Object.entries(properties)) invariants(inner, 'field', `${path}.properties[${name}]`, errors);
  if (more !== undefined && level === 'root') errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
  if (typeof more === 'object') invariants(more, 'field', `${path}.additionalProperties`, errors);
  const [embedded, open, either] = [
    node['x-kubernetes-embedded-resource'] === true,
    node['x-kubernetes-preserve-unknown-fields'] === true,
    node['x-kubernetes-int-or-string'] === true,
  ];
  const notBoth = 'must be false if x-kubernetes-int-or-string is true';
  if (either && open) errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, true, notBoth));
  if (either && embedded) errors.push(invalid(`${path}.x-kubernetes-embedded-resource`, true, notBoth));
  if (node['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  nestedErrors(node, isIntOrStringPattern(node), path, errors);
  if (embedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(`${path}.type`, why) : invalid(`${path}.type`, type, why));
  } else if (type === '' && !either && !open) errors.push(required(`${path}.type`, EMPTY_TYPE[level]));
  if (embedded && more !== undefined)
    errors.push(forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'));
  if (level === 'root' && type !== '' && type !== 'object') errors.push(invalid(`${path}.type`, type, 'must be object at the root'));
  if (level === 'root' || embedded) metadataErrors(properties, level === 'root', path, errors);
  if (embedded && !open && Object.keys(properties).length === 0)
    errors.push(
      required(
        `${path}.properties`,
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
}

/** A schema may say little of kind, apiVersion and metadata, which every object has. */
function metadataErrors(properties: Readonly<Record<string, Structural>>, isRoot: boolean, path: string, errors: FieldError[]): void {
  for (const [name, type] of [
    ['kind', 'string'],
    ['apiVersion', 'string'],
    ['metadata', 'object'],
  ] as const) {
    const of = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (of !== undefined && of.type !== type) errors.push(invalid(`${path}.properties[${name}].type`, of.type ?? '', `must be ${type}`));
  }
  const metadata = Object.hasOwn(properties, 'metadata') ? properties['metadata'] : undefined;
  if (metadata === undefined || !isRoot) return;
  const { type: _, default: __, description: ___, properties: inner = {}, ...others } = metadata;
  if (Object.keys(others).length > 0 || Object.keys(inner).some((name) => name !== 'name' && name !== 'generateName'))
    errors.push(
      forbidden(
        `${path}.properties[metadata]`,
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ),
    );
}
