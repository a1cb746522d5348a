/** Objects of another cluster in an empty store, and how they are read. */
import { describe, expect, it } from 'vitest';
import { readStored, restoreObjects, revisionOf } from '../../../src/apiserver/handlers/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor } from '../../../src/apiserver/machinery/index.ts';
import type { Members } from './made.ts';
import { createStore } from '../../../src/apiserver/store/index.ts';

const NOW = Date.parse('2024-03-01T00:00:00Z');
const NAMES = namesFor('k8s.io');
const object = (name: string, resourceVersion: string | undefined, namespace?: string): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: namespace === undefined ? 'Node' : 'ConfigMap',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid: `uid-${name}`, resourceVersion },
  }) as never;

describe('restored objects', () => {
  it('keep their revisions where these ascend, and are observed as created', () => {
    const store = createStore();
    const seen: unknown[] = [];
    store.onChange(({ type, kind, key, revision, entry, at, previous, object: { metadata } }, { by, causes, request }) =>
      seen.push([type, kind, key, revision, metadata.resourceVersion, entry, at, previous, by, causes, request.verb, request.kind]),
    );
    let entry = 10;
    restoreObjects(
      [object('a', '7'), object('b', '7', 'default'), object('c', '3', 'default'), object('d', '12', 'other'), object('e', undefined)],
      { store, now: () => NOW, entry: () => entry++ },
    );
    const by = { process: 'restore', incarnation: 0 };
    const change = (kind: string, key: string, revision: number, id: number) => [
      'ADDED',
      kind,
      key,
      revision,
      String(revision),
      id,
      NOW,
      undefined,
      by,
      [],
      'create',
      kind,
    ];
    expect(seen).toEqual([
      change('Node', 'a', 7, 10),
      change('ConfigMap', 'default/b', 8, 11),
      change('ConfigMap', 'default/c', 9, 12),
      change('ConfigMap', 'other/d', 12, 13),
      change('Node', 'e', 13, 14),
    ]);
    expect(store.get('Node', 'a')).toEqual({ ...object('a', '7') });
  });

  it.each([
    ['1', 1],
    ['42', 42],
    ['123456789012345', 123_456_789_012_345],
    ['1234567890123456', 0],
    ['0', 0],
    ['07', 0],
    ['-1', 0],
    ['1.5', 0],
    ['7a', 0],
    ['', 0],
    [undefined, 0],
  ])('of resourceVersion %j have revision %d', (resourceVersion, revision) => {
    expect(revisionOf(object('a', resourceVersion))).toBe(revision);
  });
});

describe('an object that is read as stored', () => {
  const read = (given: { readonly kind: string } & Members) => {
    const kind = kindsFor(NAMES).byKind(given.kind);
    if (kind === undefined) throw new Error(given.kind);
    return readStored(kind, given, { names: NAMES, gates: {}, now: NOW });
  };

  it('gets the defaults of its kind, and loses what the kind does not have', () => {
    const given = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', uid: 'u', resourceVersion: '5', creationTimestamp: '2024-01-01T00:00:00Z' },
      data: { b: '1', a: '2' },
      zz: 1,
    };
    const { zz: _, ...known } = given;
    expect(read(given)).toEqual({ object: known });
    expect(JSON.stringify(read(given))).toBe(
      '{"object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c","uid":"u","resourceVersion":"5","creationTimestamp":"2024-01-01T00:00:00Z"},"data":{"a":"2","b":"1"}}}',
    );
    const metadata = { name: 's', namespace: 'default', uid: 'u', creationTimestamp: null };
    expect(read({ apiVersion: 'v1', kind: 'Secret', metadata, data: { a: 'YQ==' } })).toEqual({
      object: { apiVersion: 'v1', kind: 'Secret', metadata, data: { a: 'YQ==' }, type: 'Opaque' },
    });
  });

  it('or says which value does not fit', () => {
    expect(read({ kind: 'ConfigMap', data: { a: 5 } })).toEqual({
      why: 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    });
  });

  it('leaves errors of other kinds', () => {
    const kind = {
      ...kindsFor(NAMES).byKind('ConfigMap'),
      applyDefaults: {
        reads: [],
        run: () => {
          throw new Error('a default');
        },
      },
    };
    expect(() => readStored(kind as never, { kind: 'ConfigMap' }, { names: NAMES, gates: {}, now: NOW })).toThrow('a default');
  });
});
