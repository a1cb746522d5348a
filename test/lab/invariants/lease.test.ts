import { describe, expect, it } from 'vitest';
import type { Lease } from '../../../src/apiserver/kinds/index.ts';
import type { Controller, Outcome, ProcessSpec } from '../../../src/controlplane/runtime/index.ts';
import { leaseInvariants } from '../../../src/lab/invariants/lease.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

/** Leaders are disconnected, crash and stop while there is work; leadership ends in every way. */
const STORY = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: mutant }
spec:
  until: 2m
  cluster: { nodes: { count: 1 }, schedulers: 2, controllerManagers: 2, podBehaviors: [{ runFor: 2s }] }
  steps:
    - at: 1s
      create: { apiVersion: batch/v1, kind: Job, metadata: { name: work }, spec: { completions: 30, parallelism: 1, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - { at: 10s, fault: { partition: scheduler, for: 40s } }
    - { at: 15s, fault: { crash: controller-manager, restartAfter: 30s } }
    - { at: 80s, fault: { stop: scheduler-1, restartAfter: 1s } }
`;

function run(mutate?: (elector: Controller) => Controller): Run {
  const scenario = scenarioIn(STORY);
  const alter = (process: ProcessSpec): ProcessSpec =>
    process.elector === undefined || mutate === undefined ? process : { ...process, elector: mutate(process.elector) };
  return simulate(scenario, { invariants: leaseInvariants, alter });
}

const seeing =
  (change: (lease: Lease, mine: boolean) => Lease) =>
  (elector: Controller): Controller => ({
    ...elector,
    resume: (input, answer) => {
      const lease = answer.object as Lease | undefined;
      const own = lease?.spec.holderIdentity?.startsWith(`${input.process}_`) === true;
      return (
        elector.resume?.(input, answer.write.op === 'get' && lease !== undefined ? { ...answer, object: change(lease, own) } : answer) ?? {
          why: '',
          writes: [],
        }
      );
    },
  });
const writing =
  (change: (outcome: Outcome) => Outcome) =>
  (elector: Controller): Controller => ({
    ...elector,
    reconcile: (input) => change(elector.reconcile(input)),
    resume: (input, answer) => change(elector.resume?.(input, answer) ?? { why: '', writes: [] }),
  });

const MUTANTS: readonly {
  readonly name: string;
  readonly does: string;
  readonly mutate: (elector: Controller) => Controller;
  readonly says: RegExp;
}[] = [
  {
    name: 'lease/one-holder',
    does: 'takes any lease that is not its own',
    mutate: seeing((lease, mine) => (mine ? lease : { ...lease, spec: { ...lease.spec, holderIdentity: '' } })),
    says: /acquired the lease orch-system\/orch-\S+ from \S+ 1\d\.\d+ s before it expired/,
  },
  {
    name: 'lease/transitions-counted',
    does: 'counts renewals',
    mutate: writing((outcome) => ({
      ...outcome,
      writes: outcome.writes.map((write) =>
        write.op === 'update'
          ? {
              ...write,
              object: {
                ...write.object,
                spec: { ...(write.object as Lease).spec, leaseTransitions: ((write.object as Lease).spec.leaseTransitions ?? 0) + 1 },
              },
            }
          : write,
      ),
    })),
    says: /did not change hands, but leaseTransitions went from \d to \d|changed hands, but leaseTransitions went from 0 to 2/,
  },
  {
    name: 'lease/only-the-leader-acts',
    does: 'goes on when it cannot renew',
    mutate: writing(({ process, ...outcome }) => ({ ...outcome, ...(process === undefined || process === 'exit' ? {} : { process }) })),
    says: /^scheduler wrote \S+ \S+, though scheduler-1 holds the lease$/,
  },
];

describe('invariants of leases', () => {
  it('hold, and are exercised', () => {
    const { failures, invariants } = run();
    expect(failures).toEqual([]);
    for (const { name, exercised } of invariants) expect(exercised, name).toBeGreaterThan(3);
  });

  it('each has a mutant', () => {
    expect(new Set(MUTANTS.map(({ name }) => name))).toEqual(new Set(leaseInvariants.map(({ name }) => name)));
  });

  it.each(MUTANTS)('$name notices an elector that $does', ({ name, mutate, says }) => {
    const broken = run(mutate).failures.filter(({ invariant }) => invariant === name);
    expect(broken.map(({ message }) => message)).toEqual([expect.stringMatching(says)]);
  });
});
