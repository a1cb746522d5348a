/** A store against a plain list of objects: what is found by each index, in which order, and what listeners hear. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { createStore, weightOf, type Change, type WritableStore } from '../../../src/apiserver/store/index.ts';
import { createTable } from '../../../src/apiserver/store/table.ts';

const ENVELOPE = envelopeOf('test', { verb: 'list', kind: '' });
const INDEXES = ['ownerUid', 'controllerUid', 'nodeName', 'namespace', 'unmanagedInNamespace', 'uid'] as const;
const VALUES = ['a', 'b', 'n1', 'n2', 'ns1', 'ns2', 'uid-0', 'uid-1', 'uid-2', 'none'];

interface Owner {
  readonly uid: string;
  readonly controller?: boolean;
}
interface Given {
  readonly name: string;
  readonly namespace?: string;
  readonly nodeName?: unknown;
  readonly owners?: readonly Owner[];
}
const objectOf = ({ name, namespace, nodeName, owners }: Given): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      uid: `uid-${name}`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(owners === undefined ? {} : { ownerReferences: owners.map((owner) => ({ apiVersion: 'v1', kind: 'X', name: 'x', ...owner })) }),
    },
    ...(nodeName === undefined ? {} : { spec: { nodeName } }),
  }) as unknown as ApiObject;
const put = (store: WritableStore, key: string, object: ApiObject, type: Change['type'] = 'ADDED', kind = 'Pod'): Change =>
  store.commit({ type, kind, key, object, at: store.revision, entry: 0 }, ENVELOPE);

/** The values under which an object is found, as the index says. */
function valuesIn(
  index: (typeof INDEXES)[number],
  { metadata, spec }: ApiObject & { readonly spec?: { readonly nodeName?: unknown } },
): readonly unknown[] {
  const owners = metadata.ownerReferences ?? [];
  const controller = owners.find((owner) => owner.controller === true);
  switch (index) {
    case 'ownerUid':
      return owners.map(({ uid }) => uid);
    case 'controllerUid':
      return controller === undefined ? [] : [controller.uid];
    case 'nodeName':
      return typeof spec?.nodeName === 'string' ? [spec.nodeName] : [];
    case 'namespace':
      return [metadata.namespace];
    case 'unmanagedInNamespace':
      return controller === undefined ? [metadata.namespace] : [];
    case 'uid':
      return [metadata.uid];
  }
}

/** An object never changes its namespace. */
const NAMESPACES: Readonly<Record<string, { readonly namespace?: string }>> = { 0: { namespace: 'ns1' }, 1: { namespace: 'ns2' }, 2: {} };

const given: fc.Arbitrary<Given> = fc.record(
  {
    name: fc.constantFrom('0', '1', '2'),
    nodeName: fc.constantFrom<unknown>('n1', 'n2', 7, ''),
    owners: fc.array(fc.record({ uid: fc.constantFrom('a', 'b'), controller: fc.boolean() }), { maxLength: 2 }),
  },
  { requiredKeys: ['name'] },
);

