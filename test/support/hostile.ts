/**
 * Malicious values, and objects that hold them where a schema expects other values. Choices are read from a tape of numbers, so that a
 * property can draw the tape and shrink it: beyond its end every choice is the first.
 */
import fc from 'fast-check';
import { RawNumber, type Schema } from '../../src/schema/shape/index.ts';

export interface Tape {
  /** One of `count` numbers. */
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
  /** True once in `inSoMany` times. */
  once(inSoMany: number): boolean;
}

export const tapeOf = (numbers: readonly number[]): Tape => {
  let at = 0;
  const below = (count: number): number => (numbers[at++] ?? 0) % count;
  return {
    below,
    pick<T>(items: readonly T[]): T {
      return items[below(items.length)] as T;
    },
    once: (inSoMany) => below(inSoMany) === inSoMany - 1,
  };
};

/** Long enough for a request; an object of one kind needs far fewer choices. */
export const tapes = fc.array(fc.nat(0xffff), { minLength: 96, maxLength: 96 });

const deep = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
};
/** Defines the key as an own property, as JSON does. */
const own = (key: string, value: unknown): unknown =>
  Object.defineProperty({}, key, { value, enumerable: true, configurable: true, writable: true });

const LONG = 70_000;
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  'x',
  'A',
  '-',
  '.',
  '..',
  '/',
  '%',
  'a/b/c',
  'a=b',
  '\u0000',
  '\ud800',
  '\udc00\ud800',
  '\ufeff',
  '💥',
  'é',
  'a\nb',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '-1',
  '0',
  '1e400',
  '0x10',
  '007',
  '9'.repeat(400),
  '300%',
  '-5%',
  '1.5Gi',
  '99999999999999999999Ei',
  '1e-400',
  '0.0000000000000000001',
  'NaN',
  'Infinity',
  '2024-13-45T25:61:61Z',
  '2024-02-30T00:00:00.000000Z',
  '0000-01-01T00:00:00Z',
  '99999-01-01T00:00:00Z',
  '*/0 * * * *',
  '0 0 31 2 *',
  '@every 1e9h',
  'TZ=X',
  'TZ=Nowhere/There 0 0 * * *',
  '1-0 * * * *',
  '10.0.0.0/33',
  '::ffff:1.2.3.4',
  '010.1.2.3',
  'fe80::1%eth0/128',
  '1.2.3',
  '====',
  'QUJD',
  '('.repeat(2000),
  '(a+)+$',
  'a,b in (c',
  '!',
  'x'.repeat(64),
  'x'.repeat(254),
  'a.'.repeat(150),
  'x'.repeat(LONG),
];
const HOSTILE_NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  1,
  1.5,
  -1e-320,
  2147483647,
  2147483648,
  -2147483649,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];
const HOSTILE_SHAPES: readonly (() => unknown)[] = [
  () => [],
  () => ({}),
  () => [null],
  () => [[]],
  () => [{}],
  () => ['a', 'a'],
  () => [{ name: 'a' }, { name: 'a' }],
  () => ({ '': '' }),
  () => ({ a: null }),
  () => own('__proto__', { polluted: 'yes' }),
  () => own('__proto__', null),
  () => own('__proto__', []),
  () => ({ constructor: { prototype: { polluted: 'yes' } } }),
  () => ({ prototype: 1, toString: 2, hasOwnProperty: 3, valueOf: null, toJSON: 1, then: 1 }),
  () => ({ length: 3 }),
  () => ({ $patch: 'replace' }),
  () => ({ $patch: 'delete' }),
  () => ({ $patch: 7 }),
  () => [{ $patch: 'replace' }],
  () => ({ $retainKeys: ['a'] }),
  () => ({ '$setElementOrder/containers': [{ name: 'z' }] }),
  () => ({ '$deleteFromPrimitiveList/finalizers': ['a'] }),
  () => deep(4_000, (inner) => [inner]),
  () => deep(3_000, (inner) => ({ a: inner })),
  () => deep(300, (inner) => own('__proto__', inner)),
  () => new RawNumber('1.0'),
  () => new RawNumber('1e400'),
  () => deep(60, (inner) => ({ a: [inner], b: new RawNumber('12345678901234567890') })),
  () => [Number.NaN],
  () => Array.from({ length: 3_000 }, (_, at) => at),
  () => Array.from({ length: 1_500 }, () => ({ name: 'c' })),
  () => Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`k${at}`, 'v'])),
];

