/** The audit log of a run: a line for each request, as a real server writes it. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type Domain, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { type ApiRequest, envelopeOf } from '../../../src/apiserver/request/index.ts';
import { createAuditLog } from '../../../src/lab/incident/index.ts';
import { setup } from '../../apiserver/handlers/setup.ts';
import { START } from './log.ts';

interface Made {
  readonly request: ApiRequest;
  /** Milliseconds after the start. */
  readonly at?: number;
  readonly by?: { readonly process: string; readonly controller?: string };
}

/** The lines of requests that a server answered. */
function linesOf(made: readonly Made[], { secrets, domain = 'k8s.io' }: { readonly secrets?: boolean; readonly domain?: Domain } = {}) {
  const { server } = setup(domain);
  const lines: Readonly<Record<string, unknown>>[] = [];
  const write = createAuditLog({
    startAt: START,
    ...(secrets === undefined ? {} : { secrets }),
    line: (text) => lines.push(JSON.parse(text) as never),
  });
  for (const { request, at = 0, by = { process: 'user' } } of made) {
    const envelope = { ...envelopeOf('client', request), by: { ...envelopeOf('client', request).by, ...by } };
    write({ envelope, response: server.handle(envelope), at: START + at, kinds: kindsFor(namesFor(domain)) });
  }
  return lines;
}

const PLACE = { kind: 'ConfigMap', namespace: 'default' } as const;
const body = (name: string, more: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more });
const create = (name: string, more: object = {}): ApiRequest => ({ verb: 'create', ...PLACE, body: body(name), ...more });
describe('a line', () => {
  it('is a whole event of audit.k8s.io/v1', () => {
    const [line] = linesOf([{ request: create('a') }]);
    expect(line).toEqual({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: '00000000-0000-4000-8000-000000000001',
      stage: 'ResponseComplete',
      requestURI: '/api/v1/namespaces/default/configmaps',
      verb: 'create',
      user: { username: 'user', groups: ['system:authenticated'] },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'orchsim',
      objectRef: { resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 201 },
      requestObject: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      responseObject: expect.objectContaining({ kind: 'ConfigMap', apiVersion: 'v1' }),
      requestReceivedTimestamp: '2024-03-01T00:00:00.000000Z',
      stageTimestamp: '2024-03-01T00:00:00.000000Z',
      annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
    });
  });

  it('has the path, the query and the bodies of each verb', () => {
    const at = { ...PLACE, name: 'a' };
    const lines = linesOf([
      { request: create('a', { fieldManager: 'me', dryRun: ['All'] }) },
      { request: create('a', { dryRun: false, user: { name: 'jane', groups: ['g'] }, userAgent: 'kubectl' }) },
      { request: { verb: 'get', ...at } },
      { request: { verb: 'list', ...PLACE, labelSelector: 'a=b,c' } },
      { request: { verb: 'patch', ...at, patchType: 'apply', force: true, fieldManager: 'x y', body: body('a') } },
      { request: { verb: 'patch', ...at, patchType: 'merge', force: true, body: {} } as unknown as ApiRequest },
      { request: { verb: 'delete', ...at, gracePeriodSeconds: 0, propagationPolicy: 'Orphan' } },
      { request: { verb: 'delete', ...at } },
      { request: { verb: 'deletecollection', ...PLACE } },
      { request: { verb: 'list', kind: 'Node' } },
    ]);
    expect(
      lines.map(({ level, verb, requestURI, user, userAgent, requestObject }) => [
        `${String(level)} ${String(verb)} ${String(requestURI)} ${String(userAgent)}`,
        (user as { readonly groups: readonly string[] }).groups,
        requestObject,
      ]),
    ).toEqual([
      [
        'RequestResponse create /api/v1/namespaces/default/configmaps?fieldManager=me&dryRun=All orchsim',
        ['system:authenticated'],
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      ],
      [
        'RequestResponse create /api/v1/namespaces/default/configmaps kubectl',
        ['g', 'system:authenticated'],
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      ],
      ['Metadata get /api/v1/namespaces/default/configmaps/a orchsim', ['system:authenticated'], undefined],
      ['Metadata list /api/v1/namespaces/default/configmaps?labelSelector=a%3Db%2Cc orchsim', ['system:authenticated'], undefined],
      [
        'RequestResponse patch /api/v1/namespaces/default/configmaps/a?fieldManager=x%20y&force=true orchsim',
        ['system:authenticated'],
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      ],
      ['RequestResponse patch /api/v1/namespaces/default/configmaps/a orchsim', ['system:authenticated'], {}],
      [
        'RequestResponse delete /api/v1/namespaces/default/configmaps/a orchsim',
        ['system:authenticated'],
        { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, propagationPolicy: 'Orphan' },
      ],
      ['RequestResponse delete /api/v1/namespaces/default/configmaps/a orchsim', ['system:authenticated'], undefined],
      ['RequestResponse deletecollection /api/v1/namespaces/default/configmaps orchsim', ['system:authenticated'], undefined],
      ['Metadata list /api/v1/nodes orchsim', ['system:authenticated'], undefined],
    ]);
    expect(lines[5]?.['responseStatus']).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
      reason: 'Invalid',
      code: 422,
    });
  });

  it('of a subresource names it, also of a new one', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const at = { kind: 'Pod', namespace: 'default', name: 'p' };
    const lines = linesOf([
      { request: { verb: 'create', kind: 'Pod', namespace: 'default', body: pod } },
      {
        request: {
          verb: 'create',
          ...at,
          subresource: 'binding',
          body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } },
        } as unknown as ApiRequest,
      },
      {
        request: {
          verb: 'create',
          kind: 'StorageClass',
          body: { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 's' }, provisioner: 'p' },
        } as unknown as ApiRequest,
      },
      { request: { verb: 'create', kind: 'Nothing', body: {} } as unknown as ApiRequest },
    ]);
    expect(
      lines.map(({ requestURI, objectRef, responseStatus }) => [requestURI, objectRef, (responseStatus as { readonly code: number }).code]),
    ).toEqual([
      ['/api/v1/namespaces/default/pods', { resource: 'pods', namespace: 'default', name: 'p', apiVersion: 'v1' }, 201],
      [
        '/api/v1/namespaces/default/pods/p/binding',
        { resource: 'pods', namespace: 'default', name: 'p', apiVersion: 'v1', subresource: 'binding' },
        201,
      ],
      [
        '/apis/storage.k8s.io/v1/storageclasses',
        { resource: 'storageclasses', name: 's', apiGroup: 'storage.k8s.io', apiVersion: 'v1' },
        201,
      ],
    ]);
  });

  it('is in the name of the process that asked', () => {
    const lines = linesOf([
      { request: create('a'), by: { process: 'controller-manager', controller: 'job' } },
      { request: create('b'), by: { process: 'agent/n', controller: 'node-agent' } },
      { request: create('c'), by: { process: 'operator', controller: 'my-controller' } },
    ]);
    expect(lines.map(({ user, userAgent }) => [user, userAgent])).toEqual([
      [
        {
          username: 'system:serviceaccount:kube-system:job-controller',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
        },
        'controller-manager',
      ],
      [{ username: 'system:node:n', groups: ['system:nodes', 'system:authenticated'] }, 'agent/n'],
      [
        {
          username: 'system:serviceaccount:default:my-controller',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
        },
        'operator',
      ],
    ]);
  });
});

