/** The stages of a creation that an update does not have. Models: apiserver pkg/registry/rest create.go BeforeCreate. */
import type { Scope } from '../admission/index.ts';
import { ALWAYS, type Draft, type Kind, type ObjectMeta, partsOf } from '../machinery/index.ts';
import { alreadyExists, failure, fillForCreate, type Resource, stamped, storeKey } from '../request/index.ts';
import { formatTime, repeats } from '../../schema/values/index.ts';
import { generateName, newUid } from './identity.ts';
import { kindErrors } from './rules.ts';
import { BODY, hookStages, IDENTITY, type Stage, warnOfClusterName } from './stages.ts';

const MAX_DRAWS = 8;

/**
 * Generates a free name with the given base. v1.24 fails at the first collision; later versions retry, as here, because a large Job would
 * collide often.
 */
function drawName(scope: Scope, resource: Resource, namespace: string | undefined, base: string | undefined): string {
  if (base === undefined || base === '') return '';
  for (let draws = 1; ; draws++) {
    const name = generateName(base, scope.random);
    if (scope.store.get(resource.kind.kind, storeKey(namespace, name)) === undefined) return name;
    if (draws === MAX_DRAWS) throw alreadyExists(resource, name, false);
  }
}

/** Gives the object a name, where the author gave only the beginning of one. */
export const naming: Stage = {
  name: 'name',
  reads: IDENTITY,
  run(write) {
    const { scope, resource, namespace, given } = write;
    write.name = given.name === undefined || given.name === '' ? drawName(scope, resource, namespace, given.generateName) : given.name;
  },
};

/** Removes duplicate owner references and adds a warning. Models: apiserver pkg/endpoints/handlers/finisher dedupOwnerReferences. */
export const ownersOnce: Stage = {
  name: 'duplicate owner references',
  reads: partsOf('ownerReferences'),
  run(write) {
    warnOfClusterName(write);
    // The references are decoded, so equal ones have equal JSON texts.
    const owners = write.given.ownerReferences ?? [];
    if (owners.length < 2) return;
    const seenBefore = repeats<string>();
    const isRepeat = owners.map((owner) => seenBefore(JSON.stringify(owner)));
    const repeated = owners[isRepeat.indexOf(true)];
    if (repeated === undefined) return;
    const metadata: Draft<ObjectMeta> = write.metadata();
    metadata.ownerReferences = metadata.ownerReferences?.filter((_, at) => isRepeat[at] !== true) ?? [];
    write.warn([
      `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.uid}`,
    ]);
  },
};

/** Sets the metadata that the server owns. */
export const stamping: Stage = {
  name: 'server metadata',
  reads: IDENTITY,
  run(write) {
    const { scope, resource, given } = write;
    fillForCreate(write.metadata(), {
      name: write.name,
      namespace: write.namespace,
      uid: newUid(scope.random),
      resourceVersion: given.resourceVersion,
      creationTimestamp: formatTime(scope.now()),
      generation: resource.kind.generation === 'none' ? given.generation : 1,
      managedFields: write.managers,
    });
  },
};

/** Drops members that a creator may not set. */
export const preparing = (kind: Kind): readonly Stage[] =>
  hookStages('prepare for create', kind.prepareForCreate, (hook, draft, _, context) => hook(draft, context));

/** The rules of the kind. An object like the first one of its template differs from it only in metadata. */
export const validatingNew: Stage = {
  name: 'validation',
  reads: ALWAYS,
  run(write) {
    const { templateRules } = write.resource.kind;
    write.errors =
      templateRules === undefined || (write.changed & BODY) !== 0
        ? kindErrors(write)
        : templateRules.validate(write.object, write.scope.context());
  },
};

/** Refuses an object that is there already, or that says a revision. */
export const absence: Stage = {
  name: 'name is free',
  reads: IDENTITY,
  run(write) {
    const { scope, resource, given, namespace, name, dryRun } = write;
    if (given.resourceVersion !== undefined && given.resourceVersion !== '') checkVersionUnset(given.resourceVersion, dryRun);
    // A generated name is known to be free.
    const there = name === given.name ? scope.store.get(resource.kind.kind, storeKey(namespace, write.object.metadata.name)) : undefined;
    if (there !== undefined) throw alreadyExists(resource, there.metadata.name, there.metadata.deletionTimestamp !== undefined);
  },
};

/** The store refuses objects with a revision; texts that are not numbers are ignored. */
function checkVersionUnset(version: string, dryRun: boolean): void {
  if (!dryRun && /^\d+$/.test(version) && Number(version) !== 0)
    throw failure({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
}

/** Stores the new object, unless the request is a dry run. */
export const committingNew: Stage = {
  name: 'commit',
  reads: ALWAYS,
  run(write) {
    const { scope, resource, object, namespace, dryRun, given } = write;
    write.result = dryRun
      ? stamped(object, given.resourceVersion)
      : scope.commit(resource, 'ADDED', storeKey(namespace, object.metadata.name), object, undefined, write.isFresh);
  },
};
