/** Whether a value may be merged by its schema; upstream's texts. Models: structured-merge-diff v4 typed/{validate,helpers}.go. */
import { append } from '../../schema/values/index.ts';
import { isLong, type Schema } from '../../schema/shape/index.ts';
import { goSyntax, goType, goValue } from './go-text.ts';
import { fieldElement, showElement } from './path-element.ts';
import { identify, identityOf, memberSchema, type ListSchema, type MapSchema } from './typed-schema.ts';
import { isList, isMap, sortedKeys } from './values.ts';

/** Returns the text of all errors; undefined: none. */
export function misfits(schema: Schema, value: unknown): string | undefined {
  const found = check(schema, value);
  if (found.length === 0) return undefined;
  const texts = found.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}

interface Misfit {
  readonly path: string;
  readonly message: string;
}

const FINE: readonly Misfit[] = [];
const misfit = (message: string): readonly Misfit[] => [{ path: '', message }];
const below = (element: string, found: readonly Misfit[]): readonly Misfit[] =>
  found.length === 0 ? FINE : found.map(({ path, message }) => ({ path: showElement(element) + path, message }));

function check(schema: Schema, value: unknown): readonly Misfit[] {
  if (value === null) return FINE;
  switch (schema.type) {
    case 'any':
      return FINE;
    case 'object':
    case 'map':
      return isMap(value) ? checkMembers(schema, value) : misfit(`expected map, got ${pointerTo(value)}`);
    case 'list':
      return isList(value) ? checkItems(schema, value) : misfit(`expected list, got ${pointerTo(value)}`);
    case 'int32':
    case 'int64':
    case 'float64':
      return typeof value === 'number' || isLong(value) ? FINE : misfit(`expected numeric (int or float), got ${goType(value, 'float')}`);
    case 'string':
    case 'bytes':
    case 'duration':
      return typeof value === 'string' ? FINE : misfit(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    case 'boolean':
      return typeof value === 'boolean' ? FINE : misfit(`expected boolean, got ${pointerTo(value)}`);
    default:
      return FINE;
  }
}

/** Go prints a pointer to the value. */
const pointerTo = (value: unknown): string => `&{${goValue(value)}}`;

function checkMembers(schema: MapSchema, value: Readonly<Record<string, unknown>>): readonly Misfit[] {
  const found: Misfit[] = [];
  for (const key of sortedKeys(value)) {
    const element = fieldElement(key);
    const field = memberSchema(schema, key);
    // The first unknown field ends the check of its map.
    if (field === undefined) return found.concat(below(element, misfit('field not declared in schema')));
    append(found, below(element, check(field, value[key])));
  }
  return found;
}

function checkItems(schema: ListSchema, value: readonly unknown[]): readonly Misfit[] {
  const identity = identityOf(schema);
  const found: Misfit[] = [];
  const seen = new Set<string>();
  for (const [i, item] of value.entries()) {
    const identified = identity === 'atomic' ? { element: `i:${i}` } : identify(schema, identity, item);
    if (identified.error !== undefined) return found.concat(misfit(`element ${i}: ${identified.error}`));
    const { element } = identified;
    if (seen.has(element)) append(found, misfit(`duplicate entries for key ${showElement(element)}`));
    seen.add(element);
    append(found, below(element, check(schema.items, item)));
  }
  return found;
}
