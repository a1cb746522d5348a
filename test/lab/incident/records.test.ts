/** What is kept of a line of an audit log, and why others are left out; a line that is parsed in part says the same. */
import { describe, expect, it } from 'vitest';
import { parseLine } from '../../../src/lab/incident/read-line.ts';
import { recordOf, type Ref, refOf } from '../../../src/lab/incident/records.ts';

const POD = { kind: 'Pod', metadata: { name: 'web-1', labels: { app: 'web' } }, status: { phase: 'Running' } };
const LINE = {
  kind: 'Event',
  level: 'RequestResponse',
  stage: 'ResponseComplete',
  requestURI: '/api/v1/namespaces/shop/pods?fieldManager=me',
  verb: 'create',
  user: { username: 'jane' },
  userAgent: 'kubectl/v1.24',
  objectRef: { resource: 'pods', namespace: 'shop', apiVersion: 'v1' },
  responseStatus: { code: 201 },
  requestObject: { kind: 'Pod', metadata: { generateName: 'web-' } },
  responseObject: POD,
  requestReceivedTimestamp: '2024-03-01T00:00:01.500000Z',
};
const kindOf = ({ resource }: Ref): string | undefined => ({ pods: 'Pod', nodes: 'Node', events: 'Event' })[resource];
const read = (changes: object = {}) => recordOf({ ...LINE, ...changes }, 'audit.log:7', kindOf);

describe('a reference', () => {
  it('has what is said, and defaults of the core group', () => {
    expect(refOf({ resource: 'pods' })).toEqual({ group: '', version: 'v1', resource: 'pods' });
    const whole = { apiGroup: 'apps', apiVersion: 'v2', resource: 'deployments', subresource: 'scale', namespace: 'shop', name: 'web' };
    expect(refOf(whole)).toEqual({
      group: 'apps',
      version: 'v2',
      resource: 'deployments',
      subresource: 'scale',
      namespace: 'shop',
      name: 'web',
    });
    expect([refOf({}), refOf({ resource: '' }), refOf({ resource: 7 })]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a line', () => {
  it('of a client keeps its body, its query, and the name that was drawn', () => {
    expect(read()).toMatchObject({
      at: Date.UTC(2024, 2, 1, 0, 0, 1, 500),
      time: '2024-03-01T00:00:01.500000Z',
      place: 'audit.log:7',
      verb: 'create',
      ref: { resource: 'pods', namespace: 'shop' },
      code: 201,
      user: 'jane',
      name: 'web-1',
      labels: { app: 'web' },
      isBare: false,
      body: LINE.requestObject,
    });
    expect(read()).not.toHaveProperty('by');
    expect((read() as { readonly query: URLSearchParams }).query.get('fieldManager')).toBe('me');
  });

  it('of the level Metadata keeps no body', () => {
    expect(read({ level: 'Metadata' })).toMatchObject({ isBare: true, body: undefined });
    expect(read({ level: 'Request' })).toMatchObject({ isBare: false, body: LINE.requestObject });
  });

  it('of a component keeps who it is, and no body', () => {
    const by = read({ user: { username: 'system:kube-scheduler' }, userAgent: 'kube-scheduler' });
    expect(by).toHaveProperty('by');
    expect(by).not.toHaveProperty('body');
  });

  it('says that a refusal, a reason, and a panic happened', () => {
    expect(read({ responseStatus: { code: 409, reason: 'AlreadyExists', message: 'm' } })).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'm',
      body: LINE.requestObject,
    });
    expect(read({ stage: 'Panic' })).toMatchObject({ code: 500 });
    expect(read({ responseStatus: {} })).toMatchObject({ code: 200 });
  });

  it('is in the name of the user that was impersonated', () => {
    expect(read({ impersonatedUser: { username: 'joe' } })).toMatchObject({ user: 'joe' });
    expect(read({ user: {} })).toMatchObject({ user: 'unknown' });
  });

  it('of a binding says the node, of a pod its exit codes, of a node what it has', () => {
    const binding = {
      objectRef: { ...LINE.objectRef, subresource: 'binding', name: 'web-1' },
      requestObject: { target: { name: 'node-3' } },
    };
    expect(read(binding)).toMatchObject({ facts: new Map([['bound to', 'node-3']]) });
    const containerStatuses = [
      { state: { terminated: { exitCode: 3 } } },
      { state: { running: {} } },
      { state: { terminated: { exitCode: 1.5 } } },
    ];
    expect(read({ responseObject: { ...POD, status: { containerStatuses } } })).toMatchObject({ exitCodes: [3] });
    const node = { kind: 'Node', metadata: { name: 'n', labels: { zone: 'a' } }, spec: { taints: [] }, status: { capacity: { cpu: '4' } } };
    expect(read({ verb: 'update', objectRef: { resource: 'nodes', name: 'n' }, responseObject: node })).toMatchObject({
      node: { capacity: { cpu: '4' }, labels: { zone: 'a' }, taints: [] },
    });
  });

  it.each([
    ['other stages of a request', { stage: 'RequestReceived' }],
    ['reads', { verb: 'list' }],
    ['requests for no object', { objectRef: {} }],
    ['dry runs', { requestURI: '/api/v1/namespaces/shop/pods?dryRun=All' }],
    ['Events', { objectRef: { resource: 'events' } }],
    ['renewals of leases', { objectRef: { resource: 'leases' } }],
    ['requests that change nothing (exec, logs, tokens, reviews)', { objectRef: { resource: 'pods', subresource: 'exec' } }],
    ['requests that change nothing (exec, logs, tokens, reviews)', { objectRef: { resource: 'selfsubjectaccessreviews' } }],
    ['requests of the server itself', { user: { username: 'system:apiserver' } }],
    [
      'static pods of nodes',
      { requestObject: {}, responseObject: { ...POD, metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } } },
    ],
  ])('is left out: %s', (why, changes) => {
    expect(read(changes)).toBe(why);
  });

  it('is wrong without a stage, a verb, or a time', () => {
    for (const changes of [{ stage: '' }, { verb: undefined }])
      expect(read(changes)).toEqual({ wrong: expect.stringContaining('audit.k8s.io/v1') });
    expect(read({ requestReceivedTimestamp: 'yesterday' })).toEqual({ wrong: expect.stringContaining('a requestReceivedTimestamp') });
  });

  it.each([
    ['of a client', {}],
    ['of a component', { user: { username: 'system:kube-scheduler' }, userAgent: 'kube-scheduler' }],
    ['that was refused', { responseStatus: { code: 409 }, responseObject: { kind: 'Status' } }],
    ['that is answered with a Status', { verb: 'delete', responseObject: { kind: 'Status' } }],
    ['that is left out', { verb: 'list' }],
  ])('%s says the same when it is parsed in part', (_, changes) => {
    const line = { ...LINE, ...changes };
    const [part, whole] = [parseLine(JSON.stringify(line), kindOf), line].map((event) => recordOf(event, 'p', kindOf));
    expect(part).toEqual(whole);
  });
});
