/** What the managed fields of a write depend on. Models: apiserver fieldmanager wiring, managerOrUserAgent. */
import type { Scope } from '../admission/index.ts';
import { type ManagedWrite, trackUpdate } from '../patch/index.ts';
import type { ApiObject, ManagedFieldsEntry } from '../machinery/index.ts';
import type { ApiRequest, Resource } from '../request/index.ts';
import type { Place } from './write.ts';

const NAME_LIMIT = 128;

/** Returns the field manager of a request: as given, or derived from the user agent or user. */
export function managerOf(request: ApiRequest): string {
  if ('fieldManager' in request && request.fieldManager !== undefined && request.fieldManager !== '') return request.fieldManager;
  const agent = request.userAgent ?? request.user?.name ?? '';
  return agent.split('/')[0]?.slice(0, NAME_LIMIT) ?? '';
}

export const managedWrite = (scope: Scope, { resource, request, before, subresource }: Place): ManagedWrite => ({
  schema: resource.kind.schema,
  live: before,
  manager: managerOf(request),
  apiVersion: resource.apiVersion,
  now: scope.now(),
  subresource,
  ...fieldRules(resource),
});

/** Returns the managedFields of the object to be stored. `next`: the object as sent, with defaults, before admission. */
export function fieldsAfter(scope: Scope, place: Place, next: ApiObject): readonly ManagedFieldsEntry[] | undefined {
  const fields = trackUpdate({ ...managedWrite(scope, place), next });
  return fields.length === 0 ? undefined : fields;
}

const NOTHING_IS_RESET = { resetFields: [] } as const;

/**
 * Without a status sub-resource, ordinary writers own the status; managers in other versions stay. Models: customresource strategy.go
 * GetResetFields.
 */
function fieldRules({ kind, group }: Resource): Partial<Pick<ManagedWrite, 'resetFields' | 'otherVersions'>> {
  const reset = kind.subresources.includes('status') ? {} : NOTHING_IS_RESET;
  const { versions } = kind.stored ?? kind;
  return versions === undefined ? reset : { ...reset, otherVersions: [...versions.keys()].map((version) => `${group}/${version}`) };
}
