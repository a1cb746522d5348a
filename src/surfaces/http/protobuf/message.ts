/** Messages as the JSON of the same object: schemas say what fields are and which number each has. */
import { perObject } from '../../../engine/memo.ts';
import { type Fieldset, type ObjectShape, parseJson, RawNumber, TooManyValues, type Schema } from '../../../schema/shape/index.ts';
import { formatGoDuration, formatMicroTime, formatTime } from '../../../schema/values/index.ts';
import { packedVarints, wireFields, WireError, type FieldBudget, type WireField } from './wire.ts';

type Json = Record<string, unknown>;
/** Names of fields by number; under the number of an embedded message, those of its fields, which are the outer struct's in JSON. */
type Numbers = ReadonlyMap<number, string | Numbers>;

const MAX_DEPTH = 100;

/** The numbers of a struct's fields, as its schema has them. Fields without a number are in no message. */
const numbersOf = perObject((fields: Fieldset): Numbers => {
  const numbers = new Map<number, string | Numbers>();
  for (const [name, { wire }] of Object.entries(fields)) {
    if (typeof wire === 'number') numbers.set(wire, name);
    else if (wire !== undefined) {
      const inner = (numbers.get(wire[0]) ?? new Map()) as Map<number, string>;
      numbers.set(wire[0], inner.set(wire[1], name));
    }
  }
  return numbers;
});

/** Returns the object in a message. Fields outside the shape are skipped, like those of later versions. */
export function readMessage(shape: ObjectShape, context: FieldBudget, bytes: Uint8Array, depth = 0): Json {
  const made: Json = {};
  readInto(made, shape, numbersOf(shape.fields), context, bytes, depth);
  return made;
}

function readInto(made: Json, shape: ObjectShape, numbers: Numbers, context: FieldBudget, bytes: Uint8Array, depth: number): void {
  if (depth > MAX_DEPTH) throw new WireError('exceeded max depth');
  if (numbers.size === 0) return;
  for (const field of wireFields(bytes, context)) {
    const name = numbers.get(field.number);
    if (name === undefined) continue;
    if (typeof name !== 'string') {
      readInto(made, shape, name, context, bytesOf(field), depth + 1);
      continue;
    }
    const schema = shape.fields[name];
    if (schema !== undefined) made[name] = readField(schema, context, field, made[name], depth);
  }
}

const utf8 = new TextDecoder();
const bytesOf = ({ value, number }: WireField): Uint8Array => {
  if (typeof value === 'bigint') throw new WireError(`a number where field ${number} holds bytes`);
  return value;
};
const integerOf = ({ value, number }: WireField): bigint => {
  if (typeof value !== 'bigint') throw new WireError(`bytes where field ${number} holds a number`);
  return BigInt.asIntN(64, value);
};
const jsonInteger = (value: bigint): number | RawNumber =>
  Number.isSafeInteger(Number(value)) ? Number(value) : new RawNumber(String(value));

function readField(schema: Schema, context: FieldBudget, field: WireField, before: unknown, depth: number): unknown {
  switch (schema.type) {
    case 'string':
      return utf8.decode(bytesOf(field));
    case 'boolean':
      return integerOf(field) !== 0n;
    case 'int32':
    case 'int64':
      return jsonInteger(integerOf(field));
    case 'float64': {
      const bytes = bytesOf(field);
      return bytes.length === 8 ? new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true) : 0;
    }
    case 'bytes':
      return Buffer.from(bytesOf(field)).toString('base64');
    case 'quantity':
      return textAt(bytesOf(field), 1, context);
    case 'time': {
      const at = instantOf(bytesOf(field), context);
      return at === undefined ? null : formatTime(at.ms);
    }
    case 'microTime': {
      const at = instantOf(bytesOf(field), context);
      return at === undefined ? null : `${formatMicroTime(at.ms).slice(0, 20)}${String(Math.floor(at.nanos / 1000)).padStart(6, '0')}Z`;
    }
    case 'duration': {
      const [first] = wireFields(bytesOf(field), context);
      return formatGoDuration(first === undefined ? 0n : integerOf(first));
    }
    case 'intOrString':
      return intOrString(bytesOf(field), context);
    case 'any':
      return rawJson(bytesOf(field), context);
    case 'list':
      return extended(Array.isArray(before) ? (before as unknown[]) : [], schema.items, context, field, depth);
    case 'map':
      return entered(schema.values, context, bytesOf(field), (before ?? {}) as Json, depth);
    case 'object':
      return readMessage(schema, context, bytesOf(field), depth + 1);
  }
}

/** Returns the list of a repeated field with one more element, or with several packed numbers. */
function extended(items: unknown[], schema: Schema, context: FieldBudget, field: WireField, depth: number): unknown[] {
  if ((schema.type === 'int32' || schema.type === 'int64') && typeof field.value !== 'bigint')
    for (const value of packedVarints(field.value, context)) items.push(jsonInteger(BigInt.asIntN(64, value)));
  else items.push(readField(schema, context, field, undefined, depth));
  return items;
}

/** Returns the map of a repeated field with one more entry. */
function entered(schema: Schema, context: FieldBudget, bytes: Uint8Array, made: Json, depth: number): Json {
  let key = '';
  let value: unknown = schema.type === 'string' ? '' : undefined;
  const fields = wireFields(bytes, context);
  // An entry counts as one value, with its contents.
  context.left += fields.length;
  for (const field of fields) {
    if (field.number === 1) key = utf8.decode(bytesOf(field));
    else if (field.number === 2) value = readField(schema, context, field, undefined, depth + 1);
  }
  if (key === '__proto__') Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
  else made[key] = value;
  return made;
}

const textAt = (bytes: Uint8Array, number: number, context: FieldBudget): string => {
  const found = wireFields(bytes, context).find((field) => field.number === number);
  return found === undefined ? '' : utf8.decode(bytesOf(found));
};

/** Parses seconds and nanoseconds; undefined if both are missing. */
function instantOf(bytes: Uint8Array, context: FieldBudget): { readonly ms: number; readonly nanos: number } | undefined {
  if (bytes.length === 0) return undefined;
  let seconds = 0n;
  let nanos = 0;
  for (const field of wireFields(bytes, context)) {
    if (field.number === 1) seconds = integerOf(field);
    else if (field.number === 2) nanos = Number(integerOf(field));
  }
  return { ms: Number(seconds) * 1000, nanos };
}

function intOrString(bytes: Uint8Array, context: FieldBudget): number | string | RawNumber {
  let isText = false;
  let number: number | RawNumber = 0;
  let text = '';
  for (const field of wireFields(bytes, context)) {
    if (field.number === 1) isText = integerOf(field) === 1n;
    else if (field.number === 2) number = jsonInteger(integerOf(field));
    else if (field.number === 3) text = utf8.decode(bytesOf(field));
  }
  return isText ? text : number;
}

function rawJson(bytes: Uint8Array, context: FieldBudget): unknown {
  const found = wireFields(bytes, context).find(({ number }) => number === 1);
  if (found === undefined) return null;
  try {
    return parseJson(utf8.decode(bytesOf(found)), context.left).value;
  } catch (error) {
    if (error instanceof TooManyValues) throw error;
    throw new WireError('a raw value that is not JSON');
  }
}
