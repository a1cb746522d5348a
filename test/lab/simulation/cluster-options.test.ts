/** What the cluster of a run is created with: what the scenario says, and what the caller adds. */
import { describe, expect, it } from 'vitest';
import { clusterOptions } from '../../../src/lab/simulation/cluster-options.ts';
import type { Cluster } from '../../../src/controlplane/cluster.ts';
import type { SimulateOptions } from '../../../src/lab/simulation/simulate-options.ts';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const scenarioWith = (spec: string): Scenario =>
  scenarioIn(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: options }\nspec:\n  seed: 3\n${spec}`);
const optionsOf = (scenario: Scenario, options: SimulateOptions = {}) => clusterOptions(scenario, 7, options, () => ({}) as Cluster);
const NODE = { name: 'node-0', capacity: { cpu: '4', memory: '8Gi', pods: '110' } };
const PLAIN = {
  seed: 7,
  startAt: Date.UTC(2024, 2, 1),
  domain: 'orch.io',
  featureGates: {},
  limits: { steps: 20_000_000, timeMs: 400 * 86_400_000 },
  latency: { api: 0, watch: 0 },
  nodes: [NODE],
  namespaces: [],
  bootstrap: false,
  managedFields: false,
  agents: { podBehaviors: [], storageDrivers: [], podEvents: false, start: {} },
  controlPlane: { schedulers: [{ name: 'scheduler', flags: [] }] },
};
const ONE = '  cluster: { nodes: { count: 1 } }\n';

it('a scenario that says nothing has the defaults', () => {
  expect(optionsOf(scenarioWith(ONE))).toEqual(PLAIN);
});

it('an end allows more events, and limits of its own are kept', () => {
  expect(optionsOf(scenarioWith(`  until: 1m\n${ONE}`)).limits).toEqual({ steps: 50_000_000, timeMs: 400 * 86_400_000 });
  expect(optionsOf(scenarioWith(`  limits: { steps: 9, time: 1h, objects: 5 }\n${ONE}`))).toEqual({
    ...PLAIN,
    limits: { steps: 9, timeMs: 3_600_000, objects: 5 },
    maxObjects: 5,
  });
});

it('everything that the scenario says of its cluster is there', () => {
  const scenario = scenarioWith(`  domain: k8s.io
  rules: specification
  featureGates: { JobReadyPods: false }
  namespaces: [one]
  clients: { mine: { userAgent: "mine/*" } }
  cluster:
    nodes: { count: 1 }
    bootstrap: true
    managedFields: true
    timeZone: Europe/Berlin
    controllerManagers: 2
    agent: { maxPods: 5 }
    agentFlags: [--max-pods=6]
    scheduler: [--leader-elect-lease-duration=20s]
    schedulers: [{ name: a }, { name: b, schedulerName: bee, candidates: 2, flags: [--profiling=false] }]
    latency: { api: 3ms, watch: { min: 1ms, max: 2ms } }
    podBehaviors: [{ runFor: 1s }]
    podSources: []
    images: [{ name: i, size: 1Mi }]
    usage: [{ cpu: 100m }]
    storageDrivers: [{ name: d }]
