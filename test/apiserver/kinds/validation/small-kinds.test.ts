/** What small kinds may be, and what an update may not change of them. */
import { describe } from 'vitest';
import { check, LABEL, NAME_PART, SUBDOMAIN } from './causes.ts';
import { checkChanges } from './changes.ts';

const object = (apiVersion: string, kind: string, rest: object): object => ({ apiVersion, kind, metadata: { name: 'x' }, ...rest });
const capacity = (rest: object): object => object('storage.k8s.io/v1', 'CSIStorageCapacity', { storageClassName: 'a', ...rest });
const runtime = (rest: object): object => object('node.k8s.io/v1', 'RuntimeClass', { handler: 'a', ...rest });
const storageClass = (rest: object): object => object('storage.k8s.io/v1', 'StorageClass', { provisioner: 'a', ...rest });
const attachment = (spec: object): object =>
  object('storage.k8s.io/v1', 'VolumeAttachment', { spec: { attacher: 'a', nodeName: 'n', ...spec } });
const revision = (data: unknown): object => object('apps/v1', 'ControllerRevision', { revision: 1, data });
const containers = [{ name: 'c', image: 'i' }];
const cronJob = object('batch/v1', 'CronJob', {
  spec: { schedule: '* * * * *', timeZone: 'UTC', jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } } },
});
const parameters = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, 'v']));

