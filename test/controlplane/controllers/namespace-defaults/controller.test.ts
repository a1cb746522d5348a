import { describe, expect, it } from 'vitest';
import { rootCertificates, serviceAccounts } from '../../../../src/controlplane/controllers/namespace-defaults/controller.ts';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { decide, enqueued, phrase } from '../../../support/reconcile.ts';

const meta = (name: string, namespace?: string, more: object = {}) => ({
  name,
  uid: `${name}-uid`,
  resourceVersion: '1',
  creationTimestamp: '2024-01-01T00:00:00Z',
  ...(namespace === undefined ? {} : { namespace }),
  ...more,
});
const namespace = (more: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: meta('team', undefined, more),
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});
const account = (name = 'default', where = 'team'): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: meta(name, where),
});
const made = decide(rootCertificates, { objects: [namespace()] }).writes[0];
const whole = (
  made?.op === 'create'
    ? { ...made.object, metadata: { ...meta('kube-root-ca.crt', 'team'), annotations: made.object.metadata.annotations } }
    : {}
) as ApiObject;
const certificate = (change: object = {}): ApiObject => ({ ...whole, ...change });
const GOING = { deletionTimestamp: '2024-01-01T00:00:00Z' };

describe('the default account', () => {
  it.each<[string, readonly ApiObject[], readonly string[]]>([
    ['is made', [namespace()], ['create ServiceAccount default']],
    ['is made once', [namespace(), account()], []],
    ['another one does not do', [namespace(), account('other'), account('default', 'elsewhere')], ['create ServiceAccount default']],
    ['is not made where all is going', [namespace(GOING)], []],
  ])('%s', (_, objects, writes) => {
    expect(decide(serviceAccounts, { objects }).writes.map(phrase)).toEqual(writes);
  });

  it('is restored when it is deleted', () => {
    expect(enqueued(serviceAccounts, { objects: [] }, { type: 'DELETED', object: account() })).toEqual(['team']);
    expect(enqueued(serviceAccounts, { objects: [] }, { type: 'DELETED', object: account('other') })).toEqual([]);
    expect(enqueued(serviceAccounts, { objects: [] }, { type: 'MODIFIED', object: account() })).toEqual([]);
  });
});

describe('the root certificate', () => {
  it.each<[string, readonly ApiObject[], readonly string[]]>([
    ['is published', [namespace()], ['create ConfigMap kube-root-ca.crt']],
    ['is left as it is', [namespace(), certificate()], []],
    [
      'is put right when somebody changes it',
      [namespace(), certificate({ data: { 'ca.crt': 'mine' } })],
      ['update ConfigMap kube-root-ca.crt'],
    ],
    [
      'and when somebody adds to it',
      [namespace(), certificate({ data: { ...(whole['data'] as object), more: '' } })],
      ['update ConfigMap kube-root-ca.crt'],
    ],
    [
      'and when it does not say what it is',
      [namespace(), certificate({ metadata: meta('kube-root-ca.crt', 'team') })],
      ['update ConfigMap kube-root-ca.crt'],
    ],
    ['is not published where all is going', [namespace(GOING)], []],
  ])('%s', (_, objects, writes) => {
    expect(decide(rootCertificates, { objects }).writes.map(phrase)).toEqual(writes);
  });

  it('has its recorded description, in either domain', () => {
    expect(whole.metadata.annotations?.['kubernetes.io/description']).toBe(
      'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
    );
    const [write] = decide(rootCertificates, { objects: [namespace()], domain: 'orch.io' }).writes;
    expect(write?.op === 'create' ? write.object.metadata : undefined).toMatchObject({
      name: 'orch-root-ca.crt',
      annotations: { 'orch.io/description': expect.stringContaining('orch-apiserver') },
    });
  });

  it('is restored when it is deleted or changed', () => {
    for (const type of ['MODIFIED', 'DELETED'] as const)
      expect(enqueued(rootCertificates, { objects: [] }, { type, object: certificate() })).toEqual(['team']);
    expect(enqueued(rootCertificates, { objects: [] }, { type: 'ADDED', object: certificate() })).toEqual([]);
  });
});
