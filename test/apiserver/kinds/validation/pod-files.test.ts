/** What is valid of the files in a pod's volumes, and of the volumes of one pod together. */
import { describe } from 'vitest';
import { check, LABEL, NAME_PART, podOf, SUBDOMAIN, volumesOf } from './causes.ts';

describe('files of a pod and its container', () => {
  const file = (rest: object) => ({ path: 'f', ...rest });
  const field = (fieldPath: string, apiVersion = 'v1') => file({ fieldRef: { apiVersion, fieldPath } });
  const resource = (name: string, divisor?: string) =>
    file({ resourceFieldRef: { containerName: 'c', resource: name, ...(divisor === undefined ? {} : { divisor }) } });
  check([
    [
      'may show these fields and amounts',
      volumesOf({
        downwardAPI: {
          defaultMode: 511,
          items: [
            ...['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'].map((path) =>
              field(path),
            ),
            field("metadata.labels['a.b/C']"),
            field("metadata.annotations['A.B/C']"),
            resource('limits.cpu', '1m'),
            resource('requests.cpu', '1'),
            resource('limits.memory', '1Mi'),
            resource('requests.memory', '0'),
            resource('limits.ephemeral-storage', '1E'),
            resource('requests.ephemeral-storage'),
            resource('limits.hugepages-2Mi', '1k'),
            resource('requests.hugepages-1Gi', '1Ei'),
          ],
        },
      }),
      [],
    ],
    [
      'must not show others',
      volumesOf({
        downwardAPI: {
          defaultMode: 512,
          items: [
            file({}),
            { ...field('metadata.name'), resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' }, mode: 512 },
            { ...field('metadata.name'), path: '' },
            { ...field('metadata.name'), path: '/f' },
            field(''),
            field('metadata.name', 'v2'),
            field('spec.nodeName'),
            field('spec.host'),
            field('status.podIPs'),
            field('metadata'),
            field("metadata.name['a']"),
            field("metadata.labels['A B']"),
            field("metadata.annotations['']"),
            field("xmetadata.labels['a'] "),
            file({ resourceFieldRef: { resource: 'limits.cpu' } }),
            resource(''),
            resource('limits.pods', '3'),
            resource('hugepages-2Mi'),
            resource('limits.cpu', '1k'),
            resource('requests.cpu', '2m'),
            resource('limits.memory', '1m'),
            resource('xlimits.memory', '1m'),
            resource('requests.ephemeral-storage', '2'),
            resource('limits.hugepages-2Mi', '2Ki'),
            resource('requests.hugepages-2Mi', '10'),
          ],
        },
      }),
      [
        'spec.volumes[0].downwardAPI.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
        'spec.volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
        'spec.volumes[0].downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously',
        'spec.volumes[0].downwardAPI.mode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
        'spec.volumes[0].downwardAPI.path: Required value',
        'spec.volumes[0].downwardAPI.path: Invalid value: "/f": must be a relative path',
        'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Required value',
        'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2',
        'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
        'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
        'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Unsupported value: "status.podIPs": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
        'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Invalid value: "metadata": error converting fieldPath: field label not supported: metadata',
        "spec.volumes[0].downwardAPI.fieldRef.fieldPath: Invalid value: \"metadata.name['a']\": error converting fieldPath: field label does not support subscript: metadata.name['a']",
        `spec.volumes[0].downwardAPI.fieldRef: Invalid value: "A B": ${NAME_PART}`,
        'spec.volumes[0].downwardAPI.fieldRef: Invalid value: "": name part must be non-empty',
        `spec.volumes[0].downwardAPI.fieldRef: Invalid value: "": ${NAME_PART}`,
        "spec.volumes[0].downwardAPI.fieldRef.fieldPath: Invalid value: \"xmetadata.labels['a'] \": error converting fieldPath: field label not supported: xmetadata.labels['a'] ",
        'spec.volumes[0].downwardAPI.resourceFieldRef.containerName: Required value',
        'spec.volumes[0].downwardAPI.resourceFieldRef.resource: Required value',
        'spec.volumes[0].downwardAPI.resourceFieldRef.resource: Unsupported value: "limits.pods": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
        'spec.volumes[0].downwardAPI.resourceFieldRef.resource: Unsupported value: "hugepages-2Mi": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
        'spec.volumes[0].downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
        'spec.volumes[0].downwardAPI.resourceFieldRef.divisor: Invalid value: "requests.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
        'spec.volumes[0].downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.memory": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource',
        'spec.volumes[0].downwardAPI.resourceFieldRef.resource: Unsupported value: "xlimits.memory": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
        'spec.volumes[0].downwardAPI.resourceFieldRef.divisor: Invalid value: "requests.ephemeral-storage": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the local ephemeral storage resource',
        'spec.volumes[0].downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.hugepages-2Mi": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the hugepages resource',
        'spec.volumes[0].downwardAPI.resourceFieldRef.divisor: Invalid value: "requests.hugepages-2Mi": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the hugepages resource',
      ],
    ],
  ]);
});

describe('projected volumes', () => {
  const projected = (...sources: readonly object[]) => ({ projected: { sources } });
  check([
    [
      'need names, files and distinct paths',
      podOf({
        serviceAccountName: 's',
        volumes: [
          {
            name: 'a',
            projected: {
              defaultMode: 512,
              sources: [
                { secret: { name: 's', items: [{ key: 'k', path: 'f' }] } },
                {
                  configMap: {
                    name: 'c',
                    items: [
                      { key: 'k', path: 'f' },
                      { key: 'l', path: '' },
                      { key: 'm', path: '' },
                    ],
                  },
                },
                { downwardAPI: { items: [{ path: 'f' }, { path: '/g', fieldRef: { fieldPath: 'metadata.name' } }] } },
                { secret: {}, configMap: {}, serviceAccountToken: { path: '/x', expirationSeconds: 599 } },
                { serviceAccountToken: { path: '', expirationSeconds: 600 } },
                {},
              ],
            },
          },
        ],
      }),
      [
        'spec.volumes[0].projected.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
        'spec.volumes[0].projected: Invalid value: "c": conflicting duplicate paths',
        'spec.volumes[0].projected.sources[1].configMap.items[1].path: Required value',
        'spec.volumes[0].projected.sources[1].configMap.items[2].path: Required value',
        'spec.volumes[0].projected.sources[2].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
        'spec.volumes[0].projected: Invalid value: "f": conflicting duplicate paths',
        'spec.volumes[0].projected.sources[2].downwardAPI.path: Invalid value: "/g": must be a relative path',
        'spec.volumes[0].projected.sources[3].secret.name: Required value',
        'spec.volumes[0].projected.sources[3].configMap.name: Required value',
        'spec.volumes[0].projected.sources[3].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
        'spec.volumes[0].projected.sources[3]: Forbidden: may not specify more than 1 volume type',
        'spec.volumes[0].projected.path: Required value',
      ],
    ],
    [
      'may hold the token of a service account',
      podOf({
        serviceAccountName: 's',
        volumes: [
          { name: 'a', ...projected({ serviceAccountToken: { path: 't', expirationSeconds: 4294967296 } }, { configMap: { name: 'c' } }) },
          { name: 'b', ...projected({ serviceAccountToken: { path: 't', expirationSeconds: 4294967297 } }) },
        ],
      }),
      [
        'spec.volumes[1].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
      ],
    ],
  ]);
});

describe('volumes of one pod', () => {
  const template = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } };
  const ephemeral = (volumeClaimTemplate: object) => ({ ephemeral: { volumeClaimTemplate } });
  check([
    [
      'have one source each and names of their own',
      podOf({
        volumes: [
          {
            name: 'a',
            emptyDir: {},
            hostPath: { path: '/' },
            downwardAPI: {},
            cephfs: { monitors: [] },
            iscsi: { targetPortal: '', iqn: '', lun: 0 },
          },
          { name: 'b', emptyDir: {} },
          { name: 'b', emptyDir: {} },
          { name: '', emptyDir: {} },
          { name: 'B', emptyDir: {} },
          { name: 'c', secret: { secretName: '' }, iscsi: { targetPortal: 'p'.repeat(63), iqn: '', lun: 0, initiatorName: 'x' } },
        ],
      }),
      [
        'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
        'spec.volumes[0].iscsi: Forbidden: may not specify more than 1 volume type',
        'spec.volumes[0].cephFS: Forbidden: may not specify more than 1 volume type',
        'spec.volumes[0].downwarAPI: Forbidden: may not specify more than 1 volume type',
        'spec.volumes[2].name: Duplicate value: "b"',
        'spec.volumes[3].name: Required value',
        `spec.volumes[4].name: Invalid value: "B": ${LABEL}`,
        'spec.volumes[5].secret.secretName: Required value',
        'spec.volumes[5].iscsi: Forbidden: may not specify more than 1 volume type',
        'spec.volumes[5].name: Invalid value: "c": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
      ],
    ],
    [
      'may claim storage for the life of the pod',
      podOf({
        volumes: [
          { name: 'a', ...ephemeral(template) },
          {
            name: 'b',
            ...ephemeral({
              metadata: { name: 'n', namespace: 'm', uid: 'u', labels: { 'a b': 'c' }, annotations: { 'd e': 'f' } },
              spec: { accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] },
            }),
          },
          { name: 'c', ...ephemeral({ metadata: { generation: 1, clusterName: 'c', finalizers: ['a/b'] }, spec: {} }) },
          { name: 'd', persistentVolumeClaim: { claimName: 'p-a' } },
          { name: 'e', persistentVolumeClaim: { claimName: 'p-d' } },
          { name: 'F', ...ephemeral(template) },
          { name: '', ...ephemeral(template) },
        ],
      }),
      [
        `spec.volumes[1].ephemeral.volumeClaimTemplate.metadata.annotations: Invalid value: "d e": ${NAME_PART}`,
        `spec.volumes[1].ephemeral.volumeClaimTemplate.metadata.labels: Invalid value: "a b": ${NAME_PART}`,
        'spec.volumes[1].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set for an ephemeral volume',
        'spec.volumes[1].ephemeral.volumeClaimTemplate.metadata.namespace: Forbidden: cannot be set for an ephemeral volume',
        'spec.volumes[1].ephemeral.volumeClaimTemplate.metadata.uID: Forbidden: cannot be set for an ephemeral volume',
        'spec.volumes[1].ephemeral.volumeClaimTemplate.spec.accessModes: Unsupported value: "ReadWriteOncePod": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
        'spec.volumes[1].ephemeral.volumeClaimTemplate.spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
        'spec.volumes[1].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
        'spec.volumes[2].ephemeral.volumeClaimTemplate.metadata.generation: Forbidden: cannot be set for an ephemeral volume',
        'spec.volumes[2].ephemeral.volumeClaimTemplate.metadata.finalizers: Forbidden: cannot be set for an ephemeral volume',
        'spec.volumes[2].ephemeral.volumeClaimTemplate.metadata.zZZ_DeprecatedClusterName: Forbidden: cannot be set for an ephemeral volume',
        'spec.volumes[2].ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required',
        'spec.volumes[2].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
        'spec.volumes[3].persistentVolumeClaim.claimName: Invalid value: "p-a": must not reference a PVC that gets created for an ephemeral volume',
        `spec.volumes[5].name: Invalid value: "F": PVC name "p-F": ${SUBDOMAIN}`,
        `spec.volumes[5].name: Invalid value: "F": ${LABEL}`,
        'spec.volumes[6].name: Required value',
      ],
    ],
  ]);
});
