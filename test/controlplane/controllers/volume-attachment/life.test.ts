/** The life of an attachment: made, reported, and removed once no pod needs it. */
import { expect, it } from 'vitest';
import { attachDetach } from '../../../../src/controlplane/controllers/volume-attachment/controller.ts';
import { living } from '../lives.ts';

it('a volume is attached for a pod, and detached when the pod is gone', () => {
  const { cluster, make, patch, drop, pass, writes } = living([attachDetach]);
  make('Node', 'n', {});
  const csi = { driver: 'd.example', volumeHandle: 'h' };
  make('PersistentVolume', 'pv', { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, csi } });
  make(
    'PersistentVolumeClaim',
    'data',
    { spec: { accessModes: ['ReadWriteOnce'], volumeName: 'pv', storageClassName: '', resources: { requests: { storage: '1Gi' } } } },
    'default',
  );
  patch('PersistentVolumeClaim', 'data', { status: { phase: 'Bound' } }, 'status', 'default');
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  make('Pod', 'p', { spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], volumes } }, 'default');
  pass(1_000);
  const [attachment] = [...cluster.store.values('VolumeAttachment')];
  expect(attachment).toMatchObject({ spec: { attacher: 'd.example', nodeName: 'n', source: { persistentVolumeName: 'pv' } } });
  const name = attachment?.metadata.name ?? '';
  const plain = (): readonly string[] => writes().map((line) => line.replaceAll(name, 'va'));
  expect(plain()).toEqual(['0 attach-detach: create VolumeAttachment va']);
  patch('VolumeAttachment', name, { status: { attached: true } }, 'status');
  pass(1_000);
  expect(plain()).toEqual(['1200 attachdetach-controller: SuccessfulAttachVolume', '1200 attach-detach: patch Node/status n']);
  expect(cluster.store.get('Node', 'n')?.status.volumesAttached).toEqual([{ name: 'kubernetes.io/csi/d.example^h', devicePath: '' }]);
  drop('Pod', 'p', 'default');
  pass(2_000);
  expect(plain()).toEqual(['2000 attach-detach: patch Node/status n', '2000 attach-detach: delete VolumeAttachment va']);
  expect(cluster.store.get('Node', 'n')?.status.volumesAttached ?? []).toEqual([]);
  expect([...cluster.store.values('VolumeAttachment')]).toEqual([]);
});
