/** What is valid of PersistentVolumes by their sources. */
import { describe, expect, it } from 'vitest';
import { setup } from '../../handlers/setup.ts';
import { causesOf, check, LABEL, SUBDOMAIN } from './causes.ts';

const volume = (spec: object): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'x' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
});
const AFFINITY = { nodeAffinity: { required: { nodeSelectorTerms: [{}] } } };
const HOST = { hostPath: { path: '/x' } };
const world = setup();

/** Returns the errors of a volume with each of these sources, without the path of the source. */
const ofSources = (sources: readonly object[]): readonly string[] =>
  sources.flatMap((source) => causesOf(volume({ ...AFFINITY, ...source }), world));

describe('sources of PersistentVolumes', () => {
  it('must say where the data is', () => {
    expect(
      ofSources([
        {},
        { hostPath: { path: '' } },
        { gcePersistentDisk: { pdName: '' } },
        { awsElasticBlockStore: { volumeID: '' } },
        { glusterfs: { endpoints: '', path: '' } },
        { flocker: {} },
        { nfs: { server: '', path: '' } },
        { rbd: { monitors: [], image: '' } },
        { quobyte: { registry: '', volume: '' } },
        { cephfs: { monitors: [] } },
        { iscsi: { targetPortal: '', iqn: '', lun: 0 } },
        { cinder: { volumeID: '' } },
        { fc: {} },
        { flexVolume: { driver: '' } },
        { azureFile: { secretName: '', shareName: '', secretNamespace: '' } },
        { vsphereVolume: { volumePath: '' } },
        { photonPersistentDisk: { pdID: '' } },
        { portworxVolume: { volumeID: '' } },
        { azureDisk: { diskName: '', diskURI: '' } },
        { scaleIO: { gateway: '', system: '', volumeName: '' } },
        { local: { path: '' } },
        { storageos: {} },
        { csi: { driver: '', volumeHandle: '' } },
      ]),
    ).toEqual([
      'spec: Required value: must specify a volume type',
      'spec.hostPath.path: Required value',
      'spec.persistentDisk.pdName: Required value',
      'spec.awsElasticBlockStore.volumeID: Required value',
      'spec.glusterfs.endpoints: Required value',
      'spec.glusterfs.path: Required value',
      'spec.flocker: Required value: one of datasetName and datasetUUID is required',
      'spec.nfs.server: Required value',
      'spec.nfs.path: Required value',
      'spec.nfs.path: Invalid value: "": must be an absolute path',
      'spec.rbd.monitors: Required value',
      'spec.rbd.image: Required value',
      'spec.quobyte.registry: Required value: must be a host:port pair or multiple pairs separated by commas',
      'spec.quobyte.volume: Required value',
      'spec.cephfs.monitors: Required value',
      'spec.iscsi.targetPortal: Required value',
      'spec.iscsi.iqn: Required value',
      'spec.cinder.volumeID: Required value',
      'spec.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both',
      'spec.flexVolume.driver: Required value',
      'spec.azureFile.secretName: Required value',
      'spec.azureFile.shareName: Required value',
      'spec.azureFile.secretNamespace: Required value',
      'spec.vsphereVolume.volumePath: Required value',
      'spec.photonPersistentDisk.pdID: Required value',
      'spec.portworxVolume.volumeID: Required value',
      'spec.azureDisk.diskName: Required value',
      'spec.azureDisk.diskURI: Required value',
      'spec.azureDisk.diskURI: Unsupported value: "": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
      'spec.scaleIO.gateway: Required value',
      'spec.scaleIO.system: Required value',
      'spec.scaleIO.volumeName: Required value',
      'spec.local.path: Required value',
      'spec.storageos.volumeName: Required value',
      'spec.csi.driver: Required value',
      `spec.csi.driver: Invalid value: "": ${SUBDOMAIN}`,
      'spec.csi.volumeHandle: Required value',
    ]);
  });

  it('may be all that there are, each with what it needs', () => {
    expect(
      ofSources([
        HOST,
        { gcePersistentDisk: { pdName: 'p' } },
        { awsElasticBlockStore: { volumeID: 'v' } },
        { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: 'n' } },
        { flocker: { datasetName: 'd' } },
        { nfs: { server: 's', path: '/p' } },
        { rbd: { monitors: ['m'], image: 'i' } },
        { quobyte: { registry: 'a:1', volume: 'v' } },
        { cephfs: { monitors: ['m'] } },
        { iscsi: { targetPortal: 't', iqn: 'iqn.2001-04.com.example:s', lun: 0, secretRef: { name: 's' } } },
        { iscsi: { targetPortal: 'p'.repeat(62), iqn: 'iqn.2001-04.com.example:s', lun: 0, initiatorName: 'iqn.2001-04.com.example:s' } },
        { cinder: { volumeID: 'v', secretRef: { name: 's', namespace: 'n' } } },
        { fc: { wwids: ['w'] } },
        { flexVolume: { driver: 'd' } },
        { azureFile: { secretName: 's', shareName: 's' } },
        { azureFile: { secretName: 's', shareName: 's', secretNamespace: 'n' } },
        { vsphereVolume: { volumePath: 'p' } },
        { photonPersistentDisk: { pdID: 'p' } },
        { portworxVolume: { volumeID: 'v' } },
        { azureDisk: { diskName: 'd', diskURI: 'https://a' } },
        { scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: { name: 's' } } },
        { local: { path: '/p' } },
        { storageos: { volumeName: 'v', secretRef: { name: 's', namespace: 'n' } } },
        { csi: { driver: 'd', volumeHandle: 'h' } },
        { flexVolume: { driver: 'd' }, ...HOST },
      ]),
    ).toEqual([]);
  });

  it('name secrets with their namespace, and have bounds of their own', () => {
    expect(
      ofSources([
        { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '' } },
        { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: 'N' } },
        { iscsi: { targetPortal: 't', iqn: 'x', lun: 0, secretRef: {}, initiatorName: 'y' } },
        { iscsi: { targetPortal: 'p'.repeat(63), iqn: 'iqn.2001-04.com.example:s', lun: 0, initiatorName: 'iqn.2001-04.com.example:s' } },
        { cinder: { volumeID: 'v', secretRef: {} } },
        { storageos: { volumeName: 'v', secretRef: { name: 's' } } },
        { gcePersistentDisk: { pdName: 'p', partition: 256 } },
        { local: { path: 'a/../b' } },
        { csi: { driver: 'd', volumeHandle: 'h', nodePublishSecretRef: { name: 'A', namespace: 'B' }, controllerPublishSecretRef: {} } },
      ]),
    ).toEqual([
      'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
      `spec.glusterfs.endpointsNamespace: Invalid value: "N": ${LABEL}`,
      'spec.iscsi.iqn: Invalid value: "x": must be valid format',
      'spec.iscsi.secretRef.name: Required value',
      'spec.iscsi.initiatorname: Invalid value: "y": must be valid format',
      'spec.iscsi.targetportal: Invalid value: "ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
      'spec.cinder.secretRef.name: Required value',
      'spec.cinder.secretRef.namespace: Required value',
      'spec.storageos.secretRef.namespace: Required value',
      'spec.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
      'spec.local.path: Invalid value: "a/../b": must not contain \'..\'',
      'spec.csi.controllerPublishSecretRef.name: Required value',
      'spec.csi.controllerPublishSecretRef.namespace: Required value',
      `spec.csi.nodePublishSecretRef.name: Invalid value: "A": ${LABEL}`,
      `spec.csi.nodePublishSecretRef.namespace: Invalid value: "B": ${LABEL}`,
    ]);
  });
});

