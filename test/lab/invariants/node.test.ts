import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../../src/apiserver/kinds/index.ts';
import { nodeLifecycle } from '../../../src/controlplane/controllers/node-lifecycle/controller.ts';
import { taintEviction } from '../../../src/controlplane/controllers/taint-eviction/controller.ts';
import type { Controller } from '../../../src/controlplane/runtime/index.ts';
import { nodeInvariants } from '../../../src/lab/invariants/node.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { runScenario } from '../../support/scenarios.ts';
import { seeing, withMutant, writing } from '../../support/mutants.ts';

/** A node is silent and comes back, with pods of different toleration times. */
const STORY = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: mutant }
spec:
  until: 4m
  invariants: ["*", ${nodeInvariants.map(({ name }) => name).join(', ')}]
  cluster: { nodes: { count: 3 }, podBehaviors: [{ startDelay: 200ms }] }
  steps:
    - create:
        - { apiVersion: v1, kind: Pod, metadata: { name: ten }, spec: { nodeName: node-0, containers: [{ name: c, image: "c:1" }], tolerations: [{ key: node.orch.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 10 }] } }
        - { apiVersion: v1, kind: Pod, metadata: { name: patient }, spec: { nodeName: node-0, containers: [{ name: c, image: "c:1" }], tolerations: [{ operator: Exists }] } }
    - { at: 20s, fault: { nodeDown: node-0 } }
    - { at: 2m, fault: { nodeUp: node-0 } }
`;

function run(mutant?: Controller): Run {
  return runScenario(STORY, { invariants: nodeInvariants, controllers: withMutant(mutant) });
}

const real = nodeLifecycle as unknown as Controller;
const MUTANTS: readonly { readonly name: string; readonly does: string; readonly mutant: Controller; readonly says: RegExp }[] = [
  {
    name: 'node/unknown-only-when-silent',
    does: 'believes that no lease is ever renewed',
    mutant: {
      ...real,
      reconcile: (input) =>
        real.reconcile({
          ...input,
          renewalInterval: () => undefined,
          cache: {
            ...input.cache,
            get: (kind, namespace, name) => (kind === 'Lease' ? undefined : input.cache.get(kind, namespace, name)),
          },
        }),
    },
    says: /^Node node-\d was declared unknown \d+(\.\d+)? s after its last heartbeat$/,
  },
  {
    name: 'node/evictions-in-time',
    does: 'takes every toleration for one of a second',
    mutant: seeing<Pod>(taintEviction, (input) => ({
      ...input,
      self: {
        ...input.self,
        spec: {
          ...input.self.spec,
          tolerations: (input.self.spec.tolerations ?? []).map((toleration) => ({ ...toleration, tolerationSeconds: 1 })),
        },
      },
    })),
    says: /^Pod default\/\w+ was evicted from node-0 9 s before its tolerations end$/,
  },
  {
    name: 'node/taints-follow-state',
    does: 'never takes off a taint that evicts',
    mutant: writing<Node>(nodeLifecycle, (write, { self }) =>
      write.op === 'patch' &&
      JSON.stringify(write.patch).includes('"taints":[]') &&
      self.spec.taints?.some(({ effect }) => effect === 'NoExecute') === true
        ? undefined
        : write,
    ),
    says: /^Node node-0 is ready and still has the taint node\.orch\.io\/unreachable$/,
  },
];

describe('invariants of nodes', () => {
  it('hold, and are exercised', () => {
    const { failures, invariants } = run();
    expect(failures).toEqual([]);
    for (const { name, exercised } of invariants) expect(exercised, name).toBeGreaterThan(0);
  });

  it('each has a mutant', () => {
    expect(new Set(MUTANTS.map(({ name }) => name))).toEqual(new Set(nodeInvariants.map(({ name }) => name)));
  });

  it.each(MUTANTS)('$name notices a controller that $does', ({ name, mutant, says }) => {
    const broken = run(mutant).failures.filter(({ invariant }) => invariant === name);
    expect(broken.map(({ message }) => message)).toEqual([expect.stringMatching(says)]);
  });
});
