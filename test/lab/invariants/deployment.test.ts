/**
 * Each invariant of Deployments and ReplicaSets is broken by a mutant of the controller and holds for the real one in the same scenario,
 * with the property exercised.
 */
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../src/apiserver/kinds/index.ts';
import { deployment } from '../../../src/controlplane/controllers/deployment/controller.ts';
import { replicaSet } from '../../../src/controlplane/controllers/replica-set/controller.ts';
import type { Controller, ReconcileInput, Write } from '../../../src/controlplane/runtime/index.ts';
import { deploymentInvariants } from '../../../src/lab/invariants/deployment.ts';
import { replicaSetInvariants } from '../../../src/lab/invariants/replica-set.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { inStatus, seeing, withMutant, writing } from '../../support/mutants.ts';
import { runScenario } from '../../support/scenarios.ts';

interface Story {
  readonly strategy?: string;
  /** Pods of the second template match no node. */
  readonly stuck?: true;
  readonly steps?: readonly string[];
}

/** A Deployment of four pods that gets another template. */
function run({ strategy = 'maxSurge: 1, maxUnavailable: 1', stuck, steps = [] }: Story, invariants: string, mutant?: Controller): Run {
  return runScenario(
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: story }
spec:
  cluster:
    nodes: { count: 1 }
    podBehaviors: [{ startDelay: 500ms, readyDelay: 500ms, terminationDelay: 200ms }]
  invariants: [${invariants}]
  steps:
    - apply:
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: web }
        spec: { replicas: 4, strategy: { rollingUpdate: { ${strategy} } }, progressDeadlineSeconds: 20, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } }
    - { when: settled, patch: { target: Deployment/web, type: strategic, patch: { spec: { template: { spec: { ${stuck === true ? 'nodeSelector: { no: where }, ' : ''}containers: [{ name: c, image: "c:2" }] } } } } } }
