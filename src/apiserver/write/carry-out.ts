/** Carries out writes by the plans of their kinds and verbs. */
import type { ManagedFieldsEntry } from '../machinery/index.ts';
import type { ApiResponse } from '../request/index.ts';
import { run } from './plan.ts';
import type { Scope } from './scope.ts';
import { type Change, type Place, Write } from './write.ts';

/**
 * Carries out a write by the plan of its kind and verb, and returns the response.
 * @throws {Refusal} where the write is refused.
 */
export function carryOut(scope: Scope, place: Place, change: Change, managers?: readonly ManagedFieldsEntry[]): ApiResponse {
  const write = new Write(scope, place, change, managers);
  run(scope.planOf(place.resource, place.verb, place.subresource), write);
  const { result, warnings: texts, unenforced } = write;
  if (result === undefined) throw new TypeError('the last stage of a plan commits');
  const code = place.verb === 'create' ? 201 : 200;
  if (texts === undefined && unenforced.length === 0) return { ok: true, code, object: result };
  return { ok: true, code, object: result, warnings: [...(texts ?? []), ...unenforced] };
}
