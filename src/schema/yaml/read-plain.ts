/**
 * YAML as plain values without positions, for bodies sent by clients: they are frequent and may be malicious. The values equal those of
 * `readYaml`, at a twentieth of its cost.
 */
import { FAILSAFE_SCHEMA, loadAll, Type, YAMLException } from 'js-yaml';
import { append, isLong, RawNumber } from '../values/index.ts';
import { resolvePlain } from './scalars.ts';

/** The maximum nesting, the same as that of `readYaml`. */
const MOST_NESTED = 100;
const TAG = 'tag:yaml.org,2002:';

/** The meaning of a plain scalar is defined by scalars.ts; an explicit tag of a JSON type must agree with it. */
const scalar = (name: string, accepts: (value: unknown) => boolean): Type =>
  new Type(`${TAG}${name}`, {
    kind: 'scalar',
    resolve: (text: unknown) => typeof text === 'string' && accepts(resolvePlain(text)),
    construct: (text: string) => resolvePlain(text),
  });

const SCHEMA = FAILSAFE_SCHEMA.extend({
  implicit: [
    new Type(`${TAG}plain`, {
      kind: 'scalar',
      resolve: () => true,
      construct: (text: unknown) => resolvePlain(typeof text === 'string' ? text : ''),
    }),
  ],
  explicit: [
    scalar('int', (value) => Number.isInteger(value) || isLong(value)),
    scalar('float', (value) => typeof value === 'number'),
    scalar('bool', (value) => typeof value === 'boolean'),
    scalar('null', (value) => value === null),
  ],
});

export type PlainYaml = { readonly value: unknown } | { readonly problem: string; readonly tooMany: boolean };

/**
 * Returns the value of the first document (null where there is none), or what is wrong with the text. The text may have at most
 * `mostValues` values; an alias counts as the values that it stands for.
 */
export function readPlainYaml(text: string, mostValues: number): PlainYaml {
  let first: unknown = null;
  let documents = 0;
  try {
    loadAll(
      text,
      (document) => {
        if (documents++ === 0) first = document ?? null;
      },
      { schema: SCHEMA, json: true },
    );
    return { value: plainOf(first, { left: mostValues }, 0) };
  } catch (error) {
    if (error instanceof Unusable) return { problem: error.message, tooMany: error.tooMany };
    if (error instanceof YAMLException) return { problem: `line ${error.mark.line + 1}: ${error.reason}`, tooMany: false };
    // The library recurses as deep as the text nests.
    if (error instanceof RangeError) return { problem: `more than ${MOST_NESTED} levels of nesting`, tooMany: false };
    throw error;
  }
}

class Unusable extends Error {
  readonly tooMany: boolean;
  constructor(why: string, tooMany = false) {
    super(why);
    this.tooMany = tooMany;
  }
}

/** Returns the value as JSON holds it: aliases copied, merge keys applied. */
function plainOf(value: unknown, budget: { left: number }, depth: number): unknown {
  if (--budget.left < 0) throw new Unusable('too many values', true);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Unusable('a number that JSON cannot hold');
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return value;
  if (depth > MOST_NESTED) throw new Unusable(`more than ${MOST_NESTED} levels of nesting`);
  if (Array.isArray(value)) return value.map((item) => plainOf(item, budget, depth + 1));
  const made: Record<string, unknown> = {};
  const merged: unknown[] = [];
  for (const [key, member] of Object.entries(value)) {
    // The library turns a mapping used as a key into this text.
    if (key === '[object Object]') throw new Unusable('a mapping as key');
    const plain = plainOf(member, budget, depth + 1);
    if (key === '<<') append(merged, Array.isArray(plain) ? plain : [plain]);
    else put(made, key, plain);
  }
  for (const part of merged) merge(made, part);
  return made;
}

/** Existing keys win, then the first of several merged mappings. The values were counted where they were read. */
function merge(into: Record<string, unknown>, part: unknown): void {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) throw new Unusable('something else than mappings to merge');
  for (const [key, member] of Object.entries(part)) if (!Object.hasOwn(into, key)) put(into, key, member);
}

function put(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}
