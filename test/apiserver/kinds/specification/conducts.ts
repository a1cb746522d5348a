/** What holds of each rule that refuses nothing, in either mode. */
import { expect } from 'vitest';
import { envelopeOf } from '../../../../src/apiserver/request/index.ts';
import type { ApiObject, FeatureGates, RulesMode } from '../../../../src/apiserver/vocabulary/index.ts';
import { simulate } from '../../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../../src/lab/vocabulary.ts';
import { setup } from '../../verbs/setup.ts';

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

/** The endpoints of a service whose port is named http, behind which somebody put a port of some name. */
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

export const conducts: Readonly<Record<string, () => void>> = {
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
until: 100s`).failures,
        mode,
      ).toEqual([]);
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
