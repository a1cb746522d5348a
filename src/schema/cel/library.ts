/**
 * The functions of expressions that upstream has besides the standard ones. Models: v1.24 apiextensions-apiserver third_party/forked/celopenapi
 * and pkg/apiserver/schema/cel/library lists.go, regex.go; cel-go ext/strings.go.
 */
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { memo } from '../../engine/index.ts';
import { found, sizeOf, spend } from './budget.ts';

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

/** Replaces as Go's `strings.Replace` does: an empty text is found before each character and at the end. */
function replace(text: string, from: string, to: string, most = -1n): string {
  const parts = from === '' ? ['', ...text, ''] : text.split(from);
  const count = most < 0n ? parts.length - 1 : Math.min(parts.length - 1, Number(most));
  spend(count * to.length);
  const after = parts.slice(count + 1).map((part) => from + part);
  return parts.slice(0, count + 1).join(to) + after.join('');
}

/** Returns the first text; '' where there is none. */
function first(texts: Iterable<string>): string {
  for (const text of texts) return text;
  return '';
}

const total = (list: readonly Comparable[]): unknown => list.reduce((sum, each) => (sum as number) + (each as number));

/** Returns the function with a charge to the budget for the list that it reads. */
const reading =
  <T>(of: (list: readonly Comparable[]) => T) =>
  (list: readonly Comparable[]): T => {
    spend(sizeOf(list));
    return of(list);
  };

const comparison = memo<{ parsed?: ParseResult }>({});

/** Lists, maps, dates and durations are equal by what they contain. */
const equalTo = (item: unknown) => {
  if (typeof item !== 'object' || item === null) return (other: unknown) => other === item;
  const equal = (comparison.parsed ??= new Environment({ homogeneousAggregateLiterals: false })
    .registerVariable('item', 'dyn')
    .registerVariable('other', 'dyn')
    .parse('item == other'));
  return (other: unknown) => equal({ item, other }) === true;
};

function indexIn(list: readonly unknown[], item: unknown, find: 'findIndex' | 'findLastIndex'): bigint {
  spend(typeof item === 'object' ? sizeOf(list) : list.length);
  return BigInt(list[find](equalTo(item)));
}

/** Adds the functions to an environment, and returns it. */
export const withLibrary = (environment: Environment): Environment =>
  environment
    .registerFunction(
      'list.isSorted(): bool',
      reading((list) => list.every((each, at) => at === 0 || (list[at - 1] ?? each) <= each)),
    )
    .registerFunction(
      'list.min(): dyn',
      reading((list) => extreme('min', list, (one, other) => one < other)),
    )
    .registerFunction(
      'list.max(): dyn',
      reading((list) => extreme('max', list, (one, other) => one > other)),
    )
    .registerFunction(
      'list.sum(): dyn',
      reading((list) => (list.length === 0 ? 0n : total(list))),
    )
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], item: unknown) => indexIn(list, item, 'findIndex'))
    .registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], item: unknown) => indexIn(list, item, 'findLastIndex'))
    .registerFunction('string.charAt(int): string', charAt)
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) => replace(text, from, to))
    .registerFunction('string.replace(string, string, int): string', replace)
    .registerFunction('string.find(string): string', (text: string, pattern: string) => first(found(text, pattern)))
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => [...found(text, pattern)]);
