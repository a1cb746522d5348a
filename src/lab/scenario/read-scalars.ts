/** Readers of scalar values: texts, numbers, durations, quantities and names from the registries. */
import { expectedDuration, formatDurationMs, isLong, nearest, parseDurationMs, parseQuantity } from '../../schema/values/index.ts';
import { quoted, type Reading } from './context.ts';
import { describeField } from './field-types.ts';
import type { Field } from './fields.ts';
import { MODELLED, UPSTREAM_ONLY } from './not-modelled.ts';
import { matchesPattern } from './targets.ts';
import { showValue, type Located } from '../../schema/yaml/index.ts';

/** Returns a scalar for a message: a value that is no text as it was written, because a long number would lose digits. */
export const showScalar = (node: Located): string => (isUnquoted(node) ? sliceOf(node) : showValue(node.plain));

/** The same where a text is expected: an unquoted `y` is a boolean in YAML 1.1 tools. */
export const showNoText = (node: Located): string =>
  isUnquoted(node)
    ? `${sliceOf(node)}, which without quotes is ${typeof node.plain === 'boolean' ? String(node.plain) : 'a number'}`
    : showValue(node.plain);

const isUnquoted = (node: Located): node is Located & { readonly shape: 'scalar' } =>
  node.shape === 'scalar' && node.style === 'plain' && typeof node.plain !== 'string' && node.plain !== null;

/** Returns the quoted form of an unquoted scalar that other YAML tools read as a number or a boolean. */
export const writtenAsText = (node: Located): string | undefined => (isUnquoted(node) ? JSON.stringify(sliceOf(node)) : undefined);

const sliceOf = ({ source, start, end }: Located & { readonly shape: 'scalar' }): string => source.text.slice(start, end);

export function readString(field: Field & { readonly type: 'string' }, at: Reading): string | undefined {
  const { among, pattern } = field;
  const { plain } = at;
  const expected = describeField(field);
  if (typeof plain !== 'string') return at.refuse(expected, showNoText(at.node), among === undefined ? writtenAsText(at.node) : undefined);
  if (among !== undefined && !among.includes(plain)) return at.refuse(expected, undefined, quoted(nearest(plain, among)));
  if (pattern !== undefined && !new RegExp(pattern.source, 'u').test(plain)) return at.refuse(expected);
  return plain;
}

const isInteger = (value: unknown, min: number, max: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;

export const closestBoolean = (value: unknown) =>
  typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() : undefined;

/** Above this, numbers are not exact. */
const { MAX_SAFE_INTEGER: MOST } = Number;

export function readInteger(field: Field & { readonly type: 'integer' }, at: Reading): number | undefined {
  const { min = -MOST, max = MOST } = field;
  const { plain } = at;
  if (isInteger(plain, min, max)) return plain;
  const isTooLarge = isLong(plain) || (typeof plain === 'number' && !Number.isSafeInteger(plain) && Number.isInteger(plain));
  return at.refuse(isTooLarge ? `a smaller number: a whole one from ${min} to ${max}` : describeField(field), showScalar(at.node));
}

export function readDuration(field: Field, at: Reading): number | undefined {
  const { plain } = at;
  if (plain === 0) return 0;
  const isSeconds = typeof plain === 'number' && plain > 0 && Number.isSafeInteger(plain * 1_000);
  if (typeof plain !== 'string') return at.refuse(describeField(field), undefined, isSeconds ? formatDurationMs(plain * 1_000) : undefined);
  const { value } = parseDurationMs(plain);
  // A duration of the right form may still be too large, or have a fraction of a millisecond.
  return value ?? at.refuse(expectedDuration(plain, '') || describeField(field));
}

export function readQuantity(field: Field, at: Reading): string | undefined {
  const text = typeof at.plain === 'number' ? String(at.plain) : at.plain;
  return typeof text === 'string' && parseQuantity(text).value !== undefined ? text : at.refuse(describeField(field));
}

export function readName(field: Field & { readonly type: 'name' }, at: Reading): string | undefined {
  const known = at.context.vocabulary[field.of];
  const { plain } = at;
  if (typeof plain !== 'string') return at.refuse(describeField(field));
  if (known.includes(plain)) return plain;
  if (field.of === 'kinds' && UPSTREAM_ONLY.has(plain)) return at.refuse(MODELLED, `${showValue(plain)}, which is not modelled`);
  return at.refuse(describeField(field), undefined, quoted(nearest(plain, known)));
}

export function readInvariantPattern(field: Field, at: Reading): string | undefined {
  const { plain } = at;
  const known = at.context.vocabulary.invariants;
  if (typeof plain !== 'string') return at.refuse(describeField(field));
  const pattern = plain.startsWith('!') ? plain.slice(1) : plain;
  if (pattern === '*' || known.some((name) => matchesPattern(pattern, name))) return plain;
  return at.refuse(
    pattern.includes('*') ? 'a pattern that matches an invariant' : 'the name of an invariant (orchsim invariants lists them)',
    undefined,
    quoted(nearest(pattern, pattern.endsWith('/*') ? groupPatterns(known) : known)),
  );
}

const groupPatterns = (names: readonly string[]) => [...new Set(names.map((name) => `${name.split('/', 1)[0] ?? name}/*`))];
