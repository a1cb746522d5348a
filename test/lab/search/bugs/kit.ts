/** Building blocks of the models: kinds with an open spec, owners, labels, finalizers, deletions with and without a uid. */
import { customKinds, remove, update, watch } from '../../../../src/index.ts';
import type { ApiObject, Definitions, Invariant, ObjectInput, Write } from '../../../../src/index.ts';

type Kinds = NonNullable<Definitions['kinds']>;

/** The apiVersion of all kinds of the models. */
const V1 = 'example.com/v1';

/** Namespaced kinds with a status; their fields are open. */
export const resources = (...kinds: readonly string[]): Kinds =>
  kinds.flatMap(
    (kind) =>
      customKinds(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${kind.toLowerCase()}s.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: ${kind}, plural: ${kind.toLowerCase()}s }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, x-kubernetes-preserve-unknown-fields: true }
            status: { type: object, x-kubernetes-preserve-unknown-fields: true }
`) as Kinds,
  );

/** The spec of an object of such a kind. */
export const specOf = <S>(object: ApiObject): Partial<S> => object['spec'] ?? {};
export const statusOf = <S>(object: ApiObject | undefined): Partial<S> => object?.['status'] ?? {};
export const dataOf = (object: ApiObject | undefined): Readonly<Record<string, string>> =>
  (object?.['data'] ?? {}) as Readonly<Record<string, string>>;

export const labelOf = (object: ApiObject, name: string): string | undefined => object.metadata.labels?.[name];
export const annotationOf = (object: ApiObject, name: string): string | undefined => object.metadata.annotations?.[name];
export const isDeleting = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;
export const keyOf = ({ metadata: { namespace = '', name } }: ApiObject): string => `${namespace}/${name}`;
export const range = (size: number): readonly number[] => Array.from({ length: size }, (_, at) => at);

/** The metadata of a child: the namespace of its owner, and a controller reference. */
export const ownedBy = (owner: ApiObject, rest: ObjectInput['metadata']): ObjectInput['metadata'] => ({
  ...(owner.metadata.namespace === undefined ? {} : { namespace: owner.metadata.namespace }),
  ownerReferences: [
    {
      apiVersion: owner.apiVersion ?? V1,
      kind: owner.kind,
      name: owner.metadata.name,
      uid: owner.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ],
  ...rest,
});

/** The metadata of an object without an owner, in the namespace of another one. */
export const beside = ({ metadata: { namespace } }: ApiObject, rest: ObjectInput['metadata']): ObjectInput['metadata'] => ({
  ...(namespace === undefined ? {} : { namespace }),
  ...rest,
});

export const custom = (kind: string, metadata: ObjectInput['metadata'], spec: object = {}): ObjectInput => ({
  apiVersion: V1,
  kind,
  metadata,
  spec,
});
export const configMap = (metadata: ObjectInput['metadata'], data: Readonly<Record<string, string>> = {}): ObjectInput => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  data,
});
export const secret = (metadata: ObjectInput['metadata']): ObjectInput => ({ apiVersion: 'v1', kind: 'Secret', metadata });
export const claim = (metadata: ObjectInput['metadata'], storage = '1Gi'): ObjectInput => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata,
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});
export const pod = (metadata: ObjectInput['metadata'], image = 'db:1'): ObjectInput => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  spec: { terminationGracePeriodSeconds: 5, containers: [{ name: 'c', image }] },
});

/** Changes of a child concern its controller. */
export const watchOwned = (kind: string, owner: string) =>
  watch(kind, ({ object: { metadata } }) => {
    const controller = metadata.ownerReferences?.find((each) => each.controller === true && each.kind === owner);
    return controller === undefined ? undefined : `${metadata.namespace ?? ''}/${controller.name}`;
  });
/** Changes of an object concern the one that its label names. */
export const watchLabelled = (kind: string, label: string) =>
  watch(kind, ({ object }) => {
    const name = labelOf(object, label);
    return name === undefined ? undefined : `${object.metadata.namespace ?? ''}/${name}`;
  });
/** Changes of an object concern all objects of a kind. */
export const watchForAll = (kind: string, whose: string) => watch(kind, (_, { cache }) => cache.list(whose).map(keyOf));

export const FINALIZER = 'example.com/clean-up';
export const hasFinalizer = ({ metadata }: ApiObject): boolean => metadata.finalizers?.includes(FINALIZER) === true;
export const addFinalizer = (object: ApiObject): Write =>
  update(object, ({ metadata }) => {
    metadata.finalizers = [...(metadata.finalizers ?? []), FINALIZER];
  });
export const dropFinalizer = (object: ApiObject): Write =>
  update(object, ({ metadata }) => {
    metadata.finalizers = (metadata.finalizers ?? []).filter((each) => each !== FINALIZER);
  });

/** Deletes whatever has this name now. */
export const removeName = (kind: string, namespace: string | undefined, name: string): Write => ({
  op: 'delete',
  kind,
  ...(namespace === undefined ? {} : { namespace }),
  name,
  tolerate: ['NotFound'],
});
/** Deletes an object by its name, or with the mend exactly that object. */
export const removeAs = (mended: boolean, object: ApiObject): Write =>
  mended ? remove(object) : removeName(object.kind, object.metadata.namespace, object.metadata.name);

/** Reads all objects of a kind from the server, for `resume`. */
export const listLive = (kind: string, { metadata: { namespace } }: ApiObject): Write => ({
  op: 'list',
  kind,
  ...(namespace === undefined ? {} : { namespace }),
  resume: true,
});
/** Reads one object from the server, for `resume`; an absent one gives no object. */
export const getLive = (kind: string, namespace: string | undefined, name: string): Write => ({
  op: 'get',
  kind,
  ...(namespace === undefined ? {} : { namespace }),
  name,
  resume: true,
  tolerate: ['NotFound'],
});
/** Goes on only if the server has this object, and it is not being deleted. */
export const stillThere = ({ kind, metadata: { namespace, name, uid } }: ApiObject): Write => ({
  op: 'check',
  kind,
  ...(namespace === undefined ? {} : { namespace }),
  name,
  uid,
});
/** Replaces a status; `expectationsSatisfied` is false until the cache shows it. */
export const awaitedStatus = (object: ApiObject, status: object): Write => ({
  op: 'update',
  subresource: 'status',
  object: { ...object, status },
  awaited: true,
});
/** Replaces fields of a status without a precondition on the revision. */
export const patchStatus = ({ kind, metadata: { namespace, name } }: ApiObject, status: object): Write => ({
  op: 'patch',
  kind,
  ...(namespace === undefined ? {} : { namespace }),
  name,
  patchType: 'merge',
  subresource: 'status',
  patch: { status },
});

/** An invariant about deletions: the condition sees the object as it was, and the cluster after it has gone. */
export const onDeletion = (...[name, kind, description, allowed]: Deletions): Invariant =>
  judging(name, kind, description, allowed, ({ type }) => type === 'DELETED');

/** As `onDeletion`, when somebody asks for the deletion, however long the object stays afterwards. */
export const onDeletionAsked = (...[name, kind, description, allowed]: Deletions): Invariant =>
  judging(
    name,
    kind,
    description,
    allowed,
    ({ type, object, previous }) => (type === 'DELETED' || isDeleting(object)) && (previous === undefined || !isDeleting(previous)),
  );

type Change = Parameters<NonNullable<ReturnType<Invariant['check']>['onChange']>>[0];
type Allows = (gone: ApiObject, list: (kind: string) => readonly ApiObject[]) => boolean;
type Deletions = readonly [name: string, kind: string, description: string, allowed: Allows];

const judging = (name: string, kind: string, description: string, allowed: Allows, isMeant: (change: Change) => boolean): Invariant => ({
  name,
  temporal: 'always',
  description,
  kinds: [kind],
  check() {
    let exercised = 0;
    return {
      get exercised() {
        return exercised;
      },
      onChange(change, facts) {
        const { object } = change;
        if (object.kind !== kind || !isMeant(change)) return undefined;
        exercised++;
        return allowed(object, (each) => [...facts.list(each)])
          ? undefined
          : { message: `${kind} ${keyOf(object)}: ${description}`, object };
      },
    };
  },
});