describe('a store', () => {
  it('finds objects by each index, as a search of all of them does', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(given, fc.boolean()), { maxLength: 25 }), fc.nat(20), (steps, early) => {
        const store = createStore();
        const model = new Map<string, ApiObject>();
        for (const [at, [what, removes]] of steps.entries()) {
          // Indexes are built at their first use: some before the objects, some after them.
          if (at === early) for (const index of INDEXES) store.by('Pod', index, 'a');
          const key = `k/${what.name}`;
          const object = objectOf({ ...what, ...NAMESPACES[what.name] });
          if (removes) {
            if (!model.has(key)) continue;
            model.delete(key);
          } else model.set(key, object);
          put(store, key, object, removes ? 'DELETED' : 'MODIFIED');
        }
        for (const index of INDEXES)
          for (const value of VALUES) {
            const found = [...model.values()].filter((object) => valuesIn(index, object).includes(value));
            expect(new Set(store.by('Pod', index, value)), `${index} ${value}`).toEqual(new Set(found));
            expect(store.by('Pod', index, value)).toHaveLength(found.length);
            expect(store.countBy('Pod', index, value)).toBe(found.length);
          }
        expect([store.size('Pod'), store.total, [...store.values('Pod')]]).toEqual([model.size, model.size, [...model.values()]]);
        expect(store.sortedKeys('Pod')).toEqual([...model.keys()].sort());
        for (const name of '0123') expect(store.get('Pod', `k/${name}`)).toBe(model.get(`k/${name}`));
      }),
      { numRuns: 150, seed: 11 },
    );
  });

  it('tells listeners of each change with its revision and what was there before, until they leave', () => {
    const store = createStore();
    const heard: unknown[] = [];
    const leave = store.onChange(({ revision, type, key, previous }, envelope) => heard.push([revision, type, key, previous, envelope]));
    const [first, second] = [objectOf({ name: 'a' }), objectOf({ name: 'b' })];
    put(store, 'a', first);
    put(store, 'a', second, 'MODIFIED');
    put(store, 'a', second, 'DELETED');
    leave();
    leave();
    put(store, 'b', first);
    expect(heard).toEqual([
      [2, 'ADDED', 'a', undefined, ENVELOPE],
      [3, 'MODIFIED', 'a', first, ENVELOPE],
      [4, 'DELETED', 'a', second, ENVELOPE],
    ]);
    expect([store.revision, store.total, Object.isFrozen(first)]).toEqual([5, 1, true]);
  });

  it('knows the kinds in the order of their use, and counts the changes of each', () => {
    const store = createStore();
    const tally = store.tally('Node');
    expect([
      store.get('Node', 'x'),
      store.size('Node'),
      store.kinds(),
      store.by('Node', 'uid', 'x'),
      store.countBy('Node', 'uid', 'x'),
      store.sortedKeys('Node'),
    ]).toEqual([undefined, 0, [], [], 0, []]);
    put(store, 'p', objectOf({ name: 'p' }));
    put(store, 'n', objectOf({ name: 'n' }), 'ADDED', 'Node');
    put(store, 'n', objectOf({ name: 'n' }), 'DELETED', 'Node');
    put(store, 'p', objectOf({ name: 'p' }), 'MODIFIED');
    expect([store.kinds(), tally.changes, store.tally('Pod').changes, store.tally('Job').changes]).toEqual([['Pod', 'Node'], 2, 2, 0]);
  });

  it('goes on at the revision of another cluster, and never back', () => {
    const store = createStore();
    store.continueAt(10);
    expect([put(store, 'a', objectOf({ name: 'a' })).revision, store.revision]).toEqual([10, 10]);
    store.continueAt(5);
    expect(put(store, 'b', objectOf({ name: 'b' })).revision).toBe(11);
    store.compact(10);
    store.compact(3);
    expect([store.compactedAt, store.changesAfter('Pod', 9), store.changesAfter('Pod', 10)?.length]).toEqual([10, undefined, 1]);
    store.expire(11);
    store.expire(2);
    // What is too old for clients stays for faults.
    expect([store.compactedAt, store.changesAfter('Pod', 10)?.length, store.snapshotAt('Pod', 10)?.size]).toEqual([11, 1, 1]);
  });

  it('derives objects when they are read, and not while it derives them', () => {
    const store = createStore();
    const asked: unknown[] = [];
    const derived = store.derive('Pod', {
      refresh(key) {
        asked.push(key);
        store.get('Pod', 'inner');
      },
    });
    put(store, 'a', objectOf({ name: 'a' }));
    const renewed = objectOf({ name: 'renewed' });
    derived.put('a', renewed);
    expect([derived.stored('a'), derived.stored('b'), asked, Object.isFrozen(renewed)]).toEqual([renewed, undefined, [], true]);
    store.get('Pod', 'a');
    void [...store.values('Pod')];
    store.by('Pod', 'uid', 'x');
    store.snapshotAt('Pod', store.revision);
    store.size('Pod');
    store.get('Node', 'a');
    expect(asked).toEqual(['a', undefined, undefined, undefined]);
    const { revision } = store;
    derived.pass(3);
    expect([store.revision, store.changesAfter('Pod', revision)]).toEqual([revision + 3, []]);
  });
});

describe('the size of history', () => {
  it('is what only the log keeps of a change', () => {
    const note = (text: string): ApiObject => ({ ...objectOf({ name: 'a' }), note: text });
    const store = createStore();
    const grown = (act: () => void): number => {
      const { historyBytes } = store;
      act();
      return store.historyBytes - historyBytes;
    };
    const [first, second] = [note('x'.repeat(100)), note('y')];
    // A new object is kept by the table.
    expect(grown(() => put(store, 'a', first))).toBe(128);
    expect(grown(() => put(store, 'a', second, 'MODIFIED'))).toBe(128 + weightOf(first, second));
    expect(grown(() => put(store, 'a', second, 'DELETED'))).toBe(128 + weightOf(second));
    store.compact(store.revision);
    expect(store.historyBytes).toBe(0);
  });

  it('of a value counts what it does not share', () => {
    const shared = { deep: ['x'.repeat(50)] };
    expect([weightOf('abc'), weightOf(7), weightOf(null), weightOf(undefined), weightOf({}), weightOf([])]).toEqual([43, 8, 8, 8, 32, 32]);
    expect([weightOf({ a: 1 }), weightOf({ a: 'bc' }), weightOf([1, 2]), weightOf(['bc'])]).toEqual([48, 82, 64, 82]);
    expect([weightOf(shared, shared), weightOf({ shared, b: 1 }, { shared }), weightOf([shared, 'x'], [shared])]).toEqual([8, 56, 89]);
    expect([weightOf({ a: { b: 'x', c: 'y' } }, { a: { b: 'x', c: 'z' } }), weightOf({ a: 1 }, 7), weightOf([1], { length: 1 })]).toEqual([
      // Each member has a slot; of the inner object only the text that differs counts.
      32 + 8 + (32 + 8 + (8 + 41)),
      48,
      48,
    ]);
  });
});

describe('a table', () => {
  it('is empty after it is cleared, with its indexes', () => {
    const table = createTable();
    for (const name of ['b', 'a']) table.set(name, objectOf({ name, namespace: 'ns1' }));
    expect([table.size, table.sortedKeys(), table.by('namespace', 'ns1').length, table.get('a')?.metadata.name]).toEqual([
      2,
      ['a', 'b'],
      2,
      'a',
    ]);
    table.clear();
    expect([table.size, table.sortedKeys(), table.by('namespace', 'ns1'), table.get('a'), [...table.values()]]).toEqual([
      0,
      [],
      [],
      undefined,
      [],
    ]);
    expect(table.set('c', undefined)).toBeUndefined();
    table.set('c', objectOf({ name: 'c', namespace: 'ns1' }));
    expect([table.countBy('namespace', 'ns1'), table.tally.changes]).toEqual([1, 4]);
  });
});
