/**
 * Long lists of values that replace stored ones: the items that a list shares with its former revision are taken as they are. The items here
 * have a member that reading drops, which shows whether they were read.
 */
import { describe, expect, it } from 'vitest';
import { decodeLasting, int32, list, map, obj, req, str } from '../../../src/schema/shape/index.ts';

const item = obj('Item', 'One of many.', { name: req(str()), size: int32 }, { memo: true });
const nested = obj('Nested', { items: list(item) });
const shape = obj('Outer', { items: list(item), other: list(item), nested: list(nested), byName: map(nested), names: list(str()) });
const whole = obj('Whole', 'With a cache of its own.', { items: list(item) }, { memo: true });

const stray = (name: string) => Object.freeze({ name, stray: true });
const items = (count: number, prefix = 'i') => Object.freeze(Array.from({ length: count }, (_, at) => stray(`${prefix}${at}`)));
/** The names of the items that were read, and the number of those that were taken. */
function read(list: readonly object[] = []): readonly unknown[] {
  const fresh = list.filter((each) => !('stray' in each));
  return [...fresh.map((each) => (each as { readonly name: string }).name), list.length - fresh.length];
}
const decoded = (value: object, stored?: object) =>
  decodeLasting(shape, value, stored) as Readonly<Record<'items' | 'other', readonly object[] | undefined>> & {
    readonly nested?: readonly { readonly items: readonly object[] }[];
    readonly byName?: Readonly<Record<string, { readonly items: readonly object[] }>>;
  };
const itemsOf = (value: readonly unknown[], stored: readonly unknown[]) => decoded({ items: value }, { items: stored }).items;

describe('a long list that replaces another', () => {
  const stored = items(32);
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['the same items', [...stored], [32]],
    ['another item', stored.with(5, stray('new')), ['new', 31]],
    ['two other items, with what is between them', stored.with(5, stray('new')).with(8, stray('more')), ['new', 'i6', 'i7', 'more', 28]],
    ['an item more at the end', [...stored, stray('new')], ['new', 32]],
    ['an item more at the beginning', [stray('new'), ...stored], ['new', 32]],
    ['another first item', stored.with(0, stray('new')), ['new', 31]],
    ['another last item', stored.with(31, stray('new')), ['new', 31]],
    ['no item in place of one', stored.with(5, null as never), ['', 31]],
    ['half of the items, which is no long list', stored.slice(0, 31), [...stored.slice(0, 31).map(({ name }) => name), 0]],
  ])('by %s', (_, value, expected) => {
    const found = itemsOf(value, stored) as readonly object[];
    expect(read(found)).toEqual(expected);
    expect(found).toHaveLength(value.length);
    expect(Object.isFrozen(found)).toBe(read(found).at(-1) !== 0);
  });

  it('by one that is read as it is, is that list', () => {
    const value = [...stored.slice(0, 31), Object.freeze({ name: 'new' })];
    expect(itemsOf(value, stored)).toBe(value);
    expect(value.at(-1)).toEqual({ name: 'new' });
  });

  it('shares neither end with it is read as any other', () => {
    const value = [stray('a'), ...stored.slice(1, 31), stray('b')];
    expect(read(itemsOf(value, stored)).at(-1)).toBe(0);
    expect(read(itemsOf(stored.slice(), items(32)))).toEqual([...stored.map(({ name }) => name), 0]);
  });

  it('is found wherever it was, and beside others', () => {
    const [other, third] = [items(40, 'o'), items(33, 't')];
    const former = { nested: [{ items: [stored[0]] }, { items: stored }], byName: { a: { items: other } }, names: null, items: third };
    const made = decoded(
      { items: stored.with(1, stray('new')), other: other.with(2, stray('more')), nested: [{ items: [...third] }] },
      former,
    );
    expect([read(made.items), read(made.other), read(made.nested?.[0]?.items)]).toEqual([['new', 31], ['more', 39], [33]]);
  });

  it('is read where nothing is replaced, or nothing with long lists', () => {
    for (const former of [undefined, {}, { items: stored.slice(0, 31) }, { items: null }, 'text'])
      expect(read(decoded({ items: stored.slice() }, former as object).items).at(-1)).toBe(0);
  });

  it('is read below a struct with a cache, whose instance must be canonical', () => {
    const made = decodeLasting(whole, { items: stored.slice() }, { items: stored }) as { readonly items: readonly object[] };
    expect(read(made.items).at(-1)).toBe(0);
  });

  it('is refused for an item that does not fit, with its path', () => {
    expect(() => itemsOf(stored.with(3, { name: 5 } as never), stored)).toThrow(
      'json: cannot unmarshal number into Go struct field Item.items.name of type string',
    );
  });
});
