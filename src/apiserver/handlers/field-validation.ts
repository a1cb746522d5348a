/**
 * Fields nobody knows, and fields that came twice: told, refused or ignored, as the client asks. Behind the gate ServerSideFieldValidation;
 * without it they vanish silently. Models: apiserver pkg/endpoints/handlers fieldvalidation.
 */
import { unknownFields } from '../../schema/shape/index.ts';
import type { ApiRequest, ApiResponse, Resource } from '../request/index.ts';
import type { Scope } from './request-scope.ts';

type Write = Extract<ApiRequest, { verb: 'create' | 'update' | 'patch' }>;

/** What there is to say about a document: warnings, or why it is refused. */
export interface FieldNotes {
  readonly warnings: readonly string[];
  readonly refusal?: string;
}

const NOTHING: FieldNotes = { warnings: [] };

/** Looks at a document as it was sent (or patched). Only clients that say something about it are told: in-process writers have types. */
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

/** The response with warnings put before its own. */
export const warned = (response: ApiResponse, warnings: readonly string[]): ApiResponse =>
  warnings.length === 0 ? response : { ...response, warnings: [...warnings, ...(response.warnings ?? [])] };
