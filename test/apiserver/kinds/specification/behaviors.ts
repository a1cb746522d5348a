/** The behavior of each rule that refuses nothing, in both modes. */
import { expect } from 'vitest';
import { isSufficient } from '../../../../src/apiserver/decisions/index.ts';
import { envelopeOf } from '../../../../src/apiserver/request/index.ts';
import type { ApiObject, FeatureGates, RulesMode } from '../../../../src/apiserver/machinery/index.ts';
import { simulate } from '../../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../../src/lab/vocabulary.ts';
import { setup } from '../../handlers/setup.ts';

const MODES: readonly RulesMode[] = ['specification', 'recorded'];
const make = (rules: RulesMode, body: unknown, gates: FeatureGates = {}) => {
  const { server } = setup('orch.io', gates, { rules });
  const object = body as ApiObject;
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { clusterIP: 'None' } } as unknown as ApiObject;
  server.handle(envelopeOf('client', { verb: 'create', kind: 'Service', namespace: 'default', body: service }));
  const response = server.handle(envelopeOf('client', { verb: 'create', kind: object.kind, namespace: 'default', body: object }));
  return response.ok && 'object' in response ? response.object : response.code;
};

const set = (more: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'web' },
  spec: {
    serviceName: 'web',
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'c:1' }] } },
    ...more,
  },
});

