/**
 * What rules are checked against before they run: the types of their values. Models: v1.24 apiextensions-apiserver pkg/apiserver/schema/cel
 * compilation.go, library lists.go, regex.go.
 */
import { Environment } from '@marcbachmann/cel-js';
import { patternOf } from '../../../schema/cel/index.ts';
import type { Structural } from '../members.ts';
import { escaped, isResource, selectable } from './values.ts';

const OPTIONS = { homogeneousAggregateLiterals: false, limits: { maxAstNodes: 2_000, maxDepth: 60 } } as const;

type Comparable = bigint | number | string;

/** Returns the least item by an order, the first of equal ones. */
function extreme(name: string, list: readonly Comparable[], precedes: (one: Comparable, other: Comparable) => boolean): Comparable {
  const [first, ...others] = list;
  if (first === undefined) throw new Error(`${name} called on empty list`);
  return others.reduce((found, other) => (precedes(other, found) ? other : found), first);
}

/** Positions count code points; the result at the end is empty. */
function charAt(text: string, at: bigint): string {
  const characters = [...text];
  if (at < 0n || at > characters.length) throw new Error(`index out of range: ${at}`);
  return characters[Number(at)] ?? '';
}

const total = (list: readonly Comparable[]): unknown => list.reduce((sum, each) => (sum as number) + (each as number));

/** Adds the functions that upstream has besides the standard ones. */
const withLibrary = (environment: Environment): Environment =>
  environment
    .registerFunction('list.isSorted(): bool', (list: readonly Comparable[]) =>
      list.every((each, at) => at === 0 || (list[at - 1] ?? each) <= each),
    )
    .registerFunction('list.min(): dyn', (list: readonly Comparable[]) => extreme('min', list, (one, other) => one < other))
    .registerFunction('list.max(): dyn', (list: readonly Comparable[]) => extreme('max', list, (one, other) => one > other))
    .registerFunction('list.sum(): dyn', (list: readonly Comparable[]) => (list.length === 0 ? 0n : total(list)))
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], item: unknown) => BigInt(list.indexOf(item)))
    .registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], item: unknown) => BigInt(list.lastIndexOf(item)))
    .registerFunction('string.charAt(int): string', charAt)
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) => text.replaceAll(from, () => to))
    .registerFunction('string.find(string): string', (text: string, pattern: string) => found(text, pattern)[0] ?? '')
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => found(text, pattern));

function found(text: string, pattern: string): readonly string[] {
  const matcher = patternOf(pattern).matcher(text);
  const all: string[] = [];
  while (matcher.find()) all.push(matcher.group() ?? '');
  return all;
}

/** The environment in which rules run: values are maps, so that equal ones are equal. */
export const runtime = (): Environment =>
  withLibrary(new Environment(OPTIONS)).registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');

/** Values of a type exist only while expressions are checked, so one class stands for all of them. */
class Typed {
  readonly exists = false;
}

export function typed(node: Structural, isRoot: boolean): Environment {
  const environment = withLibrary(new Environment(OPTIONS));
  const type = typeOf(environment, node, 'object', isRoot);
  return environment.registerVariable('self', type).registerVariable('oldSelf', type);
}

const SCALARS: Readonly<Record<string, string>> = { integer: 'int', number: 'double', boolean: 'bool', string: 'string' };
const FORMATS: Readonly<Record<string, string>> = {
  byte: 'bytes',
  date: 'google.protobuf.Timestamp',
  'date-time': 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/** Returns the name of the type of a node, which is registered with all below it. */
function typeOf(environment: Environment, node: Structural, name: string, isRoot = false): string {
  const { type = '', format = '', items, additionalProperties: more } = node;
  if (node['x-kubernetes-int-or-string'] === true) return 'dyn';
  if (type === 'string') return FORMATS[format] ?? 'string';
  if (type === 'array') return `list<${typeOf(environment, items ?? {}, `${name}.items`)}>`;
  if (type !== 'object') return SCALARS[type] ?? 'dyn';
  if (typeof more === 'object') return `map<string, ${typeOf(environment, more, `${name}.values`)}>`;
  const fields: Record<string, string> = {};
  for (const [property, of] of Object.entries(selectable(node, isResource(node, isRoot)))) {
    const spelt = escaped(property);
    if (spelt !== undefined) fields[spelt] = typeOf(environment, of, `${name}.${spelt}`);
  }
  environment.registerType(name, { ctor: class extends Typed {}, fields });
  environment.registerOperator(`${name} == ${name}`, () => true);
  return name;
}
