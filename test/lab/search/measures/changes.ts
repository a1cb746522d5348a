/** Seven changes of code and environment that a finding should survive: it must still reproduce after the next commit. */
import { controllers } from '../../../../src/controlplane/controllers/index.ts';
import { defineController, idle, type Controller } from '../../../../src/controlplane/runtime/index.ts';
import type { KindRegistry } from '../../../../src/apiserver/kinds/index.ts';
import type { Scenario } from '../../../../src/lab/scenario/index.ts';
import { simulate, type SimulateOptions } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

interface Changed {
  readonly scenario: Scenario;
  readonly options: SimulateOptions;
}

export interface Change {
  readonly name: string;
  apply(scenario: Scenario, options: SimulateOptions): Changed;
}

/** A controller that watches pods and never writes. */
const onlooker: Controller = defineController({
  name: 'onlooker',
  reconciles: 'Pod',
  writes: [],
  models: 'nothing: it looks on',
  reconcile: () => idle('it looks on'),
});

const others = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: others }
spec:
  cluster: { nodes: { count: 1 } }
  steps:
    - apply:
        - { apiVersion: v1, kind: Namespace, metadata: { name: other } }
        - { apiVersion: v1, kind: ConfigMap, metadata: { name: bystander, namespace: other }, data: { a: "1" } }
        - { apiVersion: batch/v1, kind: Job, metadata: { name: bystander, namespace: other }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
`);

type Made = NonNullable<SimulateOptions['controllers']>;

const withControllers = (options: SimulateOptions, change: (all: readonly Controller[]) => readonly Controller[]): SimulateOptions => {
  const before: Made = options.controllers ?? controllers;
  return { ...options, controllers: (kinds: KindRegistry) => change(before(kinds)) };
};

export const CHANGES: readonly Change[] = [
  { name: 'another seed', apply: (scenario, options) => ({ scenario, options: { ...options, seed: 7 } }) },
  {
    name: 'a slower network',
    apply: (scenario, options) => ({
      scenario: {
        ...scenario,
        cluster: { ...scenario.cluster, latency: { api: { minMs: 3, maxMs: 3 }, watch: { minMs: 2, maxMs: 2 } } },
      },
      options,
    }),
  },
  {
    name: 'one more node',
    apply: (scenario, options) => {
      const { cluster } = scenario;
      const [first] = cluster.nodes;
      const nodes = first === undefined ? cluster.nodes : [...cluster.nodes, { ...first, name: 'node-more' }];
      return { scenario: { ...scenario, cluster: { ...cluster, nodes } }, options };
    },
  },
  {
    name: 'other work beside it',
    apply: (scenario, options) => ({ scenario: { ...scenario, steps: [...others.steps, ...scenario.steps] }, options }),
  },
  {
    name: 'a controller left out',
    apply: (scenario, options) => ({ scenario, options: withControllers(options, (all) => all.filter(({ name }) => name !== 'job-ttl')) }),
  },
  {
    name: 'a controller more',
    apply: (scenario, options) => ({ scenario, options: withControllers(options, (all) => [onlooker, ...all]) }),
  },
  {
    name: 'every controller receives all watch events',
    apply: (scenario, options) => ({ scenario, options: { ...options, broadcast: true } }),
  },
];

/** By change, whether the assertion breaks under it. */
export const outlives = (scenario: Scenario, options: SimulateOptions, claims: readonly RegExp[]): readonly boolean[] =>
  CHANGES.map((change) => {
    const changed = change.apply(scenario, options);
    const { failures } = simulate(changed.scenario, { ...changed.options, tries: false, digest: false });
    return failures.some(({ invariant, kind }) =>
      claims.some((claim) => claim.test(kind === 'expectation' ? 'the expectation' : (invariant ?? ''))),
    );
  });
