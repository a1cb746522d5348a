/** Server-side apply: what a configuration adds and takes away, and which conflicts it has. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/objects/object.ts';
import { apply } from '../../../src/apiserver/patch/index.ts';
import { schema, at, config, applied, object, written, fields } from './applied.ts';
import { abyss, attempt, deepFreeze } from './support.ts';

describe('apply', () => {
  const first = object(
    applied(undefined, config({ spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i', env: [{ name: 'A', value: '1' }] }] } })),
  );

  it('creates', () => {
    expect(first.metadata.managedFields).toEqual([
      {
        manager: 'm1',
        operation: 'Apply',
        apiVersion: 'v1',
        time: '2024-01-01T00:00:01Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': {
            'f:containers': {
              'k:{"name":"c"}': {
                '.': {},
                'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
                'f:image': {},
                'f:name': {},
              },
            },
            'f:nodeName': {},
          },
        },
      },
    ]);
  });

  it('creates an object without fields, which has no manager', () => {
    const bare = applied(undefined, config({}));
    expect(bare.managedFields).toEqual([]);
    expect(object(bare).metadata).toEqual({ name: 'p' });
  });

  it('is a no-op the second time', () => {
    const again = applied(
      first,
      config({ spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i', env: [{ name: 'A', value: '1' }] }] } }),
      { now: at(9) },
    );
    expect(again).toEqual({ object: first, managedFields: first.metadata.managedFields });
    expect(object(again)).toBe(first);
  });

  it('removes fields that its manager omits', () => {
    const next = object(applied(first, config({ spec: { containers: [{ name: 'c', image: 'i' }] } })));
    expect(next['spec']).toEqual({ containers: [{ name: 'c', image: 'i' }] });
  });

  it('keeps fields that another manager owns, too', () => {
    const shared = object(applied(first, config({ spec: { nodeName: 'n' } }), { manager: 'm2' }));
    const next = object(applied(shared, config({ spec: { containers: [{ name: 'c', image: 'i' }] } })));
    expect(next['spec']).toEqual({ nodeName: 'n', containers: [{ name: 'c', image: 'i' }] });
    expect(fields(next.metadata.managedFields)['m2']).toEqual({ 'f:spec': { 'f:nodeName': {} } });
  });

  it('keeps fields without a manager', () => {
    const defaulted = { ...first, spec: { ...(first['spec'] as object), dnsPolicy: 'X' } } as ApiObject;
    expect(object(applied(defaulted, config({ spec: { containers: [{ name: 'c', image: 'i' }] } })))['spec']).toEqual({
      dnsPolicy: 'X',
      containers: [{ name: 'c', image: 'i' }],
    });
  });

  it('removes a struct with its last field', () => {
    const live = object(applied(undefined, config({ spec: { affinity: { podAffinity: {} }, nodeName: 'n' } })));
    expect(object(applied(live, config({ spec: { nodeName: 'n' } })))['spec']).not.toHaveProperty('affinity');
  });

  it('conflicts with owners of other values, and takes fields by force', () => {
    const body = config({ spec: { nodeName: 'x', containers: [{ name: 'c', image: 'z' }] } });
    expect(applied(first, body, { manager: 'm2' })).toEqual({
      error: {
        code: 409,
        reason: 'Conflict',
        message: 'Apply failed with 2 conflicts: conflicts with "m1":\n- .spec.nodeName\n- .spec.containers[name="c"].image',
        details: {
          causes: [
            { reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.nodeName' },
            { reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.containers[name="c"].image' },
          ],
        },
      },
    });
    const forced = object(applied(first, body, { manager: 'm2', force: true }));
    expect(fields(forced.metadata.managedFields)).toEqual({
      m1: {
        'f:spec': {
          'f:containers': {
            'k:{"name":"c"}': { '.': {}, 'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } }, 'f:name': {} },
          },
        },
      },
      m2: { 'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {} } }, 'f:nodeName': {} } },
    });
  });

  it('names updaters with version and sub-resource', () => {
    const live = written(undefined, config({ spec: { nodeName: 'n' } }));
    expect(applied(live, config({ spec: { nodeName: 'x' } })).error?.message).toBe(
      'Apply failed with 1 conflict: conflict with "u1" using v1: .spec.nodeName',
    );
    const status = written(live, { ...live, status: { phase: 'Running' } }, { subresource: 'status', manager: 'u2' });
    expect(applied(status, config({ status: { phase: 'Failed' } }), { subresource: 'status' }).error?.message).toBe(
      'Apply failed with 1 conflict: conflict with "u2" with subresource "status" using v1: .status.phase',
    );
  });

  it('gives existing fields a manager before the first apply', () => {
    const live = deepFreeze(config({ metadata: { name: 'p', uid: 'u' }, spec: { nodeName: 'n' } })) as unknown as ApiObject;
    expect(applied(live, config({ spec: { nodeName: 'x' } })).error?.message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .spec.nodeName',
    );
    expect(fields(object(applied(live, config({ spec: { hostname: 'h' } }))).metadata.managedFields)).toEqual({
      m1: { 'f:spec': { 'f:hostname': {} } },
      'before-first-apply': { 'f:spec': { 'f:nodeName': {} } },
    });
  });

  it('lets kubectl move from client-side apply without conflicts', () => {
    const last = JSON.stringify(config({ metadata: { name: 'p' }, spec: { nodeName: 'n' } }));
    const live = written(
      undefined,
      config({
        metadata: { name: 'p', uid: 'u', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': last } },
        spec: { nodeName: 'n', hostname: 'h' },
      }),
      { manager: 'kubectl-client-side-apply' },
    );
    expect(applied(live, config({ spec: { nodeName: 'x' } })).error?.code).toBe(409);
    const next = object(applied(live, config({ spec: { nodeName: 'x' } }), { manager: 'kubectl' }));
    expect(next['spec']).toEqual({ nodeName: 'x', hostname: 'h' });
    expect(next.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']).toBe(
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"x"}}\n',
    );
    expect(applied(live, config({ spec: { hostname: 'x', nodeName: 'x' } }), { manager: 'kubectl' }).error?.message).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .spec.hostname',
    );
  });

  it.each(['', '{', '[]', '{"apiVersion":"v2"}', '{"apiVersion":"v1","kind":"Pod","zz":1}'])(
    'has conflicts for kubectl, too, where what it applied last is %j',
    (last) => {
      const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': last };
      const metadata = { name: 'p', uid: 'u', annotations };
      const live = written(undefined, config({ metadata, spec: { nodeName: 'n' } }), { manager: 'kubectl-client-side-apply' });
      expect(applied(live, config({ spec: { nodeName: 'x' } }), { manager: 'kubectl' }).error?.code).toBe(409);
    },
  );

  it('is refused for a stored object that does not fit', () => {
    const live = { ...first, metadata: { ...first.metadata, namespace: 'ns' }, spec: { zz: 1 } } as ApiObject;
    expect(applied(live, config({})).error).toEqual({
      code: 500,
      message: 'failed to create typed live object (ns/p; /v1, Kind=Pod): .spec.zz: field not declared in schema',
    });
  });

  it.each<[string, unknown, object]>([
    [
      'another version',
      { apiVersion: 'v9', kind: 'Pod' },
      { code: 400, reason: 'BadRequest', message: 'Incorrect version specified in apply patch. Specified patch version: v9, expected: v1' },
    ],
    [
      'no version',
      null,
      { code: 400, reason: 'BadRequest', message: 'Incorrect version specified in apply patch. Specified patch version: , expected: v1' },
    ],
    [
      'managers',
      config({ metadata: { name: 'p', managedFields: [] } }),
      { code: 400, reason: 'BadRequest', message: 'metadata.managedFields must be nil' },
    ],
    [
      'another kind',
      { apiVersion: 'v1', kind: 'Foo', metadata: { name: 'p', namespace: 'ns' } },
      { code: 500, message: 'failed to create typed patch object (ns/p; /v1, Kind=Foo): no corresponding type for /v1, Kind=Foo' },
    ],
    [
      'an unknown field',
      config({ spec: { zz: 1 } }),
      { code: 500, message: 'failed to create typed patch object (/p; /v1, Kind=Pod): .spec.zz: field not declared in schema' },
    ],
    [
      'a list',
      [],
      {
        code: 400,
        reason: 'BadRequest',
        message:
          'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
      },
    ],
  ])('refuses %s', (_, body, error) => expect(applied(first, body)).toEqual({ error }));

  it('refuses endless nesting', () => {
    const request = { schema, live: first, config: abyss(), manager: 'm1', force: false, apiVersion: 'v1', now: at(1) };
    expect(attempt(() => apply(request)).error?.code).toBe(400);
  });

  it('treats keys such as __proto__ as ordinary keys', () => {
    const next = object(
      applied(first, JSON.parse('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"__proto__":"x","constructor":"y"}}}')),
    );
    expect(JSON.stringify(next.metadata.labels)).toBe('{"__proto__":"x","constructor":"y"}');
    const pruned = object(applied(next, config({ metadata: { name: 'p', labels: { constructor: 'y' } } })));
    expect(JSON.stringify(pruned.metadata.labels)).toBe('{"constructor":"y"}');
  });
});
