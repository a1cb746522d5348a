/** Which updates are accepted, what of them is stored, and what the server counts. */
import { describe, expect, it } from 'vitest';
import { envelopeOf, type ApiRequest } from '../../../src/apiserver/request/index.ts';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { setup, type Setup } from '../handlers/setup.ts';

const MAPS = { kind: 'ConfigMap', namespace: 'default', name: 'm' } as const;
const LEASES = { kind: 'Lease', namespace: 'default', name: 'l' } as const;
const DEPLOYMENTS = { kind: 'Deployment', namespace: 'default', name: 'd' } as const;
const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec: { holderIdentity: 'a' } };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
const map = (metadata: object = {}, more: object = {}) =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', ...metadata }, data: { k: 'v' }, ...more }) as never;

type Where = typeof MAPS | typeof LEASES | typeof DEPLOYMENTS;
const made = ({ ok }: Setup, where: Where, body: object): ApiObject => ok({ ...where, verb: 'create', body: body as never });
/** Sends the stored object with some members replaced. */
const updating = (where: Where, object: ApiObject, metadata: object, more: object = {}, options: object = {}): ApiRequest => ({
  ...where,
  verb: 'update',
  body: { ...object, ...more, metadata: { ...object.metadata, ...metadata } },
  ...options,
});

describe('the revision of an update', () => {
  const SPECIFIED = 'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update';
  const modified = (what: string) =>
    `Operation cannot be fulfilled on ${what}: the object has been modified; please apply your changes to the latest version and try again`;
  const parsing = (text: string, why: string) => `strconv.ParseUint: parsing ${text}: ${why}`;

  it.each<[unknown, string | undefined, string | undefined]>([
    [undefined, undefined, SPECIFIED],
    ['', undefined, SPECIFIED],
    ['0', undefined, SPECIFIED],
    ['000', undefined, SPECIFIED],
    ['1', modified('configmaps "m"'), modified('leases.coordination.k8s.io "l"')],
    ['18446744073709551615', modified('configmaps "m"'), modified('leases.coordination.k8s.io "l"')],
    [
      '18446744073709551616',
      parsing('"18446744073709551616"', 'value out of range'),
      parsing('"18446744073709551616"', 'value out of range'),
    ],
    ['x', parsing('"x"', 'invalid syntax'), parsing('"x"', 'invalid syntax')],
    ['1x', parsing('"1x"', 'invalid syntax'), parsing('"1x"', 'invalid syntax')],
    ['x1', parsing('"x1"', 'invalid syntax'), parsing('"x1"', 'invalid syntax')],
    ['0x0', parsing('"0x0"', 'invalid syntax'), parsing('"0x0"', 'invalid syntax')],
  ])('%j is judged, for a kind that may be updated without one, and for one that may not', (resourceVersion, ofMap, ofLease) => {
    const world = setup();
    const [first, second] = [made(world, MAPS, map()), made(world, LEASES, lease)];
    const judged = (where: Where, object: ApiObject): string | undefined => {
      const response = world.server.handle(envelopeOf('client', updating(where, object, { resourceVersion })));
      return response.ok ? undefined : response.status.message;
    };
    expect(judged(MAPS, first)).toBe(ofMap);
    expect(judged(LEASES, second)).toBe(ofLease === SPECIFIED ? `leases.coordination.k8s.io "l" is invalid: ${SPECIFIED}` : ofLease);
  });

  it('is compared as a number', () => {
    const world = setup();
    const object = made(world, LEASES, lease);
    expect(world.ok(updating(LEASES, object, { resourceVersion: `00${object.metadata.resourceVersion}` }))).toBe(object);
  });
});

