/**
 * YAML as values alone, without places: for texts that clients send, which are many and may be hostile. The same values as `readYaml` makes
 * of them, in a twentieth of its time.
 */
import { FAILSAFE_SCHEMA, loadAll, Type, YAMLException } from 'js-yaml';
import { append, isLong, RawNumber } from '../values/index.ts';
import { resolvePlain } from './scalars.ts';

/** Nesting, as `readYaml` has it. */
const MOST_NESTED = 100;
const TAG = 'tag:yaml.org,2002:';

/** What a plain scalar means is ours to say; explicit tags of JSON values must go together with it. */
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
 * The value of the first document (null where there is none) of a text of at most so many values, aliases counted as what they stand for;
 * or what is wrong.
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
    // Its recursion goes as deep as the text nests.
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

/** The value as JSON could hold it: aliases apart, merged keys merged. */
function plainOf(value: unknown, budget: { left: number }, depth: number): unknown {
  if (--budget.left < 0) throw new Unusable('too many values', true);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Unusable('a number that JSON cannot hold');
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return value;
  if (depth > MOST_NESTED) throw new Unusable(`more than ${MOST_NESTED} levels of nesting`);
  if (Array.isArray(value)) return value.map((item) => plainOf(item, budget, depth + 1));
  const made: Record<string, unknown> = {};
  const merged: unknown[] = [];
  for (const [key, member] of Object.entries(value)) {
    // What the library makes of a key that is a map.
    if (key === '[object Object]') throw new Unusable('a mapping as key');
    const plain = plainOf(member, budget, depth + 1);
    if (key === '<<') append(merged, Array.isArray(plain) ? plain : [plain]);
    else put(made, key, plain);
  }
  for (const part of merged) merge(made, part);
  return made;
}

/** Keys already there win, then the first of several. What is merged has been counted, where it was read. */
function merge(into: Record<string, unknown>, part: unknown): void {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) throw new Unusable('something else than mappings to merge');
  for (const [key, member] of Object.entries(part)) if (!Object.hasOwn(into, key)) put(into, key, member);
}

function put(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}
