/**
 * JSON as Go reads it. Unlike JSON.parse it keeps the text of numbers (`RawNumber` where it matters) and reports duplicate keys, which
 * merge into one value as Go merges into one struct. Errors are Go's. Models: encoding/json scanner, sigs.k8s.io/json.
 */
import { scratch } from '../../engine/index.ts';
import { isJsonMapping, quote, RawNumber, utf8, put } from '../values/index.ts';

export interface ParsedJson {
  readonly value: unknown;
  /** Paths of duplicate keys: `metadata`, `spec.template.metadata`. */
  readonly duplicates: readonly string[];
}

/** Malformed JSON; the message is Go's. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** The document has more values than the reader's limit. */
export class TooManyValues extends Error {
  override readonly name = 'TooManyValues';
}

const MAX_DEPTH = 10_000;
/** At most this many duplicate keys are reported. */
const MOST_DUPLICATES = 100;
const OPENED = Symbol('opened');

/**
 * Reads one document of at most `mostValues` values. `ofBytes`: each character of the text is a byte, as errors name them.
 * @throws {JsonSyntaxError} with Go's text, where the text is malformed.
 * @throws {TooManyValues} where the document has more values.
 */
export function parseJson(text: string, mostValues = Number.POSITIVE_INFINITY, ofBytes = false): ParsedJson {
  const reader = new Reader(text, mostValues, ofBytes);
  return { value: reader.document(), duplicates: reader.duplicates };
}

const NUMBER = scratch(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
const PLAIN_STRING = scratch(/"([^"\\\u0000-\u001f]*)"/y);

/** A list or object whose end has not been read. */
type Open = { readonly items: unknown[] } | { readonly items?: undefined; readonly fields: Record<string, unknown>; key: string };

class Reader {
  readonly duplicates: string[] = [];
  readonly #text: string;
  readonly #ofBytes: boolean;
  readonly #open: Open[] = [];
  #at = 0;
  #left: number;

  constructor(text: string, mostValues: number, ofBytes: boolean) {
    this.#text = text;
    this.#ofBytes = ofBytes;
    this.#left = mostValues;
  }

  document(): unknown {
    this.#space();
    const value = this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#stop('after top-level value');
    return value;
  }