describe('a log', () => {
  it('says the order of requests of one instant, and begins with the run', () => {
    const lines = linesOf([
      { request: create('z'), at: -1 },
      { request: create('a') },
      { request: create('b') },
      { request: create('c'), at: 1001 },
      { request: create('d'), at: 1001 },
    ]);
    expect(
      lines.map(({ auditID, stageTimestamp, requestReceivedTimestamp }) => [auditID, stageTimestamp, requestReceivedTimestamp]),
    ).toEqual([
      ['00000000-0000-4000-8000-000000000001', '2024-03-01T00:00:00.000000Z', '2024-03-01T00:00:00.000000Z'],
      ['00000000-0000-4000-8000-000000000002', '2024-03-01T00:00:00.000001Z', '2024-03-01T00:00:00.000001Z'],
      ['00000000-0000-4000-8000-000000000003', '2024-03-01T00:00:01.001000Z', '2024-03-01T00:00:01.001000Z'],
      ['00000000-0000-4000-8000-000000000004', '2024-03-01T00:00:01.001001Z', '2024-03-01T00:00:01.001001Z'],
    ]);
  });

  it('has the values of secrets only where that is asked for', () => {
    const secret = {
      verb: 'create',
      kind: 'Secret',
      namespace: 'default',
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: 'Yg==' } },
    } as ApiRequest;
    const dataIn = (secrets?: boolean) =>
      linesOf([{ request: secret }], secrets === undefined ? {} : { secrets }).map((line) =>
        [line['requestObject'], line['responseObject']].map((each) => (each as { readonly data: object }).data),
      );
    expect([dataIn(), dataIn(false), dataIn(true)]).toEqual([
      [[{ a: '' }, { a: '' }]],
      [[{ a: '' }, { a: '' }]],
      [[{ a: 'Yg==' }, { a: 'Yg==' }]],
    ]);
  });

  it('says its domain where that is the neutral one', () => {
    expect(linesOf([{ request: create('a') }], { domain: 'orch.io' }).map(({ annotations }) => annotations)).toEqual([
      { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '', 'sim.orch.io/domain': 'orch.io' },
    ]);
  });
});