${steps.map((step) => `    - ${step}`).join('\n')}`,
    { controllers: withMutant(mutant) },
  );
}

const NEVER: Story = { stuck: true };
const allowing = (rollingUpdate: object): Controller =>
  seeing<Deployment>(deployment, ({ self, ...input }) => ({
    ...input,
    self: {
      ...self,
      spec: { ...self.spec, strategy: { ...self.spec.strategy, rollingUpdate: { ...self.spec.strategy.rollingUpdate, ...rollingUpdate } } },
    },
  }));

/** The controller with other sizes where it scales a set down; undefined: no change. */
const shrinking = (size: (before: number, after: number) => number | undefined): Controller =>
  writing<Deployment>(deployment, (write, input: ReconcileInput<Deployment>): Write | undefined => {
    if (write.op !== 'patch') return write;
    const { spec, ...patch } = write.patch as { readonly spec?: { readonly replicas?: number } };
    const set = input.cache.get('ReplicaSet', write.namespace, write.name);
    if (set === undefined || spec?.replicas === undefined || spec.replicas >= set.spec.replicas) return write;
    const replicas = size(set.spec.replicas, spec.replicas);
    return replicas === undefined ? undefined : { ...write, patch: { ...patch, spec: { replicas } } };
  });

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const podsTwice = writing(replicaSet, (write) => (write.op === 'create' ? [write, write] : write));

interface Mutant {
  readonly name: string;
  readonly does: string;
  readonly story: Story;
  readonly mutant: Controller;
  /** The scenario in which the property is exercised for the real controller, if it is another. */
  readonly exercisedIn?: Story;
  readonly says: RegExp;
}

const MUTANTS: readonly Mutant[] = [
  {
    name: 'deployment/surge-respected',
    does: 'takes three more pods for one',
    story: {},
    mutant: allowing({ maxSurge: 3 }),
    says: /was scaled to \d pods, which makes [67] in all, and at most 5 are allowed/,
  },
  {
    name: 'deployment/availability-respected',
    does: 'takes all pods down at once',
    story: {},
    mutant: allowing({ maxUnavailable: '100%' }),
    says: /went from \d to \d, which leaves \d available pods, and at least 3 are required/,
  },
  {
    name: 'deployment/availability-respected',
    does: 'takes away one more than it may of what is ready',
    story: NEVER,
    mutant: shrinking((_before, after) => Math.max(0, after - 1)),
    says: /which leaves [0-2] available pods, and at least 3 are required/,
  },
  {
    name: 'deployment/old-sets-never-grow',
    does: 'adds where it should take away',
    story: {},
    mutant: shrinking((before, after) => (before < 8 ? before + 1 : after)),
    says: /is of an earlier template and went from \d to \d/,
  },
  {
    name: 'deployment/one-template-when-complete',
    does: 'is content too early',
    story: NEVER,
    exercisedIn: {},
    mutant: writing(
      deployment,
      inStatus(({ conditions, ...status }) => ({
        ...status,
        conditions: JSON.parse(JSON.stringify(conditions ?? []).replace('ProgressDeadlineExceeded', 'NewReplicaSetAvailable')) as unknown,
      })),
    ),
    says: /is complete, and web-\S+ of an earlier template has 3 pods/,
  },
  {
    name: 'deployment/observed-generation-is-true',
    does: 'claims to have seen more than there is',
    story: {},
    mutant: writing(
      deployment,
      inStatus(({ observedGeneration, ...status }) => ({ ...status, observedGeneration: number(observedGeneration) + 1 })),
    ),
    says: /has observedGeneration 2, and its generation is 1/,
  },
  {
    name: 'deployment/status-tells-the-truth',
    does: 'counts one pod less',
    story: {},
    mutant: writing(
      deployment,
      inStatus(({ updatedReplicas, ...status }) => ({ ...status, updatedReplicas: Math.max(0, number(updatedReplicas) - 1) })),
    ),
    says: /has updatedReplicas 3, and it is 4/,
  },
  {
    name: 'deployment/comes-to-rest-complete',
    does: 'never takes the last old pods away',
    story: {},
    mutant: shrinking((_before, after) => (after === 0 ? undefined : after)),
    says: /still wants \d pods of web-\S+, and nothing will happen any more/,
  },
  {
    name: 'replica-set/no-pod-too-many',
    does: 'makes each pod twice',
    story: {},
    mutant: podsTwice,
    says: /created pod web-\S+ and has 5, and wants 4/,
  },
  {
    name: 'replica-set/observed-generation-is-true',
    does: 'forgets what it has observed',
    story: { steps: ['{ when: settled, patch: { target: Deployment/web, type: merge, patch: { spec: { replicas: 2 } } } }'] },
    mutant: writing(
      replicaSet,
      inStatus(({ observedGeneration, ...status }) => (observedGeneration === 1 ? { ...status, observedGeneration } : status)),
    ),
    says: /had observedGeneration 1, and has 0 now/,
  },
  {
    name: 'replica-set/status-tells-the-truth',
    does: 'does not report the last ready pod',
    story: {},
    mutant: writing(replicaSet, (write) =>
      write.op === 'update' && (write.object['status'] as { readonly readyReplicas?: number }).readyReplicas === 4 ? undefined : write,
    ),
    says: /has readyReplicas \d, and it is 4/,
  },
  {
    name: 'replica-set/comes-to-rest-complete',
    does: 'deletes no pod',
    story: { steps: ['{ when: settled, patch: { target: Deployment/web, type: merge, patch: { spec: { replicas: 2 } } } }'] },
    mutant: writing(replicaSet, (write) => (write.op === 'delete' ? undefined : write)),
    says: /has \d pods and wants \d, and nothing will happen any more/,
  },
];

const about = (of: Run, name: string): readonly string[] =>
  of.failures.filter(({ invariant }) => invariant === name).map(({ message }) => message);

describe.each(MUTANTS)('$name', ({ name, does, story, mutant, exercisedIn = story, says }) => {
  it(`catches a controller that ${does}, and holds with the real one, exercised`, () => {
    expect(about(run(story, name, mutant), name)).toEqual([expect.stringMatching(says)]);
    const { failures, invariants } = run(exercisedIn, `'deployment/*', ${name}`);
    expect(failures.map(({ invariant = '', message }) => `${invariant}: ${message}`)).toEqual([]);
    expect(invariants.find((each) => each.name === name)?.exercised).toBeGreaterThan(0);
  });
});

it('every invariant has a controller that breaks it', () => {
  const names = [...deploymentInvariants, ...replicaSetInvariants].map(({ name }) => name);
  expect(new Set(MUTANTS.map(({ name }) => name))).toEqual(new Set(names));
});