const run = (spec: string) => {
  const read = readScenarios(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: x }\nspec:\n${spec.replace(/^/gm, '  ')}`);
  if (!('scenarios' in read) || read.scenarios[0] === undefined) throw new Error(JSON.stringify(read));
  return simulate(read.scenarios[0], { trace: true });
};

const setIn = (mode: RulesMode): string => `
rules: ${mode}
featureGates: { MaxUnavailableStatefulSet: true }
cluster: { podBehaviors: [{ terminationDelay: 5s }] }
steps:
  - apply: { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: None } }
  - apply: { apiVersion: apps/v1, kind: StatefulSet, metadata: { name: web }, spec: { serviceName: web, replicas: 4, podManagementPolicy: Parallel, updateStrategy: { rollingUpdate: { maxUnavailable: "40%" } }, selector: { matchLabels: { app: a } }, template: { metadata: { labels: { app: a } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }
  - waitFor: { match: { kind: StatefulSet, metadata: { name: web }, status: { readyReplicas: 4 } }, within: 1m }
  - patch: { target: StatefulSet/web, type: merge, patch: { spec: { template: { metadata: { labels: { app: a, v: "2" } } } } } }
  - after: 1s
    expect: { cel: "objects('Pod').filter(p, has(p.metadata.deletionTimestamp)).size() == ${mode === 'specification' ? 2 : 1}" }
until: 10s`;

/** A CronJob that fires every minute, with Jobs of a given duration, checked at given moments. */
function everyMinute(policy: string, runFor: string, moments: readonly (readonly [cel: string, at: string])[], more = ''): void {
  for (const mode of MODES)
    expect(
      run(`
rules: ${mode}
cluster: { nodes: { count: 1 }, podBehaviors: [{ runFor: ${runFor} }] }
steps:
  - apply: { apiVersion: batch/v1, kind: CronJob, metadata: { name: c }, spec: { schedule: "* * * * *", concurrencyPolicy: ${policy}, ${more} jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } } } }
${moments.map(([cel, at]) => `  - { at: ${at}, expect: { cel: ${JSON.stringify(cel)} } }`).join('\n')}
until: 3m`).failures.map(({ message }) => message),
      mode,
    ).toEqual([]);
}

/** The endpoints of a service with the port name http, whose slices have a port with another name. */
function portNames(via: string, written: string): void {
  const failuresWith = (mode: RulesMode, port: string, is: string) =>
    run(`
rules: ${mode}
steps:
  - apply:
      - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { ports: [{ name: http, port: 80 }] } }
      - ${written.replace('PORT', port)}
  - at: 1s
    expect: { endpoints: { service: web, via: ${via}, is: [${is}] } }`).failures;
  for (const mode of MODES) {
    expect(failuresWith(mode, 'other', '')).toEqual([]);
    expect(failuresWith(mode, 'http', '"10.9.0.1:1"')).toEqual([]);
    expect(JSON.stringify(failuresWith(mode, 'other', '"10.9.0.1:1"'))).toContain(
      'not used: 10.9.0.1:1 (named other, and the ports of the service: named http)',
    );
  }
}

export const behaviors: Readonly<Record<string, () => void>> = {
  'api/collection-deletion-answers-status'() {
    const answers = MODES.map((rules) => {
      const { server } = setup('orch.io', {}, { rules });
      return server.handle(envelopeOf('client', { verb: 'deletecollection', kind: 'ConfigMap', namespace: 'default' }));
    });
    expect(answers[0]).toMatchObject({ code: 200, success: { kind: 'Status', status: 'Success' } });
    expect(answers[1]).toMatchObject({ code: 200, list: { items: [] } });
  },
  'storage-class/immediate-by-its-other-name'() {
    const body = (volumeBindingMode: string): object => ({
      apiVersion: 'storage.orch.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'a' },
      provisioner: 'a',
      volumeBindingMode,
    });
    expect(make('specification', body('VolumeBindingImmediate'))).toMatchObject({ volumeBindingMode: 'Immediate' });
    expect(make('recorded', body('VolumeBindingImmediate'))).toBe(422);
    for (const mode of MODES) {
      expect(make(mode, body('Immediate'))).toMatchObject({ volumeBindingMode: 'Immediate' });
      expect(make(mode, body('Later'))).toBe(422);
    }
  },
  'stateful-set/gated-min-ready-seconds'() {
    const made = (mode: RulesMode, on: boolean) =>
      ((make(mode, set({ minReadySeconds: 5 }), { StatefulSetMinReadySeconds: on }) as ApiObject)['spec'] as { minReadySeconds?: number })
        .minReadySeconds;
    expect(MODES.map((mode) => [made(mode, true), made(mode, false)])).toEqual([
      [5, undefined],
      [5, 5],
    ]);
  },
  'stateful-set/max-unavailable-rounds-up'() {
    for (const mode of MODES) expect(run(setIn(mode)).failures, mode).toEqual([]);
  },
  'endpoints/port-names-match': () =>
    portNames(
      'Endpoints',
      '{ apiVersion: v1, kind: Endpoints, metadata: { name: web }, subsets: [{ addresses: [{ ip: 10.9.0.1 }], ports: [{ name: PORT, port: 1 }] }] }',
    ),
  'endpoint-slice/port-names-match': () =>
    portNames(
      'EndpointSlice',
      '{ apiVersion: discovery.orch.io/v1, kind: EndpointSlice, metadata: { name: web, labels: { orch.io/service-name: web } }, addressType: IPv4, endpoints: [{ addresses: [10.9.0.1] }], ports: [{ name: PORT, port: 1 }] }',
    ),
  'cron-job/forbidden-runs-come-late': () =>
    everyMinute('Forbid', '90s', [
      ["objects('Job').size() == 1", '2m20s'],
      // Due at two minutes; started when the first run had ended.
      [
        "objects('Job').size() == 2 && objects('Job').exists(j, !has(j.status.completionTime) && timestamp(j.metadata.creationTimestamp) > now - duration('25s'))",
        '2m50s',
      ],
    ]),
  'cron-job/missed-runs-leave-no-job': () =>
    everyMinute(
      'Forbid',
      '110s',
      [
        ["objects('Job').size() == 1", '2m45s'],
        ["objects('Job').size() == 1", '2m58s'],
      ],
      'startingDeadlineSeconds: 10,',
    ),
  'job/resume-resets-the-start'() {
    for (const mode of MODES)
      expect(
        run(`
