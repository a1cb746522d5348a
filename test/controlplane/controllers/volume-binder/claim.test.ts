import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/apiserver/kinds/index.ts';
import type { Outcome, Write } from '../../../../src/controlplane/runtime/index.ts';
import { claimBinder } from '../../../../src/controlplane/controllers/volume-binder/claim.ts';
import { at, barePod } from '../../../support/objects.ts';
import { decide, phrase } from '../../../support/reconcile.ts';
import { claimOf, volumeOf } from '../volume-attachment/objects.ts';

const free = (name: string, spec: object = {}, more: object = {}): PersistentVolume => ({
  ...volumeOf(name, 'x', { claimRef: undefined, storageClassName: 'fast', ...spec }),
  status: { phase: 'Available' },
  ...more,
});
const asking = (spec: object = {}, annotations?: object): PersistentVolumeClaim => {
  const claim = claimOf('data', undefined, 'Pending', annotations === undefined ? {} : { annotations });
  return { ...claim, spec: { ...claim.spec, storageClassName: 'fast', ...spec } };
};
const named = (volumeName: string, spec: object = {}, annotations?: object) => asking({ volumeName, ...spec }, annotations);
const storageClass = (volumeBindingMode = 'Immediate', provisioner = 'csi.fake.example'): ApiObject =>
  ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast', uid: 'uid-fast' },
    provisioner,
    volumeBindingMode,
  }) as unknown as ApiObject;
const decided = (objects: readonly ApiObject[], now = at(0)): Outcome => decide(claimBinder, { objects, now });
const events = ({ writes }: Outcome): readonly string[] =>
  writes.flatMap((write) => (write.op === 'event' ? [`${write.event.type} ${write.event.reason}: ${write.event.message}`] : []));
const boundTo = ({ writes }: Outcome): readonly string[] =>
  writes
    .flatMap((write) =>
      write.op === 'patch' && write.kind === 'PersistentVolumeClaim'
        ? [(write.patch as { spec?: { volumeName?: string } }).spec?.volumeName ?? '']
        : [],
    )
    .filter((name) => name !== '');
const patchOf = (writes: readonly Write[], kind: string, subresource?: string): unknown =>
  writes.flatMap((write) => (write.op === 'patch' && write.kind === kind && write.subresource === subresource ? [write.patch] : []))[0];

describe('a claim without a volume', () => {
  it.each([
    ['another class', free('pv', { storageClassName: 'slow' }), {}],
    ['another mode', free('pv', { volumeMode: 'Block' }), {}],
    ['fewer access modes', free('pv'), { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }],
    ['other labels', free('pv'), { selector: { matchLabels: { disk: 'ssd' } } }],
    ['another claim', free('pv', { claimRef: { namespace: 'default', name: 'other' } }), {}],
    ['a phase that is not Available', free('pv', {}, { status: { phase: 'Pending' } }), {}],
    [
      'a deletion under way',
      (({ metadata, ...rest }) => ({ ...rest, metadata: { ...metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } }))(free('pv')),
      {},
    ],
  ])('does not take a volume with %s', (_what, volume, spec) => {
    expect(boundTo(decided([asking(spec), volume as ApiObject, storageClass('Immediate', 'kubernetes.io/no-provisioner')]))).toEqual([]);
  });

  it('takes the volume that is pre-bound to it before any other, whatever its class and labels', () => {
    const made = free(
      'made',
      { claimRef: { namespace: 'default', name: 'data' }, capacity: { storage: '9Gi' }, storageClassName: 'slow' },
      { status: { phase: 'Available' } },
    );
    const outcome = decided([asking(), free('pv'), made]);
    expect(boundTo(outcome)).toEqual(['made']);
    expect(patchOf(outcome.writes, 'PersistentVolume')).not.toHaveProperty('metadata.annotations');
  });

  it('does not take the volume that is pre-bound to an earlier claim of the same name', () => {
    const made = (uid: string) => free('made', { claimRef: { namespace: 'default', name: 'data', uid } });
    expect(['uid-data', '', 'another'].map((uid) => boundTo(decided([asking(), made(uid)])))).toEqual([['made'], ['made'], []]);
  });

  it('with delayed binding names the pods that it waits for, every 15 seconds', () => {
    const mounting = (name: string, spec: object = {}, phase = 'Pending') =>
      barePod(name, phase, {
        spec: { nodeName: undefined, volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }], ...spec },
      });
    const waiting = (...pods: readonly ApiObject[]): Outcome => decided([...pods, asking(), storageClass('WaitForFirstConsumer')], at(7));
    expect(events(waiting(mounting('a')))).toEqual(['Normal WaitForPodScheduled: waiting for pod a to be scheduled']);
    expect(events(waiting(mounting('a'), mounting('b')))).toEqual(['Normal WaitForPodScheduled: waiting for pods a,b to be scheduled']);
    const none = waiting(mounting('placed', { nodeName: 'n' }), mounting('ended', {}, 'Failed'), barePod('other', 'Pending'));
    expect(events(none)).toEqual(['Normal WaitForFirstConsumer: waiting for first consumer to be created before binding']);
    expect(none).toMatchObject({ wakeAt: at(15), background: true });
  });

  it('with delayed binding is provisioned for the selected node, not bound to any available volume', () => {
    const claim = asking({}, { 'volume.kubernetes.io/selected-node': 'n' });
    expect(decided([claim, storageClass('WaitForFirstConsumer'), free('pv')]).writes.map(phrase)).toEqual([
      'patch PersistentVolumeClaim data',
      'event ExternalProvisioning',
    ]);
  });

  it('with delayed binding is bound to the volume that the scheduler selected', () => {
    const chosen = free('pv', { claimRef: { namespace: 'default', name: 'data', uid: 'uid-data' } });
    expect(
      boundTo(decided([asking(), storageClass('WaitForFirstConsumer'), free('other', { capacity: { storage: '1Gi' } }), chosen])),
    ).toEqual(['pv']);
    const small = free('pv', { claimRef: { namespace: 'default', name: 'data', uid: 'uid-data' }, capacity: { storage: '1Mi' } });
    expect(boundTo(decided([asking(), storageClass('WaitForFirstConsumer'), free('other'), small]))).toEqual([]);
  });
});

describe('a claim that names its volume', () => {
  it.each([
    ['requested PV is too small', { capacity: { storage: '1Mi' } }],
    ['storageClassName does not match', { storageClassName: 'slow' }],
    ['incompatible volumeMode', { volumeMode: 'Block' }],
    ['incompatible accessMode', { accessModes: ['ReadOnlyMany'] }],
  ])('reports: %s', (text, spec) => {
    expect(events(decided([named('pv'), free('pv', spec)]))).toEqual([
      `Warning VolumeMismatch: Cannot bind to requested volume "pv": ${text}`,
    ]);
  });
});
