import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject, ManagedFieldsEntry } from '../../../src/apiserver/objects/object.ts';
import { apply, ignoringTimes, managedFieldsFromScale, managedFieldsOfScale, trackUpdate } from '../../../src/apiserver/patch/index.ts';
import type { Applied, ApplyRequest } from '../../../src/apiserver/patch/index.ts';
import { schemaOfKind } from './facts.ts';
import { abyss, attempt, deepFreeze, type Failed } from './support.ts';

const schema = schemaOfKind('Pod');
const at = (second: number): number => Date.UTC(2024, 0, 1, 0, 0, second);
const config = <const B extends object>(body: B): { apiVersion: string; kind: string; metadata: object } & B => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  ...body,
});

type Result = Partial<Applied> & { readonly error?: Failed };

function applied(live: ApiObject | undefined, body: unknown, options: Partial<ApplyRequest> = {}): Result {
  const request = { schema, live, config: deepFreeze(body), manager: 'm1', force: false, apiVersion: 'v1', kind: 'Pod', now: at(1) };
  const { ok, error } = attempt(() => apply({ ...request, ...options }));
  return ok ?? { error };
}
function object(result: Result): ApiObject {
  if (result.error !== undefined) throw new Error(result.error.message);
  return deepFreeze(result.object) as ApiObject;
}
const tracked = (live: ApiObject | undefined, next: object, options: object = {}): readonly ManagedFieldsEntry[] =>
  trackUpdate({ schema, live, next, manager: 'u1', apiVersion: 'v1', now: at(1), ...options });
/** Returns the stored object after an ordinary write. */
const written = (
  live: ApiObject | undefined,
  next: { readonly metadata: object; readonly [field: string]: unknown },
  options: object = {},
): ApiObject =>
  deepFreeze({ ...next, metadata: { ...next.metadata, managedFields: tracked(live, next, options) } }) as unknown as ApiObject;
const fields = (entries: readonly ManagedFieldsEntry[] | undefined): Record<string, unknown> =>
  Object.fromEntries((entries ?? []).map(({ manager, fieldsV1 }): [string, unknown] => [manager ?? '', fieldsV1]));

