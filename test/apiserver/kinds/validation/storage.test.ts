import { describe, expect, it } from 'vitest';
import { causesOf } from './causes.ts';

const make = (kind: string, rest: object) => ({ apiVersion: 'storage.k8s.io/v1', kind, metadata: { name: 'x' }, ...rest });
const attachment = (inlineVolumeSpec: object) =>
  make('VolumeAttachment', { spec: { attacher: 'd', nodeName: 'n', source: { inlineVolumeSpec } } });
const CSI = { accessModes: ['ReadWriteOnce'], csi: { driver: 'd', volumeHandle: 'h' } };
const AT = 'spec.source.inlineVolumeSpec';
const OUT = 'may not be specified in the context of inline volumes';

const check = (cases: readonly (readonly [what: string, object: object, causes: readonly string[]])[]): void => {
  it.each(cases)('%s', (_, object, causes) => {
    expect(causesOf(object)).toEqual(causes);
  });
};

describe('volumes inside attachments', () => {
  check([
    [
      "are what their driver needs, in upstream's order",
      attachment({
        ...CSI,
        capacity: { storage: '1' },
        claimRef: { name: 'c' },
        nodeAffinity: {},
        storageClassName: 's',
        volumeMode: 'Block',
        persistentVolumeReclaimPolicy: 'Delete',
      }),
      [
        `${AT}.claimRef: Forbidden: ${OUT}`,
        `${AT}.capacity: Forbidden: ${OUT}`,
        `${AT}.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes`,
        `${AT}.nodeAffinity: Forbidden: ${OUT}`,
        `${AT}.storageClassName: Forbidden: ${OUT}`,
        `${AT}.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes`,
      ],
    ],
    ['may be kept', attachment({ ...CSI, persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }), []],
  ]);
});

describe('classes and drivers', () => {
  const topologies = (...terms: readonly object[]) => make('StorageClass', { provisioner: 'p', allowedTopologies: terms });
  const term = (value: string) => ({ matchLabelExpressions: [{ key: 'k', values: [value] }] });
  const twice = (at: number): string => `allowedTopologies[${at}].matchLabelExpressions: Duplicate value: ""`;
  check([
    ['repeat as many empty terms as there are terms', topologies(term('a'), {}), [twice(1), twice(1)]],
    ['repeat every term that selects the same', topologies(term('a'), term('a'), term('a')), [twice(1), twice(2), twice(2)]],
    [
      'must request tokens for distinct audiences',
      make('CSIDriver', { spec: { tokenRequests: [{ audience: 'a' }, { audience: 'a', expirationSeconds: 1 }] } }),
      ['spec.tokenRequests[1].audience: Duplicate value: "a"'],
    ],
  ]);
});