describe('an update', () => {
  it('keeps the identity and the history of the object', () => {
    const world = setup();
    const object = made(world, MAPS, map({ generateName: 'g-', labels: { a: 'b' }, finalizers: ['example.com/f'] }));
    world.advance(1000);
    const { metadata } = world.ok(
      updating(MAPS, object, {
        generateName: 'h-',
        uid: '',
        generation: 9,
        creationTimestamp: '2020-01-01T00:00:00Z',
        selfLink: '/x',
        clusterName: '',
        labels: { c: 'd' },
        annotations: { e: 'f' },
      }),
    );
    expect(metadata).toEqual({
      ...object.metadata,
      generateName: 'h-',
      labels: { c: 'd' },
      annotations: { e: 'f' },
      resourceVersion: String(world.store.revision),
    });
    expect(Object.keys(metadata)).toEqual([
      'name',
      'generateName',
      'namespace',
      'uid',
      'resourceVersion',
      'creationTimestamp',
      'labels',
      'annotations',
      'finalizers',
    ]);
  });

  it('that changes nothing stores nothing, and answers the object itself', () => {
    const world = setup();
    const object = made(world, MAPS, map({ labels: { a: 'b' } }));
    const { revision } = world.store;
    for (const resourceVersion of [object.metadata.resourceVersion, undefined])
      expect(world.ok(updating(MAPS, structuredClone(object), { resourceVersion }))).toBe(object);
    expect(world.store.revision).toBe(revision);
  });

  it('shares what it does not change with the former revision', () => {
    const world = setup();
    const object = made(world, MAPS, map({ labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['example.com/f'] }));
    const after = world.ok(updating(MAPS, structuredClone(object), { labels: { a: 'c' } }));
    expect(after['data']).toBe(object['data']);
    for (const part of ['annotations', 'finalizers'] as const) expect(after.metadata[part]).toBe(object.metadata[part]);
  });

  it('of a dry run is answered and not stored', () => {
    const world = setup();
    const object = made(world, MAPS, map());
    const after = world.ok(updating(MAPS, object, {}, { data: { k: 'w' } }, { dryRun: ['All'] }));
    expect([after['data'], after.metadata.resourceVersion]).toEqual([{ k: 'w' }, object.metadata.resourceVersion]);
    expect(world.store.get('ConfigMap', 'default/m')).toBe(object);
  });

  it('of another uid is refused, and metadata is validated where it changes', () => {
    const world = setup();
    const object = made(world, MAPS, map());
    const message = (metadata: object, more = {}): unknown => {
      const response = world.server.handle(envelopeOf('client', updating(MAPS, object, metadata, more)));
      return response.ok ? response.warnings : response.status.message;
    };
    const invalid = (text: string) => `ConfigMap "m" is invalid: ${text}`;
    expect(message({ uid: 'other' })).toMatch(/field is immutable|Precondition failed/);
    expect(message({ labels: { 'a b': 'c' } })).toBe(
      invalid(
        `metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ),
    );
    expect(message({ finalizers: ['nope'] }, { data: { 'a/b': '' } })).toMatch(
      /^ConfigMap "m" is invalid: \[metadata\.finalizers\[0\]: .*, data\[a\/b\]: Invalid value/,
    );
    expect(message({ clusterName: 'c' })).toEqual([
      'metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25',
    ]);
  });
});

describe('the generation', () => {
  const generations = (where: typeof DEPLOYMENTS, object: ApiObject, world: Setup, steps: readonly [object, object, object?][]) =>
    steps.map(([metadata, more, options]) => {
      const stored = world.store.get(where.kind, `default/${where.name}`) ?? object;
      return world.ok(updating(where, stored, metadata, more, options)).metadata.generation;
    });

  it('counts changes of the specification, and for Deployments of the annotations', () => {
    const world = setup();
    const object = made(world, DEPLOYMENTS, deployment);
    const { spec } = object as ApiObject & { readonly spec: object };
    expect(object.metadata.generation).toBe(1);
    expect(
      generations(DEPLOYMENTS, object, world, [
        [{}, { spec: { ...spec, replicas: 3 } }],
        [{}, { spec: { ...spec, replicas: 3 } }],
        [{ labels: { x: 'y' } }, {}],
        [{ annotations: { x: 'y' } }, {}],
        [{ annotations: { x: 'y' } }, {}],
        [{ annotations: undefined }, {}],
        [{ annotations: {} }, {}],
        [{}, { status: { replicas: 7 } }],
        [{}, { status: { replicas: 7 } }, { subresource: 'status' }],
        [{ generation: 99 }, { spec: { ...spec, replicas: 4 } }],
      ]),
    ).toEqual([2, 2, 2, 3, 3, 4, 4, 4, 4, 5]);
  });

  it('does not count annotations of other kinds, and not at all where a kind has none', () => {
    const world = setup();
    const set = made(world, { ...DEPLOYMENTS, kind: 'ReplicaSet' } as never, { ...deployment, kind: 'ReplicaSet' });
    expect(set.metadata.generation).toBe(1);
    const where = { ...DEPLOYMENTS, kind: 'ReplicaSet' } as never;
    expect(world.ok(updating(where, set, { annotations: { x: 'y' } })).metadata.generation).toBe(1);
    expect(
      world.ok(updating(where, set, { resourceVersion: undefined }, { spec: { ...(set['spec'] as object), replicas: 2 } })).metadata
        .generation,
    ).toBe(2);
    const object = made(world, MAPS, map());
    expect(world.ok(updating(MAPS, object, {}, { data: { k: 'w' } })).metadata).not.toHaveProperty('generation');
  });
});

describe('an update of the status', () => {
  it('takes the status and metadata of what is sent, and an update of the rest no status', () => {
    const world = setup();
    const object = made(world, DEPLOYMENTS, deployment);
    const sent = { spec: { ...(object['spec'] as object), replicas: 9 }, status: { replicas: 7 } };
    const after = world.ok(updating(DEPLOYMENTS, object, { labels: { x: 'y' } }, sent, { subresource: 'status' }));
    expect(after).toEqual({
      ...object,
      metadata: { ...object.metadata, labels: after.metadata.labels, resourceVersion: String(world.store.revision) },
      status: { replicas: 7 },
    });
    expect(after['spec']).toBe(object['spec']);
    const rest = world.ok(updating(DEPLOYMENTS, after, {}, { ...sent, status: { replicas: 1 } }));
    expect([rest['status'], (rest['spec'] as { readonly replicas: number }).replicas]).toEqual([{ replicas: 7 }, 9]);
  });
});

describe('the removal of the last finalizer', () => {
  const held = (world: Setup, finalizers: readonly string[]) => {
    made(world, MAPS, map({ finalizers }));
    return world.ok({ ...MAPS, verb: 'delete' });
  };

  it('completes a deletion, and answers with the object', () => {
    const world = setup();
    const object = held(world, ['example.com/f', 'example.com/g']);
    const one = world.ok(updating(MAPS, object, { finalizers: ['example.com/g'] }));
    expect(world.store.get('ConfigMap', 'default/m')).toBe(one);
    const { revision } = world.store;
    const dry = world.ok(updating(MAPS, one, { finalizers: [] }, {}, { dryRun: ['All'] }));
    expect([dry.metadata.finalizers, world.store.revision]).toEqual([undefined, revision]);
    const last = world.ok(updating(MAPS, one, { finalizers: undefined }, { data: { k: 'w' } }));
    expect(last).toEqual({ ...one, data: { k: 'w' }, metadata: { ...one.metadata, finalizers: undefined } });
    expect([world.store.get('ConfigMap', 'default/m'), world.store.revision]).toEqual([undefined, revision + 1]);
  });

  it('of an object that is not deleted is a change', () => {
    const world = setup();
    const object = made(world, MAPS, map({ finalizers: ['example.com/f'] }));
    const after = world.ok(updating(MAPS, object, { finalizers: [] }));
    expect(world.store.get('ConfigMap', 'default/m')).toBe(after);
  });

  it('leaves a namespace that its specification holds, and a pod whose grace period runs', () => {
    const world = setup();
    const namespaces = { kind: 'Namespace', name: 'n' } as const;
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', finalizers: ['example.com/f'] } } as never;
    world.ok({ kind: 'Namespace', verb: 'create', body });
    world.ok({ ...namespaces, verb: 'delete' });
    world.ok({ ...namespaces, verb: 'patch', patchType: 'merge', body: { metadata: { finalizers: null } } });
    expect(world.store.get('Namespace', 'n')?.metadata).toMatchObject({ deletionTimestamp: '2024-03-01T00:00:00Z' });
    const pods = { kind: 'Pod', namespace: 'default', name: 'p' } as const;
    const spec = { nodeName: 'x', containers: [{ name: 'c', image: 'i' }] };
    const metadata = { name: 'p', finalizers: ['example.com/f'] };
    world.ok({ ...pods, verb: 'create', body: { apiVersion: 'v1', kind: 'Pod', metadata, spec } });
    world.ok({ ...pods, verb: 'delete' });
    const patched = world.ok({ ...pods, verb: 'patch', patchType: 'merge', body: { metadata: { finalizers: null } } });
    expect(world.store.get('Pod', 'default/p')).toBe(patched);
  });
});
