/**
 * Elided lease renewals and real ones give the same objects at every moment, under any configuration, faults and watchers. At one instant
 * elided renewals come before all other events, so revisions within an instant may be swapped; their number is the same.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { createCluster, type Cluster } from '../../../src/controlplane/cluster.ts';
import type { Delay } from '../../../src/controlplane/runtime/rate.ts';
import { faults } from '../../../src/lab/faults/index.ts';
import { performFault } from '../../../src/lab/simulation/actions.ts';

interface Config {
  readonly nodes: number;
  readonly leaseSeconds: number;
  readonly api: Delay;
  readonly watch: Delay;
  readonly seed: number;
}

const SECOND = 1_000;
/** A longer search by hand: `ORCHSIM_LEASE_RUNS=3000 ORCHSIM_LEASE_SEED=7 npx vitest run test/lab/simulation/leases.test.ts`. */
const RUNS = Number(process.env['ORCHSIM_LEASE_RUNS'] ?? 60);
const open = ({ nodes, leaseSeconds, api, watch, seed }: Config, eagerLeases: boolean): Cluster =>
  createCluster({
    nodes: Array.from({ length: nodes }, (_, at) => ({ name: `node-${at}`, capacity: { cpu: '4' } })),
    agents: { nodeLeaseDurationSeconds: leaseSeconds },
    latency: { api, watch },
    seed,
    eagerLeases,
  });

/** The number at the end of an Event's name; numbers are assigned in order. */
const numberOf = (event: ApiObject): string => event.metadata.name.slice(-5);

/**
 * All objects at a moment without what depends on the order within an instant: revisions, and which of two Events of one instant has the
 * lower number. The number of both is the same.
 */
const view = ({ store, now, startAt }: Cluster) => ({
  at: now - startAt,
  revision: store.revision,
  numbers: [...store.values('Event')].map(numberOf).sort(),
  objects: ['Node', 'Lease', 'Event', 'Namespace'].flatMap((kind) =>
    [...store.values(kind)]
      .map((object) => {
        const { resourceVersion: _, uid: __, ...metadata } = object.metadata;
        const name = kind === 'Event' ? metadata.name.slice(0, -5) : metadata.name;
        return { ...object, metadata: { ...metadata, name } };
      })
      .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)),
  ),
});
const sortKey = (object: { readonly metadata: { readonly name: string }; readonly reason?: unknown; readonly message?: unknown }): string =>
  `${object.metadata.name} ${JSON.stringify(object.reason)} ${JSON.stringify(object.message)}`;

const lease = (node: number) => ({ kind: 'Lease', namespace: 'orch-node-lease', name: `node-${node}` });
type Doing = (cluster: Cluster, lifts: (() => void)[]) => void;
const fault =
  (name: string, subject: string, parameters: Readonly<Record<string, unknown>> = {}): Doing =>
  (cluster) => {
    performFault(cluster, faults, { name, subject, parameters: { ...parameters, ifPossible: true } });
  };

const span = fc.integer({ min: 1, max: 90 }).map((seconds) => seconds * SECOND + 17);
const processes = fc.constantFrom('agent/node-0', 'controller-manager', 'scheduler');
const actions: fc.Arbitrary<readonly [string, Doing]> = fc.oneof(
  fc.constant(['nodeDown', fault('nodeDown', 'node-0')] as const),
  fc.constant(['nodeUp', fault('nodeUp', 'node-0')] as const),
  fc.tuple(processes, span).map(([who, restartAfter]) => [`crash ${who} ${restartAfter}`, fault('crash', who, { restartAfter })] as const),
  fc.tuple(processes, span).map(([who, forMs]) => [`partition ${who} ${forMs}`, fault('partition', who, { for: forMs })] as const),
  fc.tuple(processes, span).map(([who, by]) => [`skew ${who} ${by}`, fault('skew', who, { by })] as const),
  fc.tuple(processes, span).map(([who, by]) => [`lag ${who} ${by}`, fault('lag', who, { by, for: 60 * SECOND })] as const),
  processes.map((who) => [`relist ${who}`, fault('relist', who)] as const),
  fc
    .tuple(processes, span, fc.constantFrom('relist', 'restart'))
    .map(([who, staleBy, how]) => [`${how} ${who} ${staleBy}`, fault(how, who, { staleBy })] as const),
  fc
    .tuple(processes, fc.nat(9))
    .map(([who, times]) => [`fail ${times} of ${who}`, fault('failRequest', who, { times: times + 1 })] as const),
  fc.constant(['watch', (cluster: Cluster, lifts: (() => void)[]) => lifts.push(cluster.runtime.forbidElision())] as const),
  fc.constant(['unwatch', (_: Cluster, lifts: (() => void)[]) => lifts.pop()?.()] as const),
  fc.constant([
    'another user takes the lease',
    (cluster: Cluster) =>
      cluster.request('test', { verb: 'patch', ...lease(0), patchType: 'merge', body: { spec: { holderIdentity: 'somebody' } } }),
  ] as const),
  fc.constant(['another user deletes it', (cluster: Cluster) => cluster.request('test', { verb: 'delete', ...lease(0) })] as const),
  fc.constant(['nothing', () => undefined] as const),
);

const config: fc.Arbitrary<Config> = fc.record({
  nodes: fc.integer({ min: 1, max: 3 }),
  leaseSeconds: fc.constantFrom(1, 7, 10, 40, 100, 120, 139, 140, 160, 161, 200, 400, 1_000),
  api: fc.constantFrom<Delay>(0, 3, 250, 2_000, { min: 1, max: 40 }),
  watch: fc.constantFrom<Delay>(0, 1, 700, 7_000, { min: 0, max: 900 }),
  seed: fc.nat(100),
});

function compare(made: Config, plan: readonly (readonly [number, readonly [string, Doing]])[]): void {
  const both = [open(made, false), open(made, true)] as const;
  const lifts = both.map((): (() => void)[] => []);
  let at = 0;
  for (const [waitMs, [, act]] of plan) {
    at += waitMs;
    for (const [index, cluster] of both.entries()) {
      cluster.runUntil(cluster.startAt + at);
      act(cluster, lifts[index] ?? []);
    }
    expect(view(both[0])).toEqual(view(both[1]));
  }
}

// Instants between renewals, which are at quarters of a second: an event at the instant of a renewal has no common order.
const waits = fc.integer({ min: 0, max: 160 }).map((seconds) => seconds * SECOND + 137);

describe('elided and real lease renewals', () => {
  it.each([10, 40, 160, 164, 200, 400, 4_000])('agree for nodes whose leases last %i s', (leaseSeconds) => {
    const rest = Array.from({ length: 12 }, () => [31_137, ['nothing', () => undefined]] as const);
    compare({ nodes: 2, leaseSeconds, api: 3, watch: 1, seed: 1 }, rest);
  });

  it(
    'are the same world under every configuration, faults and watchers',
    () => {
      fc.assert(
        fc.property(config, fc.array(fc.tuple(waits, actions), { minLength: 1, maxLength: 7 }), (made, plan) => {
          compare(made, plan);
        }),
        { numRuns: RUNS, seed: Number(process.env['ORCHSIM_LEASE_SEED'] ?? 20_261_122) },
      );
    },
    Math.max(120_000, RUNS * 1_000),
  );
});
