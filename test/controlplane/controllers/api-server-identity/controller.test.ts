/** The lease of an API server: made, renewed every 10 s for an hour each, and removed an hour after its server is gone. */
import { describe, expect, it } from 'vitest';
import type { Lease } from '../../../../src/apiserver/kinds/index.ts';
import { createCluster } from '../../../../src/controlplane/cluster.ts';
import { apiServerIdentity } from '../../../../src/controlplane/controllers/api-server-identity/controller.ts';
import { formatMicroTime } from '../../../../src/schema/values/index.ts';
import { at } from '../../../support/objects.ts';
import { decide, linesOf, type Situation } from '../../../support/reconcile.ts';

const LABELS = { 'k8s.io/component': 'kube-apiserver' };
const leaseOf = (name: string, spec: object, metadata: object = {}): Lease =>
  ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'kube-system', uid: name, resourceVersion: '1', labels: LABELS, ...metadata },
    spec,
  }) as unknown as Lease;
const renewed = (second: number, leaseDurationSeconds = 3600) => ({ renewTime: formatMicroTime(at(second)), leaseDurationSeconds });
const lines = (second: number, objects: readonly Lease[] = [], memory?: object, more: Partial<Situation> = {}): readonly string[] =>
  linesOf(decide(apiServerIdentity, { objects, now: at(second), memory, ...more }));
const passed = (renewedAt: number, collectedAt = 0) => ({ renewedAt: at(renewedAt), collectedAt: at(collectedAt) });

const own = lines(0)[1]?.split(' ')[2] ?? '';
const spec = (time: string): string => `spec:{holderIdentity:${own},leaseDurationSeconds:3600,renewTime:2024-01-01T${time}.000000Z}`;
const made = (time: string): string =>
  `create Lease ${own} {metadata:{labels:{k8s.io/component:kube-apiserver}},${spec(time)}} {tolerate:[AlreadyExists]}`;
const renews = (time: string): string => `patch Lease ${own} {${spec(time)}} {patchType:merge,tolerate:[NotFound]}`;
const gone = (name: string): string => `delete Lease ${name} {uid:${name},tolerate:[NotFound]}`;
const ends = (renewedAt: number, collectedAt: number): readonly string[] => [
  `memory: {renewedAt:@${renewedAt},collectedAt:@${collectedAt}}`,
  `wakeAt: @${renewedAt + 10}`,
  'background: true',
];
const RENEWS = 'its lease is renewed every 10 s';
const COLLECTS = 'leases of other API servers have run out';

describe('the lease of an API server', () => {
  it('is named by what the server drew at its start', () => {
    expect(own).toMatch(/^kube-apiserver-[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it.each<readonly [string, () => readonly string[], readonly string[]]>([
    ['is made at the start', () => lines(0), [RENEWS, made('00:00:00'), ...ends(0, 0)]],
    ['is new enough before 10 s', () => lines(9.999, [leaseOf(own, renewed(0))], passed(0)), ['its lease is new enough', ...ends(0, 0)]],
    ['is renewed after 10 s', () => lines(10, [leaseOf(own, renewed(0))], passed(0)), [RENEWS, renews('00:00:10'), ...ends(10, 0)]],
    ['is made again where it was deleted', () => lines(10, [], passed(0)), [RENEWS, made('00:00:10'), ...ends(10, 0)]],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});

describe('leases of other API servers', () => {
  const old = leaseOf('a', renewed(0));
  it.each<readonly [string, () => readonly string[], readonly string[]]>([
    ['stay up to their last instant', () => lines(3600, [old]), [RENEWS, made('01:00:00'), ...ends(3600, 3600)]],
    ['are looked at once an hour', () => lines(3699.999, [old], passed(3695, 100)), ['its lease is new enough', ...ends(3695, 100)]],
    ['go where they have run out by then', () => lines(3700, [old], passed(3695, 100)), [COLLECTS, gone('a'), ...ends(3695, 3700)]],
    ['go after a renewal', () => lines(3705, [old], passed(3695, 100)), [COLLECTS, made('01:01:45'), gone('a'), ...ends(3705, 3705)]],
    [
      'go without a time or a duration, and stay elsewhere, with another label, or with time left',
      () =>
        lines(
          3601,
          [
            leaseOf('no-time', { leaseDurationSeconds: 9999 }),
            leaseOf('no-duration', { renewTime: renewed(3601).renewTime }),
            leaseOf('long', renewed(0, 3601)),
            leaseOf('short', renewed(3599, 1)),
            leaseOf('elsewhere', renewed(0), { namespace: 'default' }),
            leaseOf('other', renewed(0), { labels: { 'k8s.io/component': 'other' } }),
            leaseOf('unlabelled', renewed(0), { labels: undefined }),
          ],
          passed(3600, 0),
        ),
      [COLLECTS, gone('no-time'), gone('no-duration'), gone('short'), ...ends(3600, 3601)],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});

it('a server that starts again has another lease, and removes the former one when it has run out', () => {
  const cluster = createCluster({ domain: 'orch.io', startAt: at(0), featureGates: { APIServerIdentity: true } });
  const leases = () =>
    [...cluster.store.values('Lease')].map(({ metadata: { name, namespace, labels }, spec: { holderIdentity, renewTime } }) => {
      expect([name.slice(0, 15), namespace, labels, holderIdentity]).toEqual([
        'orch-apiserver-',
        cluster.names.systemNamespace,
        { 'orch.io/component': 'orch-apiserver' },
        name,
      ]);
      return renewTime?.slice(11, 19);
    });
  cluster.runUntil(at(25));
  expect(leases()).toEqual(['00:00:20']);
  cluster.runtime.crash('api-server');
  cluster.runtime.restart('api-server', at(30));
  cluster.runUntil(at(3629));
  expect(leases()).toEqual(['00:00:20', '01:00:20']);
  cluster.runUntil(at(3631));
  expect(leases()).toEqual(['01:00:30']);
});
