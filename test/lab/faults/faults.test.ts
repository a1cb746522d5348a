/** Each fault has a visible effect: the same scenario is run without it and with it. */
import { describe, expect, it } from 'vitest';
import type { Job, Node } from '../../../src/apiserver/kinds/index.ts';
import { faultKinds, faults } from '../../../src/lab/faults/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { runScenario } from '../../support/scenarios.ts';

function run(steps: readonly string[], { spec = '', until = '' }: { readonly spec?: string; readonly until?: string } = {}): Run {
  return runScenario(
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: story }
spec:
  ${until === '' ? '' : `until: ${until}`}
  limits: { steps: 100000, time: 1d }
  cluster: { nodes: { count: 2 }, podBehaviors: [{ startDelay: 500ms, runFor: 2s }] }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: j }, spec: { completions: 3, parallelism: 2, ${spec} template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
${steps.map((step) => `    - ${step}`).join('\n')}`,
    { trace: true, invariants: [] },
  );
}

const job = ({ cluster }: Run): Job | undefined => cluster.store.get('Job', 'default/j');
const entries = ({ trace }: Run): NonNullable<Run['trace']>['entries'] => trace?.entries ?? [];
/** Seconds until the Job was complete; undefined: it never was. */
const completedAfter = (of: Run): number | undefined => {
  const time = job(of)?.status.completionTime;
  return time === undefined || time === null ? undefined : (Date.parse(time) - of.scenario.startAt) / 1000;
};
const podsEver = (of: Run): number =>
  entries(of).filter((entry) => entry.type === 'write' && entry.change.kind === 'Pod' && entry.change.type === 'ADDED').length;
const transitionsOf =
  (process: string) =>
  (of: Run): readonly string[] =>
    entries(of).flatMap((entry) => (entry.type === 'process' && entry.process === process ? [entry.what] : []));
const readiness = ({ cluster }: Run): readonly string[] =>
  ([...cluster.store.values('Node')] as unknown as readonly Node[]).map(
    ({ status }) => status.conditions?.find(({ type }) => type === 'Ready')?.status ?? '',
  );
/** Whether an earlier revision was delivered again. */
const wentBack = (of: Run): boolean => {
  const last = new Map<string, number>();
  return entries(of).some((entry) => {
    if (entry.type !== 'delivery') return false;
    const about = `${entry.process} ${entry.kind} ${entry.key}`;
    const before = last.get(about) ?? 0;
    last.set(about, entry.revision);
    return entry.revision < before;
  });
};

/** Whether a process received anything between two instants, milliseconds since the start. */
const deliveriesTo =
  (process: string, from: number, to: number) =>
  (of: Run): boolean =>
    entries(of).some(
      (entry) =>
        entry.type === 'delivery' &&
        entry.process === process &&
        entry.at > of.scenario.startAt + from &&
        entry.at < of.scenario.startAt + to,
    );
/** Whether the controllers have seen the first pod before it was over. */
const versionsSeenOfFirstPod = (of: Run): boolean => {
  const key = entries(of).flatMap((entry) => (entry.type === 'write' && entry.change.kind === 'Pod' ? [entry.change.key] : []))[0];
  return entries(of).filter((entry) => entry.type === 'delivery' && entry.process === 'controller-manager' && entry.key === key).length > 2;
};
/** Seconds until the object of a kind was gone. */
const goneAfter =
  (kind: string) =>
  (of: Run): number | undefined => {
    const gone = entries(of).find((entry) => entry.type === 'write' && entry.change.kind === kind && entry.change.type === 'DELETED');
    return gone === undefined ? undefined : (gone.at - of.scenario.startAt) / 1_000;
  };

interface Story {
  readonly fault: string;
  readonly shows: string;
  /** Steps of both runs; those of the second continue with `broken`. */
  readonly steps?: readonly string[];
  readonly broken: readonly string[];
  readonly options?: { readonly spec?: string; readonly until?: string };
  readonly observes: (of: Run) => unknown;
  readonly without: unknown;
  readonly with: unknown;
}

const STORIES: readonly Story[] = [
  {
    fault: 'crash',
    shows: 'the Job is late by as long as its controller is away',
    broken: ['{ at: 1s, fault: { crash: controller-manager, restartAfter: 20s } }'],
    observes: completedAfter,
    without: 7,
    with: 24,
  },
  {
    fault: 'crash',
    shows: 'a process dies right after its next write, and what it had decided besides is lost',
    broken: ['{ fault: { crash: controller-manager, afterWrites: 1 } }'],
    options: { until: '10s' },
    observes: podsEver,
    without: 3,
    with: 1,
  },
  {
    fault: 'stop',
    shows: 'a process ends in good order',
    broken: ['{ at: 1s, fault: { stop: scheduler } }'],
    options: { until: '10s' },
    observes: transitionsOf('scheduler'),
    without: [],
    with: ['stopped'],
  },
  {
    fault: 'restart',
    shows: 'what was down goes on',
    steps: ['{ at: 1s, fault: { crash: controller-manager } }'],
    broken: ['{ at: 20s, fault: { restart: controller-manager } }'],
    options: { until: '1m' },
    observes: completedAfter,
    without: undefined,
    with: 23,
  },
  {
    fault: 'configure',
    shows: 'a process takes up its new flags when it starts again',
    steps: ['{ at: 1s, fault: { crash: agent/node-0 } }'],
    broken: ['{ fault: { configure: agent/node-0, flags: [--port=1] } }', '{ fault: { restart: agent/node-0 } }'],
    observes: (of) => transitionsOf('agent/node-0')(of).at(-1),
    without: 'crashed',
    with: 'started',
  },
  {
    fault: 'relist',
    shows: 'stale lists are delivered as changes, back and forth',
    broken: ['{ at: 1s, fault: { relist: controller-manager, staleBy: 800ms, kinds: [Pod] } }'],
    observes: wentBack,
    without: false,
    with: true,
  },
  {
    fault: 'freeze',
    shows: 'a process goes on to write, and sees nothing of it until the end',
    broken: ['{ at: 1s, fault: { freeze: controller-manager, for: 5s } }'],
    observes: deliveriesTo('controller-manager', 1_000, 6_000),
    without: true,
    with: false,
  },
  {
    fault: 'gap',
    shows: 'what lay between a broken watch and the next list is never seen, such as a pod while it runs',
    broken: ['{ fault: { gap: controller-manager, for: 2900ms, kinds: [Pod] } }'],
    observes: versionsSeenOfFirstPod,
    without: true,
    with: false,
  },
  {
    fault: 'meddle',
    shows: 'a finalizer of somebody holds what is deleted, and is then taken back',
    steps: ['{ at: 1s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: c } } }'],
    broken: ['{ fault: { meddle: ConfigMap/c, edit: finalize, undoAfter: 3s } }', '{ at: 2s, delete: ConfigMap/c }'],
    observes: goneAfter('ConfigMap'),
    without: undefined,
    with: 2.1,
  },
  {
    fault: 'lag',
    shows: 'what a controller sees late it does late',
    broken: ['{ fault: { lag: controller-manager, by: 3s } }'],
    observes: completedAfter,
    without: 7,
    with: 13,
  },
  {
    fault: 'failRequest',
    shows: 'a refused create is tried again after the back-off',
    broken: ['{ fault: { failRequest: controller-manager, verb: create, kinds: [Pod] } }'],
    observes: (of) => entries(of).some((entry) => entry.type === 'write' && entry.change.object['reason'] === 'FailedCreate'),
    without: false,
    with: true,
  },
  {
    fault: 'failRequest',
    shows: 'a create whose answer is lost is made again',
    broken: [
      '{ fault: { failRequest: controller-manager, verb: create, kinds: [Pod], loseResponse: true } }',
      '{ fault: { lag: controller-manager, by: 30s, for: 20s, kinds: [Pod] } }',
    ],
    options: { until: '1m' },
    observes: podsEver,
    without: 3,
    with: 4,
  },
  {
    fault: 'partition',
    shows: 'nothing goes out and nothing comes in',
    broken: ['{ at: 1s, fault: { partition: controller-manager, for: 20s } }'],
    observes: (of) => (completedAfter(of) ?? 0) > 20,
    without: false,
    with: true,
  },
  {
    fault: 'skew',
    shows: 'a controller writes the time of its own clock',
    broken: ['{ fault: { skew: controller-manager, by: 50m } }'],
    observes: (of) => job(of)?.status.startTime,
    without: '2024-03-01T00:00:00Z',
    with: '2024-03-01T00:50:00Z',
  },
  {
    fault: 'nodeDown',
    shows: 'a silent node is Unknown after 40 s',
    broken: ['{ fault: { nodeDown: node-1 } }'],
    options: { until: '1m' },
    observes: readiness,
    without: ['True', 'True'],
    with: ['True', 'Unknown'],
  },
  {
    fault: 'nodeUp',
    shows: 'it is back with the first word of its agent',
    steps: ['{ fault: { nodeDown: node-1 } }'],
    broken: ['{ at: 50s, fault: { nodeUp: node-1 } }'],
    options: { until: '1m' },
    observes: readiness,
    without: ['True', 'Unknown'],
    with: ['True', 'True'],
  },
  {
    fault: 'nodeNotReady',
    shows: 'a node says so',
    broken: ['{ fault: { nodeNotReady: node-0 } }'],
    options: { until: '1m' },
    observes: readiness,
    without: ['True', 'True'],
    with: ['False', 'True'],
  },
  {
    fault: 'nodeReady',
    shows: 'and takes it back',
    steps: ['{ fault: { nodeNotReady: node-0 } }'],
    broken: ['{ at: 30s, fault: { nodeReady: node-0 } }'],
    options: { until: '1m' },
    observes: readiness,
    without: ['False', 'True'],
    with: ['True', 'True'],
  },
];

describe.each(STORIES)('$fault', ({ shows, steps = [], broken, options, observes, ...expected }) => {
  it(`shows: ${shows}`, () => {
    expect(observes(run(steps, options)), 'without it').toEqual(expected.without);
    const reported = run([...steps, ...broken], options);
    expect(reported.failures).toEqual([]);
    expect(observes(reported), 'with it').toEqual(expected.with);
    expect(entries(reported).some((entry) => entry.type === 'fault')).toBe(true);
  });
});

it('every fault has a scenario', () => {
  const reported = new Set(STORIES.map(({ fault }) => fault));
  // Faults of clients are those of the server's answers: test/surfaces/http/client-faults.test.ts.
  const ofProcesses = faults.filter(({ subject }) => !('names' in subject) || subject.names !== 'client');
  expect(ofProcesses.map(({ name }) => name).filter((name) => !reported.has(name))).toEqual([]);
});

describe('a fault that cannot happen', () => {
  const refused = (fault: string): readonly string[] => {
    const read = readScenarios(
      `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: f }\nspec:\n  steps: [{ fault: ${fault} }]\n`,
    );
    return 'problems' in read ? read.problems.map(({ path, expected, suggestion }) => `${path}: ${expected}; ${suggestion ?? ''}`) : [];
  };
  // A node that a step creates may have any name, so only the run can check it.
  const NODE = '{ apply: { apiVersion: v1, kind: Node, metadata: { name: late } } }';
  const saying = (...faults: readonly string[]): readonly string[] =>
    run([NODE, ...faults.map((fault) => `{ fault: ${fault} }`)]).failures.map(({ message }) => message);
  const more: Readonly<Record<string, string>> = { partition: ', for: 1s', skew: ', by: 1s', lag: ', by: 1s' };

  it('has the whole name in its message, however long', () => {
    const name = `agent/${'a-long-name-'.repeat(8)}0`;
    const read = readScenarios(
      `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: f }\nspec:\n  steps: [{ fault: { crash: ${name} } }]\n`,
    );
    expect('problems' in read ? read.problems.map(({ found }) => found) : []).toEqual([`"${name}"`]);
  });

  it.each(['crash', 'stop', 'restart', 'relist', 'partition', 'failRequest', 'skew', 'lag'])(
    '%s of a process there is not names the nearest, before anything runs where that can be known',
    (name) => {
      const fault = `{ ${name}: controler-manager${more[name] ?? ''} }`;
      expect(refused(fault)).toEqual([
        `spec.steps[0].fault.${name}: a process of this cluster (controller-manager, scheduler, agent/node-0, agent/node-1, agent/node-2); "controller-manager"`,
      ]);
      expect(saying(fault)).toEqual([
        expect.stringMatching(/^there is no process controler-manager; did you mean "?controller-manager"?\?; there are .*scheduler/),
      ]);
    },
  );

  it.each(['nodeDown', 'nodeUp', 'nodeNotReady', 'nodeReady'])('%s of a node there is not says so', (name) => {
    expect(refused(`{ ${name}: node-7 }`)).toEqual([expect.stringMatching(/a node of this cluster \(node-0, node-1, node-2\); "node-/)]);
    expect(saying(`{ ${name}: node-7 }`)).toEqual([expect.stringMatching(/^there is no process agent\/node-7/)]);
  });

  it('says what is down or up already', () => {
    expect(saying('{ crash: scheduler }', '{ crash: scheduler }')).toEqual([
      'scheduler is down already: crash needs it up (ifPossible: true allows that)',
    ]);
    expect(saying('{ restart: scheduler }')).toEqual(['scheduler is up already: restart needs it down (ifPossible: true allows that)']);
    expect(saying('{ nodeDown: node-0 }', '{ nodeDown: node-0 }')).toEqual([expect.stringMatching(/^agent\/node-0 is down already/)]);
  });
});

it('offers only shorter spans as weaker values of a fault that lasts', () => {
  const weakened = faultKinds.flatMap((kind) =>
    kind.sorts
      .flatMap((sort) => kind.drawn(sort))
      .flatMap((fault) => kind.weaker(fault).flatMap((weaker) => ('ms' in fault && 'ms' in weaker ? [{ fault, weaker }] : []))),
  );
  expect(weakened.length).toBeGreaterThan(0);
  for (const { fault, weaker } of weakened) expect(Math.abs(weaker.ms)).toBeLessThan(Math.abs(fault.ms));
});
