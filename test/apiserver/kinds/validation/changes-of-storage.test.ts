/** What an update of a volume, or of a claim, may not change. */
import { describe } from 'vitest';
import { checkChanges } from './changes.ts';

const CLASS = 'volume.beta.kubernetes.io/storage-class';
const KEPT_SOURCE = 'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation';
const KEPT_OF_CLAIMS = 'spec: Forbidden: spec is immutable after creation except resources.requests for bound claims\n';

const volume = (spec: object): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'x' },
  spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...spec },
});
const claim = (spec: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'x', ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, ...spec },
});

describe('a volume', () => {
  checkChanges([
    ['keeps its source', volume({ hostPath: { path: '/x' } }), { spec: { hostPath: { path: '/y' } } }, [KEPT_SOURCE]],
    [
      'has no other source',
      volume({ hostPath: { path: '/x' } }),
      { spec: { hostPath: null, nfs: { server: 's', path: '/p' } } },
      [KEPT_SOURCE],
    ],
    [
      'keeps its mode',
      volume({ hostPath: { path: '/x' } }),
      { spec: { volumeMode: 'Block' } },
      ['volumeMode: Invalid value: "Block": field is immutable'],
    ],
    [
      'has a known mode',
      volume({ hostPath: { path: '/x' } }),
      { spec: { volumeMode: 'X' } },
      [
        'spec.volumeMode: Unsupported value: "X": supported values: "Block", "Filesystem"',
        'spec.volumeMode: Unsupported value: "X": supported values: "Block", "Filesystem"',
        'volumeMode: Invalid value: "X": field is immutable',
      ],
    ],
    [
      'may get an affinity',
      volume({ hostPath: { path: '/x' } }),
      {
        spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['a'] }] }] } } },
      },
      [],
    ],
    [
      'keeps its affinity',
      volume({
        hostPath: { path: '/x' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['a'] }] }] } },
      }),
      {
        spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] } } },
      },
      ['nodeAffinity: Invalid value: core.VolumeNodeAffinity{Required:(*core.NodeSelector)(0xc000000000)}: field is immutable'],
    ],
    [
      'does not lose its affinity',
      volume({
        hostPath: { path: '/x' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['a'] }] }] } },
      }),
      { spec: { nodeAffinity: null } },
      ['nodeAffinity: Invalid value: "null": field is immutable'],
    ],
    [
      'may have another size and policy',
      volume({ hostPath: { path: '/x' } }),
      { spec: { capacity: { storage: '3Gi' }, persistentVolumeReclaimPolicy: 'Delete' } },
      [],
    ],
    [
      'may get the secret of an expansion',
      volume({ csi: { driver: 'd', volumeHandle: 'h' } }),
      { spec: { csi: { controllerExpandSecretRef: { name: 'a', namespace: 'b' } } } },
      [],
    ],
    [
      'keeps that secret',
      volume({ csi: { driver: 'd', volumeHandle: 'h', controllerExpandSecretRef: { name: 'a', namespace: 'b' } } }),
      { spec: { csi: { controllerExpandSecretRef: { name: 'c' } } } },
      [KEPT_SOURCE],
    ],
    [
      'keeps its handle beside that secret',
      volume({ csi: { driver: 'd', volumeHandle: 'h' } }),
      { spec: { csi: { volumeHandle: 'z', controllerExpandSecretRef: { name: 'a', namespace: 'b' } } } },
      [KEPT_SOURCE],
    ],
    [
      'gets no options that its source does not take',
      volume({ hostPath: { path: '/x' } }),
      { metadata: { annotations: { 'volume.beta.kubernetes.io/mount-options': 'ro' } } },
      ['metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type'],
    ],
  ]);
});

describe('a claim', () => {
  checkChanges([
    ['may get a volume', claim({}), { spec: { volumeName: 'v' } }, []],
    ['keeps its volume', claim({ volumeName: 'v' }), { spec: { volumeName: 'w' } }, [KEPT_OF_CLAIMS]],
    ['does not lose its volume', claim({ volumeName: 'v' }), { spec: { volumeName: null } }, [KEPT_OF_CLAIMS]],
    ['does not grow before it is bound', claim({}), { spec: { resources: { requests: { storage: '3Gi' } } } }, [KEPT_OF_CLAIMS]],
    [
      'grows only where its class allows it',
      claim({}),
      { spec: { resources: { requests: { storage: '3Gi' } } } },
      [
        'persistentvolumeclaims "x" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      ],
      { status: { phase: 'Bound', capacity: { storage: '2Gi' } } },
    ],
    [
      'does not shrink',
      claim({}),
      { spec: { resources: { requests: { storage: '1Gi' } } } },
      ['spec.resources.requests.storage: Forbidden: field can not be less than previous value'],
      { status: { phase: 'Bound', capacity: { storage: '2Gi' } } },
    ],
    [
      'may ask for less than was not reached',
      claim({}),
      { spec: { resources: { requests: { storage: '1Gi' } } } },
      [],
      { status: { phase: 'Bound', capacity: { storage: '500Mi' } }, gates: { RecoverVolumeExpansionFailure: true } },
    ],
    [
      'does not ask for what it has',
      claim({}),
      { spec: { resources: { requests: { storage: '500Mi' } } } },
      ['spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'],
      { status: { phase: 'Bound', capacity: { storage: '500Mi' } }, gates: { RecoverVolumeExpansionFailure: true } },
    ],
    [
      'keeps its mode',
      claim({}),
      { spec: { volumeMode: 'Block' } },
      [KEPT_OF_CLAIMS, 'volumeMode: Invalid value: "Block": field is immutable'],
    ],
    ['keeps its access modes', claim({}), { spec: { accessModes: ['ReadOnlyMany'] } }, [KEPT_OF_CLAIMS]],
    ['keeps its class', claim({ storageClassName: 'a' }), { spec: { storageClassName: 'b' } }, [KEPT_OF_CLAIMS]],
    [
      'may move its class from the annotation',
      claim({}, { annotations: { [CLASS]: 'a' } }),
      { metadata: { annotations: { [CLASS]: null } }, spec: { storageClassName: 'a' } },
      [],
    ],
    [
      'keeps its class in the annotation',
      claim({}, { annotations: { [CLASS]: 'a' } }),
      { metadata: { annotations: { [CLASS]: 'b' } } },
      ['metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: "b": field is immutable'],
    ],
    [
      'does not lose its class in the annotation',
      claim({}, { annotations: { [CLASS]: 'a' } }),
      { metadata: { annotations: { [CLASS]: null } } },
      ['metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: "": field is immutable'],
    ],
    ['moves no other class', claim({}, { annotations: { [CLASS]: 'a' } }), { spec: { storageClassName: 'b' } }, [KEPT_OF_CLAIMS]],
    [
      'has a capacity that is not negative',
      claim({}),
      { status: { capacity: { storage: '-1', 'a.b/c': '5' } } },
      ['status.capacity[storage]: Invalid value: -1: must be a valid resource quantity'],
      { subresource: 'status' },
    ],
  ]);
});
