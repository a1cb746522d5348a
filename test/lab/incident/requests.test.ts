/** Requests of clients as steps of a scenario, and why some are none. */
import { describe, expect, it } from 'vitest';
import { incidentIn, type Sent } from './log.ts';

const config = (name: string, more: object = {}): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more } });
const create = (name: string): Sent => ({ verb: 'create', of: 'configmaps', name, code: 201, body: config(name) });
const SCALE = { of: 'deployments/scale', group: 'apps', name: 'web' };
/** How steps refer to these objects. */
const A = { kind: 'ConfigMap', namespace: 'default', name: 'a' };
const P = { kind: 'Pod', namespace: 'default', name: 'p' };
const WEB_TARGET = { kind: 'Deployment', namespace: 'default', name: 'web' };

const WEB: Sent = {
  verb: 'create',
  of: 'deployments',
  group: 'apps',
  name: 'web',
  code: 201,
  body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 1 } },
};
const POD: Sent = {
  verb: 'create',
  of: 'pods',
  name: 'p',
  code: 201,
  body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} },
};
const on = (verb: string, more: Partial<Sent> = {}): Sent => ({ verb, of: 'configmaps', name: 'a', ...more });

/** The steps of requests after those that make the objects, without their times and users. */
function stepsOf(before: readonly Sent[], ...sent: readonly Sent[]): readonly object[] {
  return incidentIn([...before, ...sent])
    .scenario.steps.slice(before.length)
    .map(({ timing: _, as: __, ...step }) => step as object);
}
const whyOf = (...sent: readonly Sent[]): readonly string[] => incidentIn(sent).leftOut.map(({ why, count }) => `${why}: ${count}`);

