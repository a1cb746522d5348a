/**
 * Schemas as data, and what is derived from them. A kind writes its schema with the functions of `build.ts`. `Infer` gives the TypeScript
 * type; `decode` turns any JSON into the canonical object with Go's errors and the static defaults (`decodeLasting`: one to be stored);
 * `unknownFields` lists the fields that strict validation refuses; `parseJson` keeps what JSON.parse drops (number texts, duplicate keys).
 */
export * from './build.ts';
export { amountAsGiven, decode, decodeLasting, zeroOfType } from './decode.ts';
export { given, JSON_SCHEMA_DRAFT, jsonEmitter, jsonMembers, type JsonRow, type JsonSchema } from './json-schema.ts';
export { JsonSyntaxError, TooManyValues, parseJson } from './json.ts';
export { isLong, RawNumber } from '../values/index.ts';
export { DecodeError, deepFreeze, jsonWord } from './scalars.ts';
export { asGiven } from './struct-reader.ts';
export { findMisfits, findUnknownFields, type Misfit, unknownFields } from './findings.ts';
export type { Bound, Complete, Described, Facets, Fieldset, Format, Gated, Infer, ObjectShape, Schema } from './types.ts';
export { goType, isNothing } from './types.ts';
