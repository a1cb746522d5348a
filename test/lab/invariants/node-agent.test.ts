/** Invariants of agents: each holds in its scenario, and breaks with a planted bug. */
import { describe, expect, it } from 'vitest';
import type { Controller } from '../../../src/controlplane/runtime/index.ts';
import { requestsOf } from '../../../src/controlplane/shared/index.ts';
import { nodeAgentInvariants } from '../../../src/lab/invariants/node-agent.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { runScenario } from '../../support/scenarios.ts';

/** A pod grows until its node is under pressure; others request the free resources. */
const STORY = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: mutant }
spec:
  until: 3m
  invariants: ["*", ${nodeAgentInvariants.map(({ name }) => name).join(', ')}]
  cluster:
    nodes: [{ name: a, capacity: { cpu: 2, memory: 1000Mi }, clientCertificate: 2m, agent: { rotateCertificates: true, nodeLeaseDurationSeconds: 20, evictionSoft: { memory.available: 400Mi }, evictionSoftGracePeriod: { memory.available: 20s } } }]
    certificateSigners: [{ lasts: 1h }]
    usage: [{ selector: { matchLabels: { app: hog } }, memory: { from: 10Mi, to: 900Mi, over: 1m } }]
---
{ apiVersion: v1, kind: Pod, metadata: { name: hog, labels: { app: hog } }, spec: { containers: [{ name: c, image: "c:1" }] } }
---
{ apiVersion: v1, kind: Pod, metadata: { name: first }, spec: { nodeName: a, containers: [{ name: c, image: "c:1", resources: { requests: { cpu: 1500m } } }] } }
---
{ apiVersion: v1, kind: Pod, metadata: { name: bound }, spec: { nodeName: a, containers: [{ name: c, image: "c:1", resources: { requests: { cpu: 1500m } } }] } }
---
{ apiVersion: v1, kind: Pod, metadata: { name: second }, spec: { containers: [{ name: c, image: "c:1", resources: { requests: { cpu: 1500m } } }] } }
`;

const run = (name = '', mutant: (real: Controller) => Controller = (real) => real): Run =>
  runScenario(STORY, {
    alter: (process) => ({ ...process, controllers: process.controllers.map((each) => (each.name === name ? mutant(each) : each)) }),
  });

const MUTANTS: readonly {
  readonly name: string;
  readonly does: string;
  readonly of: string;
  readonly mutant: (real: Controller) => Controller;
  readonly says: RegExp;
}[] = [
  {
    name: 'node/evicted-below-threshold',
    does: 'evicts a pod though there are enough resources',
    of: 'pod-runner',
    mutant: (real) => ({
      ...real,
      reconcileAbsent(input) {
        const outcome = real.reconcileAbsent?.(input) ?? { why: 'nothing', writes: [] };
        const [pod] = input.cache.by('Pod', 'nodeName', 'a');
        if (input.key !== 'eviction' || pod === undefined || pod.status?.phase !== 'Running') return outcome;
        // The reported free memory is wrong: the usage of the node shows it.
        const because = { at: input.now, signal: 'memory.available', available: 100, limit: 400, metForMs: 0, graceMs: 0 };
        const failure = { reason: 'Evicted', message: 'The node was low on resource: memory. ' };
        const run = {
          stage: 'over',
          until: Infinity,
          killed: true,
          failure,
          policy: 'Never',
          last: undefined,
          restarts: 0,
          attempts: 0,
          attemptsOf: '',
          ip: '',
          asks: requestsOf({ containers: [] }),
          startedAt: 0,
        };
        return {
          ...outcome,
          actions: [...(outcome.actions ?? []), { does: 'evict', uid: pod.metadata.uid, run, because }],
          enqueue: ['default/hog', 'default/first', 'default/bound'],
        };
      },
    }),
    says: /^Pod default\/\w+ was evicted from a for memory.available with \d+ left, where 400 is the threshold$/,
  },
  {
    name: 'node/leases-renewed-in-time',
    does: 'forgets its lease',
    of: 'node-registration',
    mutant: (real) => ({
      ...real,
      reconcile(input) {
        const { heartbeat: _, ...outcome } = real.reconcile(input);
        return { ...outcome, writes: outcome.writes.filter((write) => write.op !== 'patch' || write.kind !== 'Lease') };
      },
    }),
    says: /^the lease of node a lasts 20 s and has not been renewed for \d+(\.\d+)? s$/,
  },
  {
    name: 'node/holds-its-pods',
    does: 'forgets what pods ask for',
    of: 'pod-runner',
    mutant: (real) => ({
      ...real,
      reconcile: (input) => real.reconcile({ ...input, self: modest(input.self) }),
    }),
    says: /^Pod default\/(first|bound) was admitted on a, whose cpu of 2 is not enough$/,
  },
];

/** An agent whose certificate expires, in a cluster whose server does not check certificates. */
const UNCHECKED = STORY.replace('rotateCertificates: true, ', '');

/** The pod without its requests. */
const modest = <O extends object>(object: O): O => {
  const { spec } = object as unknown as { readonly spec: { readonly containers: readonly object[] } };
  return { ...object, spec: { ...spec, containers: spec.containers.map((container) => ({ ...container, resources: {} })) } };
};

describe('invariants of agents', () => {
  it('node/writes-with-a-good-certificate breaks when certificates are not checked', () => {
    const broken = runScenario(UNCHECKED, {
      alter: ({ isAuthenticated: _, ...process }) => process,
    }).failures.map(({ message, detail = [] }) => [message, ...detail].join('\n'));
    expect(broken.join('\n')).toMatch(/agent\/a changed \w+ .*, and has a client certificate that expired \d+(\.\d+)? s ago/);
  });

  it('hold, and are exercised', () => {
    const ended = run();
    expect(ended.failures.map(({ message }) => message)).toEqual([]);
    for (const { name } of nodeAgentInvariants)
      expect(ended.invariants.find((each) => each.name === name)?.exercised, name).toBeGreaterThan(0);
  });

  it.each(MUTANTS)('$name breaks when an agent $does', ({ name, of, mutant, says }) => {
    const broken = run(of, mutant).failures.filter((failure) => failure.message.includes(name) || says.test(failure.message));
    expect(broken.map(({ message }) => message).join('\n')).toMatch(new RegExp(says.source, 'm'));
  });
});
