/** Carries out writes by the plans of their kinds and verbs. */
import type { ApiResponse } from '../request/index.ts';
import { run } from './plan.ts';
import type { Scope } from './scope.ts';
import { Write, type WriteInput } from './write.ts';

/**
 * Carries out a write by the plan of its kind and verb, and returns the response.
 * @throws {Refusal} where the write is refused.
 */
export function carryOut(scope: Scope, input: WriteInput): ApiResponse {
  const write = new Write(scope, input);
  run(scope.planOf(input.resource, input.verb, input.subresource), write);
  const { result, warnings: texts, unenforced } = write;
  if (result === undefined) throw new TypeError('the last stage of a plan commits');
  const code = input.verb === 'create' ? 201 : 200;
  if (texts === undefined && unenforced.length === 0) return { ok: true, code, object: result };
  return { ok: true, code, object: result, warnings: [...(texts ?? []), ...unenforced] };
}
