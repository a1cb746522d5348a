/** What clients sent, as steps send it again. */
import { describe, expect, it } from 'vitest';
import { createdBody, replacingPatch, safeCopy, sentPatch } from '../../../src/lab/incident/bodies.ts';

const GIVEN_OUT = {
  uid: 'u',
  resourceVersion: '1',
  creationTimestamp: 't',
  generation: 1,
  managedFields: [],
  selfLink: 's',
  deletionTimestamp: 't',
  deletionGracePeriodSeconds: 1,
};

/** Lists or mappings inside one another, this many. */
const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => wrap(inner), 1);

describe('a copy', () => {
  it('has no member that changes a prototype', () => {
    const hostile: unknown = JSON.parse('{"a":[{"__proto__":{"b":1},"c":null}],"d":"x"}');
    expect(safeCopy(hostile)).toEqual({ value: { a: [{ c: null }], d: 'x' } });
    expect(JSON.stringify(safeCopy(hostile))).toBe('{"value":{"a":[{"c":null}],"d":"x"}}');
    expect(safeCopy(undefined)).toEqual({ value: undefined });
  });

  it('is as deep as objects of the API are', () => {
    for (const wrap of [(inner: unknown) => [inner], (inner: unknown) => ({ inner })]) {
      expect(safeCopy(nested(64, wrap))).toEqual({ value: nested(64, wrap) });
      expect(safeCopy(nested(65, wrap))).toBeUndefined();
    }
  });
});

describe('a created object', () => {
  const body = {
    kind: 'Pod',
    metadata: {
      name: 'a',
      labels: { x: 'y' },
      ...GIVEN_OUT,
      ownerReferences: [
        { kind: 'Job', name: 'j', uid: 'u', controller: true },
        { kind: 'Job', name: 'k', uid: 'v' },
      ],
    },
    spec: { z: 1 },
    status: { phase: 'Running' },
  };

  it('is without its status, what the server gave out, and owners that the run does not have', () => {
    const metadata = { name: 'a', labels: { x: 'y' } };
    expect(createdBody(body, (kind, name) => kind === 'Job' && name === 'j')).toEqual({
      kind: 'Pod',
      metadata: { ...metadata, ownerReferences: [{ kind: 'Job', name: 'j', controller: true }] },
      spec: { z: 1 },
    });
    expect(createdBody(body, () => false)).toEqual({ kind: 'Pod', metadata, spec: { z: 1 } });
    expect(createdBody({ metadata: { ownerReferences: 'x' } }, () => true)).toEqual({ metadata: {} });
    expect(createdBody({}, () => true)).toEqual({ metadata: {} });
  });
});

describe('an object that replaces another', () => {
  const body = (more: object) => ({
    apiVersion: 'v1',
    kind: 'K',
    metadata: { name: 'a', namespace: 'n', labels: { x: 'y' }, ...GIVEN_OUT, ownerReferences: [] },
    ...more,
  });

  it('is a patch of what it says', () => {
    expect(replacingPatch('ConfigMap', body({ data: { a: '1' }, status: {} }), undefined)).toEqual({
      data: { a: '1' },
      metadata: { labels: { x: 'y' } },
    });
    expect(replacingPatch('Deployment', body({ spec: { replicas: 2, selector: {} } }), undefined)).toEqual({
      metadata: { labels: { x: 'y' } },
      spec: { replicas: 2, selector: {} },
    });
    expect(replacingPatch('Deployment', body({ spec: 'x' }), undefined)).toEqual({ metadata: { labels: { x: 'y' } } });
  });

  it('leaves what the cluster assigns', () => {
    const spec = { clusterIP: '1', clusterIPs: ['1'], healthCheckNodePort: 1, volumeName: 'v', selector: {}, template: {}, nodeName: 'n' };
    const specOf = (kind: string) => replacingPatch(kind, body({ spec, data: {} }), undefined);
    expect(specOf('Service')).toEqual({
      data: {},
      metadata: { labels: { x: 'y' } },
      spec: { volumeName: 'v', selector: {}, template: {}, nodeName: 'n' },
    });
    expect(specOf('PersistentVolumeClaim')['spec']).toEqual({
      clusterIP: '1',
      clusterIPs: ['1'],
      healthCheckNodePort: 1,
      selector: {},
      template: {},
      nodeName: 'n',
    });
    expect(specOf('Job')['spec']).toEqual({ clusterIP: '1', clusterIPs: ['1'], healthCheckNodePort: 1, volumeName: 'v', nodeName: 'n' });
    expect(specOf('Pod')).toEqual({ metadata: { labels: { x: 'y' } } });
    expect(specOf('toString')['spec']).toEqual(spec);
  });

  it('removes what was sent before, below the metadata, the spec and the data', () => {
    const before = {
      apiVersion: 'v1',
      kind: 'K',
      metadata: { name: 'a', generateName: 'b', ownerReferences: [], labels: { x: 'z', gone: '1' }, annotations: { b: 'c' }, uid: 'u' },
      data: { a: '0', b: '2' },
      spec: { replicas: 1, paused: true, template: { spec: { x: 1 }, more: 1 } },
      binaryData: {},
      status: {},
    };
    expect(replacingPatch('K', body({ data: { a: '1' }, spec: { template: { spec: {} } } }), before)).toEqual({
      data: { a: '1', b: null },
      metadata: { labels: { x: 'y', gone: null }, annotations: null },
      spec: { template: { spec: { x: null }, more: null }, replicas: null, paused: null },
    });
    expect(replacingPatch('K', body({}), before)).toEqual({ metadata: { labels: { x: 'y', gone: null }, annotations: null } });
    expect(replacingPatch('K', body({ spec: { a: [1] } }), { ...before, spec: { a: { b: 1 } } })).toEqual({
      metadata: { labels: { x: 'y', gone: null }, annotations: null },
      spec: { a: [1] },
    });
  });
});

describe('a patch', () => {
  it('is sent without its preconditions', () => {
    expect(
      sentPatch([
        { op: 'test', path: '/metadata/resourceVersion' },
        { op: 'test', path: '/metadata/uid' },
        { op: 'test', path: '/metadata/labels' },
        7,
      ]),
    ).toEqual([{ op: 'test', path: '/metadata/labels' }, 7]);
    expect(sentPatch({ metadata: { ...GIVEN_OUT, ownerReferences: [] }, spec: {} })).toEqual({ spec: {} });
    expect(sentPatch({ metadata: { ...GIVEN_OUT, labels: {} } })).toEqual({ metadata: { labels: {} } });
    expect([sentPatch('x'), sentPatch({ spec: {} }), sentPatch({ metadata: null })]).toEqual(['x', { spec: {} }, { metadata: null }]);
  });
});
