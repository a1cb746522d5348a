/** Invariants of volumes and their attachments, write by write. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { attachmentName } from '../../../src/controlplane/shared/index.ts';
import { described, edit, end, keep, objectOf, put, remove, tells, tellsAtEnd, timeAt } from './history.ts';

const CLUSTER = { namespace: undefined };
const DYING = { deletionTimestamp: timeAt(0) };
const BY = { by: 'attach-detach' };
const attachment = (name: string, node: string, attached = true, source: object = { persistentVolumeName: 'v' }): ApiObject =>
  objectOf('VolumeAttachment', name, { metadata: CLUSTER, spec: { nodeName: node, attacher: 'disks', source }, status: { attached } });
const volume = (spec: object): ApiObject => objectOf('PersistentVolume', 'v', { metadata: CLUSTER, spec });

describe('volume-attachment/one-node-at-a-time', () => {
  const NAME = 'volume-attachment/one-node-at-a-time';

  it.each<readonly [object, boolean]>([
    [{ accessModes: ['ReadWriteOnce'] }, true],
    [{ accessModes: ['ReadWriteOnce', 'ReadWriteOncePod'] }, true],
    [{ accessModes: ['ReadWriteOnce', 'ReadWriteMany'] }, false],
    [{ accessModes: ['ReadOnlyMany'] }, false],
    [{ accessModes: [] }, false],
    [{}, false],
  ])('of a volume with %j: %s', (spec, isExclusive) => {
    tells(NAME, [
      [keep(volume(spec)), '-'],
      [put(attachment('a', 'n1')), isExclusive ? 'holds' : '-'],
      [put(attachment('b', 'n2')), isExclusive ? 'volume v is attached to n2 while it is attached to n1' : '-'],
    ]);
  });

  it('counts attachments that are reported attached, until they are detached or gone', () => {
    const reported = (name: string, attached: boolean) => edit('VolumeAttachment', name, { status: { attached } });
    tells(NAME, [
      [keep(volume({ accessModes: ['ReadWriteOnce'] })), '-'],
      [put(attachment('a', 'n1')), 'holds'],
      [put(attachment('b', 'n2', false)), '-'],
      [edit('VolumeAttachment', 'a', { metadata: { labels: {} } }), '-'],
      [put(attachment('c', 'n1', true)), 'holds'],
      [remove('VolumeAttachment', 'c'), '-'],
      [reported('b', true), 'holds'],
      [described, new Map([['v', new Set(['n2'])]])],
      [reported('b', false), '-'],
      [put(attachment('d', 'n3')), 'holds'],
      [put(attachment('inline', 'n4', true, { inlineVolumeSpec: {} })), '-'],
      [put(attachment('w', 'n4', true, { persistentVolumeName: 'w' })), '-'],
    ]);
  });
});

describe('volume-attachment/attached-before-running', () => {
  const NAME = 'volume-attachment/attached-before-running';
  const ID = attachmentName('h', 'disks', 'n');
  const claim = (name: string, spec: object = { volumeName: 'v' }): ApiObject => objectOf('PersistentVolumeClaim', name, { spec });
  const csi = { csi: { driver: 'disks', volumeHandle: 'h' } };
  const pod = (volumes?: readonly object[]): ApiObject =>
    objectOf('Pod', 'p', { spec: { nodeName: 'n', ...(volumes === undefined ? {} : { volumes }) }, status: { phase: 'Pending' } });
  const runs = edit('Pod', 'default/p', { status: { phase: 'Running' } });
  const data = [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }];
  const missing = 'pod p runs on n but its volume v is not attached there';

  it.each<readonly [string, readonly ApiObject[], readonly object[] | undefined, string]>([
    ['with an attached volume', [volume(csi), claim('c'), attachment(ID, 'n')], data, 'holds'],
    [
      'with two',
      [volume(csi), claim('c'), claim('e'), attachment(ID, 'n')],
      [...data, { name: 'e', persistentVolumeClaim: { claimName: 'e' } }],
      'holds 2 times',
    ],
    ['without an attachment', [volume(csi), claim('c')], data, missing],
    ['with one that is not attached yet', [volume(csi), claim('c'), attachment(ID, 'n', false)], data, missing],
    ['with one of another node', [volume(csi), claim('c'), attachment(attachmentName('h', 'disks', 'm'), 'm')], data, missing],
    ['with an ephemeral volume', [volume(csi), claim('p-d')], [{ name: 'd', ephemeral: {} }], missing],
    ['with other volumes', [volume(csi), claim('p-d')], [{ name: 'd', emptyDir: {} }], '-'],
    ['with no volume', [volume(csi)], undefined, '-'],
    ['without its claim', [volume(csi)], data, '-'],
    ['with a claim that is not bound', [volume(csi), claim('c', {})], data, '-'],
    ['without the volume', [claim('c')], data, '-'],
    ['with a volume of the host', [volume({ hostPath: {} }), claim('c')], data, '-'],
    [
      'whose driver attaches nothing',
      [volume(csi), claim('c'), objectOf('CSIDriver', 'disks', { metadata: CLUSTER, spec: { attachRequired: false } })],
      data,
      '-',
    ],
    [
      'whose driver attaches',
      [volume(csi), claim('c'), objectOf('CSIDriver', 'disks', { metadata: CLUSTER, spec: { attachRequired: true } })],
      data,
      missing,
    ],
  ])('of a pod %s', (_, objects, volumes, verdict) => {
    tells(NAME, [
      ...objects.map((object) => [keep(object), '-'] as const),
      [put(pod(volumes)), '-'],
      [runs, verdict],
      [runs, '-'],
      [edit('Pod', 'default/p', { status: { phase: 'Failed' } }), '-'],
    ]);
  });

  it('is not about pods that run when they are created, or are being deleted', () => {
    const objects = [volume(csi), claim('c')].map((object) => [keep(object), '-'] as const);
    tells(NAME, [...objects, [put({ ...pod(data), status: { phase: 'Running' } }), '-']]);
    tells(NAME, [...objects, [put(pod(data)), '-'], [edit('Pod', 'default/p', { metadata: DYING, status: { phase: 'Running' } }), '-']]);
  });

  it('doubts attachments that a user deleted or whose detach has failed, until a controller makes them again', () => {
    const objects = [volume(csi), claim('c')].map((object) => [keep(object), '-'] as const);
    const made = put(attachment(ID, 'n'), BY);
    const anew = put({ ...pod(data), status: { phase: 'Pending' } });
    tells(NAME, [
      ...objects,
      [made, '-'],
      [remove('VolumeAttachment', ID), '-'],
      [described, new Set([ID])],
      [anew, '-'],
      [runs, '-'],
      [made, '-'],
      [described, new Set()],
      [edit('VolumeAttachment', ID, { metadata: DYING }), '-'],
      [described, new Set([ID])],
      [remove('VolumeAttachment', ID, BY), '-'],
      [put(attachment(ID, 'n', false)), '-'],
      [anew, '-'],
      [runs, '-'],
      [remove('VolumeAttachment', ID, BY), '-'],
      [made, '-'],
      [edit('VolumeAttachment', ID, { metadata: DYING }, BY), '-'],
      [described, new Set()],
      [edit('VolumeAttachment', ID, { status: { attached: false, detachError: {} } }, BY), '-'],
      [described, new Set([ID])],
    ]);
  });
});

describe('volume-attachment/unwanted-is-detached', () => {
  const NAME = 'volume-attachment/unwanted-is-detached';
  const claimed = volume({ claimRef: { namespace: 'default', name: 'c' } });
  const pod = (name: string, parts: object = {}): ApiObject =>
    objectOf('Pod', name, {
      spec: {
        nodeName: 'n',
        volumes: [
          { name: 'x', emptyDir: {} },
          { name: 'd', persistentVolumeClaim: { claimName: 'c' } },
        ],
      },
      status: { phase: 'Running' },
      ...parts,
    });
  const unwanted = 'volume v is still attached to n, where no pod needs it';

  it.each<readonly [string, readonly ApiObject[], string]>([
    ['that a pod mounts', [claimed, pod('p')], 'holds'],
    [
      'that a pod mounts ephemerally',
      [
        volume({ claimRef: { namespace: 'default', name: 'p-d' } }),
        pod('p', { spec: { nodeName: 'n', volumes: [{ name: 'd', ephemeral: {} }] } }),
      ],
      'holds',
    ],
    ['that no pod mounts', [claimed], unwanted],
    ['whose pod is over', [claimed, pod('p', { status: { phase: 'Succeeded' } })], unwanted],
    [
      'whose pod is on another node',
      [claimed, pod('p', { spec: { nodeName: 'm', volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }] } })],
      unwanted,
    ],
    ['whose pod is in another namespace', [claimed, pod('p', { metadata: { namespace: 'other' } })], unwanted],
    ['without a claim', [volume({}), pod('p')], unwanted],
    ['without a volume', [pod('p')], unwanted],
  ])('of an attachment %s', (_, objects, verdict) => {
    tellsAtEnd(NAME, [...objects, attachment('a', 'n')], verdict);
  });

  it('names what is attached', () => {
    const named = (source: object, text: string): void =>
      tellsAtEnd(NAME, [attachment('a', 'n', true, source)], `${text} is still attached to n, where no pod needs it`);
    named({}, 'the volume of a');
    named({ inlineVolumeSpec: {} }, 'the volume of a');
    named({ inlineVolumeSpec: { csi: { volumeHandle: 'h' } } }, 'inline volume h');
  });

  it('is not about attachments of users, nor about those that are being deleted', () => {
    tells(NAME, [
      [put(attachment('a', 'n')), '-'],
      [described, new Set(['a'])],
      [edit('VolumeAttachment', 'a', { metadata: { labels: {} } }), '-'],
      [end(), '-'],
      [remove('VolumeAttachment', 'a', BY), '-'],
      [described, new Set()],
      [put(attachment('b', 'n'), BY), '-'],
      [edit('VolumeAttachment', 'b', { metadata: { labels: {} } }), '-'],
      [end(false), '-'],
      [end(), unwanted],
      [edit('VolumeAttachment', 'b', { metadata: DYING }), '-'],
      [end(), '-'],
      [remove('VolumeAttachment', 'b', BY), 'holds'],
    ]);
  });
});

describe('volume-attachment/attached-by-its-driver', () => {
  it('wants the report from the driver', () => {
    const DRIVER = { by: 'attacher', actor: 'storage-driver/disks' };
    const reported = (attached: boolean, by: object) => edit('VolumeAttachment', 'a', { status: { attached } }, by);
    tells('volume-attachment/attached-by-its-driver', [
      [put(attachment('a', 'n', false), BY), '-'],
      [reported(true, DRIVER), 'holds'],
      [reported(true, { by: 'other', actor: 'x' }), '-'],
      [reported(false, { by: 'other', actor: 'x' }), '-'],
      [
        reported(true, { by: 'other', actor: 'x' }),
        'other in x reported that volume v is attached, which only storage-driver/disks may report',
      ],
      [reported(false, {}), '-'],
      [reported(true, {}), '-'],
      [remove('VolumeAttachment', 'a', { by: 'other', actor: 'x' }), '-'],
      [
        put(attachment('a', 'n'), BY),
        'attach-detach in the cluster reported that volume v is attached, which only storage-driver/disks may report',
      ],
    ]);
  });
});
