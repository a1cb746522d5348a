/** Readers of scalar values: texts, numbers, durations, quantities and names from the registries. */
import { expectedDuration, formatDurationMs, isLong, nearest, parseDurationMs, parseQuantity } from '../../schema/values/index.ts';
import { note, quoted, type CheckContext } from './context.ts';
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

export function readString(
  field: Field & { readonly type: 'string' },
  node: Located,
  path: string,
  context: CheckContext,
): string | undefined {
  const { plain } = node;
  const expected = describeField(field);
  if (typeof plain !== 'string') {
    return note(
      context,
      node,
      path,
      field.among === undefined && field.pattern === undefined ? 'a text' : expected,
      showNoText(node),
      field.among === undefined ? writtenAsText(node) : undefined,
    );
  }
  if (field.among !== undefined && !field.among.includes(plain))
    return note(context, node, path, expected, showValue(plain), quoted(nearest(plain, field.among)));
  if (field.pattern !== undefined && !new RegExp(field.pattern.source, 'u').test(plain))
    return note(context, node, path, expected, showValue(plain));
  return plain;
}

const isInteger = (value: unknown, min = -Number.MAX_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;

export const closestBoolean = (value: unknown) =>
  typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() : undefined;

/** Reports an invalid value, with the right value and a more specific expectation where they are known. */
type Refuse = (suggestion?: string, expected?: string) => undefined;

/** Above this, numbers are not exact. */
const { MAX_SAFE_INTEGER: MOST } = Number;

export const readInteger = (
  { min = -MOST, max = MOST }: Field & { readonly type: 'integer' },
  { plain }: Located,
  refuse: Refuse,
): number | undefined => {
  if (isInteger(plain, min, max)) return plain;
  const isTooLarge = isLong(plain) || (typeof plain === 'number' && !Number.isSafeInteger(plain) && Number.isInteger(plain));
  return isTooLarge ? refuse(undefined, `a smaller number: a whole one from ${min} to ${max}`) : refuse();
};

export function readDuration(node: Located, refuse: Refuse): number | undefined {
  const { plain } = node;
  if (plain === 0) return 0;
  if (typeof plain === 'number')
    return refuse(plain > 0 && Number.isSafeInteger(plain * 1_000) ? formatDurationMs(plain * 1_000) : undefined);
  if (typeof plain !== 'string') return refuse();
  const { value } = parseDurationMs(plain);
  // A duration of the right form may still be too large, or have a fraction of a millisecond.
  return value ?? refuse(undefined, expectedDuration(plain, '') || undefined);
}

export function readQuantity(node: Located, refuse: () => undefined): string | undefined {
  const text = typeof node.plain === 'number' && node.shape === 'scalar' ? String(node.plain) : node.plain;
  return typeof text === 'string' && parseQuantity(text).value !== undefined ? text : refuse();
}

export function readName(field: Field & { readonly type: 'name' }, node: Located, path: string, context: CheckContext): string | undefined {
  const known = context.vocabulary[field.of];
  if (typeof node.plain !== 'string') return note(context, node, path, describeField(field), showValue(node.plain));
  if (known.includes(node.plain)) return node.plain;
  if (field.of === 'kinds' && UPSTREAM_ONLY.has(node.plain))
    return note(context, node, path, MODELLED, `${showValue(node.plain)}, which is not modelled`);
  return note(context, node, path, describeField(field), showValue(node.plain), quoted(nearest(node.plain, known)));
}

export function readInvariantPattern(node: Located, path: string, context: CheckContext): string | undefined {
  const { plain } = node;
  const known = context.vocabulary.invariants;
  if (typeof plain !== 'string') return note(context, node, path, 'the name or pattern of an invariant', showValue(plain));
  const pattern = plain.startsWith('!') ? plain.slice(1) : plain;
  if (pattern === '*' || known.some((name) => matchesPattern(pattern, name))) return plain;
  return note(
    context,
    node,
    path,
    pattern.includes('*') ? 'a pattern that matches an invariant' : 'the name of an invariant (orchsim invariants lists them)',
    showValue(plain),
    quoted(nearest(pattern, pattern.endsWith('/*') ? groupPatterns(known) : known)),
  );
}

const groupPatterns = (names: readonly string[]) => [...new Set(names.map((name) => `${name.split('/', 1)[0] ?? name}/*`))];
