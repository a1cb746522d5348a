/**
 * The stages of a creation, most of which an update shares: defaulting, admission, hooks, the rules of the kind and of the specification,
 * warnings. Models: apiserver pkg/registry/generic/registry store.go, pkg/registry/rest create.go, update.go.
 */
import { checkNotTerminating } from './definitions.ts';
import type { AdmissionPlugin, Scope } from '../admission/index.ts';
import {
  ALWAYS,
  type ApiObject,
  type Draft,
  type Kind,
  type KindContext,
  type ObjectMeta,
  type Parts,
  partsOf,
  hooksOf,
  type PlannedHook,
  UNKNOWN,
  WHOLE,
} from '../machinery/index.ts';
import { alreadyExists, failure, fillForCreate, stamped, storeKey } from '../request/index.ts';
import { formatTime, repeats } from '../../schema/values/index.ts';
import { generateName, newUid } from './identity.ts';
import { checkRules, kindErrors } from './rules.ts';
import type { Place, Write } from './write.ts';

/** A step of a write. It runs where the write changes a part that it reads. */
export interface Stage {
  readonly name: string;
  readonly reads: Parts;
  /** @throws {Refusal} where it refuses the write. */
  run(write: Write): void;
}

export type Plan = readonly Stage[];

export const IDENTITY = partsOf('identity');
const SPEC = partsOf('spec');

/** Returns a stage for each hook of a member of the kind. */
export function hookStages<F extends (...args: never[]) => void>(
  name: string,
  hooks: Parameters<typeof hooksOf<F>>[0],
  call: (hook: F, draft: Draft, write: Write, context: KindContext) => void,
): readonly Stage[] {
  return hooksOf(hooks).map(({ reads, concerns, run }: PlannedHook<F>) => ({
    name,
    reads,
    run(write) {
      // A draft costs more than the question, unless there is one already.
      const context = write.scope.context();
      if (concerns !== undefined && !write.isDrafted && !concerns(write.object, context, write.place.before)) return;
      call(run, write.draft(), write, context);
    },
  }));
}

/** Defaults that depend on more than the object's own fields. */
export const defaulting = (kind: Kind): readonly Stage[] =>
  hookStages('defaults', kind.applyDefaults, (hook, draft, _, context) => hook(draft, context));

/** The part of a write that a mutating plug-in reads. */
function readBy({ reads, changes }: AdmissionPlugin, verb: Place['verb']): Parts {
  // The decision on a new object is one for all objects of its template.
  if (verb === 'create') return reads === undefined ? WHOLE : SPEC;
  return changes === 'nothing' ? 0 : changes === 'spec' ? SPEC : WHOLE;
}

/** Returns the stage of a plug-in that may change the object. */
export const mutating = (plugin: AdmissionPlugin, verb: Place['verb']): Stage => ({
  name: `admission: ${plugin.name}`,
  reads: readBy(plugin, verb),
  run(write) {
    const draft = plugin.changes === 'nothing' ? write.view : write.draft();
    plugin.mutate?.(write.scope, write.place, draft, write.place.before, write);
  },
});

/** Returns the stage of a plug-in that only refuses. Objects of one template need those that say what they read only once. */
export const validating = (plugin: AdmissionPlugin, verb: Place['verb']): Stage => ({
  name: `admission: ${plugin.name}`,
  reads: verb === 'create' && plugin.reads !== undefined ? SPEC : ALWAYS,
  run: (write) => plugin.validate?.(write.scope, write.place, write.object, write.place.before, write),
});

/** Ends the draft: the stages after it only read. */
export const completing: Stage = {
  name: 'complete',
  reads: ALWAYS,
  run: (write) => write.complete(),
};

/** The rules of the specification, and the refusal with all errors. */
export const specification: Stage = {
  name: 'rules of the specification',
  reads: ALWAYS,
  run: (write) => checkRules(write),
};

/** All that objects of one template share, or that rules of them do not read. */
const BODY = partsOf('annotations', 'spec', 'status', 'other') | UNKNOWN;

/** Returns the stage of the kind's warnings. Objects of one template have none, or the template would not be kept. */
export const warnings = (kind: Kind, verb: Place['verb']): readonly Stage[] =>
  kind.warnings === undefined
    ? []
    : [
        {
          name: 'warnings',
          reads: verb === 'create' ? BODY : ALWAYS,
          run: (write) => write.warn(kind.warnings?.(write.object, write.place.before, write.scope.context()) ?? []),
        },
      ];

/** The clusterName in metadata is not stored, and the client gets a warning. */
export function warnOfClusterName(write: Write): void {
  const { given } = write as { readonly given: ObjectMeta & { readonly clusterName?: string } };
  if ('clusterName' in given && given.clusterName !== '')
    write.warn(['metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25']);
}

export function beforeOf({ place: { before } }: Write): ApiObject {
  if (before === undefined) throw new TypeError('an update has a stored object');
  return before;
}

// What only a creation has. Models: apiserver pkg/registry/rest create.go BeforeCreate.

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
      uid: newUid(scope.random, scope.takenUids),
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
    checkNotTerminating(scope, resource);
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
    const { scope, object, given } = write;
    const { resource, namespace, dryRun } = write.place;
    write.result = dryRun
      ? stamped(object, given.resourceVersion)
      : scope.commit(resource, 'ADDED', storeKey(namespace, object.metadata.name), object, undefined, write.isFresh);
  },
};
