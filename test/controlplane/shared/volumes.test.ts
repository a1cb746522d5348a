/** Names of volumes and their attachments, the claims of pods, and who attaches the volumes of a node. */
import { describe, expect, it, test } from 'vitest';
import type { CSIDriver, PersistentVolume } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import {
  askForVolume,
  attachDetachKey,
  attacherFinalizer,
  attachesItself,
  attachmentName,
  claimsOf,
  driverProcess,
  mustAttach,
  uniqueVolumeName,
} from '../../../src/controlplane/shared/index.ts';
import { barePod, nodeOf } from '../../support/objects.ts';

const names = namesFor('k8s.io');

test('a node attaches its volumes itself only where the annotation is false', () => {
  const node = nodeOf('a');
  const withValue = (value: string): boolean =>
    attachesItself({ ...node, metadata: { ...node.metadata, annotations: { [attachDetachKey(names)]: value } } }, names);
  expect([withValue('false'), withValue('true'), withValue('')]).toEqual([true, false, false]);
  expect(attachesItself(node, names)).toBe(false);
});

test('names of volumes and attachments are those of the storage interface', () => {
  expect(uniqueVolumeName(names, 'disk.example', 'v-1')).toBe('kubernetes.io/csi/disk.example^v-1');
  // printf 'v-1disk.examplenode-0' | sha256sum
  expect(attachmentName('v-1', 'disk.example', 'node-0')).toBe('csi-dd2b6f4031ee1d38ed54e8a114493fd4405f27af56715550d3fd71d9b9bb3a88');
  expect(attacherFinalizer('ebs.csi.aws.com')).toBe('external-attacher/ebs-csi-aws-com');
  expect(attachDetachKey(names)).toBe('volumes.kubernetes.io/controller-managed-attach-detach');
  expect(driverProcess('disk.example')).toBe('storage-driver/disk.example');
});

test('volumes are attached unless their driver opts out, where drivers are looked up', () => {
  const driver = (spec: object) => ({ spec }) as unknown as CSIDriver;
  const drivers = [undefined, driver({}), driver({ attachRequired: true }), driver({ attachRequired: false })];
  expect(drivers.map((each) => mustAttach(each, {}))).toEqual([true, true, true, false]);
  expect(drivers.map((each) => mustAttach(each, { CSIDriverRegistry: true }))).toEqual([true, true, true, false]);
  expect(drivers.map((each) => mustAttach(each, { CSIDriverRegistry: false }))).toEqual([true, true, true, true]);
});

test('a volume is read live before it is deleted, and may be gone', () => {
  const volume = { kind: 'PersistentVolume', metadata: { name: 'v' } } as unknown as PersistentVolume;
  expect(askForVolume(volume)).toEqual({ op: 'get', kind: 'PersistentVolume', name: 'v', resume: true, tolerate: ['NotFound'] });
});

describe('the claims of a pod', () => {
  it('are those that it names, and one for each ephemeral volume', () => {
    const volumes = [
      { name: 'data', persistentVolumeClaim: { claimName: 'a' } },
      { name: 'config', configMap: { name: 'c' } },
      { name: 'scratch', ephemeral: {} },
    ];
    expect(claimsOf(barePod('p', 'Running', { spec: { volumes } }))).toEqual(['default/a', 'default/p-scratch']);
    expect(claimsOf(barePod('p'))).toEqual([]);
  });
});
