/** Warnings about valid values of pods that are probably mistakes. */
import { describe, expect, it } from 'vitest';
import { podOf, warningsOf } from './causes.ts';

const BOTH = (...keys: readonly string[]) => ({ matchExpressions: keys.map((key) => ({ key, operator: 'Exists' })) });
const OLD = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'beta.kubernetes.io/instance-type',
];

const ODD = {
  nodeSelector: Object.fromEntries([...OLD.toReversed(), 'kubernetes.io/os'].map((key) => [key, 'x'])),
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}, BOTH('a', 'beta.kubernetes.io/arch')] },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: {} },
        { weight: 1, preference: BOTH('failure-domain.beta.kubernetes.io/zone', 'a', 'beta.kubernetes.io/os') },
      ],
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway' },
    { maxSkew: 1, topologyKey: 'beta.kubernetes.io/os', whenUnsatisfiable: 'ScheduleAnyway' },
  ],
  hostAliases: [{ ip: '1.1.1.1' }, { ip: '2.2.2.2' }, { ip: '1.1.1.1' }, { ip: '1.1.1.1' }],
  imagePullSecrets: [{ name: 'a' }, { name: '' }, { name: 'a' }, {}],
  volumes: [
    { name: 'a', photonPersistentDisk: { pdID: 'p' } },
    { name: 'b', gitRepo: { repository: 'r' } },
    { name: 'c', scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: { name: 's' } } },
    { name: 'd', flocker: { datasetName: 'd' } },
    { name: 'e', storageos: { volumeName: 'v' } },
    { name: 'f', quobyte: { registry: 'a:1', volume: 'v' } },
    { name: 'g', emptyDir: {} },
  ],
  initContainers: [{ name: 'i', image: 'i', env: [{ name: 'A' }, { name: 'B' }, { name: 'A' }, { name: 'A' }] }],
  containers: [
    {
      name: 'c',
      image: 'i',
      resources: {
        limits: { memory: '1.5', 'ephemeral-storage': '1500m', cpu: '100m' },
        requests: { memory: '100m', 'ephemeral-storage': '1' },
      },
    },
    { name: 'd', image: 'i', securityContext: { seccompProfile: { type: 'Unconfined' } } },
  ],
};
const ANNOTATIONS = {
  'scheduler.alpha.kubernetes.io/critical-pod': '',
  'security.alpha.kubernetes.io/sysctls': '',
  'security.alpha.kubernetes.io/unsafe-sysctls': '',
  'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
  'container.seccomp.security.alpha.kubernetes.io/i': 'unconfined',
  'container.seccomp.security.alpha.kubernetes.io/d': 'unconfined',
  'container.seccomp.security.alpha.kubernetes.io/x': 'unconfined',
};

const template = (annotations: object, spec: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'r' },
  spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' }, annotations }, spec } },
});

describe('warnings', () => {
  it('name labels, annotations and sources that are going, repetitions and fractions of bytes', () => {
    expect(warningsOf(template(ANNOTATIONS, { ...ODD, overhead: { memory: '1m', 'ephemeral-storage': '1.0', cpu: '1m' } }))).toEqual([
      'spec.template.spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since v1.14; use \\"kubernetes.io/arch\\" instead',
      'spec.template.spec.nodeSelector[beta.kubernetes.io/instance-type]: deprecated since v1.17; use \\"node.kubernetes.io/instance-type\\" instead',
      'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use \\"kubernetes.io/os\\" instead',
      'spec.template.spec.nodeSelector[failure-domain.beta.kubernetes.io/region]: deprecated since v1.17; use \\"topology.kubernetes.io/region\\" instead',
      'spec.template.spec.nodeSelector[failure-domain.beta.kubernetes.io/zone]: deprecated since v1.17; use \\"topology.kubernetes.io/zone\\" instead',
      'spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchExpressions[1].key: beta.kubernetes.io/arch is deprecated since v1.14; use \\"kubernetes.io/arch\\" instead',
      'spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[1].preference.matchExpressions[0].key: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use \\"topology.kubernetes.io/zone\\" instead',
      'spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[1].preference.matchExpressions[2].key: beta.kubernetes.io/os is deprecated since v1.14; use \\"kubernetes.io/os\\" instead',
      'spec.template.spec.topologySpreadConstraints[1].topologyKey: beta.kubernetes.io/os is deprecated since v1.14; use \\"kubernetes.io/os\\" instead',
      'spec.template.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the \\"priorityClassName\\" field instead',
      'spec.template.metadata.annotations[security.alpha.kubernetes.io/sysctls]: non-functional in v1.11+; use the \\"sysctls\\" field instead',
      'spec.template.metadata.annotations[security.alpha.kubernetes.io/unsafe-sysctls]: non-functional in v1.11+; use the \\"sysctls\\" field instead',
      'spec.template.spec.volumes[0].photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+',
      'spec.template.spec.volumes[1].gitRepo: deprecated in v1.11',
      'spec.template.spec.volumes[2].scaleIO: deprecated in v1.16, non-functional in v1.22+',
      'spec.template.spec.volumes[3].flocker: deprecated in v1.22, support removal is planned in v1.26',
      'spec.template.spec.volumes[4].storageOS: deprecated in v1.22, support removal is planned in v1.26',
      'spec.template.spec.volumes[5].quobyte: deprecated in v1.22, support removal is planned in v1.26',
      'spec.template.spec.hostAliases[2].ip: duplicate ip "1.1.1.1"',
      'spec.template.spec.hostAliases[3].ip: duplicate ip "1.1.1.1"',
      'spec.template.spec.imagePullSecrets[2].name: duplicate name "a"',
      'spec.template.spec.imagePullSecrets[3].name: duplicate name ""',
      'spec.template.spec.imagePullSecrets[1].name: invalid empty name ""',
      'spec.template.spec.imagePullSecrets[3].name: invalid empty name ""',
      'spec.template.spec.overhead[memory]: fractional byte value "1m" is invalid, must be an integer',
      'spec.template.metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: deprecated since v1.19; use the \\"seccompProfile\\" field instead',
      'spec.template.metadata.annotations[container.seccomp.security.alpha.kubernetes.io/i]: deprecated since v1.19; use the \\"seccompProfile\\" field instead',
      'spec.template.spec.initContainers[0].env[2].name: duplicate name "A"',
      'spec.template.spec.initContainers[0].env[3].name: duplicate name "A"',
      'spec.template.spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer',
      'spec.template.spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
      'spec.template.spec.containers[0].resources.limits[ephemeral-storage]: fractional byte value "1500m" is invalid, must be an integer',
    ]);
  });

  it('of pods are at their own paths, and none about annotations that the server aligned', () => {
    const rooted = warningsOf(template(ANNOTATIONS, ODD)).map((text) => text.replace(/^spec\.template\./, ''));
    expect(warningsOf(podOf(ODD, { annotations: ANNOTATIONS }))).toEqual(rooted.filter((text) => !text.includes('deprecated since v1.19')));
  });

  it('are not given without a reason', () => {
    expect(
      warningsOf(
        podOf({
          nodeSelector: { a: 'b' },
          hostAliases: [{ ip: '1.1.1.1' }],
          imagePullSecrets: [{ name: 'a' }],
          volumes: [{ name: 'v', emptyDir: {} }],
        }),
      ),
    ).toEqual([]);
  });
});