/** Returns any value. Numbers without a JSON text occur only without `json`. */
export function hostileValue(tape: Tape, json = false): unknown {
  switch (tape.below(4)) {
    case 0:
      return tape.pick([null, true, false]);
    case 1: {
      const number = tape.pick(HOSTILE_NUMBERS);
      return json && !Number.isFinite(number) ? null : number;
    }
    case 2:
      return tape.pick(HOSTILE_TEXTS);
    default:
      return tape.pick(HOSTILE_SHAPES)();
  }
}

/** Returns a value of roughly the schema's type, which passes decoding and must be validated. */
export function plausible(schema: Schema, tape: Tape, depth = 0): unknown {
  if (tape.once(12)) return hostileValue(tape);
  switch (schema.type) {
    case 'boolean':
      return tape.once(2);
    case 'int32':
    case 'int64':
    case 'float64':
      return tape.pick([0, 1, -1, 80, 65536, 2147483647, -2147483648]);
    case 'quantity':
      return tape.pick(['1', '0', '-1', '1.5Gi', '100m', '99999999999999999999Ei', 3, 0.1]);
    case 'time':
      return tape.pick(['2024-03-01T00:00:00Z', '2024-03-01T00:00:00.5+14:00', '0000-01-01T00:00:00Z']);
    case 'microTime':
      return tape.pick(['2024-03-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999-12:00']);
    case 'intOrString':
      return tape.pick([0, -1, 1, 65536, '0%', '101%', 'http', '-1%', '']);
    case 'bytes':
      return tape.pick(['', 'AAEC', 'A', '!']);
    case 'duration':
      return tape.pick(['5s', '-1h', '1e9h']);
    case 'any':
      return hostileValue(tape);
    case 'string':
      return tape.pick(HOSTILE_TEXTS);
    case 'list':
      return depth > 5 ? [] : Array.from({ length: tape.below(3) }, () => plausible(schema.items, tape, depth + 1));
    case 'map':
      return Object.fromEntries(
        Array.from({ length: tape.below(3) }, () => [
          tape.pick([...HOSTILE_TEXTS.slice(0, 24), 'cpu', 'memory', 'a']),
          depth > 5 ? '' : plausible(schema.values, tape, depth + 1),
        ]),
      );
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.fields)
          .filter(() => depth < 6 && tape.once(3))
          .map(([key, field]) => [key, plausible(field, tape, depth + 1)]),
      );
  }
}

/** Returns the value with a change at a place that the value or the schema has; unchanged parts are shared. */
export function mutated(value: unknown, schema: Schema | undefined, tape: Tape): unknown {
  if (tape.once(6)) return schema === undefined || tape.once(2) ? hostileValue(tape) : plausible(schema, tape);
  if (Array.isArray(value)) {
    const items = [...(value as unknown[])];
    const at = tape.below(items.length + 1);
    switch (tape.below(5)) {
      case 3:
        items.push(...items);
        break;
      case 4:
        items.splice(at, 1);
        break;
      default:
        items[at] = mutated(items[at], schema?.type === 'list' ? schema.items : undefined, tape);
    }
    return items;
  }
  if (typeof value === 'object' && value !== null && (schema === undefined || schema.type === 'object' || schema.type === 'map')) {
    const known = schema?.type === 'object' ? Object.keys(schema.fields) : [];
    const keys = [...Object.keys(value), ...known];
    const key = tape.once(10) || keys.length === 0 ? tape.pick(HOSTILE_TEXTS.slice(0, 24)) : tape.pick(keys);
    const copy: Record<string, unknown> = { ...value };
    const below =
      schema?.type === 'object'
        ? Object.hasOwn(schema.fields, key)
          ? schema.fields[key]
          : undefined
        : schema?.type === 'map'
          ? schema.values
          : undefined;
    const old = Object.hasOwn(copy, key) ? copy[key] : undefined;
    if (old !== undefined && tape.once(8)) delete copy[key];
    else
      Object.defineProperty(copy, key, {
        value: old === undefined && below !== undefined ? plausible(below, tape) : mutated(old, below, tape),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    return copy;
  }
  return schema === undefined || tape.once(2) ? hostileValue(tape) : plausible(schema, tape);
}
