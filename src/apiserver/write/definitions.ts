/**
 * What follows from the deletion of definitions and of custom resources: with the last object of a deleted definition the definition itself
 * goes, and names that it had go to others. Models: v1.24 apiextensions-apiserver pkg/controller/finalizer crd_finalizer.go,
 * pkg/registry/customresourcedefinition etcd.go Delete; upstream needs a moment for it.
 */
import type { Scope } from '../admission/index.ts';
import { type CustomResourceDefinition, CUSTOM_PRIORITIES, isEstablished, localAvailability, settledDefinition } from '../kinds/index.ts';
import { formatTime } from '../../schema/values/index.ts';
import { newUid } from './create.ts';
import { type ApiObject, type KindContext, type Names, withCondition } from '../machinery/index.ts';
import type { Resource } from '../request/index.ts';

export const DEFINITION = 'CustomResourceDefinition';

const cleanupFinalizer = (names: Names): string => `customresourcecleanup.${names.group('apiextensions')}`;

const TERMINATING = { type: 'Terminating', status: 'True' } as const;

/** Returns a definition as its first deletion leaves it: its objects are to be deleted before it goes. */
export function asTerminating(stored: ApiObject, { names, now }: KindContext): ApiObject {
  const { metadata, status } = stored as CustomResourceDefinition;
  const finalizer = cleanupFinalizer(names);
  const { finalizers = [], deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined || finalizers.includes(finalizer)) return stored;
  const conditions = withCondition(
    status.conditions ?? [],
    { ...TERMINATING, reason: 'InstanceDeletionInProgress', message: 'CustomResource deletion is in progress' },
    now,
  );
  return { ...stored, metadata: { ...metadata, finalizers: [...finalizers, finalizer] }, status: { ...status, conditions } };
}

/** Continues a deletion whose last commit removed a custom resource or a definition. */
export function afterDeletion(scope: Scope, resource: Resource, object: ApiObject): void {
  if (resource.kind.kind === DEFINITION) return passNamesOn(scope, resource, object as CustomResourceDefinition);
  const key = `${resource.kind.plural}.${resource.group}`;
  const definition = scope.store.get(DEFINITION, key);
  if (definition?.metadata.deletionTimestamp !== undefined && scope.store.size(resource.kind.kind) === 0) finishDeletion(scope, definition);
}

/** Ends the clean-up of a definition without objects: it goes, unless others hold it. */
export function finishDeletion(scope: Scope, definition: CustomResourceDefinition): void {
  const context = scope.context();
  const resource = scope.resource(DEFINITION);
  const { name, finalizers = [] } = definition.metadata;
  const finalizer = cleanupFinalizer(context.names);
  const others = finalizers.filter((each) => each !== finalizer);
  if (others.length === finalizers.length) return;
  if (others.length === 0) {
    scope.commit(resource, 'DELETED', name, definition);
    return;
  }
  const conditions = withCondition(
    definition.status.conditions ?? [],
    { type: 'Terminating', status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' },
    context.now,
  );
  const metadata = { ...definition.metadata, finalizers: others };
  scope.commit(resource, 'MODIFIED', name, { ...definition, metadata, status: { ...definition.status, conditions } });
}

/** Gives the names of a definition that is gone to those of its group that wait for them. */
function passNamesOn(scope: Scope, resource: Resource, gone: CustomResourceDefinition): void {
  for (const other of scope.store.values(DEFINITION)) {
    if (other.spec.group !== gone.spec.group || other.metadata.deletionTimestamp !== undefined) continue;
    const next = settledDefinition(other, scope.store.values(DEFINITION), scope.context());
    if (next !== other) scope.commit(resource, 'MODIFIED', other.metadata.name, next);
  }
}

const API_SERVICE = 'APIService';

/** The core group's: it is there where the server has registered its own groups. */
const FIRST = 'v1.';

/**
 * Registers the served versions of definitions as APIServices, and removes those that are served no more. Models: v1.24
 * pkg/controlplane/controller/crdregistration crdregistration_controller.go.
 */
export function registerVersions(scope: Scope): void {
  const { store, names } = scope;
  if (store.get(API_SERVICE, FIRST) === undefined) return;
  const wanted = new Map<string, { readonly group: string; readonly version: string }>();
  for (const definition of store.values(DEFINITION) as Iterable<CustomResourceDefinition>) {
    const { group = '', versions = [] } = definition.spec;
    if (!isEstablished(definition)) continue;
    for (const { name: version = '', served } of versions) if (served) wanted.set(`${version}.${group}`, { group, version });
  }
  const resource = scope.resource(API_SERVICE);
  const label = names.key('kube-aggregator', 'automanaged');
  for (const each of store.values(API_SERVICE)) {
    if (each.metadata.labels?.[label] === 'true' && !wanted.has(each.metadata.name))
      scope.commit(resource, 'DELETED', each.metadata.name, each);
    else wanted.delete(each.metadata.name);
  }
  const { now } = scope.context();
  for (const [name, served] of wanted) {
    const metadata = {
      name,
      uid: newUid(scope),
      resourceVersion: '',
      creationTimestamp: formatTime(now),
      labels: { [label]: 'true' },
    };
    const made = { apiVersion: resource.apiVersion, kind: API_SERVICE, metadata, spec: { ...served, ...CUSTOM_PRIORITIES } };
    scope.commit(resource, 'ADDED', name, { ...made, status: { conditions: localAvailability(now) } });
  }
}
