/** Converts messages to the JSON of the same object. Shapes define the fields, published numbers identify them. */
import { parseJson, RawNumber, TooManyValues, type Schema } from '../../../schema/shape/index.ts';
import { formatGoDuration, formatMicroTime, formatTime } from '../../../schema/values/index.ts';
import { wireNumbers } from '../../../apiserver/kinds/index.ts';
import { MESSAGE_WIRE } from './field-numbers.ts';
import { packedVarints, wireFields, WireError, type FieldBudget, type WireField } from './wire.ts';

type Shape = Schema & { readonly type: 'object' };
/** The meaning of a field number: a field, or an inlined struct. */
type Meaning = { readonly name: string } | { readonly inline: string };

/** The context of a message: the group of its kind, and how many fields may still be read. */
export interface WireContext extends FieldBudget {
  readonly group: string;
}

const MAX_DEPTH = 100;
const known = new Map<string, ReadonlyMap<number, Meaning>>();

const textOf = (struct: string): string | undefined => wireNumbers(struct) ?? MESSAGE_WIRE[struct];

/** Returns the field numbers of a struct; undefined if they are not known. */
function numbersOf(go: string, group: string): ReadonlyMap<number, Meaning> | undefined {
  const specific = `${group}/${go}`;
  const name = textOf(specific) === undefined ? go : specific;
  const text = textOf(name);
  if (text === undefined) return undefined;
  let numbers = known.get(name);
  if (numbers === undefined) {
    numbers = new Map(
      text.split(' ').map((part): [number, Meaning] => {
        const [field = '', number = ''] = part.split('=');
        return [Number(number), field.startsWith('+') ? { inline: field.slice(1) } : { name: field }];
      }),
    );
    known.set(name, numbers);
  }
  return numbers;
}

/** Returns the object in a message. Fields outside the shape are skipped, like those of later versions. */
export function readMessage(shape: Shape, context: WireContext, bytes: Uint8Array, depth = 0): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  readInto(made, shape, shape.go, context, bytes, depth);
  return made;
}

function readInto(made: Record<string, unknown>, shape: Shape, go: string, context: WireContext, bytes: Uint8Array, depth: number): void {
  if (depth > MAX_DEPTH) throw new WireError('exceeded max depth');
  const numbers = numbersOf(go, context.group);
  if (numbers === undefined) return;
  for (const field of wireFields(bytes, context)) {
    const meaning = numbers.get(field.number);
    if (meaning === undefined) continue;
    if ('inline' in meaning) {
      readInto(made, shape, meaning.inline, context, bytesOf(field), depth + 1);
      continue;
    }
    const schema = shape.fields[meaning.name];
    if (schema !== undefined) made[meaning.name] = readField(schema, context, field, made[meaning.name], depth);
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

function readField(schema: Schema, context: WireContext, field: WireField, before: unknown, depth: number): unknown {
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
      return entered(schema.values, context, bytesOf(field), (before ?? {}) as Record<string, unknown>, depth);
    case 'object':
      return readMessage(schema, context, bytesOf(field), depth + 1);
  }
}

/** Returns the list of a repeated field with one more element, or with several packed numbers. */
function extended(items: unknown[], schema: Schema, context: WireContext, field: WireField, depth: number): unknown[] {
  if ((schema.type === 'int32' || schema.type === 'int64') && typeof field.value !== 'bigint')
    for (const value of packedVarints(field.value, context)) items.push(jsonInteger(BigInt.asIntN(64, value)));
  else items.push(readField(schema, context, field, undefined, depth));
  return items;
}

/** Returns the map of a repeated field with one more entry. */
function entered(
  schema: Schema,
  context: WireContext,
  bytes: Uint8Array,
  made: Record<string, unknown>,
  depth: number,
): Record<string, unknown> {
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

const textAt = (bytes: Uint8Array, number: number, context: WireContext): string => {
  const found = wireFields(bytes, context).find((field) => field.number === number);
  return found === undefined ? '' : utf8.decode(bytesOf(found));
};

/** Parses seconds and nanoseconds; undefined if both are missing. */
function instantOf(bytes: Uint8Array, context: WireContext): { readonly ms: number; readonly nanos: number } | undefined {
  if (bytes.length === 0) return undefined;
  let seconds = 0n;
  let nanos = 0;
  for (const field of wireFields(bytes, context)) {
    if (field.number === 1) seconds = integerOf(field);
    else if (field.number === 2) nanos = Number(integerOf(field));
  }
  return { ms: Number(seconds) * 1000, nanos };
}

function intOrString(bytes: Uint8Array, context: WireContext): number | string | RawNumber {
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

function rawJson(bytes: Uint8Array, context: WireContext): unknown {
  const found = wireFields(bytes, context).find(({ number }) => number === 1);
  if (found === undefined) return null;
  try {
    return parseJson(utf8.decode(bytesOf(found)), context.left).value;
  } catch (error) {
    if (error instanceof TooManyValues) throw error;
    throw new WireError('a raw value that is not JSON');
  }
}