describe('tracking of updates', () => {
  const created = written(
    undefined,
    config({
      metadata: { name: 'p', uid: 'u', labels: { a: '1' } },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
      status: {},
    }),
  );

  it('gives a creator all fields but those of the server', () => {
    expect(created.metadata.managedFields).toEqual([
      {
        manager: 'u1',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2024-01-01T00:00:01Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {} } }, 'f:nodeName': {} },
        },
      },
    ]);
  });

  it('moves a changed field to its manager', () => {
    const next = config({ metadata: { name: 'p', uid: 'u', labels: { a: '2', b: '1' } }, spec: created['spec'] });
    expect(fields(tracked(created, next, { manager: 'u2' }))).toEqual({
      u1: {
        'f:metadata': { 'f:labels': {} },
        'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {} } }, 'f:nodeName': {} },
      },
      u2: { 'f:metadata': { 'f:labels': { 'f:a': {}, 'f:b': {} } } },
    });
  });

  it('drops a manager without fields, and removed fields', () => {
    const labelled = written(
      created,
      { ...created, metadata: { ...created.metadata, annotations: { x: '1' } } },
      { manager: 'u2', now: at(2) },
    );
    expect(labelled.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['u1', 'u2']);
    const bare = tracked(labelled, { ...labelled, metadata: { name: 'p', uid: 'u', labels: { a: '1' } } }, { manager: 'u3', now: at(3) });
    expect(bare.map(({ manager }) => manager)).toEqual(['u1']);
  });

  it('keeps the timestamp, and the same list, unless the manager gets fields', () => {
    expect(tracked(created, created, { now: at(9) })).toBe(created.metadata.managedFields);
    expect(
      tracked(
        created,
        { ...created, metadata: { ...created.metadata, resourceVersion: '9', generation: 5 } },
        { manager: 'zz', now: at(9) },
      ),
    ).toBe(created.metadata.managedFields);
    const renewed = tracked(created, { ...created, spec: { ...(created['spec'] as object), nodeName: 'other' } }, { now: at(9) });
    expect(renewed).toEqual([{ ...created.metadata.managedFields?.[0], time: '2024-01-01T00:00:09Z' }]);
  });

  it('gives sub-resources and versions separate entries', () => {
    const entries = tracked(created, { ...created, status: { phase: 'Running' } }, { subresource: 'status' });
    expect(entries.map(({ manager, subresource, fieldsV1 }) => [manager, subresource, fieldsV1])).toEqual([
      ['u1', undefined, created.metadata.managedFields?.[0]?.fieldsV1],
      ['u1', 'status', { 'f:status': { 'f:phase': {} } }],
    ]);
  });

  it('does not track fields that the endpoint resets', () => {
    expect(tracked(created, { ...created, status: { phase: 'Running' } })).toBe(created.metadata.managedFields);
    expect(tracked(created, { ...created, spec: { nodeName: 'x' } }, { subresource: 'status' })).toBe(created.metadata.managedFields);
  });

  it('lets a client reset, replace and misspell the managers', () => {
    const sending = (managedFields: unknown): object => ({ ...created, metadata: { ...created.metadata, managedFields } });
    expect(tracked(created, sending([]))).toEqual([]);
    expect(tracked(created, sending([{}]))).toEqual([]);
    expect(tracked(created, sending([{ manager: 'x', operation: 'Bad', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }]))).toBe(
      created.metadata.managedFields,
    );
    const own: ManagedFieldsEntry = {
      manager: 'x',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2020-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:nodeName': {} } },
    };
    expect(tracked(created, sending([own]))).toEqual([own]);
    const unmanaged = { ...created, metadata: { name: 'p', uid: 'u' } } as ApiObject;
    expect(tracked(unmanaged, { ...unmanaged, spec: { nodeName: 'z' } })).toEqual([]);
  });

  it('drops managers of removed versions, and all when list items have equal keys', () => {
    const other = {
      ...created,
      metadata: { ...created.metadata, managedFields: [{ ...created.metadata.managedFields?.[0], apiVersion: 'v0' }] },
    } as ApiObject;
    expect(tracked(other, other)).toEqual([]);
    expect(tracked(created, { ...created, spec: { containers: [{ name: 'c' }, { name: 'c' }] } })).toEqual([]);
  });

  it('merges the oldest updaters beyond ten', () => {
    let live = written(undefined, config({ metadata: { name: 'p', uid: 'u', labels: { l0: 'x' } } }), { manager: 'u00' });
    for (let i = 1; i < 13; i++) {
      const labels = { ...live.metadata.labels, [`l${i}`]: 'x' };
      live = written(
        live,
        { ...live, metadata: { ...live.metadata, labels } },
        { manager: `u${String(i).padStart(2, '0')}`, now: at(1 + i) },
      );
    }
    const names = live.metadata.managedFields?.map(({ manager }) => manager);
    expect(names).toEqual(['ancient-changes', 'u04', 'u05', 'u06', 'u07', 'u08', 'u09', 'u10', 'u11', 'u12']);
    expect(fields(live.metadata.managedFields)['ancient-changes']).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:l0': {}, 'f:l1': {}, 'f:l2': {}, 'f:l3': {} } },
    });
  });

  it('detects writes that change only timestamps', () => {
    const former = created.metadata.managedFields ?? [];
    expect(
      ignoringTimes(
        former,
        former.map((entry) => ({ ...entry, time: '2030-01-01T00:00:00Z' })),
      ),
    ).toBe(former);
    const taken = former.map((entry) => ({ ...entry, manager: 'zz' }));
    expect(ignoringTimes(former, taken)).toBe(taken);
  });
});

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

