/**
 * Bodies in protobuf, which kubectl and Go clients send: an envelope with kind and version around a message. They are converted to the JSON
 * of the same object. Replies are always JSON, which those clients accept too. Models: apimachinery pkg/runtime/serializer/protobuf.
 */
import { TooManyValues, type ObjectShape } from '../../../schema/shape/index.ts';
import { badRequest, tooManyValues } from '../refusals.ts';
import { Unreadable, VALUES_LIMIT, type ReadBody } from '../request/body.ts';
import { readMessage } from './message.ts';
import { wireFields, WireError, type FieldBudget } from './wire.ts';

/** `k8s` and a zero byte, before the envelope. */
const MAGIC = [0x6b, 0x38, 0x73, 0];

/** Returns the shape of a kind and version; undefined if it is unknown. */
export type FindShape = (kind: string, apiVersion: string) => ObjectShape | undefined;

/** Returns the object of a body. Refuses malformed messages, and kinds without known field numbers. */
export function decodeProtobuf(body: Uint8Array, find: FindShape): ReadBody {
  try {
    return { value: unwrapped(body, find), text: '', duplicates: [] };
  } catch (error) {
    if (error instanceof TooManyValues) throw tooManyValues(VALUES_LIMIT);
    if (!(error instanceof WireError)) throw error;
    throw badRequest(`the body cannot be read as protobuf: ${error.message}`);
  }
}

/** Why a body is not an envelope, in upstream's words. */
function outsideProblem(body: Uint8Array): string | undefined {
  if (body.length === 0) return 'empty data';
  if (MAGIC.some((byte, at) => body[at] !== byte))
    return `provided data does not appear to be a protobuf message, expected prefix [${MAGIC.join(' ')}]`;
  return body.length === MAGIC.length ? 'empty body' : undefined;
}

function unwrapped(body: Uint8Array, find: FindShape): unknown {
  const problem = outsideProblem(body);
  if (problem !== undefined) throw new Unreadable('protobuf', problem, body);
  let raw: Uint8Array = new Uint8Array();
  const budget: FieldBudget = { left: VALUES_LIMIT };
  let apiVersion = '';
  let kind = '';
  for (const { number, value } of wireFields(body.subarray(MAGIC.length), budget)) {
    if (typeof value === 'bigint') continue;
    if (number === 2) raw = value;
    if (number !== 1) continue;
    for (const part of wireFields(value, budget)) {
      if (typeof part.value === 'bigint') continue;
      if (part.number === 1) apiVersion = new TextDecoder().decode(part.value);
      else if (part.number === 2) kind = new TextDecoder().decode(part.value);
    }
  }
  const known = find(kind, apiVersion);
  if (known === undefined) return { apiVersion, kind };
  return { apiVersion, kind, ...readMessage(known, budget, raw) };
}
