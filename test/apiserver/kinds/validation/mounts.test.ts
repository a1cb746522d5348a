/** What is valid of the volumes that containers mount or attach as devices. */
import { describe } from 'vitest';
import { check, podOf } from './causes.ts';

const CLAIM = { persistentVolumeClaim: { claimName: 'c' } };
const TEMPLATE = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } };

describe('mounts and devices', () => {
  const volumes = [
    { name: 'e', emptyDir: {} },
    { name: 'c', ...CLAIM },
    { name: 'd', ...CLAIM },
    { name: 't', ephemeral: { volumeClaimTemplate: TEMPLATE } },
    { name: 'bad', hostPath: { path: '' } },
  ];
  const withMounts = (...volumeMounts: readonly object[]) => podOf({ volumes, containers: [{ name: 'c', image: 'i', volumeMounts }] });
  const withDevices = (volumeDevices: readonly object[], more: object = {}) =>
    podOf({ volumes, containers: [{ name: 'c', image: 'i', volumeDevices, ...more }] });
  check([
    [
      'are at paths of their own',
      podOf({
        volumes: volumes.slice(0, 4),
        containers: [
          {
            name: 'c',
            image: 'i',
            securityContext: { privileged: true },
            volumeMounts: [
              { name: 'e', mountPath: '/a', subPath: 'x', mountPropagation: 'Bidirectional' },
              { name: 'e', mountPath: '/b', subPathExpr: '$(X)/y', mountPropagation: 'None' },
            ],
            volumeDevices: [
              { name: 'c', devicePath: '/dev/a' },
              { name: 't', devicePath: '/dev/b' },
            ],
          },
        ],
      }),
      [],
    ],
    [
      'mount volumes of the pod that are valid',
      withMounts(
        { name: '', mountPath: '' },
        { name: 'x', mountPath: '/a' },
        { name: 'bad', mountPath: '/b' },
        { name: 'e', mountPath: '/a', subPath: '/x', subPathExpr: '../y' },
        { name: 'e', mountPath: '/c', mountPropagation: 'Bidirectional' },
        { name: 'e', mountPath: '/d', mountPropagation: 'Both' },
      ),
      [
        'spec.volumes[4].hostPath.path: Required value',
        'spec.containers[0].volumeMounts[0].name: Required value',
        'spec.containers[0].volumeMounts[0].name: Not found: ""',
        'spec.containers[0].volumeMounts[0].mountPath: Required value',
        'spec.containers[0].volumeMounts[1].name: Not found: "x"',
        'spec.containers[0].volumeMounts[2].name: Not found: "bad"',
        'spec.containers[0].volumeMounts[3].mountPath: Invalid value: "/a": must be unique',
        'spec.containers[0].volumeMounts.subPath: Invalid value: "/x": must be a relative path',
        'spec.containers[0].volumeMounts[3].subPathExpr: Invalid value: "../y": subPathExpr and subPath are mutually exclusive',
        'spec.containers[0].volumeMounts.subPathExpr: Invalid value: "../y": must not contain \'..\'',
        'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
        'spec.containers[0].volumeMounts.mountPropagation: Unsupported value: "Both": supported values: "Bidirectional", "HostToContainer", "None"',
      ],
    ],
    [
      'attach claims, each once',
      withDevices([
        { name: '', devicePath: '' },
        { name: '', devicePath: '/0' },
        { name: 'x', devicePath: '/a' },
        { name: 'e', devicePath: '/b' },
        { name: 'c', devicePath: '/a' },
        { name: 'c', devicePath: '/c' },
        { name: 'd', devicePath: '/../c' },
      ]),
      [
        'spec.volumes[4].hostPath.path: Required value',
        'spec.containers[0].volumeDevices[0].name: Required value',
        'spec.containers[0].volumeDevices[0].name: Not found: ""',
        'spec.containers[0].volumeDevices[0].devicePath: Required value',
        'spec.containers[0].volumeDevices[1].name: Required value',
        'spec.containers[0].volumeDevices[1].name: Not found: ""',
        'spec.containers[0].volumeDevices[2].name: Not found: "x"',
        'spec.containers[0].volumeDevices[3].name: Invalid value: "e": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        'spec.containers[0].volumeDevices[4].devicePath: Invalid value: "/a": must be unique',
        'spec.containers[0].volumeDevices[5].name: Invalid value: "c": must be unique',
        'spec.containers[0].volumeDevices[6].devicePath: Invalid value: "/../c": can not contain backsteps (\'..\')',
      ],
    ],
    [
      'do not use a volume or path in both ways',
      withDevices(
        [
          { name: 'c', devicePath: '/a' },
          { name: 'd', devicePath: '/b' },
        ],
        {
          volumeMounts: [
            { name: 'c', mountPath: '/x' },
            { name: 'e', mountPath: '/b' },
          ],
        },
      ),
      [
        'spec.volumes[4].hostPath.path: Required value',
        'spec.containers[0].volumeMounts[0].name: Invalid value: "c": must not already exist in volumeDevices',
        'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/b": must not already exist as a path in volumeDevices',
        'spec.containers[0].volumeDevices[0].name: Invalid value: "c": must not already exist in volumeMounts',
        'spec.containers[0].volumeDevices[1].devicePath: Invalid value: "/b": must not already exist as a path in volumeMounts',
      ],
    ],
  ]);
});
