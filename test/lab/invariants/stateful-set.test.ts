/**
 * Each invariant of StatefulSets is broken by a mutant of the controller and holds for the real one in the same scenario, with the property
 * exercised.
 */
import { describe, expect, it } from 'vitest';
import type { Pod, StatefulSet } from '../../../src/apiserver/kinds/index.ts';
import { statefulSet } from '../../../src/controlplane/controllers/stateful-set/controller.ts';
import type { Controller, Write } from '../../../src/controlplane/runtime/index.ts';
import { statefulSetInvariants } from '../../../src/lab/invariants/stateful-set/index.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { runScenario } from '../../support/scenarios.ts';
import { inStatus, seeing, withMutant, writing } from '../../support/mutants.ts';

interface Story {
  readonly spec?: string;
  readonly gates?: string;
  readonly steps?: readonly string[];
}

function run({ spec = 'replicas: 3', gates = '', steps = [] }: Story, invariants: string, mutant?: Controller): Run {
  return runScenario(
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: story }
spec:
  featureGates: { ${gates} }
  cluster:
    nodes: { count: 1 }
    podBehaviors: [{ startDelay: 500ms, readyDelay: 500ms, terminationDelay: 200ms }]
  invariants: [${invariants}]
  steps:
    - apply: { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: None } }
    - apply:
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: { name: web }
        spec: { serviceName: web, ${spec}, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } }
