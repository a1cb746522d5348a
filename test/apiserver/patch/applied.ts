/** Helpers of the tests of server-side apply: objects with managers, by writes and by configurations. */
import type { ApiObject, ManagedFieldsEntry } from '../../../src/apiserver/objects/object.ts';
import { apply, trackUpdate } from '../../../src/apiserver/patch/index.ts';
import type { Applied, ApplyRequest } from '../../../src/apiserver/patch/index.ts';
import { schemaOfKind } from './facts.ts';
import { attempt, deepFreeze, type Failed } from './support.ts';

export const schema = schemaOfKind('Pod');
export const at = (second: number): number => Date.UTC(2024, 0, 1, 0, 0, second);
export const config = <const B extends object>(body: B): { apiVersion: string; kind: string; metadata: object } & B => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  ...body,
});

export type Result = Partial<Applied> & { readonly error?: Failed };

export function applied(live: ApiObject | undefined, body: unknown, options: Partial<ApplyRequest> = {}): Result {
  const request = { schema, live, config: deepFreeze(body), manager: 'm1', force: false, apiVersion: 'v1', kind: 'Pod', now: at(1) };
  const { ok, error } = attempt(() => apply({ ...request, ...options }));
  return ok ?? { error };
}
export function object(result: Result): ApiObject {
  if (result.error !== undefined) throw new Error(result.error.message);
  return deepFreeze(result.object) as ApiObject;
}
export const tracked = (live: ApiObject | undefined, next: object, options: object = {}): readonly ManagedFieldsEntry[] =>
  trackUpdate({ schema, live, next, manager: 'u1', apiVersion: 'v1', now: at(1), ...options });
/** Returns the stored object after an ordinary write. */
export const written = (
  live: ApiObject | undefined,
  next: { readonly metadata: object; readonly [field: string]: unknown },
  options: object = {},
): ApiObject =>
  deepFreeze({ ...next, metadata: { ...next.metadata, managedFields: tracked(live, next, options) } }) as unknown as ApiObject;
export const fields = (entries: readonly ManagedFieldsEntry[] | undefined): Record<string, unknown> =>
  Object.fromEntries((entries ?? []).map(({ manager, fieldsV1 }): [string, unknown] => [manager ?? '', fieldsV1]));