rules: ${mode}
steps:
  - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: j }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
  - at: 10s
    patch: { target: Job/j, type: merge, patch: { spec: { suspend: true } } }
  - at: 20s
    expect: { cel: "timestamp(object('Job/j').status.startTime) < now - duration('15s')" }
  - at: 30s
    patch: { target: Job/j, type: merge, patch: { spec: { suspend: false } } }
  - at: 35s
    expect: { cel: "timestamp(object('Job/j').status.startTime) > now - duration('10s')" }`).failures,
        mode,
      ).toEqual([]);
  },
  'volume-attachment/metadata-where-there-is-some'() {
    const reported = (attachmentMetadata: object) => ({ metadata: { name: 'a' }, status: { attached: true, ...attachmentMetadata } });
    for (const rules of MODES)
      for (const more of [{}, { attachmentMetadata: { lun: '3' } }]) {
        const { ok } = setup('orch.io', {}, { rules });
        const made = ok({
          verb: 'create',
          kind: 'VolumeAttachment',
          body: {
            apiVersion: 'storage.orch.io/v1',
            kind: 'VolumeAttachment',
            metadata: { name: 'a' },
            spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'p' } },
          },
        });
        const body = { ...made, status: reported(more).status };
        expect(ok({ verb: 'update', kind: 'VolumeAttachment', name: 'a', subresource: 'status', body })['status']).toEqual(
          reported(more).status,
        );
      }
  },
  'network-policy/except-leaves-something'() {
    const policy = (except: string): object => ({
      apiVersion: 'networking.orch.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'a' },
      spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: [except] } }] }] },
    });
    for (const mode of MODES) {
      expect(make(mode, policy('10.0.0.0/8'))).toBe(422);
      expect(make(mode, policy('10.0.0.0/9'))).toMatchObject({ kind: 'NetworkPolicy' });
    }
  },
  'csi-driver/names-are-lower-case'() {
    const driver = (name: string): object => ({ apiVersion: 'storage.orch.io/v1', kind: 'CSIDriver', metadata: { name }, spec: {} });
    for (const mode of MODES) {
      expect(make(mode, driver('A.b'))).toBe(422);
      expect(make(mode, driver('a.b'))).toMatchObject({ kind: 'CSIDriver' });
    }
  },
  'lease/micro-time-has-six-digits'() {
    const lease = (renewTime: string): object => ({
      apiVersion: 'coordination.orch.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
      spec: { renewTime },
    });
    for (const mode of MODES) {
      for (const digits of ['', '.00000', '.0000000']) expect(make(mode, lease(`2026-01-01T00:00:00${digits}Z`))).toBe(400);
      expect(make(mode, lease('2026-01-01T00:00:00.000000Z'))).toMatchObject({ kind: 'Lease' });
    }
  },
  'node/phase-is-nobodys'() {
    for (const mode of MODES)
      expect(
        run(`
rules: ${mode}
cluster: { nodes: { count: 1 } }
steps:
  - expect: { cel: "!has(object('Node/node-0').status.phase)" }
  - patch: { target: Node/node-0, subresource: status, type: merge, patch: { status: { phase: Pending } } }
  - at: 10m
    expect: { cel: "object('Node/node-0').status.phase == 'Pending'" }`).failures,
        mode,
      ).toEqual([]);
  },
  'csi-storage-capacity/largest-volume-counts-first'() {
    expect(isSufficient({ maximumVolumeSize: '2' }, 2)).toBe(true);
    expect(isSufficient({ maximumVolumeSize: '1', capacity: '5' }, 2)).toBe(false);
    for (const capacity of [undefined, '0']) {
      expect(isSufficient({ maximumVolumeSize: '2', ...(capacity === undefined ? {} : { capacity }) }, 2)).toBe(true);
      expect(isSufficient(capacity === undefined ? {} : { capacity }, 1)).toBe(false);
    }
  },
  'lease/candidates-wait-its-duration'() {
    for (const mode of MODES)
      expect(
        run(`
rules: ${mode}
cluster: { nodes: { count: 1 }, schedulers: [{ name: s, flags: [--leader-elect-lease-duration=60s] }, { name: t, flags: [--leader-elect-lease-duration=15s] }] }
steps:
  - { at: 20s, fault: { crash: s } }
  - at: 60s
    expect: { match: { kind: Lease, metadata: { namespace: orch-system, name: orch-scheduler }, spec: { leaseDurationSeconds: ${mode === 'specification' ? 60 : 15} } } }
  - at: 90s
    expect: { match: { kind: Lease, metadata: { namespace: orch-system, name: orch-scheduler }, spec: { leaseDurationSeconds: 15 } } }
until: 100s`).failures.map((failure) => ('invariant' in failure ? failure.invariant : failure.message)),
        mode,
        // If a lease is acquired early, as in v1.24, its holder changes before it expires.
      ).toEqual(mode === 'specification' ? [] : ['lease/one-holder']);
  },
  'job/deadline-ends-it'() {
    for (const mode of MODES)
      expect(
        run(`
rules: ${mode}
steps:
  - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: j }, spec: { activeDeadlineSeconds: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
  - at: 4s
    expect: { match: { kind: Job, metadata: { name: j }, status: { conditions: [{ type: Failed, status: "True", reason: DeadlineExceeded }] } } }`)
          .failures,
        mode,
      ).toEqual([]);
  },
};