describe('an object', () => {
  check([
    [
      'of capacities is not negative, and judged twice',
      capacity({ capacity: '-1' }),
      [
        'capacity: Invalid value: "-1": must be greater than or equal to 0',
        'capacity: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ],
    ['of capacities may be zero', capacity({ capacity: '0' }), []],
    ['of runtimes has a handler', runtime({ handler: 'A' }), [`handler: Invalid value: "A": ${LABEL}`]],
    [
      'of runtimes has an overhead of resources',
      runtime({ overhead: { podFixed: { 'a b': '1', cpu: '-1' } } }),
      [
        `overhead.limits[a b]: Invalid value: "a b": ${NAME_PART}`,
        'overhead.limits[a b]: Invalid value: "a b": must be a standard resource for containers',
        'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ],
    [
      'of runtimes schedules by labels and taints',
      runtime({ scheduling: { nodeSelector: { 'a b': 'c' }, tolerations: [{ key: 'a b' }] } }),
      [
        `scheduling.nodeSelector: Invalid value: "a b": ${NAME_PART}`,
        `scheduling.tolerations.tolerations[0].key: Invalid value: "a b": ${NAME_PART}`,
      ],
    ],
    ['of classes has 512 parameters', storageClass({ parameters: parameters(512) }), []],
    ['of classes has no more', storageClass({ parameters: parameters(513) }), ['parameters: Too long: must have at most 512 bytes']],
    ['of classes has parameters of 256 KiB', storageClass({ parameters: { a: 'x'.repeat(262_143) } }), []],
    [
      'of classes has no larger ones',
      storageClass({ parameters: { a: 'x'.repeat(262_144) } }),
      ['parameters: Too long: must have at most 262144 bytes'],
    ],
    [
      'of classes has known policies',
      storageClass({ provisioner: 'A b', parameters: { '': 'y' }, reclaimPolicy: 'Recycle', volumeBindingMode: 'X' }),
      [
        `provisioner: Invalid value: "A b": ${NAME_PART}`,
        'parameters: Invalid value: "": field can not be empty.',
        'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
        'volumeBindingMode: Unsupported value: "X": supported values: "Immediate", "WaitForFirstConsumer"',
      ],
    ],
    ['of classes has a provisioner', storageClass({ provisioner: '' }), ['provisioner: Required value']],
    [
      'of attachments names what is attached',
      attachment({ attacher: 'a b', nodeName: 'A', source: {} }),
      [
        'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
        `spec.nodeName: Invalid value: "A": ${SUBDOMAIN}`,
        `spec.attacher: Invalid value: "a b": ${SUBDOMAIN}`,
      ],
    ],
    [
      'of attachments names a volume',
      attachment({ source: { persistentVolumeName: 'A' } }),
      [`spec.source.persistentVolumeName: Invalid value: "A": ${SUBDOMAIN}`],
    ],
    [
      'of revisions has data',
      object('apps/v1', 'ControllerRevision', { revision: -1 }),
      ['data: Required value: data is mandatory', 'revision: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'of webhooks has each name once',
      object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {
        webhooks: ['a.b.c', 'a.b.c', 'd.b.c'].map((name) => ({
          name,
          clientConfig: { url: 'https://a.io/x' },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        })),
      }),
      ['webhooks[1].name: Duplicate value: "a.b.c"'],
    ],
  ]);
});

describe('an update', () => {
  const zone = (name: string, ...why: readonly string[]) =>
    [
      `to the zone ${JSON.stringify(name)}`,
      cronJob,
      { spec: { timeZone: name } },
      why.map((each) => `spec.timeZone: Invalid value: "${name}": ${each}`),
      { gates: { CronJobTimeZone: true } },
    ] as const;
  const explicit = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  const bytes = (...all: readonly string[]) =>
    `data: Invalid value: runtime.RawExtension{Raw:[]uint8{${all.join(', ')}}, Object:runtime.Object(nil)}: field is immutable`;
  checkChanges([
    zone('local', explicit, 'unknown time zone local'),
    zone('LOCAL', explicit, 'unknown time zone LOCAL'),
    zone('', 'timeZone must be nil or non-empty string'),
    zone('x', 'unknown time zone x'),
    zone('Europe/Berlin'),
    [
      'of a revision keeps its data',
      revision({ a: 1 }),
      { data: { a: 2 } },
      [bytes('0x7b', '0x22', '0x61', '0x22', '0x3a', '0x32', '0x7d')],
    ],
    ['of a revision keeps its data, a text', revision('x'), { data: 'y' }, [bytes('0x22', '0x79', '0x22')]],
    ['of a revision may have another number', revision({ a: 1 }), { data: { a: 1 }, revision: 2 }, []],
    [
      'of a quota keeps each scope',
      object('v1', 'ResourceQuota', { spec: { scopes: ['BestEffort', 'Terminating'] } }),
      { spec: { scopes: ['BestEffort', 'NotTerminating'] } },
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort", "NotTerminating"}: field is immutable'],
    ],
  ]);
});

describe('a container that has ended', () => {
  const status = { name: 'c', image: 'i', imageID: 'x', ready: false, restartCount: 0 };
  const ended = (exitCode: number) => ({
    status: { containerStatuses: [{ ...status, state: { terminated: { exitCode } } }] },
    subresource: 'status',
  });
  const alive = { status: { containerStatuses: [{ ...status, state: { running: {} } }] } };
  const refused = ['status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'];
  const pod = (restartPolicy: string): object => object('v1', 'Pod', { spec: { restartPolicy, containers } });
  checkChanges([
    ['may run again in a pod that always restarts', pod('Always'), alive, [], ended(0)],
    ['may run again after a failure', pod('OnFailure'), alive, [], ended(1)],
    ['does not run again after a success', pod('OnFailure'), alive, refused, ended(0)],
    ['does not run again in a pod that never restarts', pod('Never'), alive, refused, ended(1)],
    ['may stay as it is', pod('Never'), { status: { phase: 'Failed' } }, [], ended(1)],
    [
      'may be in a pod of two addresses, and no more',
      pod('Always'),
      { status: { podIPs: [{ ip: '1.1.1.1' }, { ip: 'fd00::1' }, { ip: 'fd00::2' }] } },
      [
        'status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"1.1.1.1"}, core.PodIP{IP:"fd00::1"}, core.PodIP{IP:"fd00::2"}}: may specify no more than one IP for each IP family',
      ],
      { subresource: 'status' },
    ],
  ]);
});
