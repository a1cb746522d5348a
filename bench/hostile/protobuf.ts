/** Encodes an object's JSON as protobuf, by the published field numbers, as a Go client would. */
import type { Kind } from '../../src/apiserver/machinery/index.ts';
import type { Schema } from '../../src/schema/shape/index.ts';

type Shape = Schema & { readonly type: 'object' };
type Json = Readonly<Record<string, unknown>>;

const utf8 = new TextEncoder();

/** Bytes that are concatenated without a copy at every level. */
class Bytes {
  readonly parts: Uint8Array[] = [];
  length = 0;

  push(part: Uint8Array): void {
    this.parts.push(part);
    this.length += part.length;
  }

  append(other: Bytes): void {
    for (const part of other.parts) this.parts.push(part);
    this.length += other.length;
  }

  whole(): Uint8Array {
    const made = new Uint8Array(this.length);
    let at = 0;
    for (const part of this.parts) {
      made.set(part, at);
      at += part.length;
    }
    return made;
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = Math.max(0, Math.floor(value)); ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      bytes.push(rest);
      return Uint8Array.from(bytes);
    }
    bytes.push((rest % 128) + 128);
  }
}

const field = (into: Bytes, number: number, value: Bytes): void => {
  into.push(varint(number * 8 + 2));
  into.push(varint(value.length));
  into.append(value);
};

const of = (part: Uint8Array): Bytes => {
  const made = new Bytes();
  made.push(part);
  return made;
};

/** The envelope with an object in it. */
export function protobufOf(kind: Kind, json: string): Uint8Array {
  const object = JSON.parse(json) as Json;
  const meta = new Bytes();
  field(meta, 1, of(utf8.encode(String(object['apiVersion']))));
  field(meta, 2, of(utf8.encode(kind.kind)));
  const envelope = new Bytes();
  envelope.push(Uint8Array.from([0x6b, 0x38, 0x73, 0]));
  field(envelope, 1, meta);
  field(envelope, 2, message(kind.schema, object));
  return envelope.whole();
}

function message({ fields }: Shape, value: Json): Bytes {
  const made = new Bytes();
  const embedded = new Map<number, Bytes>();
  for (const [name, schema] of Object.entries(fields)) {
    const { wire } = schema;
    if (wire === undefined || value[name] === undefined) continue;
    if (typeof wire === 'number') {
      put(made, wire, schema, value[name]);
      continue;
    }
    const inner = embedded.get(wire[0]) ?? new Bytes();
    embedded.set(wire[0], inner);
    put(inner, wire[1], schema, value[name]);
  }
  for (const [number, inner] of embedded) field(made, number, inner);
  return made;
}

function put(into: Bytes, number: number, schema: Schema, value: unknown): void {
  switch (schema.type) {
    case 'list':
      if (Array.isArray(value)) for (const item of value as readonly unknown[]) put(into, number, schema.items, item);
      return;
    case 'map':
      for (const [key, item] of Object.entries(value as Json)) {
        const entry = new Bytes();
        field(entry, 1, of(utf8.encode(key)));
        put(entry, 2, schema.values, item);
        field(into, number, entry);
      }
      return;
    case 'object':
      field(into, number, message(schema, value as Json));
      return;
    case 'boolean':
    case 'int32':
    case 'int64':
      into.push(varint(number * 8));
      into.push(varint(Number(value)));
      return;
    case 'quantity': {
      const text = new Bytes();
      field(text, 1, of(utf8.encode(String(value))));
      field(into, number, text);
      return;
    }
    case 'intOrString': {
      const inner = new Bytes();
      inner.push(varint(8));
      inner.push(varint(typeof value === 'string' ? 1 : 0));
      if (typeof value === 'string') field(inner, 3, of(utf8.encode(value)));
      field(into, number, inner);
      return;
    }
    case 'time':
    case 'microTime':
    case 'duration':
    case 'float64':
      return;
    default:
      field(into, number, of(utf8.encode(typeof value === 'string' ? value : JSON.stringify(value))));
  }
}
