/** JSON Schema (draft 2020-12) of described values, for editors and clients. A format has a row for each of its types. */

export type JsonSchema = { readonly [keyword: string]: unknown };

/** The URI of the draft. */
export const JSON_SCHEMA_DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** Returns the schema of a part. */
type Emit<S> = (schema: S) => JsonSchema;
/** The keywords of a type, or the function that computes them. */
export type JsonRow<S, P = S> = JsonSchema | ((schema: S, emit: Emit<P>) => JsonSchema);

/** Returns the emitter of a format: the keywords of a value's type, then those of its facets. Keywords without a value are left out. */
export function jsonEmitter<S>(rowOf: (schema: S) => JsonRow<S>, facets: (schema: S) => JsonSchema): Emit<S> {
  const emit: Emit<S> = (schema) => {
    const row = rowOf(schema);
    return given({ ...(typeof row === 'function' ? row(schema, emit) : row), ...facets(schema) });
  };
  return emit;
}

/** Returns the keywords that have a value. */
export const given = (keywords: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));

/** Returns the schema of a mapping with these members, and no others. */
export function jsonMembers<S>(
  fields: Readonly<Record<string, S>>,
  emit: (schema: S, name: string) => JsonSchema,
  isRequired: (schema: S) => boolean,
): JsonSchema {
  const members = Object.entries(fields);
  const required = members.flatMap(([name, schema]) => (isRequired(schema) ? [name] : []));
  return given({
    type: 'object',
    properties: Object.fromEntries(members.map(([name, schema]) => [name, emit(schema, name)])),
    required: required.length === 0 ? undefined : required,
    additionalProperties: false,
  });
}
