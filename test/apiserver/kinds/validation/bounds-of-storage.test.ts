/** Attachments and nodes of storage drivers at the limits of their sizes, and just beyond. */
import { describe } from 'vitest';
import { check, NAME_PART, SUBDOMAIN } from './causes.ts';
import { checkChanges } from './changes.ts';

const object = (kind: string, spec: object): object => ({ apiVersion: 'storage.k8s.io/v1', kind, metadata: { name: 'x' }, spec });

describe('an attachment', () => {
  const attachment = (source: object, more: object = {}): object =>
    object('VolumeAttachment', { attacher: 'a', nodeName: 'n', source, ...more });
  const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  const inline = {
    inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'd', volumeHandle: 'h' } },
  };
  const status = (of: object) => ({ status: { attached: true, ...of } });
  const at = { subresource: 'status' } as const;
  check([
    ['is of a volume', attachment({ persistentVolumeName: 'v' }), []],
    ['is of an inline volume', attachment(inline), []],
    ['is of one of them', attachment({ persistentVolumeName: 'v', ...inline }), [`spec.source: Forbidden: ${one}`]],
    [
      'is of a volume with a name',
      attachment({ persistentVolumeName: '' }),
      [
        'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
        `spec.source.persistentVolumeName: Invalid value: "": ${SUBDOMAIN}`,
      ],
    ],
    [
      'is by a driver',
      attachment({ persistentVolumeName: 'v' }, { attacher: '' }),
      ['spec.attacher: Required value', 'spec.attacher: Required value', `spec.attacher: Invalid value: "": ${SUBDOMAIN}`],
    ],
  ]);
  const MiB4 = 256 * 1024;
  checkChanges([
    [
      'has metadata of 256 KiB',
      attachment({ persistentVolumeName: 'v' }),
      status({ attachmentMetadata: { a: 'x'.repeat(MiB4 - 1) } }),
      [],
      at,
    ],
    [
      'has no more',
      attachment({ persistentVolumeName: 'v' }),
      status({ attachmentMetadata: { ab: 'x'.repeat(MiB4 - 1) } }),
      [
        'status.attachmentMetadata: Too long: must have at most 262144 bytes',
        'status.attachmentMetadata: Too long: must have at most 262144 bytes',
      ],
      at,
    ],
    [
      'has messages of a kibibyte',
      attachment({ persistentVolumeName: 'v' }),
      status({ attachError: { message: 'x'.repeat(1024) }, detachError: { message: 'x'.repeat(1024) } }),
      [],
      at,
    ],
    [
      'has no longer ones',
      attachment({ persistentVolumeName: 'v' }),
      status({ attachError: { message: 'x'.repeat(1025) }, detachError: { message: 'x'.repeat(1025) } }),
      ['attachError', 'detachError', 'attachError', 'detachError'].map(
        (name) => `status.${name}.message: Too long: must have at most 262144 bytes`,
      ),
      at,
    ],
  ]);
});

describe('a node of storage drivers', () => {
  const csi = (...drivers: readonly object[]): object => object('CSINode', { drivers });
  const driver = (name: string, more: object = {}) => ({ name, nodeID: 'n', ...more });
  const struct = (name: string, id: string): string =>
    `storage.CSINodeDriver{Name:"${name}", NodeID:"${id}", TopologyKeys:[]string(nil), Allocatable:(*storage.VolumeNodeResources)(nil)}`;
  check([
    ['has drivers of their names', csi(driver('a', { topologyKeys: ['x', 'y'], allocatable: { count: 0 } }), driver('b')), []],
    [
      'has each driver and each key once',
      csi(driver('a', { topologyKeys: ['x', 'x', '', 'a b'] }), driver('a')),
      [
        'Duplicate value: "x"',
        'Required value',
        'Invalid value: "": name part must be non-empty',
        `Invalid value: "": ${NAME_PART}`,
        `Invalid value: "a b": ${NAME_PART}`,
      ]
        .map((why) => `spec.drivers[0]: ${why}`)
        .concat('spec.drivers[1].name: Duplicate value: "a"'),
    ],
    ['has identifiers of 256 characters', csi(driver('a', { nodeID: 'n'.repeat(256) })), []],
    [
      'has no longer ones',
      csi(driver('a', { nodeID: 'n'.repeat(257) })),
      [`spec.drivers[0].nodeID: Invalid value: "${'n'.repeat(257)}": must be 256 characters or less`],
    ],
    [
      'counts volumes from zero',
      csi(driver('a', { allocatable: { count: -1 } })),
      ['spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0'],
    ],
  ]);
  checkChanges([
    ['may get and lose drivers', csi(driver('a'), driver('b')), { spec: { drivers: [driver('b'), driver('c')] } }, []],
    [
      'keeps what it says of a driver',
      csi(driver('a'), driver('b')),
      { spec: { drivers: [driver('a'), driver('b', { nodeID: 'm' })] } },
      [`CSINodeDriver: Invalid value: ${struct('b', 'm')}: field is immutable`],
    ],
    [
      'is wrong twice',
      csi(driver('a')),
      { spec: { drivers: [driver('a', { nodeID: '' })] } },
      [
        'spec.drivers[0].nodeID: Required value',
        'spec.drivers[0].nodeID: Required value',
        `CSINodeDriver: Invalid value: ${struct('a', '')}: field is immutable`,
      ],
    ],
  ]);
});
