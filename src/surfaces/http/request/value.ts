/** Reads the value of a body in any supported type. */
import type { HttpRequest } from '../message.ts';
import { decodeProtobuf, type FindShape } from '../protobuf/index.ts';
import { bodyType, checkSize, readBody, Unreadable, unreadable, type ReadBody } from './body.ts';

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