describe('steps', () => {
  it('are at their time, by their client, with the answer that is expected', () => {
    const { scenario, clients, steps } = incidentIn([
      create('a'),
      { ...create('a'), code: 409, user: 'joe', more: { responseStatus: { code: 409, reason: 'AlreadyExists' }, userAgent: 'kubectl' } },
      { ...create('z'), namespace: 'shop', at: -1 },
    ]);
    expect(scenario.steps).toEqual([
      {
        timing: { when: 'at', atMs: 0 },
        verb: 'create',
        objects: [{ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'z', namespace: 'shop' } } }],
        as: { user: 'jane' },
        code: 200,
      },
      {
        timing: { when: 'at', atMs: 1000 },
        verb: 'create',
        objects: [{ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } } }],
        as: { user: 'jane' },
        code: 200,
      },
      {
        timing: { when: 'at', atMs: 2000 },
        verb: 'create',
        objects: [{ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } } }],
        as: { user: 'joe', userAgent: 'kubectl' },
        code: 409,
      },
    ]);
    expect([clients, steps]).toEqual([['jane', 'joe'], 3]);
  });

  it('delete with the options that are valid', () => {
    const options = (body: object): readonly object[] => stepsOf([create('a')], on('delete', { body }));
    expect(options({})).toEqual([{ verb: 'delete', target: A, code: 200 }]);
    expect(options({ gracePeriodSeconds: 0, propagationPolicy: 'Orphan' })).toEqual([
      { verb: 'delete', target: A, gracePeriodSeconds: 0, propagationPolicy: 'Orphan', code: 200 },
    ]);
    expect(options({ gracePeriodSeconds: -1, propagationPolicy: 'Other' })).toEqual([{ verb: 'delete', target: A, code: 200 }]);
    expect(options({ gracePeriodSeconds: 1.5 })).toEqual([{ verb: 'delete', target: A, code: 200 }]);
  });

  it('name what was not found', () => {
    expect(stepsOf([], on('delete', { code: 404 }), { verb: 'delete', of: 'nodes', namespace: undefined, name: 'n', code: 404 })).toEqual([
      { verb: 'delete', target: A, code: 404 },
      { verb: 'delete', target: { kind: 'Node', name: 'n' }, code: 404 },
    ]);
  });

  it('are about the object that was answered, where the log does not name it', () => {
    const unnamed = (verb: string, code: number, name = 'a'): Sent => ({ verb, of: 'configmaps', code, answer: config(name) });
    expect(stepsOf([create('a')], unnamed('delete', 200))).toEqual([{ verb: 'delete', target: A, code: 200 }]);
    expect(whyOf(create('a'), unnamed('delete', 200, 'b'))).toEqual(['requests about objects from before the log: 1']);
    expect(whyOf(create('a'), unnamed('delete', 404))).toEqual(['requests about objects from before the log: 1']);
  });

  it('update by a patch, of what was sent before', () => {
    const body = (data: object) => ({ ...config('a', { resourceVersion: '1' }), data });
    expect(stepsOf([create('a')], on('update', { body: body({ x: '1', y: '2' }) }), on('update', { body: body({ x: '2' }) }))).toEqual([
      { verb: 'patch', target: A, type: 'merge', patch: { data: { x: '1', y: '2' }, metadata: {} }, code: 200 },
      { verb: 'patch', target: A, type: 'merge', patch: { data: { x: '2', y: null }, metadata: {} }, code: 200 },
    ]);
  });

  it('update by a patch of what was sent whole before, not of a patch between', () => {
    const body = (data: object) => ({ ...config('a'), data });
    const steps = stepsOf(
      [create('a')],
      on('update', { body: body({ x: '1', y: '2' }) }),
      on('patch', { body: { data: { z: '3' } } }),
      on('update', { body: body({ x: '1' }) }),
    );
    expect(steps.at(-1)).toEqual({
      verb: 'patch',
      target: A,
      type: 'merge',
      patch: { data: { x: '1', y: null }, metadata: {} },
      code: 200,
    });
  });

  it('evict and delete also without a body', () => {
    const evicting: Sent = { verb: 'create', of: 'pods/eviction', name: 'p', code: 201 };
    expect(stepsOf([POD], evicting)).toEqual([expect.objectContaining({ verb: 'evict', target: P })]);
    expect(stepsOf([POD], { verb: 'delete', of: 'pods', name: 'p' })).toEqual([{ verb: 'delete', target: P, code: 200 }]);
    expect(whyOf({ ...create('a'), body: undefined })).toEqual(['requests without a body in the log (level Metadata): 1']);
  });

  it('patch in the format of the body', () => {
    const patches = [
      on('patch', {
        body: [
          { op: 'test', path: '/metadata/uid' },
          { op: 'remove', path: '/data' },
        ],
      }),
      on('patch', { body: { data: { x: '1' } } }),
      on('patch', { body: { data: { x: '1' } }, more: { requestURI: '/a?fieldManager=me' } }),
      on('patch', { body: config('a'), more: { requestURI: '/a?fieldManager=' } }),
      on('patch', { body: { ...config('a'), spec: { list: { $patch: 'delete' } } }, more: { requestURI: '/a?fieldManager=me' } }),
      on('patch', { body: config('a'), more: { requestURI: '/a?x=y&fieldManager=me' } }),
    ];
    expect(stepsOf([create('a')], ...patches)).toEqual([
      { verb: 'patch', target: A, type: 'json', patch: [{ op: 'remove', path: '/data' }], code: 200 },
      { verb: 'patch', target: A, type: 'strategic', patch: { data: { x: '1' } }, code: 200 },
      { verb: 'patch', target: A, type: 'strategic', patch: { data: { x: '1' } }, code: 200 },
      { verb: 'patch', target: A, type: 'strategic', patch: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, code: 200 },
      {
        verb: 'patch',
        target: A,
        type: 'strategic',
        patch: { apiVersion: 'v1', kind: 'ConfigMap', spec: { list: { $patch: 'delete' } }, metadata: { name: 'a' } },
        code: 200,
      },
      { verb: 'apply', objects: [{ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } } }], code: 200 },
    ]);
  });

  it('delete collections by labels', () => {
    const all = (requestURI: string, more: Partial<Sent> = {}): Sent => ({
      verb: 'deletecollection',
      of: 'configmaps',
      more: { requestURI },
      ...more,
    });
    expect(stepsOf([], all('/a'), all('/a?labelSelector=a%3Db,c%3D%3Dd, e = f'), all('/a', { of: 'nodes', namespace: undefined }))).toEqual(
      [
        { verb: 'delete', target: { kind: 'ConfigMap', namespace: 'default' }, ignoreNotFound: true, code: 200 },
        {
          verb: 'delete',
          target: { kind: 'ConfigMap', namespace: 'default', labels: { a: 'b', c: 'd', e: 'f' } },
          ignoreNotFound: true,
          code: 200,
        },
        { verb: 'delete', target: { kind: 'Node' }, ignoreNotFound: true, code: 200 },
      ],
    );
    expect(whyOf(all('/a?labelSelector=a!%3Db'), all('/a?labelSelector=a'), all('/a?fieldSelector=x'))).toEqual([
      'requests that are not modelled: 3',
    ]);
  });

  it('evict, bind, scale and report', () => {
    expect(
      stepsOf(
        [POD, WEB],
        { verb: 'create', of: 'pods/binding', name: 'p', body: { target: { name: 'n' } } },
        { ...SCALE, verb: 'update', body: { spec: { replicas: 3 } } },
        { ...SCALE, verb: 'patch', body: { spec: { replicas: 0 } } },
        { verb: 'update', of: 'pods/status', name: 'p', body: { status: { phase: 'Failed' } } },
        { verb: 'update', of: 'pods/status', name: 'p', body: {} },
        { verb: 'patch', of: 'pods/status', name: 'p', body: [{ op: 'remove', path: '/status' }] },
        { verb: 'patch', of: 'pods/status', name: 'p', body: { status: { phase: 'Failed' } } },
        { verb: 'create', of: 'pods/eviction', name: 'p', body: { deleteOptions: { gracePeriodSeconds: 5 } } },
        { verb: 'delete', of: 'pods', name: 'p' },
        { verb: 'delete', of: 'pods', name: 'p', at: 60 },
      ),
    ).toEqual([
      { verb: 'bind', target: P, node: 'n', code: 200 },
      { verb: 'scale', target: WEB_TARGET, replicas: 3, code: 200 },
      { verb: 'scale', target: WEB_TARGET, replicas: 0, code: 200 },
      { verb: 'patch', target: P, subresource: 'status', type: 'merge', patch: { status: { phase: 'Failed' } }, code: 200 },
      { verb: 'patch', target: P, subresource: 'status', type: 'merge', patch: { status: {} }, code: 200 },
      { verb: 'patch', target: P, subresource: 'status', type: 'json', patch: [{ op: 'remove', path: '/status' }], code: 200 },
      { verb: 'patch', target: P, subresource: 'status', type: 'strategic', patch: { status: { phase: 'Failed' } }, code: 200 },
      { verb: 'evict', target: P, gracePeriodSeconds: 5, ifAllowed: true, ignoreNotFound: true },
      { verb: 'delete', target: P, code: 200 },
      { verb: 'delete', target: P, code: 200 },
    ]);
  });

  it('have the values of secrets only where that is asked for', () => {
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: 'Yg==' } };
    expect(stepsOf([], { verb: 'create', of: 'secrets', name: 's', code: 201, body })).toEqual([
      {
        verb: 'create',
        objects: [{ object: { apiVersion: 'v1', kind: 'Secret', data: { a: '' }, metadata: { name: 's', namespace: 'default' } } }],
        code: 200,
      },
    ]);
  });
});

