/** The wire format of protobuf: fields by number, without their meaning. */

import { TooManyValues } from '../../../schema/shape/index.ts';

/** The bytes are not a valid message. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

export interface WireField {
  readonly number: number;
  /** An integer, or bytes. */
  readonly value: bigint | Uint8Array;
}

/** How many fields may still be read in the whole message. */
export interface FieldBudget {
  left: number;
}

/** Returns the fields of a message in order. Throws `TooManyValues` beyond the budget. */
export function wireFields(bytes: Uint8Array, budget: FieldBudget): readonly WireField[] {
  const reader = new Reader(bytes);
  const fields: WireField[] = [];
  while (!reader.done) {
    if (--budget.left < 0) throw new TooManyValues();
    const tag = Number(reader.varint());
    const number = Math.floor(tag / 8);
    if (number === 0) throw new WireError('a field with the number 0');
    fields.push({ number, value: reader.value(tag % 8) });
  }
  return fields;
}

export function packedVarints(bytes: Uint8Array, budget: FieldBudget): readonly bigint[] {
  const reader = new Reader(bytes);
  const values: bigint[] = [];
  while (!reader.done) {
    if (--budget.left < 0) throw new TooManyValues();
    values.push(reader.varint());
  }
  return values;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new WireError('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('a number of more than 64 bits');
  }

  value(type: number): bigint | Uint8Array {
    switch (type) {
      case 0:
        return this.varint();
      case 1:
        return this.#next(8);
      case 2:
        return this.#next(Number(this.varint()));
      case 5:
        return this.#next(4);
      default:
        throw new WireError(`a field of wire type ${type}`);
    }
  }

  #next(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw new WireError('unexpected EOF');
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return part;
  }
}
