/**
 * Objects that every new world creates from the same bodies: the built-in roles, and the services of a server. What a body becomes depends
 * on the kind, the gates, the rules and the field manager alone, so the next world of a process gets a copy with a uid and times of its own.
 */
import { memo } from '../../engine/index.ts';
import type { ApiObject, FeatureGates, Kind, ManagedFieldsEntry, ObjectInput, RulesMode } from '../machinery/index.ts';
import { alreadyExists, type ApiRequest, type ApiResponse, type Resource, storeKey } from '../request/index.ts';
import { formatTime } from '../../schema/values/index.ts';
import { deepFreeze } from '../../schema/shape/index.ts';
import { managerOf, newUid, type Scope, tracks } from '../write/index.ts';

type CreateRequest = Extract<ApiRequest, { verb: 'create' }>;

interface Made {
  readonly kind: Kind;
  readonly gates: FeatureGates;
  readonly rules: RulesMode | undefined;
  /** Absent: managed fields are not tracked. */
  readonly manager: string | undefined;
  readonly object: ApiObject;
}

/** The last object of each body. */
const bodies = memo(new WeakMap<object, { last: Made | undefined }>());

/** Says of a body that worlds create it again and again, with a name, by a user whom nothing is refused. It is frozen. */
export function recurring<B extends ObjectInput>(body: B): B {
  bodies.set(body, { last: undefined });
  return deepFreeze(body);
}

const managerFor = (scope: Scope, request: CreateRequest): string | undefined =>
  tracks(scope, request, undefined) ? managerOf(request) : undefined;

/** Creates the object as in the world before; undefined: the full path is needed. */
export function createAgain(scope: Scope, resource: Resource, request: CreateRequest): ApiResponse | undefined {
  const made = bodies.get(request.body)?.last;
  if (made === undefined || made.kind !== resource.kind) return undefined;
  const { gates, rules } = scope.context();
  if (made.gates !== gates || made.rules !== rules) return undefined;
  if (scope.webhooks !== undefined || request.dryRun !== undefined || made.manager !== managerFor(scope, request)) return undefined;
  const { object } = made;
  const { namespace, name, managedFields } = object.metadata;
  const key = storeKey(namespace, name);
  const there = scope.store.get(resource.kind.kind, key);
  if (there !== undefined) throw alreadyExists(resource, name, there.metadata.deletionTimestamp !== undefined);
  const time = formatTime(scope.now());
  const metadata = { ...object.metadata, uid: newUid(scope.random, scope.takenUids), creationTimestamp: time };
  if (managedFields !== undefined) metadata.managedFields = managedFields.map((entry): ManagedFieldsEntry => ({ ...entry, time }));
  return { ok: true, code: 201, object: scope.commit(resource, 'ADDED', key, { ...object, metadata }, undefined, true) };
}

/** Keeps what a body became, if it recurs. */
export function rememberMade(scope: Scope, resource: Resource, request: CreateRequest, response: ApiResponse): void {
  const memory = bodies.get(request.body);
  if (memory === undefined || scope.webhooks !== undefined || request.dryRun !== undefined) return;
  if (!response.ok || !('object' in response) || response.warnings !== undefined) return;
  const { gates, rules } = scope.context();
  memory.last = { kind: resource.kind, gates, rules, manager: managerFor(scope, request), object: response.object };
}
