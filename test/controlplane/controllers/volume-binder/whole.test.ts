/** Whole decisions about claims. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { claimBinder } from '../../../../src/controlplane/controllers/volume-binder/claim.ts';
import { at, AT } from '../../../support/objects.ts';
import { decide, linesOf } from '../../../support/reconcile.ts';
import { claimOf, mounting, volumeOf } from '../volume-attachment/objects.ts';

/** What is decided about claim data seven seconds after the start. */
const shown = (...objects: readonly ApiObject[]): readonly string[] =>
  linesOf(decide(claimBinder, { objects, key: 'default/data', now: at(7) })).map((line) =>
    line.replaceAll(/resourceVersion:\d+/g, 'resourceVersion:N'),
  );
const claim = (
  spec: object = {},
  annotations: Readonly<Record<string, string>> = {},
  status: object = { phase: 'Pending' },
  meta: object = {},
): ApiObject => {
  const made = claimOf('data', undefined);
  return { ...made, metadata: { ...made.metadata, annotations, ...meta }, spec: { ...made.spec, ...spec }, status };
};
const volume = (name: string, spec: object = {}, phase = 'Available', meta: object = {}): ApiObject => {
  const made = volumeOf(name, 'data', { claimRef: undefined, ...spec });
  return { ...made, metadata: { ...made.metadata, ...meta }, status: { phase } };
};
const storage = (name: string, provisioner: string, volumeBindingMode = 'Immediate'): ApiObject =>
  ({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name, uid: name }, provisioner, volumeBindingMode }) as never;
const ref = (name = 'data', uid = 'uid-data') => ({ claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name, uid } });
const COMPLETED = { 'pv.kubernetes.io/bind-completed': 'yes' };
const named = (phase = 'Pending', annotations = {}): ApiObject => claim({ volumeName: 'v' }, annotations, { phase });
const small = { capacity: { storage: '1Mi' } };

const LATER = ['wakeAt: @15', 'background: true'];
const event = (type: string, reason: string, message: string): string =>
  `event ${type} ${reason} of PersistentVolumeClaim data: ${message}`;
const takes = (name: string): string =>
  `patch PersistentVolume ${name} {metadata:{resourceVersion:N,annotations:{pv.kubernetes.io/bound-by-controller:yes}},spec:{claimRef:{kind:PersistentVolumeClaim,apiVersion:v1,namespace:default,name:data,uid:uid-data,resourceVersion:N}}} {patchType:merge}`;
const completes = (name: string, more = ''): string =>
  `patch PersistentVolumeClaim data {metadata:{uid:uid-data,annotations:{pv.kubernetes.io/bind-completed:yes${more}}},spec:{volumeName:${name}}} {patchType:merge}`;
const MINE = ',pv.kubernetes.io/bound-by-controller:yes';
const status = (text: string): string => `patch PersistentVolumeClaim data {status:{${text}}} {patchType:merge,subresource:status}`;
const bound = (size: string): string => status(`phase:Bound,accessModes:[ReadWriteOnce],capacity:{storage:${size}}`);
const NONE = [
  'no volume matches it and it has no StorageClass',
  event('Normal', 'FailedBinding', 'no persistent volumes available for this claim and no storage class is set'),
  ...LATER,
];
const provisions = (...more: readonly string[]): readonly string[] => [
  'driver csi.x is to provision a volume',
  ...more,
  event(
    'Normal',
    'ExternalProvisioning',
    'waiting for a volume to be created, either by external provisioner "csi.x" or manually created by system administrator',
  ),
];
const ASKS =
  'patch PersistentVolumeClaim data {metadata:{annotations:{volume.beta.kubernetes.io/storage-provisioner:csi.x,volume.kubernetes.io/storage-provisioner:csi.x}}} {patchType:merge}';
const failed = (why: string, message: string): readonly string[] => [why, event('Warning', 'ProvisioningFailed', message), ...LATER];
const NO_CLASS = failed('class fast does not exist', 'storageclass.storage.k8s.io "fast" not found');
const waits = (reason: string, message: string): readonly string[] => [
  'it is bound when its first pod has been scheduled',
  event('Normal', reason, message),
  ...LATER,
];
const fast = claim({ storageClassName: 'fast' });
const late = claim({ storageClassName: 'late' });
const delayed = storage('late', 'csi.x', 'WaitForFirstConsumer');
type Row = readonly [string, () => readonly string[], readonly string[]];

