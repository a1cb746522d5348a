/** What an autoscaler does before it evaluates: when it is due, and which targets it can scale. */
import { describe, expect, it } from 'vitest';
import type { LabelSelector } from '../../../../src/apiserver/machinery/index.ts';
import { targetOf } from '../../../../src/controlplane/controllers/horizontal-pod-autoscaler/target.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { AT, at } from '../../../support/objects.ts';
import { decide, linesOf, recover } from '../../../support/reconcile.ts';
import { scaler, deployment, controllerWith } from './whole.ts';

describe('an autoscaler', () => {
  const first = (memory: object | undefined, spec: object = {}, now = at(60)) =>
    linesOf(decide(controllerWith(), { objects: [scaler(spec)], now, memory }));
  const of = (apiVersion: string | undefined, kind: string) => ({ scaleTargetRef: { apiVersion, kind, name: 'd' } });
  const due = { dueAt: at(60) };
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'waits fifteen seconds at first',
      () => first(undefined),
      [
        'the first evaluation is due 15 seconds after it was observed',
        'memory: {dueAt:@75}',
        'wakeAt: @75',
        'background: true',
        'recurs: {everyMs:15000,does:"evaluates its metrics"}',
      ],
    ],
    [
      'waits until it is due',
      () => first({ dueAt: at(60) + 1 }),
      [
        'the next evaluation is not due yet',
        'memory: {dueAt:@60.001}',
        'wakeAt: @60.001',
        'background: true',
        'recurs: {everyMs:15000,does:"evaluates its metrics"}',
      ],
    ],
    [
      'reads its target when it is due',
      () => first(due),
      ['read the scale of its target', 'get Deployment d {resume:true,tolerate:[NotFound]}', 'memory: {dueAt:@60}'],
    ],
    [
      'does not know a kind of another group',
      () => first(due, of('v1', 'Deployment')),
      [
        'its target cannot be scaled: no matches for kind "Deployment" in group ""',
        'event Warning FailedGetScale of HorizontalPodAutoscaler h: no matches for kind "Deployment" in group ""',
        'update HorizontalPodAutoscaler/status h {status:{desiredReplicas:0,currentMetrics:null,conditions:["AbleToScale=False, lastTransitionTime: 00:01:00, reason: FailedGetScale, message: the HPA controller was unable to get the target\'s current scale: no matches for kind \\"Deployment\\" in group \\"\\""]}}',
        'memory: {dueAt:@75}',
        'wakeAt: @75',
        'background: true',
        'recurs: {everyMs:15000,does:"evaluates its metrics"}',
      ],
    ],
    [
      'does not know a kind without a version',
      () => first(due, of(undefined, 'Deployment')),
      [
        'its target cannot be scaled: no matches for kind "Deployment" in group ""',
        'event Warning FailedGetScale of HorizontalPodAutoscaler h: no matches for kind "Deployment" in group ""',
        'update HorizontalPodAutoscaler/status h {status:{desiredReplicas:0,currentMetrics:null,conditions:["AbleToScale=False, lastTransitionTime: 00:01:00, reason: FailedGetScale, message: the HPA controller was unable to get the target\'s current scale: no matches for kind \\"Deployment\\" in group \\"\\""]}}',
        'memory: {dueAt:@75}',
        'wakeAt: @75',
        'background: true',
        'recurs: {everyMs:15000,does:"evaluates its metrics"}',
      ],
    ],
    [
      'does not know a kind',
      () => first(due, of('apps/v1', 'Odd')),
      [
        'its target cannot be scaled: no matches for kind "Odd" in group "apps"',
        'event Warning FailedGetScale of HorizontalPodAutoscaler h: no matches for kind "Odd" in group "apps"',
        'update HorizontalPodAutoscaler/status h {status:{desiredReplicas:0,currentMetrics:null,conditions:["AbleToScale=False, lastTransitionTime: 00:01:00, reason: FailedGetScale, message: the HPA controller was unable to get the target\'s current scale: no matches for kind \\"Odd\\" in group \\"apps\\""]}}',
        'memory: {dueAt:@75}',
        'wakeAt: @75',
        'background: true',
        'recurs: {everyMs:15000,does:"evaluates its metrics"}',
      ],
    ],
    [
      'cannot scale what has no scale',
      () => first(due, of('batch/v1', 'Job')),
      [
        'its target cannot be scaled: the server could not find the requested resource',
        'event Warning FailedGetScale of HorizontalPodAutoscaler h: the server could not find the requested resource',
        'update HorizontalPodAutoscaler/status h {status:{desiredReplicas:0,currentMetrics:null,conditions:["AbleToScale=False, lastTransitionTime: 00:01:00, reason: FailedGetScale, message: the HPA controller was unable to get the target\'s current scale: the server could not find the requested resource"]}}',
        'memory: {dueAt:@75}',
        'wakeAt: @75',
        'background: true',
        'recurs: {everyMs:15000,does:"evaluates its metrics"}',
      ],
    ],
    [
      'knows a ReplicaSet',
      () => first(due, of('apps/v1', 'ReplicaSet')),
      ['read the scale of its target', 'get ReplicaSet d {resume:true,tolerate:[NotFound]}', 'memory: {dueAt:@60}'],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });

  const refused = (
    write: Write,
    dropped: readonly Write[] = [],
    message: string | undefined = 'no',
    memory: object | undefined = due,
    objects = [scaler()],
  ) =>
    linesOf(
      recover(controllerWith(), { objects, now: at(60), memory, key: 'default/h' }, { write, status: { message } as never, dropped }),
    );
  const patch: Write = { op: 'patch', kind: 'Deployment', name: 'd', patchType: 'merge', patch: {} };
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'notes that its target could not be scaled',
      () => refused(patch),
      [
        'its target could not be scaled',
        'update HorizontalPodAutoscaler/status h {status:{desiredReplicas:0,currentMetrics:null,conditions:["AbleToScale=False, lastTransitionTime: 00:01:00, reason: FailedUpdateScale, message: the HPA controller was unable to update the target scale: no"]}}',
        'memory: {dueAt:@75}',
        'wakeAt: @75',
        'background: true',
        'recurs: {everyMs:15000,does:"evaluates its metrics"}',
      ],
    ],
    [
      'writes the status that was to follow the change, also where it says so already',
      () => {
        const message = 'the HPA controller was unable to update the target scale: no';
        const known = { type: 'AbleToScale', status: 'False', lastTransitionTime: AT, reason: 'FailedUpdateScale', message };
        const knowing = scaler({}, { conditions: [known] });
        const update: Write = { op: 'update', object: knowing, subresource: 'status' };
        return [[update], [], [patch]].flatMap((dropped) => refused(patch, dropped, 'no', due, [knowing]).slice(1, -4));
      },
      [
        'update HorizontalPodAutoscaler/status h {status:{desiredReplicas:0,currentMetrics:null,conditions:["AbleToScale=False, lastTransitionTime: 00:00:00, reason: FailedUpdateScale, message: the HPA controller was unable to update the target scale: no"]}}',
      ],
    ],
    ['leaves another refusal to the back-off', () => refused({ op: 'delete', kind: 'Pod', name: 'p' }), []],
    [
      'leaves it without a memory',
      () =>
        linesOf(recover(controllerWith(), { objects: [scaler()], key: 'default/h' }, { write: patch, status: {} as never, dropped: [] })),
      [],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

describe('the scale of a custom resource', () => {
  const scale = { spec: ['spec', 'size'], status: ['status', 'size'], selector: ['status', 'labels'] };
  const read = (object: object, of: object | undefined = scale) =>
    targetOf({ apiVersion: 'v1', kind: 'Odd', metadata: {}, ...object } as never, { scale: of } as never);

  it('is where its definition says', () => {
    const found = read({ spec: { size: 3 }, status: { size: 2, labels: 'app=web' } });
    expect(found).toMatchObject({ replicas: 3, found: 2 });
    expect([found.matches?.({ app: 'web' }), found.matches?.({ app: 'db' })]).toEqual([true, false]);
  });

  it('needs a selector', () => {
    const required = { reason: 'SelectorRequired', error: 'selector is required', message: "the HPA target's scale is missing a selector" };
    expect(read({ spec: { size: 3 } })).toEqual({ replicas: 3, found: 0, ...required });
    expect(read({ spec: 'odd', status: { labels: '' } })).toEqual({ replicas: 0, found: 0, ...required });
    expect(read({ spec: { size: 1 }, status: { labels: { a: 'b' } } })).toEqual({ replicas: 1, found: 0, ...required });
    expect(read({ spec: { size: 1 } }, { spec: ['spec', 'size'], status: ['status', 'size'] })).toEqual({
      replicas: 1,
      found: 0,
      ...required,
    });
    const invalid = read({ status: { labels: 'a in (' } });
    expect(invalid).toMatchObject({
      reason: 'InvalidSelector',
      error: expect.stringMatching(/^couldn't convert selector into a corresponding internal selector object: ./),
    });
  });

  it('of a built-in kind is its own fields', () => {
    const selector: LabelSelector = { matchLabels: { app: 'web' } };
    const found = targetOf({ ...deployment(4), status: { replicas: 3 }, spec: { replicas: 4, selector } }, {});
    expect([found.replicas, found.found, found.matches?.({ app: 'web' }), found.matches?.({})]).toEqual([4, 3, true, false]);
    expect(targetOf({ ...deployment(4), status: undefined, spec: undefined }, {})).toMatchObject({ replicas: 0, found: 0 });
  });
});
