/** Random scenarios around one StatefulSet: specs, what people change, whom they delete, what breaks. Each ends healed: a good template, no pod left that is not well. */
import fc from 'fast-check';
import { faultSteps } from '../../../../src/lab/explore/index.ts';
import type { Scenario, Step } from '../../../../src/lab/scenario/index.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const target = { kind: 'StatefulSet', name: 'web' } as const;
const wait = fc.constantFrom(0, 3, 400, SECOND, 2500, 7 * SECOND, 20 * SECOND);
const after = (afterMs: number) => ({ timing: { when: 'after', afterMs } }) as const;
const patch = (ms: number, spec: object): Step => ({ ...after(ms), verb: 'patch', target, type: 'merge', patch: { spec }, ignoreNotFound: true });

/** A template whose pods never become ready, and good ones. */
const READY = 'sim.orch.io/ready-delay';
const template = (image: string, ready = true): object => ({ metadata: { annotations: { [READY]: ready ? '0.3' : '99999' } }, spec: { containers: [{ name: 'c', image }] } });
const templates = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('sim:1', 'sim:2', 'sim:3').map((image) => template(image)) }, { weight: 1, arbitrary: fc.constant(template('broken', false)) });
const ordinals = fc.nat(4);
const replicas = fc.constantFrom(0, 1, 2, 3, 5);

const spec = fc.record({
  replicas, podManagementPolicy: fc.constantFrom('OrderedReady', 'OrderedReady', 'Parallel'), minReadySeconds: fc.constantFrom(0, 0, 3), revisionHistoryLimit: fc.constantFrom(0, 1, 10),
  updateStrategy: fc.oneof({ weight: 1, arbitrary: fc.constant({ type: 'OnDelete' }) }, { weight: 5, arbitrary: fc.record({ partition: fc.constantFrom(0, 0, 1, 3), maxUnavailable: fc.constantFrom(1, 2, '40%') }).map((rollingUpdate) => ({ type: 'RollingUpdate', rollingUpdate })) }),
  persistentVolumeClaimRetentionPolicy: fc.record({ whenDeleted: fc.constantFrom('Retain', 'Delete'), whenScaled: fc.constantFrom('Retain', 'Delete') }),
});

const onPod = (ms: number, ordinal: number) => ({ ...after(ms), target: { kind: 'Pod', name: `web-${ordinal}` }, ignoreNotFound: true }) as const;
const operations: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(wait, replicas).map(([ms, count]) => patch(ms, { replicas: count })),
  fc.tuple(wait, templates).map(([ms, wanted]) => patch(ms, { template: wanted })),
  fc.tuple(wait, fc.constantFrom(0, 1, 2, 4)).map(([ms, partition]) => patch(ms, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } })),
  fc.tuple(wait, fc.constantFrom(0, 5)).map(([ms, minReadySeconds]) => patch(ms, { minReadySeconds })),
  fc.tuple(wait, ordinals, fc.constantFrom(undefined, 0)).map(([ms, ordinal, grace]): Step => ({ ...onPod(ms, ordinal), verb: 'delete', ...(grace === undefined ? {} : { gracePeriodSeconds: grace }) })),
  fc.tuple(wait, ordinals).map(([ms, ordinal]): Step => ({ ...onPod(ms, ordinal), verb: 'patch', type: 'merge', subresource: 'status', patch: { status: { phase: 'Failed' } } })),
  fc.tuple(wait, ordinals, fc.constantFrom('web', 'else')).map(([ms, ordinal, app]): Step => ({ ...onPod(ms, ordinal), verb: 'patch', type: 'merge', patch: { metadata: { labels: { app } } } })),
  fc.tuple(wait, ordinals).map(([ms, ordinal]): Step => ({ ...onPod(ms, ordinal), verb: 'patch', type: 'merge', patch: { metadata: { labels: { 'controller-revision-hash': null } } } })),
  fc.tuple(wait, ordinals).map(([ms, ordinal]): Step => ({ ...onPod(ms, ordinal), verb: 'patch', type: 'merge', patch: { metadata: { ownerReferences: null } } })),
  fc.tuple(wait, ordinals).map(([ms, ordinal]): Step => ({ ...after(ms), verb: 'delete', target: { kind: 'PersistentVolumeClaim', name: `data-web-${ordinal}` }, ignoreNotFound: true })),
  fc.tuple(wait, fc.constantFrom('delete', 'orphan')).map(([ms, how]): Step => ({ ...after(ms), verb: how === 'delete' ? 'delete' : 'patch', target: { kind: 'ControllerRevision', labels: { app: 'web' } }, ignoreNotFound: true, ...(how === 'delete' ? {} : { type: 'merge', patch: { metadata: { ownerReferences: null } } }) }) as Step),
);

