/** Drafts of objects, and the hooks that restore what an update may not change. */
import { describe, expect, it } from 'vitest';
import {
  ALWAYS,
  type ApiObject,
  assign,
  createDraft,
  currentOf,
  finishDraft,
  hooksOf,
  insertInOrder,
  keepAllButStatus,
  keepSpec,
  keepSpecAndMeta,
  keepSpecAndOwners,
  keepStatus,
  type Part,
  partNames,
  partOf,
  partsOf,
  UNKNOWN,
  WHOLE,
} from '../../../src/apiserver/machinery/index.ts';
import { obj, str } from '../../../src/schema/shape/index.ts';

const object = (more: object, metadata: object = {}): ApiObject =>
  ({ apiVersion: 'v1', kind: 'K', metadata: { name: 'a', ...metadata }, ...more }) as unknown as ApiObject;

describe('a draft', () => {
  it('shares what is not changed, and is frozen when it is completed', () => {
    const base = object({ spec: { a: { b: 1 }, c: {} } });
    const draft = createDraft(base);
    (draft['spec'] as { a: { b: number } }).a.b = 2;
    expect([currentOf((draft['spec'] as { c: object }).c) === (base['spec'] as { c: object }).c, currentOf(7)]).toEqual([true, 7]);
    const done = finishDraft(draft);
    expect(done).toEqual(object({ spec: { a: { b: 2 }, c: {} } }));
    expect([(done['spec'] as { c: object }).c === (base['spec'] as { c: object }).c, base['spec'], Object.isFrozen(done['spec'])]).toEqual([
      true,
      { a: { b: 1 }, c: {} },
      true,
    ]);
  });

  it('has members set and removed', () => {
    const draft: Record<string, unknown> = { a: 1, b: undefined };
    assign(draft, 'a', undefined);
    assign(draft, 'b', undefined);
    assign(draft, 'c', 2);
    expect(Object.entries(draft)).toEqual([
      ['b', undefined],
      ['c', 2],
    ]);
  });

  it('has new members in published order', () => {
    const shape = obj('K', { a: str(), b: str(), c: str(), d: str() });
    const inserted = (draft: Record<string, unknown>, members: object, of?: typeof shape) => {
      insertInOrder(of, draft, members);
      return Object.entries(draft)
        .map(([name, value]) => `${name}${String(value)}`)
        .join(' ');
    };
    expect([
      inserted({ a: 1, c: 3, x: 9 }, { b: 2 }, shape),
      inserted({ c: 3, d: 4 }, { b: 2, a: 1 }, shape),
      inserted({ b: 2, c: 3 }, { b: 5 }, shape),
      inserted({ a: 1, b: 2 }, { a: undefined, c: undefined }, shape),
      inserted({ c: 3 }, { a: 1 }),
    ]).toEqual(['a1 x9 b2 c3', 'a1 b2 c3 d4', 'b5 c3', 'b2', 'c3 a1']);
  });
});

describe('parts of an object', () => {
  it('have names', () => {
    const all: readonly Part[] = ['labels', 'annotations', 'ownerReferences', 'finalizers', 'identity', 'spec', 'status', 'other'];
    for (const part of all) expect(partNames(partsOf(part))).toEqual([part]);
    expect(partNames(partsOf(...all))).toEqual(all);
    expect([WHOLE, ALWAYS, ALWAYS | partsOf('spec'), UNKNOWN, UNKNOWN | partsOf('spec'), 0].map(partNames)).toEqual([
      ['everything'],
      ['always runs'],
      ['always runs'],
      ['unknown changes'],
      ['spec'],
      ['nothing: for new objects alone'],
    ]);
    expect(['spec', 'status', 'data'].map((name) => partNames(partOf(name)))).toEqual([['spec'], ['status'], ['other']]);
    expect(partsOf(...all) | UNKNOWN | ALWAYS).toBe(WHOLE);
  });

  it('are what hooks read: all, unless a hook says otherwise or restores a part', () => {
    const run = (): void => undefined;
    const reads = (hooks: Parameters<typeof hooksOf<(draft: never, old: never) => void>>[0]) =>
      hooksOf(hooks).map((hook) => partNames(hook.reads));
    expect(hooksOf(undefined)).toEqual([]);
    expect(reads(run as never)).toEqual([['everything']]);
    expect(
      reads([keepStatus, keepSpec, keepSpecAndOwners, keepSpecAndMeta, keepAllButStatus, { reads: ['labels'], run }] as never),
    ).toEqual([
      ['status'],
      ['spec'],
      ['ownerReferences', 'spec'],
      ['labels', 'annotations', 'ownerReferences', 'finalizers', 'spec'],
      ['everything'],
      ['labels'],
    ]);
    const own = { reads: ['spec'], concerns: () => true, run } as const;
    expect(hooksOf([own] as never)).toEqual([{ reads: partsOf('spec'), concerns: expect.any(Function), run }]);
  });
});

describe('hooks restore', () => {
  const META = {
    labels: { a: '1' },
    annotations: { b: '1' },
    finalizers: ['c/d'],
    ownerReferences: [],
    resourceVersion: '1',
    managedFields: ['old'],
  };
  const old = object({ spec: 1, status: 1, data: 1, gone: 1 }, META);
  const sent = object(
    { spec: 2, status: 2, data: 2, more: 2 },
    { labels: { a: '2' }, generateName: 'x', resourceVersion: '2', managedFields: ['new'] },
  );
  const kept = (hook: (draft: never, stored: ApiObject) => void, before = old): object => {
    const draft = structuredClone(sent);
    hook(draft as never, before);
    return draft;
  };

  it('the status, the specification, the owners or the metadata', () => {
    expect(kept(keepStatus)).toEqual({ ...sent, status: 1 });
    expect(kept(keepStatus, object({}))).toEqual(object({ spec: 2, data: 2, more: 2 }, sent.metadata));
    expect(kept(keepSpec)).toEqual({ ...sent, spec: 1 });
    expect(kept(keepSpecAndOwners)).toEqual({ ...sent, spec: 1, metadata: { ...sent.metadata, ownerReferences: [] } });
    expect(kept(keepSpecAndMeta)).toEqual({
      apiVersion: 'v1',
      kind: 'K',
      metadata: {
        name: 'a',
        labels: { a: '1' },
        generateName: 'x',
        resourceVersion: '2',
        managedFields: ['new'],
        annotations: { b: '1' },
        finalizers: ['c/d'],
        ownerReferences: [],
      },
      spec: 1,
      status: 2,
      data: 2,
      more: 2,
    });
    expect(kept(keepSpecAndMeta, object({}))).toEqual({
      apiVersion: 'v1',
      kind: 'K',
      metadata: { name: 'a', generateName: 'x', resourceVersion: '2', managedFields: ['new'] },
      status: 2,
      data: 2,
      more: 2,
    });
  });

  it('all but the status, of custom resources', () => {
    expect(kept(keepAllButStatus)).toEqual({
      apiVersion: 'v1',
      kind: 'K',
      metadata: {
        name: 'a',
        labels: { a: '1' },
        resourceVersion: '1',
        managedFields: ['new'],
        annotations: { b: '1' },
        finalizers: ['c/d'],
        ownerReferences: [],
      },
      spec: 1,
      status: 2,
      data: 1,
      gone: 1,
    });
  });
});
