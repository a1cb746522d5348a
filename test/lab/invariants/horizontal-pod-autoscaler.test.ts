import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { horizontalPodAutoscaler } from '../../../src/controlplane/controllers/horizontal-pod-autoscaler/controller.ts';
import type { Controller, Write } from '../../../src/controlplane/runtime/index.ts';
import { createMetered } from '../../../src/controlplane/usage/index.ts';
import { horizontalPodAutoscalerInvariants } from '../../../src/lab/invariants/horizontal-pod-autoscaler.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { withMutant, writing } from '../../support/mutants.ts';
import { runScenario, scenarioIn } from '../../support/scenarios.ts';

/** Load that rises and falls: one autoscaler with a scaling behavior of its own and one without, and a maximum that is lowered. */
const autoscaler = (name: string, behavior: string): string => `
        - { apiVersion: apps/v1, kind: Deployment, metadata: { name: ${name} }, spec: { replicas: 2, selector: { matchLabels: { app: ${name} } }, template: { metadata: { labels: { app: ${name} } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }
        - apiVersion: autoscaling/v2
          kind: HorizontalPodAutoscaler
          metadata: { name: ${name} }
          spec:
            scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} }
            minReplicas: 2
            maxReplicas: 12
            metrics: [{ type: External, external: { metric: { name: queue }, target: { type: AverageValue, averageValue: "10" } } }]
            ${behavior}`;
const STORY = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: mutant }
spec:
  until: 9m
  invariants: ["*", ${horizontalPodAutoscalerInvariants.map(({ name }) => name).join(', ')}]
  cluster:
    podBehaviors: [{ startDelay: 200ms, readyDelay: 200ms }]
    metrics: [{ name: queue, external: true, value: [{ at: 0s, is: "20" }, { at: 30s, is: "110" }, { at: 90s, is: "10" }] }]
  steps:
    - create:${autoscaler('own', 'behavior: { scaleDown: { stabilizationWindowSeconds: 90 } }')}${autoscaler('plain', '')}
    - { at: 3m, patch: { target: HorizontalPodAutoscaler/plain, type: merge, patch: { spec: { maxReplicas: 8 } } } }
`;

const run = (mutant?: Controller): Run =>
  runScenario(STORY, {
    invariants: horizontalPodAutoscalerInvariants,
    ...(mutant === undefined ? {} : { controllers: withMutant(mutant) }),
  });

const { cluster } = scenarioIn(STORY);
const real = horizontalPodAutoscaler(kindsFor(namesFor('orch.io')), createMetered(undefined, cluster.metrics, Date.UTC(2024, 2, 1)));
/** The controller without its memory of recommendations. */
const forgetful: typeof real = {
  ...real,
  resume: (input, answer) => {
    const { memory } = input;
    const empty = memory === undefined ? {} : { memory: { dueAt: memory.dueAt, recommendations: [] } };
    return real.resume?.({ ...input, ...empty }, answer) ?? { why: 'nothing is left', writes: [] };
  },
};
/** The controller with another size than it decided on. */
const giving = (size: (decided: number, target: string) => number): Controller =>
  writing(real, (write): Write => {
    if (write.op !== 'patch' || write.subresource !== 'scale') return write;
    const { spec, ...rest } = write.patch as { readonly spec: { readonly replicas: number } };
    return { ...write, patch: { ...rest, spec: { replicas: size(spec.replicas, write.name) } } };
  });

const MUTANTS: readonly { readonly name: string; readonly does: string; readonly mutant: Controller; readonly says: RegExp }[] = [
  {
    name: 'horizontal-pod-autoscaler/within-bounds',
    does: 'gives two more than it decided on',
    mutant: giving((decided, target) => (target === 'own' ? decided + 2 : decided)),
    says: /^Deployment default\/own was scaled from \d+ to 13, and maxReplicas is 12$/,
  },
  {
    name: 'horizontal-pod-autoscaler/keeps-its-wishes',
    does: 'forgets what it asked for',
    mutant: writing(forgetful, (write) => write),
    says: /^Deployment default\/own was scaled from \d+ to \d, \d+ seconds after it requested \d+; its window is 90 s$/,
  },
  {
    name: 'horizontal-pod-autoscaler/no-faster-than-allowed',
    does: 'goes up as far as it likes',
    mutant: giving((decided, target) => (target === 'plain' && decided > 2 ? 8 : decided)),
    says: /^Deployment default\/plain was scaled from 2 to 8, and no more than 4 are allowed at a time$/,
  },
];

describe('invariants of autoscalers', () => {
  it('hold, and are exercised', () => {
    const { failures, invariants } = run();
    expect(failures).toEqual([]);
    for (const { name, exercised } of invariants) expect(exercised, name).toBeGreaterThan(0);
  });

  it('each has a mutant', () => {
    expect(new Set(MUTANTS.map(({ name }) => name))).toEqual(new Set(horizontalPodAutoscalerInvariants.map(({ name }) => name)));
  });

  it.each(MUTANTS)('$name notices a controller that $does', ({ name, mutant, says }) => {
    const broken = run(mutant).failures.filter(({ invariant }) => invariant === name);
    expect(broken.map(({ message }) => message)).toEqual([expect.stringMatching(says)]);
  });
});
