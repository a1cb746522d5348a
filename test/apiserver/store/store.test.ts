import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { createCompaction, createStore, type WritableStore } from '../../../src/apiserver/store/index.ts';

/** The user of these writes does not matter. */
const ENVELOPE = envelopeOf('test', { verb: 'list', kind: '' });

const put = (
  store: WritableStore,
  name: string,
  fields: { nodeName?: string; owner?: string; note?: string } = {},
  at = store.revision,
): void => {
  const key = `ns/${name}`;
  const object: ApiObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    spec: fields.nodeName === undefined ? {} : { nodeName: fields.nodeName },
    metadata: {
      name,
      namespace: 'ns',
      ...(fields.note === undefined ? {} : { annotations: { note: fields.note } }),
      uid: `uid-${name}`,
      creationTimestamp: '',
      resourceVersion: String(store.revision + 1),
      ...(fields.owner === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: fields.owner, controller: true }] }),
    },
  };
  store.commit({ type: store.get('Pod', key) === undefined ? 'ADDED' : 'MODIFIED', kind: 'Pod', key, object, at, entry: 0 }, ENVELOPE);
};
const drop = (store: WritableStore, name: string): void => {
  const object = store.get('Pod', `ns/${name}`);
  if (object !== undefined)
    store.commit({ type: 'DELETED', kind: 'Pod', key: `ns/${name}`, object, at: store.revision, entry: 0 }, ENVELOPE);
};
const names = (objects: Iterable<ApiObject>): string[] => [...objects].map(({ metadata }) => metadata.name);

describe('store', () => {
  it('counts one revision for every commit of any kind', () => {
    const store = createStore();
    const before = store.revision;
    put(store, 'a');
    put(store, 'a');
    drop(store, 'a');
    expect(store.revision).toBe(before + 3);
    expect(store.get('Pod', 'ns/a')).toBeUndefined();
  });

  it('finds by node and by owner, also with an index built late or a changed value', () => {
    const store = createStore();
    put(store, 'a', { owner: 'o' });
    put(store, 'b', { owner: 'o', nodeName: 'n1' });
    expect(names(store.by('Pod', 'controllerUid', 'o'))).toEqual(['a', 'b']);
    expect(names(store.by('Pod', 'nodeName', 'n1'))).toEqual(['b']);
    put(store, 'a', { owner: 'p', nodeName: 'n1' });
    drop(store, 'b');
    expect(names(store.by('Pod', 'controllerUid', 'o'))).toEqual([]);
    expect(names(store.by('Pod', 'nodeName', 'n1'))).toEqual(['a']);
    expect(names(store.by('Pod', 'unmanagedInNamespace', 'ns'))).toEqual([]);
  });

  it('rebuilds any kept revision exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.boolean()), { maxLength: 40 }), (commands) => {
        const store = createStore();
        const history = new Map<number, string[]>();
        const shot = (): void => {
          history.set(
            store.revision,
            [...store.values('Pod')].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort(),
          );
        };
        shot();
        for (const [name, remove] of commands) {
          if (remove) drop(store, name);
          else put(store, name);
          shot();
        }
        for (const [revision, expected] of history)
          expect(
            [...(store.snapshotAt('Pod', revision)?.values() ?? [])]
              .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
              .sort(),
          ).toEqual(expected);
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  it('resumes after a revision, and reports one that is too old', () => {
    const store = createStore({ keepChanges: 10 });
    for (let i = 0; i < 15; i++) put(store, `p${i}`);
    expect(store.changesAfter('Pod', store.revision - 3)?.map(({ key }) => key)).toEqual(['ns/p12', 'ns/p13', 'ns/p14']);
    for (let i = 0; i < 15; i++) put(store, `q${i}`);
    expect(store.changesAfter('Pod', 1)).toBeUndefined();
    store.compact(store.revision);
    expect(store.changesAfter('Pod', store.revision - 1)).toBeUndefined();
    expect(store.changesAfter('Pod', store.revision)).toEqual([]);
    expect(store.changesAfter('Job', store.revision - 1)).toBeUndefined();
  });

  it('keeps an hour of changes, and a few hundred older ones', () => {
    const store = createStore();
    const MINUTE = 60_000;
    const first = store.revision;
    for (let i = 0; i < 3_000; i++) put(store, `burst-${i}`, {}, MINUTE);
    expect(store.changesAfter('Pod', first)).toHaveLength(3_000);
    for (let i = 0; i < 6_000; i++) put(store, `slow-${i}`, {}, (2 + i) * MINUTE);
    expect(store.changesAfter('Pod', store.revision - 256)).toHaveLength(256);
    expect(store.changesAfter('Pod', store.revision - 513)).toBeUndefined();
  });

  it('keeps a bounded number of bytes of history, and drops from the largest log', () => {
    const store = createStore({ keepBytes: 100_000 });
    const first = store.revision;
    put(store, 'small');
    const small = store.revision;
    for (let i = 0; i < 20; i++) {
      put(store, 'big', { note: String(i % 10).repeat(30_000) });
      expect(store.historyBytes).toBeLessThanOrEqual(100_000);
    }
    expect(store.changesAfter('Pod', small)).toBeUndefined();
    expect(store.changesAfter('Pod', store.revision - 1)).toHaveLength(1);
    expect(store.changesAfter('Job', first)).toEqual([]);
    drop(store, 'big');
    expect(store.total).toBe(1);
  });

  it('compacts every five minutes the history of five minutes ago', () => {
    const store = createStore();
    const compaction = createCompaction(store, 0);
    const MINUTE = 60_000;
    put(store, 'a');
    compaction.advance(5 * MINUTE - 1);
    put(store, 'b');
    const seenFirst = store.revision;
    compaction.advance(5 * MINUTE);
    expect(store.compactedAt).toBe(0);
    put(store, 'c');
    compaction.advance(9 * MINUTE);
    expect(store.compactedAt).toBe(0);
    compaction.advance(10 * MINUTE);
    expect(store.compactedAt).toBe(seenFirst);
    compaction.advance(60 * MINUTE);
    expect(store.compactedAt).toBe(store.revision);
  });

  it('returns the revision at an instant', () => {
    const store = createStore();
    put(store, 'a');
    const first = store.revision;
    put(store, 'b');
    expect(store.revisionAt(first - 1)).toBe(first);
    expect(store.revisionAt(-1)).toBe(1);
  });
});
