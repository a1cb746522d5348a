import { describe, expect, it } from 'vitest';
import type { DaemonSet } from '../../../src/apiserver/kinds/index.ts';
import { daemonSet } from '../../../src/controlplane/controllers/daemon-set/controller.ts';
import type { Controller, Write } from '../../../src/controlplane/runtime/index.ts';
import { daemonSetInvariants, createPast, surgeOf } from '../../../src/lab/invariants/daemon-set.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { inStatus, seeing, withMutant, writing } from '../../support/mutants.ts';
import { runScenario } from '../../support/scenarios.ts';

/**
 * A set with maxSurge and one without; a node is added, one is relabelled, and both sets get another template when all pods have long been
 * ready.
 */
const STORY = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: mutant }
spec:
  until: 4m
  invariants: ["*", ${daemonSetInvariants.map(({ name }) => name).join(', ')}]
  cluster:
    nodes: [{ name: node-0, labels: { disk: fast } }, { name: node-1, labels: { disk: fast } }, { name: node-2 }, { name: node-3, labels: { disk: fast } }]
    podBehaviors: [{ startDelay: 200ms, readyDelay: 200ms }]
  steps:
    - create:
        - { apiVersion: apps/v1, kind: DaemonSet, metadata: { name: plain }, spec: { selector: { matchLabels: { app: plain } }, template: { metadata: { labels: { app: plain } }, spec: { nodeSelector: { disk: fast }, containers: [{ name: c, image: "c:1" }] } } } }
        - { apiVersion: apps/v1, kind: DaemonSet, metadata: { name: surging }, spec: { selector: { matchLabels: { app: surging } }, updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }, template: { metadata: { labels: { app: surging } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }
    - { at: 20s, patch: { target: Node/node-1, type: merge, patch: { metadata: { labels: { disk: slow } } } } }
    - { at: 1m, patch: { target: DaemonSet/plain, type: merge, patch: { spec: { template: { spec: { containers: [{ name: c, image: "c:2" }] } } } } } }
    - { at: 2m, patch: { target: DaemonSet/surging, type: merge, patch: { spec: { template: { spec: { containers: [{ name: c, image: "c:2" }] } } } } } }
`;

const run = (mutant?: Controller): Run => runScenario(STORY, { invariants: daemonSetInvariants, controllers: withMutant(mutant) });

const isPod = (write: Write): boolean => write.op === 'create' && write.object.kind === 'Pod';
/** Creates a second pod for node-2 beside that for node-0. */
const twice = (write: Write): readonly Write[] => {
  const text = JSON.stringify(write);
  const other = text.replace('"values":["node-0"]', '"values":["node-2"]');
  return text === other ? [write] : [write, JSON.parse(other) as Write];
};
/** Reads the set as if it allowed any surge. */
const boundless = seeing<DaemonSet>(daemonSet, (input) => ({
  ...input,
  self: {
    ...input.self,
    spec: { ...input.self.spec, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '100%' } } },
  },
}));

const MUTANTS: readonly { readonly name: string; readonly does: string; readonly mutant: Controller; readonly says: RegExp }[] = [
  {
    name: 'daemon-set/only-where-it-fits',
    does: 'makes a pod for a node that it was not asked to run on',
    mutant: writing<DaemonSet>(daemonSet, (write) => (isPod(write) ? twice(write) : write)),
    says: /^pod default\/plain-\w+ was created for node-2, which DaemonSet default\/plain does not match$/,
  },
  {
    name: 'daemon-set/two-only-within-surge',
    does: 'surges without an end',
    mutant: boundless,
    says: /^pod default\/(plain-\w+ is the second on node-\d beside plain-\w+, and DaemonSet default\/plain has no maxSurge|surging-\w+ is the second on node-\d: 2 nodes have two, and maxSurge allows 1)$/,
  },
  {
    name: 'daemon-set/one-on-each-fitting-node',
    does: 'lets its pods stay on a node that does not fit any more',
    mutant: writing<DaemonSet>(daemonSet, (write) => (write.op === 'delete' && write.kind === 'Pod' ? undefined : write)),
    says: /^DaemonSet default\/plain has pod plain-\w+ on node-1, which it does not match, and nothing will happen any more$/,
  },
  {
    name: 'daemon-set/status-tells-the-truth',
    does: 'counts one ready too many',
    mutant: writing<DaemonSet>(
      daemonSet,
      inStatus((status) => ({ ...status, numberReady: Number(status['numberReady'] ?? 0) + 1 })),
    ),
    says: /^DaemonSet default\/\w+ has numberReady \d, and it is \d$/,
  },
];

describe('invariants of DaemonSets', () => {
  it('hold, and are exercised', () => {
    const { failures, invariants } = run();
    expect(failures).toEqual([]);
    for (const { name, exercised } of invariants) expect(exercised, name).toBeGreaterThan(0);
  });

  it('each has a mutant', () => {
    expect(new Set(MUTANTS.map(({ name }) => name))).toEqual(new Set(daemonSetInvariants.map(({ name }) => name)));
  });

  it.each(MUTANTS)('$name notices a controller that $does', ({ name, mutant, says }) => {
    const broken = run(mutant).failures.filter(({ invariant }) => invariant === name);
    expect(broken.map(({ message }) => message)).toEqual([expect.stringMatching(says)]);
  });
});

it('remembers replaced versions of sets and nodes, and of nothing else', () => {
  const past = createPast();
  const version = (kind: string, spec: object) => ({ apiVersion: 'v1', kind, metadata: { name: 'x', uid: 'u' }, spec }) as never;
  const replaced = (kind: string): void => {
    past.observe({ type: 'MODIFIED', kind, object: version(kind, { a: 2 }), previous: version(kind, { a: 1 }), at: 5 } as never);
  };
  replaced('Pod');
  expect(past.describe()).toEqual(new Map());
  replaced('Node');
  replaced('DaemonSet');
  expect(past.describe()).toEqual(
    new Map([
      ['x', [{ object: version('Node', { a: 1 }), until: 5 }]],
      ['u', [{ object: version('DaemonSet', { a: 1 }), until: 5 }]],
    ]),
  );
});

it('counts second pods only in a rolling update, and rounds a part of the nodes up', () => {
  const surge = (updateStrategy: object): number => surgeOf({ spec: { updateStrategy } } as never, 4);
  expect(surge({ type: 'RollingUpdate', rollingUpdate: { maxSurge: '26%' } })).toBe(2);
  expect(surge({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } })).toBe(1);
  expect(surge({ type: 'OnDelete', rollingUpdate: { maxSurge: 1 } })).toBe(0);
  expect(surge({ type: 'RollingUpdate' })).toBe(0);
});