${steps.map((step) => `    - ${step}`).join('\n')}`,
    { controllers: withMutant(mutant) },
  );
}

const patch = (spec: string): string => `{ when: settled, patch: { target: StatefulSet/web, type: merge, patch: { spec: ${spec} } } }`;
const NEW_TEMPLATE = patch('{ template: { spec: { containers: [{ name: c, image: "c:2" }] } } }');
const edited = (change: (spec: StatefulSet['spec']) => object): Controller =>
  seeing<StatefulSet>(statefulSet, (input) => ({
    ...input,
    self: { ...input.self, spec: { ...input.self.spec, ...change(input.self.spec) } },
  }));
const ofPods =
  (change: (pod: Pod) => Write | readonly Write[] | object) =>
  (write: Write): Write | readonly Write[] =>
    write.op === 'create' && write.object.kind === 'Pod' ? (change(write.object as unknown as Pod) as Write) : write;

interface Mutant {
  readonly name: string;
  readonly does: string;
  readonly story: Story;
  readonly mutant: Controller;
  readonly says: RegExp;
}

const MUTANTS: readonly Mutant[] = [
  {
    name: 'stateful-set/at-most-one-pod-per-ordinal',
    does: 'makes each pod twice, under another name',
    story: { spec: 'replicas: 1' },
    mutant: writing(
      statefulSet,
      ofPods((pod) =>
        ['', '0'].map((zero) => ({
          op: 'create',
          object: { ...pod, metadata: { ...pod.metadata, name: pod.metadata.name.replace('-', `-${zero}`) } },
        })),
      ),
    ),
    says: /two pods are web-0 of StatefulSet web, one of them web-00/,
  },
  {
    name: 'stateful-set/starts-in-order',
    does: 'waits for no pod',
    story: {},
    mutant: edited(() => ({ podManagementPolicy: 'Parallel' })),
    says: /pod default\/web-1 was created while 0 was not ready/,
  },
  {
    name: 'stateful-set/starts-in-order',
    does: 'forgets the first',
    story: {},
    mutant: writing(
      edited(() => ({ podManagementPolicy: 'Parallel' })),
      (write) => (write.op === 'create' && write.object.metadata.name === 'web-0' ? undefined : write),
    ),
    says: /pod default\/web-1 was created while 0 was missing/,
  },
  {
    name: 'stateful-set/stops-in-reverse',
    does: 'skips one',
    story: { spec: 'replicas: 4', steps: [patch('{ replicas: 1 }').replace('when: settled', 'after: 1m')] },
    mutant: (() => {
      let skipped = false;
      return writing(statefulSet, (write) => {
        if (write.op !== 'delete' || write.name !== 'web-2' || skipped) return write;
        skipped = true;
        return { op: 'delete', kind: 'Pod', namespace: 'default', name: 'web-1' };
      });
    })(),
    says: /pod default\/web-1 was deleted while 2 still existed/,
  },
  {
    name: 'stateful-set/partition-respected',
    does: 'knows no partition',
    story: {
      spec: 'replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } }',
      steps: [NEW_TEMPLATE, '{ when: settled, delete: Pod/web-0 }'],
    },
    mutant: edited((spec) => ({ updateStrategy: { ...spec.updateStrategy, rollingUpdate: { partition: 0 } } })),
    says: /is below partition 2, yet it was created from web-\w+, not from web-\w+/,
  },
  {
    name: 'stateful-set/max-unavailable-respected',
    does: 'updates all at once',
    story: { steps: [NEW_TEMPLATE] },
    mutant: seeing<StatefulSet>(
      edited(({ updateStrategy }) => ({ updateStrategy: { ...updateStrategy, rollingUpdate: { partition: 0, maxUnavailable: 3 } } })),
      (input) => ({ ...input, gates: { ...input.gates, MaxUnavailableStatefulSet: true } }),
    ),
    says: /pod default\/web-1 was deleted while 1 other pods were unavailable, and at most 1 may be/,
  },
  {
    name: 'stateful-set/max-unavailable-respected',
    does: 'rounds up twice',
    story: {
      spec: 'replicas: 5, updateStrategy: { rollingUpdate: { maxUnavailable: "30%" } }',
      gates: 'MaxUnavailableStatefulSet: true',
      steps: [NEW_TEMPLATE],
    },
    mutant: edited(({ updateStrategy }) => ({ updateStrategy: { ...updateStrategy, rollingUpdate: { partition: 0, maxUnavailable: 3 } } })),
    says: /pod default\/web-2 was deleted while 2 other pods were unavailable, and at most 2 may be/,
  },
  {
    name: 'stateful-set/observed-generation-is-true',
    does: 'sees the future',
    story: {},
    mutant: writing(
      statefulSet,
      inStatus((status) => ({ ...status, observedGeneration: 7 })),
    ),
    says: /has observedGeneration 7, and its generation is 1/,
  },
  {
    name: 'stateful-set/observed-generation-is-true',
    does: 'goes back',
    story: { steps: [patch('{ replicas: 2 }')] },
    mutant: writing(
      statefulSet,
      inStatus((status) =>
        status['replicas'] === 2 && status['observedGeneration'] === 2 ? { ...status, observedGeneration: 1 } : status,
      ),
    ),
    says: /had observedGeneration 2, and has 1 now/,
  },
  {
    name: 'stateful-set/status-tells-the-truth',
    does: 'miscounts',
    story: {},
    mutant: writing(
      statefulSet,
      inStatus((status) => (status['replicas'] === 3 ? { ...status, replicas: 4 } : status)),
    ),
    says: /has replicas 4, and it is 3/,
  },
  {
    name: 'stateful-set/comes-to-rest-complete',
    does: 'makes one too few',
    story: {},
    mutant: edited(({ replicas }) => ({ replicas: replicas - 1 })),
    says: /is missing pod 2, and nothing will happen any more/,
  },
  {
    name: 'stateful-set/comes-to-rest-complete',
    does: 'keeps one too many',
    story: { steps: [patch('{ replicas: 1 }')] },
    mutant: edited(({ replicas }) => ({ replicas: Math.max(2, replicas) })),
    says: /has pod web-1 and wants only 1, and nothing will happen any more/,
  },
  {
    name: 'stateful-set/comes-to-rest-complete',
    does: 'leaves updates to others',
    story: { steps: [NEW_TEMPLATE] },
    mutant: edited(() => ({ updateStrategy: { type: 'OnDelete' } })),
    says: /has pod web-0 of web-\w+ where web-\w+ is wanted, and nothing will happen any more/,
  },
];

const about = (of: Run, name: string): readonly string[] =>
  of.failures.filter(({ invariant }) => invariant === name).map(({ message }) => message);

describe.each(MUTANTS)('$name', ({ name, does, story, mutant, says }) => {
  it(`catches a controller that ${does}`, () => {
    expect(about(run(story, name, mutant), name)).toEqual([expect.stringMatching(says)]);
  });

  it('holds with the real one, and is exercised', () => {
    const { failures, invariants } = run(story, `stateful-set/*, ${name}`);
    expect(failures.map(({ invariant = '', message }) => `${invariant}: ${message}`)).toEqual([]);
    expect(invariants.find((each) => each.name === name)?.exercised).toBeGreaterThan(0);
  });
});

it('every invariant has a mutant', () => {
  const caught = new Set(MUTANTS.map(({ name }) => name));
  expect(statefulSetInvariants.map(({ name }) => name).filter((name) => !caught.has(name))).toEqual([]);
});
