/** Readers of single values: texts, numbers, durations, quantities and names from the registries. */
import { formatDurationMs, nearest, parseDurationMs, parseQuantity } from '../../grammar/values/index.ts';
import { note, quoted, type CheckContext } from './context.ts';
import { describeField, type Field } from './fields.ts';
import { MODELLED, UPSTREAM_ONLY } from './not-modelled.ts';
import { matchesPattern } from './patterns.ts';
import { showValue, type Located } from '../../grammar/yaml/index.ts';

/** A scalar as a message shows it: what is no text as it was written, since `y` is true and a long number loses its digits. */
export const showScalar = (node: Located): string =>
  node.shape === 'scalar' && node.style === 'plain' && typeof node.plain !== 'string' && node.plain !== null
    ? sliceOf(node)
    : showValue(node.plain);

/** Written without quotes, 1 and yes are no texts to this ecosystem's tools: the text that was meant. */
export const writtenAsText = (node: Located): string | undefined =>
  node.shape === 'scalar' && node.plain !== null ? JSON.stringify(sliceOf(node)) : undefined;

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
      field.enum === undefined && field.pattern === undefined ? 'a text' : expected,
      showScalar(node),
      field.enum === undefined ? writtenAsText(node) : undefined,
    );
  }
  if (field.enum !== undefined && !field.enum.includes(plain))
    return note(context, node, path, expected, showValue(plain), quoted(nearest(plain, field.enum)));
  if (field.pattern !== undefined && !new RegExp(field.pattern.source, 'u').test(plain))
    return note(context, node, path, expected, showValue(plain));
  return plain;
}

export const isInteger = (value: unknown, minimum = -Number.MAX_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum;

export const closestBoolean = (value: unknown) =>
  typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() : undefined;

export function readDuration(node: Located, refuse: (suggestion?: string) => undefined): number | undefined {
  const { plain } = node;
  if (plain === 0) return 0;
  if (typeof plain === 'number')
    return refuse(plain > 0 && Number.isSafeInteger(plain * 1_000) ? formatDurationMs(plain * 1_000) : undefined);
  return (typeof plain === 'string' ? parseDurationMs(plain).value : undefined) ?? refuse();
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
