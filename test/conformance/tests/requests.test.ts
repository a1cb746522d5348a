/**
 * The conversion of recorded requests: every operation and field of the recordings, and a clear refusal of requests that scenarios cannot
 * express.
 */
import { describe, expect, it } from 'vitest';
import { parseScenario, formatProblem } from '../../../src/lab/scenario/index.ts';
import { vocabulary } from '../../../src/lab/vocabulary.ts';
import { CannotReplay, toScenario, type RecordedCase, type TraceLine } from '../index.ts';

type Action = RecordedCase['actions']['actions'][number];

const POD = 'a-x2x2x';
const VOLUME = 'pvc-9f4103c2-f81d-4126-a401-d105994947be';
const ATTACHMENT = `csi-${'0a'.repeat(32)}`;
const there = (kind: string, name: string, uid: string, resourceVersion: string, namespace?: string): TraceLine => ({
  t: 0.5,
  type: 'ADDED',
  object: { kind, metadata: { name, uid, resourceVersion, ...(namespace === undefined ? {} : { namespace }) } },
});
const TRACE: readonly TraceLine[] = [
  there('Job', 'a', 'uid-a', '7', 'ns'),
  there('Pod', 'a-w2w2w', 'uid-p0', '8', 'ns'),
  there('Pod', POD, 'uid-p1', '9', 'ns'),
  there('PersistentVolume', VOLUME, 'uid-v', '10'),
  there('VolumeAttachment', ATTACHMENT, 'uid-t', '11'),
];
const JOBS = '/apis/batch/v1/namespaces/ns/jobs';
const PODS = '/api/v1/namespaces/ns/pods';

const documentOf = (...actions: Omit<Action, 't'>[]): ReturnType<typeof toScenario> =>
  toScenario({
    name: 'case',
    actions: {
      namespace: 'ns',
      startWallClock: '2026-01-01T00:00:00Z',
      durationSeconds: 9,
      actions: actions.map((action) => ({ t: 1, ...action })),
    },
    trace: TRACE,
  });
// Bodies are short here, because validation is not the subject.
const { kindsOf: _, ...names } = vocabulary();
const stepsOf = (...actions: Omit<Action, 't'>[]): readonly unknown[] => {
  const document = documentOf(...actions);
  const parsed = parseScenario(JSON.stringify(document), { ...names, file: 'case.json' });
  expect('problems' in parsed ? parsed.problems.map(formatProblem) : []).toEqual([]);
  return document.spec.steps.map(({ at, ...step }) => step);
};

