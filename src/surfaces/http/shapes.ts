/** Shapes of client input that is not a kind: sub-resource objects, options. */
import { bool, int32, int64, list, obj, ptr, str, time, field } from '../../schema/shape/index.ts';
import type { Backend } from './backend.ts';
import type { FindShape } from './protobuf/index.ts';
import { otherShape } from './versions/index.ts';

const formMeta = obj('ObjectMeta', {
  name: field(1, str()),
  namespace: field(3, str()),
  uid: field(5, str()),
  resourceVersion: field(6, str()),
  creationTimestamp: field(8, time),
});
const preconditions = obj('Preconditions', { uid: field(1, ptr(str())), resourceVersion: field(2, ptr(str())) });
const deleteOptions = obj('DeleteOptions', {
  gracePeriodSeconds: field(1, ptr(int64)),
  preconditions: field(2, preconditions),
  orphanDependents: field(3, ptr(bool)),
  propagationPolicy: field(4, ptr(str())),
  dryRun: field(5, list(str())),
});

const FORMS: Readonly<Record<string, ReturnType<FindShape>>> = {
  DeleteOptions: deleteOptions,
  Eviction: obj('Eviction', { metadata: field(1, formMeta), deleteOptions: field(2, deleteOptions) }),
  Scale: obj('Scale', {
    metadata: field(1, formMeta),
    spec: field(2, obj('ScaleSpec', { replicas: field(1, int32) })),
    status: field(3, obj('ScaleStatus', { replicas: field(1, int32), selector: field(2, str()) })),
  }),
  Binding: obj('Binding', {
    metadata: field(1, formMeta),
    target: field(
      2,
      obj('ObjectReference', {
        kind: field(1, str()),
        namespace: field(2, str()),
        name: field(3, str()),
        uid: field(4, str()),
        apiVersion: field(5, str()),
      }),
    ),
  }),
};

/** Returns the shape of a message: of a kind, or of a sub-resource object. */
export const shapesFor =
  ({ kinds }: Backend): FindShape =>
  (kind, apiVersion) => {
    const known = kinds.byKind(kind);
    if (known !== undefined && kinds.apiVersionOf(known) === apiVersion) return known.schema;
    return FORMS[kind] ?? otherShape(kinds, kind, apiVersion);
  };
