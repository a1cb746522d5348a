/** Shapes of client input that is not a kind: sub-resource objects, options. */
import { bool, int32, int64, list, obj, ptr, str, time } from '../../schema/shape/index.ts';
import type { Backend } from './backend.ts';
import type { FindShape } from './protobuf/index.ts';
import { otherShape } from './versions/index.ts';

const formMeta = obj('ObjectMeta', { name: str(), namespace: str(), uid: str(), resourceVersion: str(), creationTimestamp: time });
const preconditions = obj('Preconditions', { uid: ptr(str()), resourceVersion: ptr(str()) });
const deleteOptions = obj('DeleteOptions', {
  gracePeriodSeconds: ptr(int64),
  preconditions,
  orphanDependents: ptr(bool),
  propagationPolicy: ptr(str()),
  dryRun: list(str()),
});

const FORMS: Readonly<Record<string, ReturnType<FindShape>>> = {
  DeleteOptions: { schema: deleteOptions, group: 'meta' },
  Eviction: { schema: obj('Eviction', { metadata: formMeta, deleteOptions }), group: 'policy' },
  Scale: {
    schema: obj('Scale', {
      metadata: formMeta,
      spec: obj('ScaleSpec', { replicas: int32 }),
      status: obj('ScaleStatus', { replicas: int32, selector: str() }),
    }),
    group: 'autoscaling',
  },
  Binding: {
    schema: obj('Binding', {
      metadata: formMeta,
      target: obj('ObjectReference', { kind: str(), namespace: str(), name: str(), uid: str(), apiVersion: str() }),
    }),
    group: '',
  },
};

/** Returns the shape of a message: of a kind, or of a sub-resource object. */
export const shapesFor =
  ({ kinds }: Backend): FindShape =>
  (kind, apiVersion) => {
    const known = kinds.byKind(kind);
    if (known !== undefined && kinds.apiVersionOf(known) === apiVersion) return { schema: known.schema, group: known.groupPrefix };
    return FORMS[kind] ?? otherShape(kinds, kind, apiVersion);
  };