const relists: fc.Arbitrary<Step> = fc.tuple(wait, fc.constantFrom('Pod', 'StatefulSet', 'PersistentVolumeClaim', 'ControllerRevision'), fc.constantFrom(SECOND, 8 * SECOND)).map(([ms, kind, staleBy]): Step => ({ ...after(ms), verb: 'fault', fault: { name: 'relist', subject: 'controller-manager', parameters: { kinds: [kind], staleBy } } }));

/** A process that is down cannot crash or list again: what needs it up waits until it is, and is left out once a crash is due at a moment nobody knows. */
function possible(steps: readonly Step[]): readonly Step[] {
  let downForMs = 0;
  let unknown = false;
  return steps.flatMap((step): readonly Step[] => {
    const needsItUp = step.verb === 'fault' && (step.fault.name === 'crash' || step.fault.name === 'relist');
    if (needsItUp && unknown) return [];
    const waited = step.timing.when === 'after' ? { ...step, timing: { ...step.timing, afterMs: step.timing.afterMs + downForMs } } : step;
    downForMs = step.verb === 'fault' && step.fault.name === 'crash' ? Number(step.fault.parameters['restartAfter']) + 1 : 0;
    unknown ||= step.verb === 'fault' && step.fault.parameters['afterWrites'] !== undefined;
    return [waited];
  });
}

/** The template is good for all pods, and those that are of no use, or were taken from the set, are deleted by hand: the controller does not do that for anybody. */
const healed: readonly Step[] = [
  patch(2 * MINUTE, { template: template('sim:9'), updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } }),
  { ...after(SECOND), verb: 'delete', target: { kind: 'Pod', labels: { app: 'else' } }, ignoreNotFound: true },
  ...[0, 1, 2, 3, 4].map((ordinal): Step => ({ ...after(30 * SECOND), verb: 'delete', target: { kind: 'Pod', name: `web-${ordinal}` }, ignoreNotFound: true })),
];

export interface SetScenarioOptions { readonly featureGates?: Readonly<Record<string, boolean>>; readonly claims?: boolean }

export const setScenarios = ({ featureGates = {}, claims = false }: SetScenarioOptions = {}): fc.Arbitrary<Scenario> => fc.record({
  spec, steps: fc.array(fc.oneof({ weight: 2, arbitrary: operations }, { weight: 1, arbitrary: faultSteps }, { weight: 1, arbitrary: relists }), { maxLength: 8 }),
  api: fc.constantFrom(0, 5), watch: fc.constantFrom(0, 2, 200), seed: fc.integer({ min: 1, max: 1_000_000 }),
}).map(({ spec: fields, steps, api, watch, seed }): Scenario => ({
  name: 'found', title: 'Found by a property', seed, startAt: Date.UTC(2024, 2, 1), limits: { steps: 1_000_000, timeMs: 86_400_000 }, domain: 'orch.io', featureGates,
  cluster: {
    nodes: [{ name: 'node-0', capacity: { cpu: '8', memory: '16Gi', pods: '110' } }], scheduler: [], storageDrivers: claims ? [{ name: 'disks.example', provisionDelayMs: 200, attachDelayMs: 300, detachDelayMs: 300, storageClasses: [{ name: 'disks' }] }] : [],
    latency: { api: { minMs: api, maxMs: api }, watch: { minMs: watch, maxMs: watch } }, podBehaviors: [{ startDelayMs: 200, terminationDelayMs: 100 }],
  },
  namespaces: [], manifests: [],
  steps: [{
    timing: { when: 'next' }, verb: 'create',
    objects: [{ object: {
      apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'web' },
      spec: {
        ...fields, serviceName: 'web', selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' }, annotations: { [READY]: '0.3' } }, spec: { nodeName: 'node-0', terminationGracePeriodSeconds: 2, containers: [{ name: 'c', image: 'sim:1' }] } },
        ...(claims ? { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName: 'disks', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }] } : {}),
      },
    } }],
  }, ...possible(steps), ...healed],
}));