describe('scale', () => {
  it('extracts replicas from the parent and returns new owners without a timestamp', () => {
    const target = { apiVersion: 'apps/v1', replicas: ['spec', 'replicas'] };
    const parent: ManagedFieldsEntry[] = [
      {
        manager: 'm1',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        time: '2024-01-01T00:00:01Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:serviceName': {} } },
      },
    ];
    const inScale = managedFieldsOfScale(parent, target);
    expect(inScale).toEqual([{ ...parent[0], apiVersion: 'autoscaling/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }]);
    expect(managedFieldsFromScale(parent, inScale, target)).toBe(parent);
    const scaler: ManagedFieldsEntry = {
      manager: 's',
      operation: 'Update',
      apiVersion: 'autoscaling/v1',
      time: '2024-01-01T00:00:02Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      subresource: 'scale',
    };
    expect(managedFieldsFromScale(parent, [scaler], target)).toEqual([
      { ...parent[0], fieldsV1: { 'f:spec': { 'f:serviceName': {} } } },
      {
        manager: 's',
        operation: 'Update',
        apiVersion: 'apps/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        subresource: 'scale',
      },
    ]);
  });
});

describe('properties', () => {
  const text = fc.constantFrom('x', 'y');
  const spec = fc.record(
    {
      nodeName: text,
      // Without empty maps and lists, which the server drops when decoding and adds again at every apply.
      nodeSelector: fc.dictionary(text, text, { minKeys: 1 }),
      hostPID: fc.boolean(),
      containers: fc.uniqueArray(
        fc.record(
          {
            name: fc.constantFrom('a', 'b', 'c'),
            image: text,
            args: fc.array(text, { minLength: 1, maxLength: 2 }),
            ports: fc.uniqueArray(fc.record({ containerPort: fc.integer({ min: 1, max: 3 }) }), {
              minLength: 1,
              selector: ({ containerPort }) => containerPort,
            }),
          },
          { requiredKeys: ['name'] },
        ),
        { minLength: 1, selector: ({ name }) => name },
      ),
      securityContext: fc.record({ runAsUser: fc.integer(), fsGroup: fc.integer() }),
    },
    { requiredKeys: [] },
  );
  const body = fc
    .record(
      {
        labels: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), text, { minKeys: 1 }),
        finalizers: fc.uniqueArray(text, { minLength: 1 }),
      },
      { requiredKeys: [] },
    )
    .chain((metadata) => spec.map((s) => config({ metadata: { name: 'p', ...metadata }, spec: s })));
  const step = fc.record({ manager: fc.constantFrom('m1', 'm2'), body, force: fc.boolean() });
  const play = (steps: readonly { manager: string; body: object; force: boolean }[]): ApiObject | undefined => {
    let live: ApiObject | undefined;
    for (const { manager, body: b, force } of steps) {
      const result = applied(live, b, { manager, force });
      if (result.error === undefined) live = deepFreeze(result.object) as ApiObject;
    }
    return live;
  };

  it('a second apply by force changes nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), body, (steps, last) => {
        const once = object(applied(play(steps), last, { force: true }));
        const twice = applied(once, last, { now: at(30) });
        expect(object(twice)).toBe(once);
      }),
    );
  });

  it('applied values are stored, and their applier owns them', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), body, (steps, last) => {
        const next = object(applied(play(steps), last, { force: true }));
        expect(next).toMatchObject({ spec: 'nodeName' in last.spec ? { nodeName: last.spec.nodeName } : {} });
        const lonely = object(applied(undefined, last));
        const owned = (entries: readonly ManagedFieldsEntry[] | undefined): unknown => fields(entries)['m1'];
        expect(owned(next.metadata.managedFields)).toEqual(owned(lonely.metadata.managedFields));
      }),
    );
  });

  it('omitting new fields, and those of another applier, restores the former state', () => {
    fc.assert(
      fc.property(body, (shared) => {
        const alone = object(applied(undefined, shared, { manager: 'm2' }));
        const both = object(
          applied(alone, { ...shared, spec: { ...shared.spec, hostname: 'h', overhead: { cpu: '1' } } }, { manager: 'm1' }),
        );
        const left = object(applied(both, config({}), { manager: 'm1' }));
        expect(left.metadata.managedFields).toEqual(alone.metadata.managedFields);
        expect(left['spec']).toEqual(alone['spec']);
      }),
    );
  });
});