describe('requests that are no steps', () => {
  it('are counted with the reason', () => {
    expect(
      whyOf(
        WEB,
        on('create', { body: config('a'), more: { level: 'Metadata' } }),
        on('create'),
        { verb: 'create', of: 'widgets', group: 'a.b', name: 'w', body: {} },
        { ...WEB, version: 'v1beta1' },
        on('update', { code: 409, body: config('a'), more: { responseStatus: { code: 409, reason: 'Conflict' } } }),
        on('create', { code: 403, body: config('a'), more: { responseStatus: { code: 403, message: 'no' } } }),
        on('create', { code: 429, body: config('a') }),
        on('create', { code: 300, body: config('a') }),
        on('patch', { body: {} }),
        on('delete', { of: 'configmaps/status' }),
        { ...SCALE, verb: 'patch', body: { spec: {} } },
        { ...SCALE, verb: 'patch', body: { spec: { replicas: 1.5 } } },
        { ...SCALE, of: 'deployments/other', verb: 'create', body: {} },
        { ...SCALE, of: 'deployments/binding', verb: 'create', body: { target: {} } },
        on('create', { body: Array.from({ length: 70 }).reduce<unknown>((inner) => [inner], 1) }),
      ),
    ).toEqual([
      'requests without a body in the log (level Metadata): 2',
      'requests about kinds that are not modelled: 1',
      'requests in another version of their kind: 1',
      'refused: conflicts, permissions, validation, errors of the server: 4',
      'requests about objects from before the log: 2',
      'requests that are not modelled: 4',
      'bodies that are too deep: 1',
    ]);
  });

  it('are repeated where a run refuses them for the same reason', () => {
    const quota = { responseStatus: { code: 403, message: 'exceeded quota: q' } };
    expect(
      stepsOf([POD], on('create', { code: 403, body: config('a'), more: quota }), {
        verb: 'create',
        of: 'pods/eviction',
        name: 'p',
        code: 429,
        body: {},
      }),
    ).toEqual([
      {
        verb: 'create',
        objects: [{ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } } }],
        code: 403,
      },
      { verb: 'evict', target: P, ifAllowed: true, ignoreNotFound: true },
    ]);
  });
});
