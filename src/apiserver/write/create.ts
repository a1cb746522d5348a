/**
 * The stages of a creation that an update does not have, and the random values of new objects. Models: apiserver
 * pkg/registry/generic/registry store.go, pkg/registry/rest create.go BeforeCreate, pkg/storage/names/generate.go.
 */
import { scratch } from '../../engine/index.ts';
import type { RandomStream } from '../../engine/random.ts';
import type { Scope } from '../admission/index.ts';
import { ALWAYS, type Draft, type Kind, type ObjectMeta, partsOf } from '../machinery/index.ts';
import { about, alreadyExists, failure, fillForCreate, internal, type Resource, stamped, storeKey } from '../request/index.ts';
import { formatTime, repeats } from '../../schema/values/index.ts';
import { BODY, hookStages, IDENTITY, kindErrors, type Stage, warnOfClusterName } from './stages.ts';
import type { Place } from './write.ts';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX = 5;
const LONGEST = 63;

/** Returns the base, cut so that the name fits a DNS label, and five random characters without vowels and look-alikes. */
const generateName = (base: string, random: RandomStream): string =>
  (base.length > LONGEST - SUFFIX ? base.slice(0, LONGEST - SUFFIX) : base) + random.text(SUFFIX, ALPHABET);

const WORD = 0x1_0000_0000;
/** Character codes of hexadecimal digits. */
const DIGIT = [48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102] as const;
const DASH = 45;
/** Positions of the dashes, the version and the variant. */
const DASHES: ReadonlySet<number> = new Set([8, 13, 18, 23]);
const codes: number[] = scratch(Array.from({ length: 36 }, () => DASH));
const places = codes.map((_, at) => at).filter((at) => !DASHES.has(at));

/** Returns a version 4 uuid that is not among those of a dump, which the same seed may have drawn before. */
export function newUid({ random, takenUids }: Pick<Scope, 'random' | 'takenUids'>): string {
  let uid = drawnUid(random);
  while (takenUids?.has(uid) === true) uid = drawnUid(random);
  return uid;
}

/** A version 4 uuid from the stream. It is one flat string, because every object and every index keeps it. */
function drawnUid(random: RandomStream): string {
  let word = 0;
  for (let i = 0; i < 32; i++) {
    if ((i & 7) === 0) word = random.below(WORD);
    codes[places[i] ?? 0] = DIGIT[word & 15] ?? DASH;
    word >>>= 4;
  }
  codes[14] = 52;
  codes[19] = DIGIT[8 + random.below(4)] ?? DASH;
  return String.fromCharCode(...codes);
}

const MAX_DRAWS = 8;

/** Draws a free name. v1.24 fails at the first collision; later versions retry, as here, because a large Job would collide often. */
function drawName(scope: Scope, { resource, namespace }: Place, base: string | undefined): string {
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
    const { scope, place, given } = write;
    place.name = given.name === undefined || given.name === '' ? drawName(scope, place, given.generateName) : given.name;
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
    const { scope, place, given } = write;
    fillForCreate(write.metadata(), {
      name: place.name,
      namespace: place.namespace,
      uid: newUid(scope),
      resourceVersion: given.resourceVersion,
      creationTimestamp: formatTime(scope.now()),
      generation: place.resource.kind.generation === 'none' ? given.generation : 1,
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
    const { templateRules } = write.place.resource.kind;
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
    const { scope, given } = write;
    const { resource, namespace, name, dryRun } = write.place;
    if (given.resourceVersion !== undefined && given.resourceVersion !== '') checkVersionUnset(given.resourceVersion, dryRun);
    if (resource.kind.definition !== undefined) checkNotTerminating(scope, resource);
    // A generated name is known to be free.
    const there = name === given.name ? scope.store.get(resource.kind.kind, storeKey(namespace, write.object.metadata.name)) : undefined;
    if (there !== undefined) throw alreadyExists(resource, there.metadata.name, there.metadata.deletionTimestamp !== undefined);
  },
};

/** The store refuses objects with a revision; texts that are not numbers are ignored. */
function checkVersionUnset(version: string, dryRun: boolean): void {
  if (!dryRun && /^\d+$/.test(version) && Number(version) !== 0)
    throw internal('resourceVersion should not be set on objects to be created');
}

/** Refuses a new object of a definition that is being deleted. */
function checkNotTerminating({ store }: Scope, { kind, group }: Resource): void {
  if (store.get('CustomResourceDefinition', `${kind.plural}.${group}`)?.metadata.deletionTimestamp === undefined) return;
  throw failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'create not allowed while custom resource definition is terminating',
    details: about('', group, kind.plural),
  });
}

/** Stores the new object, unless the request is a dry run. */
export const committingNew: Stage = {
  name: 'commit',
  reads: ALWAYS,
  run(write) {
    const { scope, object, given } = write;
    const { resource, namespace, dryRun } = write.place;
    write.result = dryRun
      ? stamped(object, given.resourceVersion)
      : scope.commit(resource, 'ADDED', storeKey(namespace, object.metadata.name), object, undefined, write.isFresh);
  },
};
