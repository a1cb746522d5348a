/** A run again up to one of its steps, and violations by the controllers of a user as failures of a run. */
import { describe, expect, it } from 'vitest';
import { defineController, idle, write, create, type Controller } from '../../../src/controlplane/runtime/index.ts';
import { replayTo, simulate, type SimulateOptions } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const MAP = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }';
const scenario = scenarioIn(
  `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: replay }\nspec:\n  until: 5s\n  cluster: { nodes: { count: 0 } }\n  steps:\n    - create: ${MAP}\n    - { at: 2s, delete: ConfigMap/a }\n`,
);

describe('a replay', () => {
  const { trace } = simulate(scenario, { trace: true });
  const last = trace?.entries.length ?? 0;

  it('pauses at a step, and can go on', () => {
    const replay = replayTo(scenario, scenario.seed, 2);
    expect([replay.step, replay.cluster.store.get('ConfigMap', 'default/a')?.metadata.name, replay.cluster.now - scenario.startAt]).toEqual(
      [2, 'a', 0],
    );
    expect([replay.goOn(1), replay.step]).toEqual([true, 2]);
    const deleted =
      (trace?.entries.findIndex(
        (entry) => entry.type === 'write' && entry.change.type === 'DELETED' && entry.change.kind === 'ConfigMap',
      ) ?? 0) + 1;
    expect([replay.goOn(deleted), replay.step >= deleted, replay.cluster.store.get('ConfigMap', 'default/a')]).toEqual([
      true,
      true,
      undefined,
    ]);
    expect([replay.goOn(last + 1), replay.step, replay.goOn(0)]).toEqual([false, last, false]);
  });

  it('to the start has taken no step', () => {
    const { step, cluster } = replayTo(scenario, scenario.seed, 0);
    expect([step, cluster.now, cluster.store.get('ConfigMap', 'default/a')]).toEqual([0, scenario.startAt, undefined]);
  });
});

describe('a controller of a user', () => {
  const mine = (more: Partial<Controller>): Controller =>
    defineController({
      name: 'mine',
      reconciles: 'ConfigMap',
      writes: [],
      models: 'nothing: it is planted',
      reconcile: () => idle('x'),
      ...more,
    });
  const failuresOf = (controller: Controller, options: SimulateOptions = {}) =>
    simulate(scenario, { with: { controllers: [controller] }, ...options }).failures.map(
      ({ kind, controller: name, message, detail, about, source }) => [
        kind,
        name,
        message,
        detail[0],
        about?.name,
        source?.file.split('/').at(-1),
      ],
    );
  const throwing = () => {
    throw new RangeError('no such thing');
  };

  it('that throws is one failure, with the object that it was about, and its place', () => {
    const failed = failuresOf(mine({ reconcile: throwing }));
    expect(failed).toHaveLength(1);
    expect(failed[0]).toEqual([
      'controller',
      'mine',
      expect.stringContaining('no such thing'),
      expect.stringMatching(/^ {2}about ConfigMap \S+\/\S+$/),
      expect.any(String),
      'replays.test.ts',
    ]);
  });

  it('that writes what it has not declared is one', () => {
    const failed = failuresOf(
      mine({
        reconcile: () =>
          write('there should be one', create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'default' } })),
      }),
    );
    expect(failed[0]?.slice(0, 2)).toEqual(['controller', 'mine']);
    expect(failed[0]?.[2]).toContain('Secret');
  });

  it('that keeps to the rules is none', () => {
    expect(failuresOf(mine({}))).toEqual([]);
  });

  it('is in the sandbox too where a run is given all controllers', () => {
    const own = mine({ reconcile: throwing });
    expect(failuresOf(own, { controllers: () => [own] })).toHaveLength(1);
  });

  it('has a position by the files of its author', () => {
    const source = { file: 'mine.ts', line: 3, col: 7 };
    const { failures } = simulate(scenario, { with: { controllers: [mine({ reconcile: throwing })], locate: () => source } });
    expect(failures.map(({ source: at }) => at)).toEqual([source]);
  });
});
