/** What an update of a pod may not change, and what its status may be. */
import { describe } from 'vitest';
import { NAME_PART, SUBDOMAIN } from './causes.ts';
import { checkChanges } from './changes.ts';

const KEPT_OF_PODS =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations` (only additions to existing tolerations) or `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n';

const pod = (spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'x' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

describe('a pod', () => {
  checkChanges([
    ['may have another image', pod({}), { spec: { containers: [{ name: 'c', image: 'j' }] } }, []],
    [
      'has an image',
      pod({}),
      { spec: { containers: [{ name: 'c', image: '' }] } },
      ['spec.containers[0].image: Required value', 'spec.containers[0].image: Required value', KEPT_OF_PODS],
    ],
    [
      'has an image without spaces',
      pod({}),
      { spec: { containers: [{ name: 'c', image: ' j' }] } },
      [
        'spec.containers[0].image: Invalid value: " j": must not have leading or trailing whitespace',
        'spec.containers[0].image: Invalid value: " j": must not have leading or trailing whitespace',
        KEPT_OF_PODS,
      ],
    ],
    [
      'has no more containers',
      pod({}),
      {
        spec: {
          containers: [
            { name: 'c', image: 'i' },
            { name: 'd', image: 'i' },
          ],
        },
      },
      ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    ],
    [
      'may have another image for its initialization',
      pod({ initContainers: [{ name: 'a', image: 'i' }] }),
      { spec: { initContainers: [{ name: 'a', image: 'k' }] } },
      [],
    ],
    [
      'has no fewer containers',
      pod({ initContainers: [{ name: 'a', image: 'i' }] }),
      { spec: { initContainers: [] } },
      ['spec.initContainers: Forbidden: pod updates may not add or remove containers'],
    ],
    [
      'keeps its variables',
      pod({}),
      { spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'A', value: 'b' }] }] } },
      [KEPT_OF_PODS],
    ],
    ['may get a deadline', pod({}), { spec: { activeDeadlineSeconds: 5 } }, []],
    ['may get a shorter deadline', pod({ activeDeadlineSeconds: 5 }), { spec: { activeDeadlineSeconds: 4 } }, []],
    [
      'gets no longer deadline',
      pod({ activeDeadlineSeconds: 5 }),
      { spec: { activeDeadlineSeconds: 6 } },
      ['spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value'],
    ],
    [
      'does not lose its deadline',
      pod({ activeDeadlineSeconds: 5 }),
      { spec: { activeDeadlineSeconds: null, nodeName: 'n' } },
      ['spec.activeDeadlineSeconds: Invalid value: "null": must not update from a positive integer to nil value', KEPT_OF_PODS],
    ],
    [
      'has a deadline above zero',
      pod({ activeDeadlineSeconds: 5 }),
      { spec: { activeDeadlineSeconds: 0 } },
      ['spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
    ],
    [
      'may tolerate more',
      pod({}),
      {
        spec: {
          tolerations: [
            { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
            { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
            { key: 'a', operator: 'Exists' },
          ],
        },
      },
      [],
    ],
    ['tolerates what every pod does', pod({}), { spec: { tolerations: [] } }, []],
    [
      'tolerates well-formed taints',
      pod({ tolerations: [] }),
      {
        spec: {
          tolerations: [
            { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
            { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
            { key: 'a b', operator: 'Equal' },
          ],
        },
      },
      [`spec.tolerations[2].key: Invalid value: "a b": ${NAME_PART}`, `spec.tolerations[2].key: Invalid value: "a b": ${NAME_PART}`],
    ],
    ['may end a negative grace period', pod({ terminationGracePeriodSeconds: -1 }), { spec: { terminationGracePeriodSeconds: 1 } }, []],
    ['keeps a positive one', pod({ terminationGracePeriodSeconds: 5 }), { spec: { terminationGracePeriodSeconds: 1 } }, [KEPT_OF_PODS]],
    ['is not bound by an update', pod({}), { spec: { nodeName: 'n' } }, [KEPT_OF_PODS]],
    [
      'has names and addresses in its status',
      pod({ restartPolicy: 'Never' }),
      {
        status: {
          nominatedNodeName: 'A_',
          podIP: '1.1.1.1',
          podIPs: [{ ip: '1.1.1.1' }, { ip: '1.1.1.1' }, { ip: 'x' }],
          conditions: [
            { type: 'a b', status: 'True' },
            { type: 'Ready', status: 'True' },
          ],
        },
      },
      [
        `metadata.conditions[0].Type: Invalid value: "a b": ${NAME_PART}`,
        `status.nominatedNodeName: Invalid value: "A_": ${SUBDOMAIN}`,
        'status.podIPs[2]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'status.podIPs[1]: Duplicate value: core.PodIP{IP:"1.1.1.1"}',
      ],
      { subresource: 'status' },
    ],
    [
      'has one address of a family',
      pod({}),
      { status: { podIPs: [{ ip: '1.1.1.1' }, { ip: '1.1.1.2' }] } },
      [
        'status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"1.1.1.1"}, core.PodIP{IP:"1.1.1.2"}}: may specify no more than one IP for each IP family',
      ],
      { subresource: 'status' },
    ],
    [
      'may have one address of each',
      pod({}),
      { status: { podIPs: [{ ip: '1.1.1.1' }, { ip: 'fd00::1' }] } },
      [],
      { subresource: 'status' },
    ],
  ]);
});
