/** For which writes managed fields are tracked, and under which manager. Models: apiserver fieldmanager wiring, managerOrUserAgent. */
import type { Scope } from '../admission/index.ts';
import { ALWAYS, type ApiObject, type ManagedFieldsEntry } from '../machinery/index.ts';
import { type ManagedWrite, trackUpdate } from '../patch/index.ts';
import type { ApiRequest, Resource } from '../request/index.ts';
import { IDENTITY, type Stage } from './stages.ts';
import type { Place } from './write.ts';

const NAME_LIMIT = 128;

/** Returns the field manager of a request: as given, or derived from the user agent or user. */
export function managerOf(request: ApiRequest): string {
  if ('fieldManager' in request && request.fieldManager !== undefined && request.fieldManager !== '') return request.fieldManager;
  const agent = request.userAgent ?? request.user?.name ?? '';
  return agent.split('/')[0]?.slice(0, NAME_LIMIT) ?? '';
}

/** Whether a write is tracked: on request, and for objects that have managed fields already. */
export const tracks = (scope: Scope, request: ApiRequest, stored: ApiObject | undefined): boolean =>
  stored?.metadata.managedFields !== undefined || scope.trackFields?.(request) === true;

/** The managed fields after the write, where they are tracked. */
export const tracking: Stage = {
  name: 'managed fields',
  reads: ALWAYS,
  run(write) {
    const { scope, place } = write;
    if (write.managers === undefined) {
      if (!tracks(scope, place.request, place.before)) return;
      write.managers = fieldsAfter(scope, place, write.object);
    }
    write.changed |= IDENTITY;
  },
};

/** Returns the managedFields of the object to be stored. `next`: the object as sent, with defaults, before admission. */
function fieldsAfter(
  scope: Scope,
  { resource, request, before, subresource }: Place,
  next: ApiObject,
): readonly ManagedFieldsEntry[] | undefined {
  const fields = trackUpdate({
    schema: resource.kind.schema,
    live: before,
    next,
    manager: managerOf(request),
    apiVersion: resource.apiVersion,
    now: scope.now(),
    ...(subresource === undefined ? {} : { subresource }),
    ...fieldRules(resource),
  });
  return fields.length === 0 ? undefined : fields;
}

const NOTHING_IS_RESET = { resetFields: [] } as const;

/**
 * Without a status sub-resource, ordinary writers own the status; managers in other versions stay. Models: customresource strategy.go
 * GetResetFields.
 */
export function fieldRules({ kind, group }: Resource): Partial<Pick<ManagedWrite, 'resetFields' | 'otherVersions'>> {
  const reset = kind.subresources.includes('status') ? {} : NOTHING_IS_RESET;
  const { versions } = kind.stored ?? kind;
  return versions === undefined ? reset : { ...reset, otherVersions: [...versions.keys()].map((version) => `${group}/${version}`) };
}
