/**
 * The two recorded elections, compared with a simulation of the same sequence: the holders of the lease, the writes, their number and
 * times.
 */
import { describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../../../src/controlplane/cluster.ts';
import type { Lease } from '../../../../src/apiserver/kinds/index.ts';
import type { RecordedCase } from '../../../conformance/index.ts';
import { oracleCases } from '../../../support/oracle.ts';

interface Written {
  readonly t: number;
  readonly spec: Lease['spec'];
}

const cases: readonly RecordedCase[] = oracleCases('v1.24');
const recorded = (name: string, lease = 'kube-scheduler'): readonly Written[] =>
  (cases.find((one) => one.name === name)?.trace ?? [])
    .filter(({ object }) => object.kind === 'Lease' && object.metadata?.name === lease)
    .map(({ t, object }) => ({ t, spec: (object as unknown as Lease).spec }));

const play = (seed: number, story: readonly (readonly [number, (cluster: Cluster) => void])[], seconds: number): readonly Written[] => {
  const written: Written[] = [];
  const cluster = createCluster({
    seed,
    domain: 'k8s.io',
    eagerLeases: true,
    latency: { api: 3, watch: 1 },
    controlPlane: { scheduler: { candidates: 2 } },
  });
  cluster.store.onChange(({ key, object, at }) => {
    if (key === 'kube-system/kube-scheduler') written.push({ t: (at - cluster.startAt) / 1000, spec: (object as Lease).spec });
  });
  written.push({ t: 0, spec: (cluster.store.get('Lease', 'kube-system/kube-scheduler') as Lease).spec });
  for (const [t, act] of story) {
    cluster.runUntil(cluster.startAt + t * 1000);
    act(cluster);
  }
  cluster.runUntil(cluster.startAt + seconds * 1000);
  return written;
};

/** Records without times, with holders numbered by first appearance; several writes of one record in a row count once. */
const reigns = (written: readonly Written[]): readonly string[] => {
  const holders: string[] = [];
  const said: string[] = [];
  for (const {
    spec: { holderIdentity = '', leaseDurationSeconds, leaseTransitions },
  } of written) {
    if (holderIdentity !== '' && !holders.includes(holderIdentity)) holders.push(holderIdentity);
    const line = `${holderIdentity === '' ? 'nobody' : `holder ${holders.indexOf(holderIdentity)}`} for ${leaseDurationSeconds ?? 0} s, transition ${leaseTransitions ?? 0}`;
    if (said.at(-1) !== line) said.push(line);
  }
  return said;
};
const seconds = (text: string | undefined): number => Date.parse((text ?? '').replace(/(\.\d{3})\d*Z/, '$1Z')) / 1000;
/** Intervals between renewals of one holder. */
const periods = (written: readonly Written[]): readonly number[] =>
  written.flatMap(({ spec }, i) => {
    const before = written[i - 1]?.spec;
    return before?.holderIdentity === spec.holderIdentity ? [seconds(spec.renewTime) - seconds(before?.renewTime)] : [];
  });
/** When the lease first has a transition count, with or without a holder. */
const at = (written: readonly Written[], transition: number, holder: boolean): number =>
  written.find(({ spec }) => spec.leaseTransitions === transition && (spec.holderIdentity !== '') === holder)?.t ?? Number.NaN;

const FAILOVER: readonly (readonly [number, (cluster: Cluster) => void])[] = [
  [0, ({ runtime }) => runtime.crash('scheduler-1')],
  [4.007, (cluster) => cluster.runtime.restart('scheduler-1', cluster.now)],
  [10.013, ({ runtime }) => runtime.crash('scheduler')],
  [31.069, (cluster) => cluster.runtime.restart('scheduler', cluster.now)],
  [37.071, ({ runtime }) => runtime.stop('scheduler-1')],
];
const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);

describe('q-lease-failover', () => {
  const real = recorded('q-lease-failover');

  it('has the same holders in order, with any random intervals', () => {
    expect(reigns(real)).toEqual([
      'holder 0 for 15 s, transition 0',
      'holder 1 for 15 s, transition 1',
      'nobody for 1 s, transition 1',
      'holder 2 for 15 s, transition 2',
    ]);
    for (const seed of SEEDS) expect(reigns(play(seed, FAILOVER, 43))).toEqual(reigns(real));
  });

  it('changes the holder within the possible times, the recorded ones among them', () => {
    const played = SEEDS.map((seed) => play(seed, FAILOVER, 43));
    for (const [transition, killedAt] of [
      [1, 10.013],
      [2, 37.071],
    ] as const) {
      const took = played.map((written) => at(written, transition, true) - killedAt);
      const recordedTook = at(real, transition, true) - killedAt;
      expect(Math.min(...took)).toBeLessThan(recordedTook);
      expect(Math.max(...took)).toBeGreaterThan(recordedTook);
    }
    const released = played.map((written) => at(written, 1, false) - 37.071);
    expect(Math.max(...released)).toBeLessThan(0.01);
  });

  it('renews at once after acquiring, then every retry period, and keeps the acquire time', () => {
    for (const written of [real, play(1, FAILOVER, 43)]) {
      for (const [i, { spec }] of written.entries()) {
        const before = written[i - 1];
        if (before === undefined || spec.holderIdentity === '' || before.spec.holderIdentity === spec.holderIdentity) continue;
        const next = written[i + 1];
        expect(spec.acquireTime).toBe(spec.renewTime);
        expect(next?.spec.acquireTime).toBe(spec.acquireTime);
        expect(seconds(next?.spec.renewTime) - seconds(spec.renewTime)).toBeLessThan(0.01);
      }
      for (const period of periods(written)) expect(period < 0.01 || Math.abs(period - 2.0045) < 0.015, `${period}`).toBe(true);
    }
  });
});

describe('le-two-candidates-clock', () => {
  it('stays with its holder', () => {
    const real = recorded('le-two-candidates-clock');
    const played = play(1, [[42.004, ({ runtime }) => runtime.stop('scheduler-1')]], 46.5);
    expect(reigns(played)).toEqual(reigns(real));
    expect(Math.abs(played.length - real.length)).toBeLessThanOrEqual(1);
    for (const period of [...periods(real), ...periods(played)]) expect(Math.abs(period - 2.0045)).toBeLessThan(0.015);
  });
});
