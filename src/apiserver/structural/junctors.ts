/**
 * Schemas below `allOf`, `anyOf`, `oneOf` and `not`: they only judge values, and what they speak of is specified outside of them. Models:
 * v1.24 apiextensions-apiserver pkg/apiserver/schema validation.go, complete.go.
 */
import { RE2JS } from 're2js';
import { type FieldError, forbidden, invalid, required } from '../machinery/index.ts';
import type { Structural } from './members.ts';

/** What such a schema must not have, with the words of the error. */
const FORBIDDEN: readonly (readonly [name: keyof Structural, words: string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

/** Which of the alternatives only repeat that a value is an integer or a string. */
export type IntOrStringPattern = 'anyOf' | 'allOf' | undefined;

const isEither = (schemas: readonly Structural[] | undefined): boolean =>
  schemas?.length === 2 && ['integer', 'string'].every((type, at) => schemas[at]?.type === type && Object.keys(schemas[at]).length === 1);

export const isIntOrStringPattern = ({ anyOf, allOf }: Structural): IntOrStringPattern =>
  isEither(anyOf) ? 'anyOf' : isEither(allOf?.[0]?.anyOf) ? 'allOf' : undefined;

/** Longer patterns are refused: a match costs the length of the text for each of their instructions. */
const LONGEST_PATTERN = 4_096;

/** Returns why a pattern is no regular expression in Go's syntax; undefined: it is one. */
function patternProblem(pattern: string): string | undefined {
  if (pattern.length > LONGEST_PATTERN) return `it has ${pattern.length} characters, and ${LONGEST_PATTERN} are the most`;
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Adds the errors of the alternatives of a schema, and of its pattern. */
export function nestedErrors(node: Structural, skip: IntOrStringPattern, path: string, errors: FieldError[]): void {
  if (skip !== 'anyOf') for (const [at, inner] of (node.anyOf ?? []).entries()) nested(inner, undefined, `${path}.anyOf[${at}]`, errors);
  for (const [at, inner] of (node.allOf ?? []).entries())
    nested(inner, skip === 'allOf' && at === 0 ? 'anyOf' : undefined, `${path}.allOf[${at}]`, errors);
  for (const [at, inner] of (node.oneOf ?? []).entries()) nested(inner, undefined, `${path}.oneOf[${at}]`, errors);
  if (node.not !== undefined) nested(node.not, undefined, `${path}.not`, errors);
  const { pattern = '' } = node;
  const problem = pattern === '' ? undefined : patternProblem(pattern);
  if (problem !== undefined) errors.push(invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`));
}

function nested(node: Structural, skip: IntOrStringPattern, path: string, errors: FieldError[]): void {
  nestedErrors(node, skip, path, errors);
  if (node.items !== undefined) nested(node.items, undefined, `${path}.items`, errors);
  for (const [name, inner] of Object.entries(node.properties ?? {})) nested(inner, undefined, `${path}.properties[${name}]`, errors);
  for (const [name, words] of FORBIDDEN) {
    const value = node[name];
    const isEmpty = value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) errors.push(forbidden(`${path}.${name}`, words));
  }
  if (Object.hasOwn(node.properties ?? {}, 'metadata'))
    errors.push(forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
}

/** The alternatives of a schema, with their paths. */
export const alternativesOf = (node: Structural, path: string): readonly (readonly [alternative: Structural, path: string])[] => [
  ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
    (node[name] ?? []).map((inner, at) => [inner, `${path}.${name}[${at}]`] as const),
  ),
  ...(node.not === undefined ? [] : [[node.not, `${path}.not`] as const]),
];

/** Adds an error for each field and item that only an alternative speaks of. `node` is a schema, `outer` the one that it is an alternative of. */
export function completenessErrors(node: Structural, outer: Structural, path: string, errors: FieldError[]): void {
  for (const [inner, at] of alternativesOf(node, path)) mirrored(inner, outer, path, at, errors);
  if (node.items !== undefined) completenessErrors(node.items, node.items, `${path}.items`, errors);
  for (const [name, inner] of Object.entries(node.properties ?? {}))
    completenessErrors(inner, inner, `${path}.properties[${name}]`, errors);
  if (typeof node.additionalProperties === 'object')
    completenessErrors(node.additionalProperties, node.additionalProperties, `${path}.additionalProperties`, errors);
}

function mirrored(nestedNode: Structural, outer: Structural, path: string, nestedPath: string, errors: FieldError[]): void {
  for (const [inner, at] of alternativesOf(nestedNode, nestedPath)) mirrored(inner, outer, path, at, errors);
  if (nestedNode.items !== undefined) {
    if (outer.items === undefined) errors.push(required(`${path}.items`, `because it is defined in ${nestedPath}.items`));
    else mirrored(nestedNode.items, outer.items, `${path}.items`, `${nestedPath}.items`, errors);
  }
  for (const [name, inner] of Object.entries(nestedNode.properties ?? {})) {
    const at = `${nestedPath}.properties[${name}]`;
    const { properties = {}, additionalProperties: more } = outer;
    if (Object.hasOwn(properties, name)) mirrored(inner, properties[name] ?? {}, `${path}.properties[${name}]`, at, errors);
    else if (typeof more === 'object') mirrored(inner, more, `${path}.additionalProperties`, at, errors);
    else errors.push(required(`${path}.properties[${name}]`, `because it is defined in ${at}`));
  }
}
