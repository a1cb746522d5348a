/** Reading of values that are not objects, lists or maps, with the conversions and errors of their Go types. */
import { RawNumber } from './raw-number.ts';
import type { Schema } from './types.ts';

export type Refuse = (value: unknown, depth: number, type: string, exact?: boolean) => undefined;
type Scalar = Exclude<Schema['type'], 'object' | 'list' | 'map'>;

const INT32_MAX = 2147483647;
const INT64_MAX = 9223372036854775807n;

function readInteger(value: unknown, bits: 32 | 64, depth: number, type: string, refuse: Refuse): unknown {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && (bits === 64 ? Math.abs(value) <= Number.MAX_SAFE_INTEGER : value >= -INT32_MAX - 1 && value <= INT32_MAX)) return value === 0 ? 0 : value;
    return refuse(value, depth, type, true);
  }
  if (value instanceof RawNumber && bits === 64 && /^-?\d+$/.test(value.text)) {
    const big = BigInt(value.text);
    if (big <= INT64_MAX && big >= -INT64_MAX - 1n) return Number(big);
  }
  if (value instanceof RawNumber && value.text === '-0') return 0;
  return refuse(value, depth, type, true);
}

/** Any JSON, without the numbers' texts. */
function plain(value: unknown): unknown {
  if (value instanceof RawNumber) return Number(value.text);
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.some((item) => plain(item) !== item) ? value.map(plain) : value;
  for (const key in value) {
    if (plain((value as Record<string, unknown>)[key]) !== (value as Record<string, unknown>)[key]) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
  }
  return value;
}

export function readScalar(kind: Scalar, type: string, value: unknown, depth: number, refuse: Refuse): unknown {
  switch (kind) {
    case 'string': case 'duration': return typeof value === 'string' ? value : refuse(value, depth, type);
    case 'boolean': return typeof value === 'boolean' ? value : refuse(value, depth, type);
    case 'int32': return readInteger(value, 32, depth, type, refuse);
    case 'int64': return readInteger(value, 64, depth, type, refuse);
    case 'float64': return typeof value === 'number' ? value : value instanceof RawNumber ? Number(value.text) : refuse(value, depth, type);
    case 'intOrString': return typeof value === 'string' ? value : readInteger(value, 32, depth, 'int32', refuse);
    case 'quantity': return readQuantity(value);
    case 'time': return readTime(value, depth, refuse);
    case 'microTime': return readMicroTime(value, depth, refuse);
    case 'bytes': return readBytes(value, depth, type, refuse);
    case 'any': return plain(value);
  }
}

const readQuantity = (value: unknown): unknown => String(value);
const readTime = (value: unknown, depth: number, refuse: Refuse): unknown => (typeof value === 'string' ? value : refuse(value, depth, 'string'));
const readMicroTime = readTime;
const readBytes = (value: unknown, depth: number, type: string, refuse: Refuse): unknown => (typeof value === 'string' ? value : refuse(value, depth, type));
