/** What a search injects at a point: crashes before, during and after a write, with the lists of the restart, and edits by another client. */
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../../src/apiserver/request/index.ts';
import { kindOf } from '../../../src/lab/faults/index.ts';
import type { Injected } from '../../../src/lab/faults/fault.ts';
import type { InjectedFault } from '../../../src/lab/scenario/index.ts';
import { about, world } from '../../controlplane/runtime/config-maps.ts';
import { MANAGER } from './small-cluster.ts';

/** A cluster with the ConfigMaps c and d; the decision is about c, and its request writes d. */
function begun(options: Parameters<typeof world>[1] = {}) {
  const { cluster, make, ...rest } = world(about(), options);
  make('c', { labels: { app: 'c' } });
  make('d', { labels: { app: 'd' } });
  rest.pass(100);
  const target = { verb: 'update', kind: 'ConfigMap', namespace: 'default', name: 'd' };
  const envelopeOf = (request: object, by: object): Envelope =>
    ({ request, by: { process: MANAGER, controller: 'onlooker', key: 'default/c', ...by }, causes: [] }) as unknown as Envelope;
  const inject = <F extends InjectedFault>(
    fault: F,
    request: object = target,
    { by = {}, ...more }: Partial<Injected> & { readonly by?: object } = {},
  ) => {
    const at: Injected = { process: MANAGER, revision: () => undefined, ...more };
    return kindOf(fault).write?.(cluster, fault, { ...at, envelope: envelopeOf(request, by) });
  };
  const process = () => cluster.runtime.process(MANAGER);
  return { cluster, inject, process, target, ...rest };
}

describe('a crash', () => {
  const crash = { do: 'crash', restartAfterMs: 100 } as const;
  type Begun = ReturnType<typeof begun>;
  /** Crashes as the runtime does for a verdict, and goes on until the restart. */
  const back = ({ cluster, pass, cached }: Begun, more = 0): unknown => {
    cluster.runtime.crash(MANAGER);
    pass(99);
    expect(cluster.runtime.process(MANAGER)?.up).toBe(false);
    pass(1 + more);
    expect(cluster.runtime.process(MANAGER)?.up).toBe(true);
    return cached('c')?.data;
  };

  it('is before a decision, and before or after its write', () => {
    const { cluster, inject } = begun();
    const decide = kindOf({ ...crash, when: 'before' }).decide?.(
      cluster,
      { ...crash, when: 'before' },
      { process: MANAGER, revision: () => undefined },
    );
    expect(decide).toEqual({ crash: true });
    expect(inject({ ...crash, when: 'before' })).toEqual({ crash: 'before' });
    expect(inject({ ...crash, when: 'after' })).toEqual({ crash: 'after' });
  });

  it('during a write is before it, and the write arrives later', () => {
    const { cluster, inject, pass, stored, target } = begun();
    const update = { ...target, verb: 'patch', patchType: 'merge', body: { data: { late: 'yes' } } };
    expect(inject({ ...crash, when: 'during', arrivesAfterMs: 30 }, update)).toEqual({ crash: 'before' });
    cluster.runtime.crash(MANAGER);
    pass(29);
    expect(stored('d')?.data).toBe(undefined);
    pass(1);
    expect(stored('d')?.data).toEqual({ late: 'yes' });
  });

  it('ends with the newest lists, older ones, or those as of something that happened', () => {
    const restartedWith = (fault: object, revision?: number, more = 0) => {
      const run = begun();
      run.set('c', 'new');
      run.pass(500);
      const asked: string[] = [];
      const named = (asOf: string): number | undefined => {
        asked.push(asOf);
        return revision === undefined ? undefined : run.cluster.store.revision - revision;
      };
      run.inject({ ...crash, when: 'before', ...fault }, undefined, { revision: named });
      return [back(run, more), asked];
    };
    expect(restartedWith({})).toEqual([{ value: 'new' }, []]);
    expect(restartedWith({ staleByMs: 400 })).toEqual([{ value: 'new' }, []]);
    expect(restartedWith({ staleByMs: 700 })).toEqual([undefined, []]);
    expect(restartedWith({ asOf: 'before x' }, 1)).toEqual([undefined, ['before x']]);
    expect(restartedWith({ asOf: 'before x' }, 0)).toEqual([{ value: 'new' }, ['before x']]);
    // The watch shows the rest of what happened, unless the process sees nothing newer for a while.
    expect(restartedWith({ asOf: 'before x' }, 1, 60)).toEqual([{ value: 'new' }, ['before x']]);
    expect(restartedWith({ asOf: 'before x', frozenMs: 1_000 }, 1, 60)).toEqual([undefined, ['before x']]);
  });
});

describe('an edit', () => {
  const annotated = ({ stored }: ReturnType<typeof begun>) =>
    ['c', 'd'].filter((name) => stored(name)?.metadata.annotations?.['example.com/edited'] !== undefined);
  const mapped = { kind: 'ConfigMap', namespace: 'default' };

  it.each<readonly [string, readonly string[], 'object' | 'target', object | undefined, object]>([
    ['the object of the decision', ['c'], 'object', undefined, {}],
    ['the target of the request', ['d'], 'target', undefined, {}],
    ['the object of the decision, where the request creates its target', ['c'], 'target', { ...mapped, verb: 'create', name: 'd' }, {}],
    ['the object of the decision, where the request names no target', ['c'], 'target', { ...mapped, verb: 'deleteCollection' }, {}],
    ['nothing, where the target does not exist', [], 'target', { ...mapped, verb: 'patch', name: 'none' }, {}],
    ['nothing, where the target has no name', [], 'target', { ...mapped, verb: 'patch', name: undefined }, {}],
    ['nothing, where the object of the decision does not exist', [], 'object', undefined, { key: 'default/none' }],
    ['nothing, where the decision is about no object', [], 'object', undefined, { key: undefined }],
    ['nothing, where no controller decided', [], 'object', undefined, { controller: undefined }],
    ['nothing, where the process is none of the cluster', [], 'object', undefined, { process: 'kubectl' }],
  ])('is made to %s', (_what, names, of, request, by) => {
    const run = begun();
    expect(run.inject({ do: 'meddle', edit: 'annotate', of, undoMs: 1_000 }, request, { by })).toBe(undefined);
    expect(annotated(run)).toEqual(names);
    run.pass(999);
    expect(annotated(run)).toEqual(names);
    run.pass(1);
    expect(annotated(run)).toEqual([]);
  });

  it('may change what is wanted, and is taken back unless it recreates the object', () => {
    const run = begun();
    const seen = () => ['c', 'd'].map((name) => [run.stored(name)?.metadata.labels, run.stored(name)?.metadata.uid] as const);
    const [[, first] = [], [, second] = []] = seen();
    run.inject({ do: 'unlabel', of: 'target', undoMs: 1_000 });
    expect(seen()).toEqual([
      [{ app: 'c' }, first],
      [undefined, second],
    ]);
    run.pass(1_000);
    run.inject({ do: 'scale', of: 'object', undoMs: 1_000 });
    expect(seen()).toEqual([
      [{ app: 'c' }, first],
      [{ app: 'd' }, second],
    ]);
    run.inject({ do: 'recreate', of: 'object' });
    const [[labels, recreated] = []] = seen();
    expect([labels, recreated === first, seen()[1]]).toEqual([{ app: 'c' }, false, [{ app: 'd' }, second]]);
    expect(run.inject({ do: 'recreate', of: 'object' }, undefined, { by: { key: 'default/none' } })).toBe(undefined);
  });
});
