/** The life of a process: what it lists when it starts, leads or follows a new kind, and what its controllers are given. */
import { describe, expect, it } from 'vitest';
import { defineAggregate, watch, watchOnly, type Controller, type ProcessSpec } from '../../../src/controlplane/runtime/index.ts';
import { about, START, world } from './config-maps.ts';

const MANAGER = 'controller-manager';
type World = ReturnType<typeof world>;
/** The changes of a process, with what it lists: kinds, filters, controllers and the kinds of their keys. */
const lifeOf = ({ seen }: World, name: string): readonly unknown[] =>
  seen.flatMap((one) => {
    if (one.type !== 'process' || one.process !== name) return [];
    const { at, what, lists, causes } = one;
    const kinds = lists?.kinds.map(({ kind, only }) => (only === undefined ? kind : `${kind} by ${only.index} ${only.value}`));
    const controllers = lists?.controllers.map((each) => `${each.name} ${each.reconciles ?? '-'}`);
    return [[at - START, what, ...(lists === undefined ? [] : [kinds, controllers]), ...(causes.length === 0 ? [] : [causes])]];
  });
const looker = (name: string, parts: Partial<Controller> = {}): Controller => ({
  name,
  writes: [],
  reconcile: () => ({ why: 'it looks on', writes: [] }),
  ...parts,
});
const extra = (parts: Partial<ProcessSpec>): ProcessSpec => ({ name: 'extra', controllers: [], ...parts });

describe('a process that starts', () => {
  it('lists the kinds of its controllers, each once, and which objects of them', () => {
    const of = world(about());
    const controllers = [
      looker('one', {
        reconciles: 'Job',
        watches: [watch('Pod', watchOnly, { only: { index: 'nodeName', value: (name) => `of ${name}` } })],
      }),
      looker('two', { watches: [watch('Job'), watch('Node', watchOnly, { only: { index: 'name', value: () => 'n' } })] }),
    ];
    of.cluster.runtime.add(extra({ controllers }));
    of.pass(0);
    expect(lifeOf(of, 'extra')).toEqual([[0, 'started', ['Job', 'Pod by nodeName of extra', 'Node by name n'], ['one Job', 'two -']]]);
  });

  it('shows its controllers a full cache, and gives them their first keys in order', () => {
    const of = world(about());
    for (const name of ['b', 'a']) of.make(name);
    const heard: string[] = [];
    const decided: string[] = [];
    const reader = looker('reader', {
      reconciles: 'ConfigMap',
      watches: [watch('Namespace', watchOnly)],
      observe: ({ type, kind, key, old }, { cache, now, elapsed, process, failures }) =>
        kind === 'ConfigMap' && key.startsWith('default/') && !key.includes('.crt')
          ? void heard.push(
              `${type} ${key} ${cache.size('Namespace') > 0} ${now - elapsed} ${process} ${failures(key)} ${old === undefined}`,
            )
          : undefined,
      startKeys: () => ['default/first', { key: 'default/later', afterMs: 5 }],
      reconcile: ({ key, now }) => (decided.push(`${now - START} ${key}`), { why: 'x', writes: [] }),
      reconcileAbsent: ({ key, now }) => (decided.push(`${now - START} ${key}`), { why: 'x', writes: [] }),
    });
    of.cluster.runtime.add(extra({ controllers: [reader], skewMs: 3 }));
    of.pass(10);
    expect(heard).toEqual(['a', 'b'].map((name) => `ADDED default/${name} true 3 extra 0 true`));
    expect(decided.filter((line) => !line.includes('.crt') && line.includes(' default/'))).toEqual([
      '3 default/a',
      '3 default/b',
      '3 default/first',
      '8 default/later',
    ]);
  });

  it('at an earlier revision lists what was there then, and is sent the changes since', () => {
    const of = world(about());
    of.make('kept');
    of.make('gone');
    const { revision } = of.cluster.store;
    of.drop('gone');
    of.set('kept', 'new');
    of.make('later');
    of.crash();
    of.seen.length = 0;
    of.cluster.runtime.restart(MANAGER, START + 10, [], revision);
    of.pass(10);
    expect([of.cached('kept')?.data, of.cached('gone') === undefined, of.cached('later')]).toEqual([undefined, false, undefined]);
    of.pass(50);
    expect(of.deliveries()).toEqual(['DELETED gone', 'MODIFIED kept', 'ADDED later']);
    expect(of.cached('kept')?.data).toEqual({ value: 'new' });
    const [started] = of.seen;
    expect(started).toMatchObject({ type: 'process', what: 'started', lists: { revision } });
    // A revision that does not exist yet is the present one.
    of.crash();
    of.seen.length = 0;
    of.cluster.runtime.restart(MANAGER, START + 100, [], revision + 1_000);
    of.pass(60);
    expect(of.seen[0]).toMatchObject({ lists: { revision: of.cluster.store.revision } });
    expect(of.deliveries()).toEqual([]);
  });

  it('uses another specification than before, where it is configured or makes one anew', () => {
    const of = world(about());
    const made = extra({ controllers: [looker('anew')] });
    of.cluster.runtime.add(extra({ controllers: [looker('one')], anew: () => made }));
    of.pass(0);
    expect(of.cluster.runtime.process('extra')?.spec).toBe(made);
    of.cluster.runtime.configure(extra({ controllers: [looker('two')] }));
    of.cluster.runtime.crash('extra', [3]);
    of.cluster.runtime.restart('extra', START, [4]);
    of.cluster.runtime.restart('extra', START, [5]);
    of.pass(0);
    expect(lifeOf(of, 'extra')).toEqual([
      [0, 'started', [], ['anew -']],
      [0, 'crashed', [3]],
      [0, 'started', [], ['two -'], [4]],
    ]);
  });

  it('has the gates of its own, and its aggregates count what it lists', () => {
    const of = world(about());
    of.make('a');
    const counted: unknown[] = [];
    const aggregate = defineAggregate<'ConfigMap', { count: number }>({
      name: 'maps',
      kind: 'ConfigMap',
      groupOf: ({ metadata }) => metadata.namespace,
      empty: () => ({ count: 0 }),
      add: (all) => void all.count++,
      remove: (all) => void all.count--,
      plain: (all) => all,
    });
    const counter = looker('counter', {
      aggregates: [aggregate],
      watches: [watch('ConfigMap', watchOnly)],
      start: ({ gates, now, process }) => void counted.push(gates['X'], now - START, process),
      startKeys: () => ['k'],
      reconcile: ({ cache, gates }) => {
        counted.push(cache.aggregate(aggregate, 'default').count, gates['X']);
        return { why: 'x', writes: [] };
      },
    });
    of.cluster.runtime.add(extra({ controllers: [counter], gates: { X: true } }));
    of.pass(0);
    expect(counted).toEqual([true, 0, 'extra', 1, true]);
  });
});

