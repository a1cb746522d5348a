import { envelopeOf } from '../../../../src/apiserver/request/index.ts';
import { describe, expect, it } from 'vitest';
import type { ApiObject, FeatureGates, ObjectInput } from '../../../../src/apiserver/machinery/index.ts';
import { setup } from '../../handlers/setup.ts';
import { causesOf } from './causes.ts';

type Manifest = ObjectInput & { readonly kind: string };
const CONTAINERS = [{ name: 'c', image: 'i' }];
const template = (spec: object = {}, metadata: object = {}) => ({
  metadata: { labels: { a: 'b' }, ...metadata },
  spec: { containers: CONTAINERS, ...spec },
});
const job = (spec: object, metadata: object = {}) =>
  ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'x', ...metadata },
    spec: { template: template({ restartPolicy: 'Never' }), ...spec },
  }) as unknown as Manifest;
const cronJob = (spec: object) =>
  ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'x' },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }) } }, ...spec },
  }) as unknown as Manifest;
const set = (spec: object) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'x' },
    spec: { serviceName: 's', selector: { matchLabels: { a: 'b' } }, template: template(), ...spec },
  }) as unknown as Manifest;

/** Returns the causes and warnings of an update. */
function changed(
  object: Manifest,
  alter: (made: ApiObject) => object,
  gates: FeatureGates = {},
  subresource?: string,
): { readonly causes: readonly string[]; readonly warnings: readonly string[] } {
  const { ok, server } = setup('k8s.io', gates);
  const at = { kind: object.kind, namespace: 'default' };
  const made = ok({ verb: 'create', ...at, body: object });
  const response = server.handle(
    envelopeOf('client', {
      verb: 'update',
      ...at,
      name: 'x',
      body: alter(made) as ObjectInput,
      ...(subresource === undefined ? {} : { subresource }),
    }),
  );
  return {
    causes: response.ok ? [] : (response.status.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`),
    warnings: response.warnings ?? [],
  };
}

const warningsOf = (object: Manifest): readonly string[] =>
  setup().server.handle(envelopeOf('client', { verb: 'create', kind: object.kind, namespace: 'default', body: object })).warnings ?? [];

describe('schedules', () => {
  it('have at most one time zone', () => {
    expect(
      causesOf(cronJob({ schedule: 'TZ=UTC * * * * *', timeZone: 'Europe/Berlin' }), setup('k8s.io', { CronJobTimeZone: true })),
    ).toEqual(['spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule']);
  });
});

describe('Jobs', () => {
  const TRACKING = 'batch.kubernetes.io/job-tracking';
  const annotate = (made: ApiObject, annotations: object) => ({ ...made, metadata: { ...made.metadata, annotations } });

  it('cannot start tracking with finalizers after creation', () => {
    const { ok, refused } = setup('k8s.io', { JobTrackingWithFinalizers: true });
    const made = ok({ verb: 'create', kind: 'Job', namespace: 'default', body: job({}) });
    expect(made.metadata.annotations).toEqual({ [TRACKING]: '' });
    const untracked = ok({ verb: 'update', kind: 'Job', namespace: 'default', name: 'x', body: annotate(made, {}) as ObjectInput });
    expect(
      refused({
        verb: 'update',
        kind: 'Job',
        namespace: 'default',
        name: 'x',
        body: annotate(untracked, { [TRACKING]: '' }) as ObjectInput,
      }).details?.causes,
    ).toEqual([
      { reason: 'FieldValueForbidden', message: 'Forbidden: cannot add this annotation', field: `metadata.annotations[${TRACKING}]` },
    ]);
  });
});

describe('StatefulSets', () => {
  it('validate template annotations as those of pods', () => {
    expect(causesOf(set({ template: template({}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/d': 'x' } }) }))).toEqual(
      [
        'spec.template.annotations[container.apparmor.security.beta.kubernetes.io/d]: Invalid value: "d": container not found',
        'spec.template.annotations[container.apparmor.security.beta.kubernetes.io/d]: Invalid value: "x": invalid AppArmor profile name: "x"',
      ],
    );
  });

  it('never decrease the collision count', () => {
    const { ok, refused } = setup();
    const at = { kind: 'StatefulSet', namespace: 'default', name: 'x' } as const;
    const made = ok({ verb: 'create', kind: at.kind, namespace: at.namespace, body: set({}) });
    const status = (object: ApiObject, collisionCount?: number) =>
      ({
        ...object,
        status: { ...(object['status'] as object), ...(collisionCount === undefined ? {} : { collisionCount }) },
      }) as ObjectInput;
    const collided = ok({ verb: 'update', ...at, subresource: 'status', body: status(made, 2) });
    expect(
      refused({ verb: 'update', ...at, subresource: 'status', body: status(collided, 1) }).details?.causes?.map(({ message }) => message),
    ).toEqual(['Invalid value: 1: cannot be decremented']);
  });

  it('report too few replicas last', () => {
    const { causes } = changed(set({}), (made) => ({ ...made, spec: { ...(made['spec'] as object), replicas: -1, serviceName: 't' } }));
    expect(causes.map((cause) => cause.slice(0, 40))).toEqual([
      'spec.replicas: Invalid value: -1: must b',
      'spec: Forbidden: updates to statefulset ',
      'spec.replicas: Invalid value: -1: must b',
    ]);
  });
});

describe('warnings about templates', () => {
  const odd = template(
    {
      restartPolicy: 'Never',
      nodeSelector: { 'beta.kubernetes.io/os': 'x' },
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone', operator: 'Exists' }] } },
          ],
        },
      },
      volumes: [{ name: 'g', gitRepo: { repository: 'r' } }],
      imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
      containers: [{ name: 'c', image: 'i', env: [{ name: 'A' }, { name: 'A' }], resources: { limits: { memory: '1500m' } } }],
    },
    { annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '', 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } },
  );
  const said = (root: string): readonly string[] => [
    `${root}.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use \\"kubernetes.io/os\\" instead`,
    `${root}.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use \\"topology.kubernetes.io/zone\\" instead`,
    `${root}.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the \\"priorityClassName\\" field instead`,
    `${root}.spec.volumes[0].gitRepo: deprecated in v1.11`,
    `${root}.spec.imagePullSecrets[1].name: duplicate name "a"`,
    `${root}.spec.imagePullSecrets[2].name: invalid empty name ""`,
    `${root}.metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: deprecated since v1.19; use the \\"seccompProfile\\" field instead`,
    `${root}.spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer`,
    `${root}.spec.containers[0].env[1].name: duplicate name "A"`,
  ];

  it("come in upstream's order", () => {
    expect(warningsOf(job({ template: odd }))).toEqual(said('spec.template'));
    expect(warningsOf(cronJob({ jobTemplate: { spec: { template: odd } } }))).toEqual(said('spec.jobTemplate.spec.template'));
  });

  it('are repeated at every change of the specification, and at no other', () => {
    expect(
      changed(job({ template: odd }), (made) => ({ ...made, spec: { ...(made['spec'] as object), parallelism: 2 } })).warnings,
    ).toEqual(said('spec.template'));
    expect(changed(job({ template: odd }), (made) => ({ ...made, metadata: { ...made.metadata, labels: { x: 'y' } } })).warnings).toEqual(
      [],
    );
  });
});
