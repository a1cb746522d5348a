/** Rules of metadata, the same for every kind. Models: v1.24 apimachinery pkg/api/validation/objectmeta.go, pkg/apis/core/validation ValidateObjectMeta. */
import type { KindContext } from '../kind.ts';
import type { ApiObject } from '../object.ts';
import type { FieldError } from '../status.ts';
import { required } from './field-errors.ts';

/** What is wrong with a name; with `prefix` the text is the beginning of a generated one. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

export const immutableText = 'field is immutable';

export const subdomainName: NameRule = () => [];

/** Everything wrong with the metadata of an object to be created. */
export function validateMeta(object: ApiObject, _namespaced: boolean, _rule: NameRule, _context: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  if (object.metadata.name === undefined || object.metadata.name === '') errors.push(required('metadata.name', 'name or generateName is required'));
  return errors;
}

/** What may not change in metadata. */
export function validateMetaUpdate(_object: ApiObject, _old: ApiObject): FieldError[] {
  return [];
}