describe('a process with an elector', () => {
  it('starts its controllers when it leads, once, and stops them before it stops', () => {
    let isStopping = false;
    const elector = looker('elector', {
      watches: [watch('Namespace', watchOnly)],
      startKeys: () => ['me'],
      stop: () => ((isStopping = true), ['me', { key: 'other', afterMs: 9 }]),
      reconcile: ({ key, now }) =>
        !isStopping
          ? { why: 'it leads', writes: [], process: 'lead', wakeAt: now + 5 }
          : { why: 'it lets go', writes: [], ...(key === 'other' ? { process: 'stop' } : {}) },
    });
    const of = world(about());
    const controllers = [looker('one', { watches: [watch('Namespace', watchOnly), watch('Job', watchOnly)] })];
    of.cluster.runtime.add(extra({ elector, controllers }));
    of.pass(19);
    expect([...(of.cluster.runtime.process('extra')?.running.keys() ?? [])]).toEqual(['elector', 'one']);
    of.cluster.runtime.stop('extra', [8]);
    expect([...(of.cluster.runtime.process('extra')?.running.keys() ?? [])]).toEqual(['elector']);
    of.pass(11);
    const [started, leads, ...rest] = lifeOf(of, 'extra') as readonly (readonly unknown[])[];
    expect([started, leads?.slice(0, 4), rest.map((each) => each.slice(0, 2))]).toEqual([
      [0, 'started', ['Namespace'], ['elector -']],
      [0, 'leads', ['Job'], ['one -']],
      [
        [19, 'retires'],
        [19, 'stopped'],
      ],
    ]);
  });
});

describe('a kind that a client defines', () => {
  const define = (of: World): void => {
    const response = of.cluster.request('user', {
      verb: 'create',
      kind: 'CustomResourceDefinition',
      body: {
        apiVersion: 'apiextensions.orch.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'widgets.example.org' },
        spec: {
          group: 'example.org',
          names: { plural: 'widgets', kind: 'Widget' },
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      },
    });
    if (!response.ok) throw new Error(response.status.message);
  };

  it('is followed by the controllers that want it, at once, and listed by those that start later', () => {
    const decided: string[] = [];
    const follower = about({
      watchOn: ({ kind }) => (kind === 'Widget' ? watch(kind) : undefined),
      reconcileAbsent: ({ key }) => (decided.push(key), { why: 'x', writes: [] }),
    });
    const of = world(follower);
    define(of);
    const life = lifeOf(of, MANAGER);
    expect(life.map((each) => (each as readonly unknown[]).slice(0, 4))).toEqual([[0, 'follows', ['Widget'], []]]);
    of.pass(100);
    const body = { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' } };
    expect(of.cluster.request('user', { verb: 'create', kind: 'Widget', namespace: 'default', body }).ok).toBe(true);
    of.pass(60);
    expect([of.deliveries().filter((line) => line.endsWith(' w')), decided]).toEqual([['ADDED w'], ['default/w']]);
    of.cluster.runtime.add(extra({ controllers: [follower] }));
    of.pass(10);
    expect(lifeOf(of, 'extra')).toEqual([[160, 'started', ['ConfigMap', 'Widget'], ['onlooker ConfigMap']]]);
  });

  it('is not followed by those that name it themselves, nor twice', () => {
    const of = world(about({ watchOn: ({ kind }) => watch(kind), watches: [watch('Secret', watchOnly)] }));
    define(of);
    of.pass(100);
    of.cluster.request('user', { verb: 'delete', kind: 'CustomResourceDefinition', name: 'widgets.example.org' });
    of.pass(10);
    define(of);
    expect(lifeOf(of, MANAGER)).toHaveLength(1);
  });
});