describe('specs of PersistentVolumes', () => {
  check([
    [
      'need capacity and access modes',
      volume({ ...HOST, capacity: {}, accessModes: [] }),
      [
        'spec.accessModes: Required value',
        'spec.capacity: Required value',
        'spec.capacity: Unsupported value: core.ResourceList{}: supported values: "storage"',
      ],
    ],
    [
      'have storage alone',
      volume({ ...HOST, capacity: { storage: '1', cpu: '0' }, accessModes: ['ReadWriteOncePod', 'Any'] }),
      [
        'spec.accessModes: Unsupported value: "ReadWriteOncePod": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
        'spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
        'spec.capacity: Unsupported value: core.ResourceList{"cpu":resource.Quantity{i:resource.int64Amount{value:0, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"0", Format:"DecimalSI"}, "storage":resource.Quantity{i:resource.int64Amount{value:1, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1", Format:"DecimalSI"}}: supported values: "storage"',
        'spec.capacity[cpu]: Invalid value: "0": must be greater than zero',
      ],
    ],
    [
      'have some storage',
      volume({ ...HOST, capacity: { storage: '0' } }),
      ['spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
    ],
    [
      'have no capacity but storage',
      volume({ ...HOST, capacity: { memory: '1m' } }),
      [
        'spec.capacity: Unsupported value: core.ResourceList{"memory":resource.Quantity{i:resource.int64Amount{value:1, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1m", Format:"DecimalSI"}}: supported values: "storage"',
      ],
    ],
    [
      'have known policies, modes and names',
      volume({ ...HOST, persistentVolumeReclaimPolicy: 'Keep', volumeMode: 'Raw', storageClassName: 'S_', nodeAffinity: {} }),
      [
        'spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Recycle", "Retain"',
        'spec.nodeAffinity.required: Required value: must specify required node constraints',
        `spec.storageClassName: Invalid value: "S_": ${SUBDOMAIN}`,
        'spec.volumeMode: Unsupported value: "Raw": supported values: "Block", "Filesystem"',
      ],
    ],
    [
      'select nodes as pods do',
      volume({
        ...HOST,
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Block',
        storageClassName: '',
        nodeAffinity: { required: { nodeSelectorTerms: [] } },
      }),
      ['spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term'],
    ],
    [
      'of the root cannot be recycled',
      volume({ hostPath: { path: '//./' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
    ],
    ['of another path can', volume({ hostPath: { path: '/a' }, persistentVolumeReclaimPolicy: 'Recycle' }), []],
    ['of a relative path can', volume({ hostPath: { path: '.' }, persistentVolumeReclaimPolicy: 'Recycle' }), []],
    [
      'of the path above the root cannot',
      volume({ hostPath: { path: '/../a/..' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      [
        'spec.hostPath.path: Invalid value: "/../a/..": must not contain \'..\'',
        "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
      ],
    ],
    [
      'of a file below the root can',
      volume({ hostPath: { path: '/../a' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      ['spec.hostPath.path: Invalid value: "/../a": must not contain \'..\''],
    ],
    ['of the root can be deleted', volume({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Delete' }), []],
  ]);
});

describe('volumes inside attachments', () => {
  const attachment = (inlineVolumeSpec: object): object => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'x' },
    spec: { attacher: 'd', nodeName: 'n', source: { inlineVolumeSpec } },
  });
  check([
    [
      'have a driver',
      attachment({ accessModes: ['ReadWriteOnce'], ...HOST, capacity: {}, volumeMode: '' }),
      [
        'spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes',
        'spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes',
      ],
    ],
    [
      'have a driver, even without a source',
      attachment({ persistentVolumeReclaimPolicy: 'Recycle', capacity: { cpu: '1' } }),
      [
        'spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes',
        'spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes',
        'spec.source.inlineVolumeSpec.accessModes: Required value',
        'spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes',
        'spec.source.inlineVolumeSpec: Required value: must specify a volume type',
      ],
    ],
    [
      'of one machine have no affinity',
      attachment({ accessModes: ['ReadWriteOnce'], local: { path: '/p' }, ...AFFINITY }),
      [
        'spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes',
        'spec.source.inlineVolumeSpec.nodeAffinity: Forbidden: may not be specified in the context of inline volumes',
        'spec.source.inlineVolumeSpec.nodeAffinity: Required value: Local volume requires node affinity',
      ],
    ],
  ]);
});
