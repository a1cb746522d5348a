/** The metadata the server owns, written out as one literal per write, in published order. Models: apiserver pkg/registry/rest meta.go, create.go, update.go. */
import type { ApiObject, Draft, ManagedFieldsEntry, ObjectMeta } from '../vocabulary/index.ts';
import { keep } from './equal.ts';

type Loose = { -readonly [K in keyof ObjectMeta]?: ObjectMeta[K] } & { clusterName?: string };

/** Metadata of an object being created: what the client may say, and what the server fills in. */
export function metadataForCreate(
  given: ObjectMeta,
  filled: {
    readonly name: string;
    readonly namespace: string | undefined;
    readonly uid: string;
    readonly resourceVersion: string | undefined;
    readonly creationTimestamp: string;
    readonly generation: number | undefined;
    readonly managedFields: readonly ManagedFieldsEntry[] | undefined;
  },
): Loose {
  const made: Loose = { name: filled.name };
  if (given.generateName !== undefined) made.generateName = given.generateName;
  if (filled.namespace !== undefined) made.namespace = filled.namespace;
  made.uid = filled.uid;
  if (filled.resourceVersion !== undefined) made.resourceVersion = filled.resourceVersion;
  if (filled.generation !== undefined) made.generation = filled.generation;
  made.creationTimestamp = filled.creationTimestamp;
  if (given.labels !== undefined) made.labels = given.labels;
  if (given.annotations !== undefined) made.annotations = given.annotations;
  if (given.ownerReferences !== undefined) made.ownerReferences = given.ownerReferences;
  if (given.finalizers !== undefined) made.finalizers = given.finalizers;
  if (filled.managedFields !== undefined && filled.managedFields.length > 0) made.managedFields = filled.managedFields;
  return made;
}

/** Metadata of an object being replaced: identity and history from the stored object, the rest as sent; unchanged parts stay shared. */
export function metadataForUpdate(given: ObjectMeta, old: ObjectMeta, managedFields: readonly ManagedFieldsEntry[] | undefined): Loose {
  const made: Loose = { name: old.name };
  if (given.generateName !== undefined) made.generateName = given.generateName;
  if (old.namespace !== undefined) made.namespace = old.namespace;
  made.uid = given.uid === undefined || given.uid === '' ? old.uid : given.uid;
  made.resourceVersion = old.resourceVersion;
  if (old.generation !== undefined) made.generation = old.generation;
  made.creationTimestamp = old.creationTimestamp;
  const deletionTimestamp = old.deletionTimestamp ?? given.deletionTimestamp;
  if (deletionTimestamp !== undefined) made.deletionTimestamp = deletionTimestamp;
  const grace = given.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds;
  if (grace !== undefined) made.deletionGracePeriodSeconds = grace;
  if (given.labels !== undefined) made.labels = keep(old.labels, given.labels) ?? given.labels;
  if (given.annotations !== undefined) made.annotations = keep(old.annotations, given.annotations) ?? given.annotations;
  if (given.ownerReferences !== undefined) made.ownerReferences = keep(old.ownerReferences, given.ownerReferences) ?? given.ownerReferences;
  if (given.finalizers !== undefined) made.finalizers = keep(old.finalizers, given.finalizers) ?? given.finalizers;
  if (managedFields !== undefined && managedFields.length > 0) made.managedFields = managedFields;
  return made;
}

type Changes = { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined };

/** The object with some members of its metadata replaced; a list or map given as undefined is dropped. Written out member by member, because every deletion and binding comes by. */
export function withMetadata(object: ApiObject, changes: Changes): ApiObject {
  const old = object.metadata;
  const made: Loose = { name: old.name };
  if (old.generateName !== undefined) made.generateName = old.generateName;
  if (old.namespace !== undefined) made.namespace = old.namespace;
  made.uid = old.uid;
  made.resourceVersion = changes.resourceVersion ?? old.resourceVersion;
  const generation = changes.generation ?? old.generation;
  if (generation !== undefined) made.generation = generation;
  made.creationTimestamp = old.creationTimestamp;
  const deletionTimestamp = changes.deletionTimestamp ?? old.deletionTimestamp;
  if (deletionTimestamp !== undefined) made.deletionTimestamp = deletionTimestamp;
  const grace = changes.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds;
  if (grace !== undefined) made.deletionGracePeriodSeconds = grace;
  const labels = 'labels' in changes ? changes.labels : old.labels;
  if (labels !== undefined) made.labels = labels;
  const annotations = 'annotations' in changes ? changes.annotations : old.annotations;
  if (annotations !== undefined) made.annotations = annotations;
  const owners = 'ownerReferences' in changes ? changes.ownerReferences : old.ownerReferences;
  if (owners !== undefined) made.ownerReferences = owners;
  const finalizers = 'finalizers' in changes ? changes.finalizers : old.finalizers;
  if (finalizers !== undefined) made.finalizers = finalizers;
  if (old.managedFields !== undefined) made.managedFields = old.managedFields;
  return { ...object, metadata: made as ObjectMeta };
}

/** A draft for a kind's hooks: own top level and metadata, everything below shared. */
export const draftWith = (object: ApiObject, metadata: Loose): Draft => ({ ...object, metadata });
export const drafted = (draft: Draft): ApiObject => draft as unknown as ApiObject;
