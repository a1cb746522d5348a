/** Reads the value of a body in any supported type. */
import { badRequest } from '../refusals.ts';
import { own } from '../../../schema/values/index.ts';
import { BODY_FORMS } from '../../../apiserver/handlers/index.ts';
import { decode, DecodeError, type ObjectShape } from '../../../schema/shape/index.ts';
import type { Backend } from '../backend.ts';
import { type FindShape, decodeProtobuf } from '../protobuf/index.ts';
import { otherShape } from '../versions/index.ts';
import type { HttpRequest } from '../message.ts';
import { bodyType, checkSize, readBody, Unreadable, unreadable, type ReadBody } from './body.ts';

/** Returns the shape of a message: of a kind, or of a sub-resource object. */
export const shapesFor =
  ({ kinds }: Backend): FindShape =>
  (kind, apiVersion) => {
    const known = kinds.byKind(kind);
    if (known !== undefined && kinds.apiVersionOf(known) === apiVersion) return known.schema;
    return own(BODY_FORMS, kind) ?? otherShape(kinds, kind, apiVersion);
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

/** Returns what a body says as this shape; refuses one that does not fit it. In protobuf it has this version; absent: any. */
export function readAs(http: HttpRequest, kind: string, schema: ObjectShape, apiVersion?: string): unknown {
  const isOf = (version: string): boolean => apiVersion === undefined || version === apiVersion;
  const { value } = bodyOf(http, kind, (asKind, version) => (asKind === kind && isOf(version) ? schema : undefined));
  try {
    return decode(schema, value ?? {});
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${error.message}`);
  }
}
