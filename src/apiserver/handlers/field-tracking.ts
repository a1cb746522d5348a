/**
 * Whose fields are written down, and under which name. Models: apiserver pkg/endpoints/handlers fieldmanager wiring, managerOrUserAgent.
 */
import type { ApiObject, ManagedFieldsEntry } from '../machinery/index.ts';
import { type ManagedWrite, trackUpdate } from '../patch/index.ts';
import type { ApiRequest, Resource } from '../request/index.ts';
import type { Scope } from './request-scope.ts';

const NAME_LIMIT = 128;

/** The manager a request writes as: its own word, or the user's name. */
export function managerOf(request: ApiRequest): string {
  if ('fieldManager' in request && request.fieldManager !== undefined && request.fieldManager !== '') return request.fieldManager;
  const agent = request.userAgent ?? request.user?.name ?? '';
  return agent.split('/')[0]?.slice(0, NAME_LIMIT) ?? '';
}

/** Whether ownership is kept for this write: when asked for, and on objects that already have owners. */
export const tracks = (scope: Scope, request: ApiRequest, stored: ApiObject | undefined): boolean =>
  stored?.metadata.managedFields !== undefined || scope.trackFields?.(request) === true;

/**
 * The managedFields of the object about to be stored; undefined where nobody keeps them. `next`: as sent, with defaults, before admission.
 */
export function fieldsAfter(
  scope: Scope,
  resource: Resource,
  request: ApiRequest,
  next: () => ApiObject,
  stored: ApiObject | undefined,
  subresource: string | undefined,
): readonly ManagedFieldsEntry[] | undefined {
  if (!tracks(scope, request, stored)) return undefined;
  const fields = trackUpdate({
    schema: resource.kind.schema,
    live: stored,
    next: next(),
    manager: managerOf(request),
    apiVersion: resource.apiVersion,
    now: scope.now(),
    ...(subresource === undefined ? {} : { subresource }),
    ...resetBy(resource),
  });
  return fields.length === 0 ? undefined : fields;
}

const NOTHING_IS_RESET = { resetFields: [] } as const;

/** Where no sub-resource writes the status, the object's own writers own it. Models: customresource strategy.go GetResetFields. */
export const resetBy = ({ kind }: Resource): Partial<Pick<ManagedWrite, 'resetFields'>> =>
  kind.subresources.includes('status') ? {} : NOTHING_IS_RESET;