describe('a recorded request', () => {
  it.each<[string, Omit<Action, 't'>, unknown]>([
    [
      'creates',
      {
        method: 'POST',
        path: JOBS,
        code: 201,
        body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', annotations: { 'sim/exit-after': '1' } } },
      },
      { create: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', annotations: { 'sim.orch.io/exit-after': '1' } } } },
    ],
    [
      'creates with owners that live, and owners that never did',
      {
        method: 'POST',
        path: PODS,
        body: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            name: 'p',
            ownerReferences: [
              { name: 'a', uid: 'uid-a' },
              { name: 'b', uid: 'uid-b' },
            ],
          },
        },
      },
      { create: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', ownerReferences: [{ name: 'a' }, { name: 'b', uid: 'uid-b' }] } } },
    ],
    [
      'evicts with a grace',
      { method: 'POST', path: `${PODS}/${POD}/eviction`, body: { kind: 'Eviction', deleteOptions: { gracePeriodSeconds: 0 } } },
      { evict: { target: { kind: 'Pod', namespace: 'ns', nth: 2 }, gracePeriodSeconds: 0 } },
    ],
    [
      'replaces what it has read',
      {
        method: 'PUT',
        path: `${JOBS}/a`,
        body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', uid: 'uid-a', resourceVersion: '7' }, spec: {} },
      },
      { replace: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec: {} } },
    ],
    [
      'replaces what has changed since',
      {
        method: 'PUT',
        path: `${JOBS}/a`,
        code: 409,
        body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', uid: 'other', resourceVersion: '6' }, spec: {} },
      },
      {
        expectError: {
          replace: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', uid: 'other', resourceVersion: '6' }, spec: {} },
          code: 409,
        },
      },
    ],
    [
      'replaces a status',
      { method: 'PUT', path: `${PODS}/${POD}/status`, body: { metadata: { name: POD }, status: { phase: 'Failed' } } },
      {
        patch: {
          target: { kind: 'Pod', namespace: 'ns', nth: 2 },
          type: 'json',
          subresource: 'status',
          patch: [{ op: 'add', path: '/status', value: { phase: 'Failed' } }],
        },
      },
    ],
    [
      'replaces a scale',
      { method: 'PUT', path: '/apis/apps/v1/namespaces/ns/statefulsets/web-0/scale', body: { spec: { replicas: 3 } } },
      {
        patch: {
          target: { kind: 'StatefulSet', namespace: 'ns', name: 'web-0' },
          type: 'json',
          subresource: 'scale',
          patch: [{ op: 'add', path: '/spec/replicas', value: 3 }],
        },
      },
    ],
    [
      'patches, merging if it does not say how',
      { method: 'PATCH', path: `${JOBS}/job-1`, body: { spec: { suspend: true } } },
      { patch: { target: { kind: 'Job', namespace: 'ns', name: 'job-1' }, type: 'merge', patch: { spec: { suspend: true } } } },
    ],
    [
      'patches by JSON patch',
      {
        method: 'PATCH',
        path: `${JOBS}/job-1`,
        contentType: 'application/json-patch+json; charset=utf-8',
        body: [{ op: 'add', path: '/metadata/annotations/sim~1exit-after', value: '1' }] as unknown as NonNullable<Action['body']>,
      },
      {
        patch: {
          target: { kind: 'Job', namespace: 'ns', name: 'job-1' },
          type: 'json',
          patch: [{ op: 'add', path: '/metadata/annotations/sim.orch.io~1exit-after', value: '1' }],
        },
      },
    ],
    [
      'deletes a pod that a controller named, with all that the body says',
      {
        method: 'DELETE',
        path: `${PODS}/${POD}`,
        body: { propagationPolicy: 'Orphan', gracePeriodSeconds: 0, preconditions: { uid: 'uid-p1', resourceVersion: '9' } },
      },
      { delete: { target: { kind: 'Pod', namespace: 'ns', nth: 2 }, propagationPolicy: 'Orphan', gracePeriodSeconds: 0 } },
    ],
    [
      'deletes only what it is not',
      { method: 'DELETE', path: `${JOBS}/job-1`, code: 409, body: { preconditions: { uid: 'nobody', resourceVersion: '1' } } },
      {
        expectError: {
          delete: { target: { kind: 'Job', namespace: 'ns', name: 'job-1' }, preconditions: { uid: 'nobody', resourceVersion: '1' } },
          code: 409,
        },
      },
    ],
    [
      'deletes as the query says',
      { method: 'DELETE', path: `${JOBS}/job-1?propagationPolicy=Foreground&gracePeriodSeconds=3` },
      { delete: { target: { kind: 'Job', namespace: 'ns', name: 'job-1' }, propagationPolicy: 'Foreground', gracePeriodSeconds: 3 } },
    ],
    [
      'deletes in the older words',
      { method: 'DELETE', path: `${JOBS}/job-1`, body: { orphanDependents: true } },
      { delete: { target: { kind: 'Job', namespace: 'ns', name: 'job-1' }, propagationPolicy: 'Orphan' } },
    ],
    [
      'deletes a collection by labels',
      { method: 'DELETE', path: `${PODS}?labelSelector=app%3Dx%2Ctier%3D%3Dy` },
      { delete: { target: { kind: 'Pod', namespace: 'ns', labels: { app: 'x', tier: 'y' } } } },
    ],
    [
      'deletes a volume that a driver named',
      { method: 'DELETE', path: `/api/v1/persistentvolumes/${VOLUME}` },
      { delete: { target: { kind: 'PersistentVolume', nth: 1 } } },
    ],
    [
      'deletes an attachment that is named after a volume',
      { method: 'DELETE', path: `/apis/storage.k8s.io/v1/volumeattachments/${ATTACHMENT}` },
      { delete: { target: { kind: 'VolumeAttachment', nth: 1 } } },
    ],
    [
      'deletes a namespace',
      { method: 'DELETE', path: '/api/v1/namespaces/other' },
      { delete: { target: { kind: 'Namespace', name: 'other' } } },
    ],
    [
      'deletes a secret of another namespace',
      { method: 'DELETE', path: 'api/v1/namespaces/other/secrets/s' },
      { delete: { target: { kind: 'Secret', namespace: 'other', name: 's' } } },
    ],
  ])('%s', (_what, action, expected) => {
    expect(stepsOf(action)).toEqual([expected]);
  });

  it('does nothing when it is a dry run', () => {
    expect(
      stepsOf(
        { method: 'DELETE', path: `${JOBS}/job-1?dryRun=All` },
        { method: 'DELETE', path: `${JOBS}/job-1`, body: { dryRun: ['All'] } },
      ),
    ).toEqual([]);
  });

  it.each<[string, Omit<Action, 't'>, string]>([
    [
      'a kind',
      { method: 'DELETE', path: '/apis/apps/v1/namespaces/ns/widgets/d' },
      'no kind is known for the path /apis/apps/v1/namespaces/ns/widgets/d',
    ],
    ['a method', { method: 'GET', path: `${JOBS}/a` }, 'no step is known for GET'],
    ['a sub-resource', { method: 'POST', path: `${PODS}/p/binding`, body: {} }, 'no step is known for POST'],
    ['a sub-resource that is replaced', { method: 'PUT', path: '/api/v1/namespaces/other/finalize', body: {} }, 'no step is known for PUT'],
    [
      'a kind of patch',
      { method: 'PATCH', path: `${JOBS}/a`, contentType: 'application/xml', body: {} },
      'no patch is known for the content type application/xml',
    ],
    ['a selector', { method: 'DELETE', path: `${PODS}?labelSelector=app+in+(x)` }, 'no step is known for the label selector app in (x)'],
  ])('is refused for %s that no scenario can say', (_what, action, message) => {
    expect(() => documentOf(action)).toThrow(CannotReplay);
    expect(() => documentOf(action)).toThrow(message);
  });
});
