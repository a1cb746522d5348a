/** What a scenario says of its processes, seen in a run: elections by flags, gates. */
import { describe, expect, it } from 'vitest';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const run = (spec: string, documents = ''): Run =>
  simulate(scenarioIn(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n${spec}\n${documents}`));
const objects = <K extends string>({ cluster }: Run, kind: K) => [...cluster.store.values(kind)];

describe('elections', () => {
  it('go by the flags: how long a leader may be silent, and where the lock is', () => {
    const holder = (until: number) => {
      const lease = objects(
        run(`  until: ${until}s
  cluster:
    schedulers: 2
    scheduler: [--leader-elect-lease-duration=6s, --leader-elect-renew-deadline=4s, --leader-elect-retry-period=1s, --leader-elect-resource-name=lock, --leader-elect-resource-namespace=default]
  steps:
    - { at: 1s, fault: { crash: scheduler } }`),
        'Lease',
      ).find(({ metadata }) => metadata.name === 'lock' && metadata.namespace === 'default');
      return [lease?.spec.leaseDurationSeconds, lease?.spec.holderIdentity?.split('_')[0]];
    };
    expect(holder(4)).toEqual([6, 'scheduler']);
    expect(holder(12)).toEqual([6, 'scheduler-1']);
  });
});

const SPREAD = `---
apiVersion: v1
kind: Pod
metadata: { name: p, labels: { app: p } }
spec:
  containers: [{ name: c, image: "c:1" }]
  topologySpreadConstraints: [{ maxSkew: 1, minDomains: 3, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: p } } }]
---
apiVersion: v1
kind: Pod
metadata: { name: q, labels: { app: p } }
spec:
  containers: [{ name: c, image: "c:1" }]
  topologySpreadConstraints: [{ maxSkew: 1, minDomains: 3, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: p } } }]
`;

describe('an agent', () => {
  it('registers its node', () => {
    const names = objects(run('  until: 1s\n  cluster: { nodes: [{ name: east }] }'), 'Node').map(({ metadata }) => metadata.name);
    expect(names).toEqual(['east']);
  });
});

describe('gates', () => {
  it.each([
    [true, 1],
    [false, 2],
  ])('MinDomainsInPodTopologySpread %s: with one domain of three that there should be, %i of two pods get a node', (on, placed) => {
    const ended = run(
      `  until: 5s
  featureGates: { MinDomainsInPodTopologySpread: ${on} }
  cluster: { nodes: [{ name: node, labels: { zone: z } }] }`,
      SPREAD,
    );
    expect(objects(ended, 'Pod').filter(({ spec }) => spec.nodeName !== undefined)).toHaveLength(placed);
  });
});
