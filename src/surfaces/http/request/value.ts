/** Reads the value of a body in any supported type. */
import { badRequest } from '../refusals.ts';
import { bool, int32, int64, list, obj, ptr, str, time, field, decode, DecodeError, type Schema } from '../../../schema/shape/index.ts';
import type { Backend } from '../backend.ts';
import { type FindShape, decodeProtobuf } from '../protobuf/index.ts';
import { otherShape } from '../versions/index.ts';
import type { HttpRequest } from '../message.ts';
import { bodyType, checkSize, readBody, Unreadable, unreadable, type ReadBody } from './body.ts';

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

/** Returns the value; refuses a body that cannot be read as this kind. */
export function bodyOf({ headers, body }: HttpRequest, kind: string, shapes: FindShape): ReadBody {
  const type = bodyType(headers['content-type']);
  checkSize(body);
  try {
    return type === 'protobuf' ? decodeProtobuf(body, shapes) : readBody(type, body);
  } catch (error) {
    throw error instanceof Unreadable ? unreadable(kind, error) : error;
  }
}

/** Returns what a body says as this shape; refuses one that does not fit it. */
export function decodedAs(kind: string, schema: Schema, value: unknown): unknown {
  try {
    return decode(schema, value ?? {});
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${error.message}`);
  }
}
