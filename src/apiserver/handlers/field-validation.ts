/**
 * Unknown and duplicate fields: reported as warnings, refused or ignored, as the client requests. It is behind the gate
 * ServerSideFieldValidation; without it they are dropped silently. Models: apiserver pkg/endpoints/handlers fieldvalidation.
 */
import { unknownFields } from '../../schema/shape/index.ts';
import type { ApiRequest, ApiResponse, Resource } from '../request/index.ts';
import type { Scope } from '../write/index.ts';

type Write = Extract<ApiRequest, { verb: 'create' | 'update' | 'patch' }>;

/** The findings of field validation: warnings, or the reason for a refusal. */
export interface FieldNotes {
  readonly warnings: readonly string[];
  readonly refusal?: string;
}

const NOTHING: FieldNotes = { warnings: [] };

/**
 * Validates the fields of a document as sent (or patched). Only requests with a `fieldValidation` option are checked: in-process writers
 * have types.
 */
export function fieldNotes(scope: Scope, resource: Resource, request: Write, document: unknown): FieldNotes {
  if (request.fieldValidation === undefined || request.fieldValidation === 'Ignore' || scope.gates['ServerSideFieldValidation'] !== true)
    return NOTHING;
  const texts = [
    ...(request.duplicateFields ?? []).map((path) => `duplicate field ${JSON.stringify(path)}`),
    ...unknownFields(resource.kind.schema, document).map((path) => `unknown field ${JSON.stringify(path)}`),
  ];
  if (texts.length === 0) return NOTHING;
  return request.fieldValidation === 'Strict'
    ? { warnings: [], refusal: `strict decoding error: ${texts.join(', ')}` }
    : { warnings: texts };
}

/** Returns the response with warnings prepended to its own. */
export const warned = (response: ApiResponse, warnings: readonly string[]): ApiResponse =>
  warnings.length === 0 ? response : { ...response, warnings: [...warnings, ...(response.warnings ?? [])] };