  #stop(where: string): never {
    if (this.#at >= this.#text.length) throw new JsonSyntaxError('unexpected end of JSON input');
    const point = this.#text.codePointAt(this.#at) ?? 0;
    throw new JsonSyntaxError(`invalid character ${quoteByte(this.#ofBytes ? point : (utf8(point)[0] ?? 0))} ${where}`);
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.#at += 1;
    }
  }

  /** Reads one value with everything inside it. It is a loop and not a recursion, because the sender chooses the depth. */
  #value(): unknown {
    for (;;) {
      const begun = this.#begin();
      if (begun === OPENED) continue;
      const ended = this.#end(begun);
      if (ended !== OPENED) return ended;
    }
  }

  /** Returns a leaf, an empty list or object, or `OPENED` where members follow. */
  #begin(): unknown {
    if (--this.#left < 0) throw new TooManyValues();
    switch (this.#text.charAt(this.#at)) {
      case '{': {
        const opened: Open = { fields: {}, key: '' };
        this.#enter();
        if (this.#closes('}')) return opened.fields;
        this.#open.push(opened);
        this.#key(opened);
        return OPENED;
      }
      case '[': {
        const items: unknown[] = [];
        this.#enter();
        if (this.#closes(']')) return items;
        this.#open.push({ items });
        return OPENED;
      }
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  /**
   * Adds a value to the open list or object around it, and closes those that end here. Returns the outermost value, or `OPENED` where more
   * follows.
   */
  #end(value: unknown): unknown {
    let whole = value;
    for (;;) {
      const around = this.#open.at(-1);
      if (around === undefined) return whole;
      if (around.items !== undefined) around.items.push(whole);
      else this.#put(around, whole);
      const isList = around.items !== undefined;
      if (!this.#next(isList ? ']' : '}', isList ? 'after array element' : 'after object key:value pair')) {
        if (around.items === undefined) this.#key(around);
        return OPENED;
      }
      whole = around.items ?? around.fields;
      this.#open.pop();
    }
  }

  #key(opened: Exclude<Open, { readonly items: unknown[] }>): void {
    if (this.#text.charAt(this.#at) !== '"') this.#stop('looking for beginning of object key string');
    opened.key = this.#string();
    this.#space();
    if (this.#text.charAt(this.#at) !== ':') this.#stop('after object key');
    this.#at += 1;
    this.#space();
  }

  #word(word: string, value: boolean | null): boolean | null {
    for (const [index, char] of [...word].entries()) {
      if (this.#text.charAt(this.#at) !== char) this.#stop(`in literal ${word} (expecting '${char}')`);
      this.#at += 1;
      if (index === word.length - 1) return value;
    }
    return value;
  }

  #number(): number | RawNumber {
    NUMBER.lastIndex = this.#at;
    const text = NUMBER.exec(this.#text)?.[0];
    if (text === undefined) {
      if (this.#text.charAt(this.#at) !== '-') this.#stop('looking for beginning of value');
      this.#at += 1;
      this.#stop('in numeric literal');
    }
    this.#at += text.length;
    const next = this.#text.charAt(this.#at);
    if (next === '.' && !/[.eE]/.test(text)) {
      this.#at += 1;
      this.#stop('after decimal point in numeric literal');
    }
    if (/[eE]/.test(next) && !/[eE]/.test(text)) {
      this.#at += 1;
      if (/[+-]/.test(this.#text.charAt(this.#at))) this.#at += 1;
      this.#stop('in exponent of numeric literal');
    }
    const value = Number(text);
    return String(value) === text ? value : new RawNumber(text);
  }

  #string(): string {
    PLAIN_STRING.lastIndex = this.#at;
    const plain = PLAIN_STRING.exec(this.#text);
    if (plain !== null) {
      this.#at = PLAIN_STRING.lastIndex;
      return plain[1] ?? '';
    }
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 34) break;
      if (!(code >= 32)) this.#stop('in string literal');
      if (code === 92) this.#escape();
      else this.#at += 1;
    }
    this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #escape(): void {
    this.#at += 1;
    const char = this.#text.charAt(this.#at);
    if (!'"\\/bfnrtu'.includes(char) || char === '') this.#stop('in string escape code');
    this.#at += 1;
    if (char !== 'u') return;
    for (let digit = 0; digit < 4; digit += 1) {
      if (!/[0-9a-fA-F]/.test(this.#text.charAt(this.#at))) this.#stop('in \\u hexadecimal character escape');
      this.#at += 1;
    }
  }

  #enter(): void {
    if (this.#open.length >= MAX_DEPTH) throw new JsonSyntaxError('exceeded max depth');
    this.#at += 1;
    this.#space();
  }

  #closes(end: string): boolean {
    if (this.#text.charAt(this.#at) !== end) return false;
    this.#at += 1;
    return true;
  }

  /** Moves past a comma (false) or past the end (true). */
  #next(end: string, where: string): boolean {
    this.#space();
    if (this.#closes(end)) return true;
    if (this.#text.charAt(this.#at) !== ',') this.#stop(where);
    this.#at += 1;
    this.#space();
    return false;
  }

  #put({ fields, key }: Exclude<Open, { readonly items: unknown[] }>, value: unknown): void {
    let kept = value;
    if (Object.hasOwn(fields, key)) {
      if (this.duplicates.length < MOST_DUPLICATES) this.duplicates.push(this.#place());
      kept = merged(fields[key], value);
    }
    put(fields, key, kept);
  }

  /** The path of the current key: `spec.containers[0].name`. */
  #place(): string {
    let text = '';
    for (const part of this.#open) text += part.items !== undefined ? `[${part.items.length}]` : text === '' ? part.key : `.${part.key}`;
    return text;
  }
}

/** The second value of a duplicate key is merged into the first, which may be modified because this reader created it. */
function merged(first: unknown, second: unknown): unknown {
  if (!isJsonMapping(first) || !isJsonMapping(second)) return second;
  const into: Record<string, unknown> = first;
  for (const key of Object.keys(second)) put(into, key, Object.hasOwn(into, key) ? merged(into[key], second[key]) : second[key]);
  return into;
}

/** Go reads bytes: of a character it prints the first one, as if that were a character. */
function quoteByte(byte: number): string {
  const char = String.fromCharCode(byte);
  return char === "'" ? "'\\''" : char === '"' ? `'"'` : `'${quote(char).slice(1, -1)}'`;
}