`);
  const { cluster } = scenario;
  expect(optionsOf(scenario)).toEqual({
    ...PLAIN,
    domain: 'k8s.io',
    rules: 'specification',
    featureGates: { JobReadyPods: false },
    namespaces: [{ name: 'one' }],
    bootstrap: true,
    managedFields: true,
    timeZone: 'Europe/Berlin',
    clients: ['mine'],
    latency: { api: 3, watch: { min: 1, max: 2 } },
    agents: {
      podBehaviors: [{ runForMs: 1_000 }],
      storageDrivers: cluster.storageDrivers,
      podEvents: true,
      podSources: cluster.podSources,
      images: cluster.images,
      usage: cluster.usage,
      start: { config: { maxPods: 5 }, flags: ['--max-pods=6'] },
    },
    controlPlane: {
      schedulers: [
        { name: 'a', flags: ['--leader-elect-lease-duration=20s'] },
        { name: 'b', schedulerName: 'bee', candidates: 2, flags: ['--leader-elect-lease-duration=20s', '--profiling=false'] },
      ],
      controllerManager: { candidates: 2 },
    },
  });
});

it('a number of schedulers are candidates of the default one', () => {
  expect(
    optionsOf(scenarioWith('  cluster: { nodes: { count: 1 }, schedulers: 2, scheduler: [--profiling=false] }\n')).controlPlane,
  ).toEqual({
    schedulers: [{ name: 'scheduler', flags: ['--profiling=false'], candidates: 2 }],
  });
});

describe('events of pods', () => {
  const podEvents = (steps: string, cluster = '') =>
    (optionsOf(scenarioWith(`  cluster: { nodes: { count: 1 }${cluster} }\n  steps:\n${steps}`)) as { agents: { podEvents: boolean } })
      .agents.podEvents;
  const started = '{ match: { kind: Event, reason: Started } }';
  it('are recorded where a step expects one or images are modelled, unless the cluster says otherwise', () => {
    expect(podEvents(`    - expect: [{ absent: Pod/a }, ${started}]\n`)).toBe(true);
    expect(podEvents(`    - waitFor: ${started}\n`)).toBe(true);
    expect(podEvents('    - expect: { match: { kind: Event, reason: SuccessfulCreate } }\n')).toBe(false);
    expect(podEvents('    - expect: { match: { kind: Event } }\n')).toBe(false);
    expect(podEvents('    - delete: Pod/a\n')).toBe(false);
    expect(podEvents(`    - expect: ${started}\n`, ', podEvents: false')).toBe(false);
    expect(podEvents('    - delete: Pod/a\n', ', podEvents: true')).toBe(true);
    expect(podEvents('    - delete: Pod/a\n', ', images: []')).toBe(true);
  });
});

describe('what a caller adds', () => {
  it('is there where it is given', () => {
    const given = {
      choose: () => 0,
      controllers: () => [],
      alter: () => undefined,
      broadcast: true,
      digest: false,
      eagerLeases: true,
      onRequest: () => undefined,
      certificateAuthority: { x: 1 },
    } as unknown as SimulateOptions;
    expect(optionsOf(scenarioWith(ONE), { ...given, trace: true, tries: false })).toEqual({ ...PLAIN, ...given });
  });

  it('of kinds stands before those of a dump', () => {
    const kinds = [{ kind: 'Mine' }] as never;
    const foreign = {
      group: 'x.io',
      version: 'v1',
      kind: 'Policy',
      plural: 'policies',
      namespaced: true,
      shortNames: [],
      fields: ['spec'],
    };
    const dumped = (...all: readonly object[]): Scenario =>
      ({ ...scenarioWith(ONE), from: { paths: ['d'], snapshot: { foreign: all, objects: ['an object'] } } }) as never;
    const namesIn = (scenario: Scenario, options?: SimulateOptions) =>
      (optionsOf(scenario, options).kinds as readonly { readonly kind: string }[] | undefined)?.map(({ kind }) => kind);
    expect(namesIn(scenarioWith(ONE), { with: { kinds } })).toEqual(['Mine']);
    expect(namesIn(dumped())).toBeUndefined();
    expect(namesIn(dumped(), { with: { kinds } })).toEqual(['Mine']);
    expect(namesIn(dumped(foreign))).toEqual(['Policy']);
    expect(namesIn(dumped(foreign), { with: { kinds } })).toEqual(['Mine', 'Policy']);
    expect(optionsOf(dumped()).from).toEqual(['an object']);
  });

  it('of answers to webhooks comes after those of the scenario', () => {
    const webhooks = () => ({ failure: 'other' });
    expect(optionsOf(scenarioWith(ONE), { webhooks }).webhooks).toBe(webhooks);
    const asked = optionsOf(scenarioWith(`${ONE}  webhooks: { mine: { fails: down } }\n`), { webhooks }).webhooks;
    expect(['mine', 'else'].map((name) => asked?.({ name, review: {} } as never))).toEqual([{ failure: 'down' }, { failure: 'other' }]);
  });
});