describe('a claim without a volume', () => {
  it.each<Row>([
    ['waits for one', () => shown(claim()), NONE],
    ['that is being deleted waits for none', () => shown(claim({}, {}, {}, { deletionTimestamp: AT })), ['it is being deleted']],
    ['needs its class', () => shown(fast), NO_CLASS],
    [
      'may have its class in an annotation',
      () => shown(claim({ storageClassName: 'x' }, { 'volume.beta.kubernetes.io/storage-class': 'fast' })),
      NO_CLASS,
    ],
    [
      'needs a class that provisions',
      () => shown(fast, storage('fast', 'kubernetes.io/no-provisioner')),
      failed('its class does not provision', 'no volume plugin matched name: kubernetes.io/no-provisioner'),
    ],
    ['asks the driver of its class', () => shown(fast, storage('fast', 'csi.x')), provisions(ASKS)],
    [
      'asks once',
      () => shown(claim({ storageClassName: 'fast' }, { 'volume.kubernetes.io/storage-provisioner': 'csi.x' }), storage('fast', 'csi.x')),
      provisions(),
    ],
    [
      'waits for its first pod, whatever volumes there are',
      () => shown(late, delayed, volume('a', { storageClassName: 'late' })),
      waits('WaitForFirstConsumer', 'waiting for first consumer to be created before binding'),
    ],
    [
      'waits until its pods are scheduled',
      () => shown(late, delayed, mounting('p', 'data', undefined), mounting('q', 'data', undefined), mounting('r', 'data', 'n')),
      waits('WaitForPodScheduled', 'waiting for pods p,q to be scheduled'),
    ],
    [
      'whose node is selected asks the driver',
      () => shown(claim({ storageClassName: 'late' }, { 'volume.kubernetes.io/selected-node': 'n' }), delayed),
      provisions(ASKS),
    ],
  ])('%s', (_, is, expected) => {
    expect(is()).toEqual(expected);
  });
});

describe('a claim takes', () => {
  const others = [
    volume('tiny', small),
    volume('released', {}, 'Released'),
    volume('dying', {}, 'Available', { deletionTimestamp: AT }),
    volume('other', ref('other')),
    volume('block', { volumeMode: 'Block' }),
    volume('mode', { accessModes: ['ReadOnlyMany'] }),
    volume('class', { storageClassName: 'x' }),
  ];
  it.each<Row>([
    [
      'the smallest volume that matches it',
      () => shown(claim(), volume('big', { capacity: { storage: '3Gi' } }), volume('fit', { capacity: { storage: '2Gi' } }), ...others),
      ['volume fit matches it', takes('fit'), completes('fit', MINE), bound('2Gi')],
    ],
    ['none that does not match', () => shown(claim(), ...others), NONE],
    [
      'one that it selects',
      () =>
        shown(
          claim({ selector: { matchLabels: { a: 'b' } } }),
          volume('x'),
          volume('y', { capacity: { storage: '9Gi' } }, 'Available', { labels: { a: 'b' } }),
        ),
      ['volume y matches it', takes('y'), completes('y', MINE), bound('9Gi')],
    ],
    [
      'one that was made for it first, whose mark it keeps',
      () => shown(claim(), volume('x'), volume('y', { ...ref('data', ''), capacity: { storage: '9Gi' } })),
      [
        'volume y matches it',
        takes('y').replace(',annotations:{pv.kubernetes.io/bound-by-controller:yes}', ''),
        completes('y', MINE),
        bound('9Gi'),
      ],
    ],
    ['one that is bound to it', () => shown(claim(), volume('y', ref())), ['volume y matches it', completes('y', MINE), bound('1Gi')]],
    ['none that is too small, though it was made for it', () => shown(claim(), volume('y', { ...ref(), ...small })), NONE],
    ['none that was made for another claim of its name', () => shown(claim(), volume('y', ref('data', 'uid-other'))), NONE],
    ['the one that it names', () => shown(named(), volume('v')), ['volume v is free', takes('v'), completes('v'), bound('1Gi')]],
    [
      'the one that was made for it',
      () => shown(named(), volume('v', ref())),
      ['volume v was provisioned for it', completes('v'), bound('1Gi')],
    ],
    ['none before that exists', () => shown(named()), ['volume v does not exist', ...LATER]],
    [
      'none where that is too small',
      () => shown(named(), volume('v', small)),
      [
        'volume v does not match it: requested PV is too small',
        event('Warning', 'VolumeMismatch', 'Cannot bind to requested volume "v": requested PV is too small'),
        ...LATER,
      ],
    ],
    [
      'none where that is of another claim',
      () => shown(named(), volume('v', ref('other'))),
      ['volume v belongs to another claim', event('Warning', 'FailedBinding', 'volume "v" already bound to a different claim.'), ...LATER],
    ],
  ])('%s', (_, is, expected) => {
    expect(is()).toEqual(expected);
  });
});

describe('a bound claim', () => {
  const [bind, loses] = [named('Bound', COMPLETED), status('phase:Lost,accessModes:null,capacity:null')];
  const LOST = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
  const MISBOUND = 'Two claims are bound to the same volume, this one is bound incorrectly';
  it.each<Row>([
    ['stays', () => shown(bind, volume('v', ref())), ['it is bound']],
    ['takes its volume again', () => shown(bind, volume('v')), ['its binding is not complete', takes('v')]],
    ['gets its status', () => shown(named('Pending', COMPLETED), volume('v', ref())), ['its binding is not complete', bound('1Gi')]],
    ['is lost with its volume', () => shown(bind), [LOST, loses, event('Warning', 'ClaimLost', LOST)]],
    ['is lost once', () => shown(named('Lost', COMPLETED)), [LOST]],
    [
      'is lost where its volume is of another claim',
      () => shown(bind, volume('v', ref('data', 'uid-other'))),
      [MISBOUND, loses, event('Warning', 'ClaimMisbound', MISBOUND)],
    ],
  ])('%s', (_, is, expected) => {
    expect(is()).toEqual(expected);
  });
});
