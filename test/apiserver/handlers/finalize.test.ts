/** The finalizers of namespaces, and evictions, as whole answers. */
import { describe, expect, it } from 'vitest';
import { envelopeOf, type ApiRequest } from '../../../src/apiserver/request/index.ts';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { setup, type Setup } from './setup.ts';

const PODS = { kind: 'Pod', namespace: 'default', name: 'p' } as const;
const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const made = (world: Setup, where: typeof PODS, body: object): ApiObject => world.ok({ ...where, verb: 'create', body: body as never });
/** The code and message of an answer, or what it answers. */
const answered = ({ server }: Setup, request: ApiRequest): unknown => {
  const response = server.handle(envelopeOf('client', request));
  if (!response.ok) return `${response.code} ${response.status.message ?? ''}`;
  return 'object' in response ? response.object : 'success' in response ? response.success : response.list;
};

describe('the finalizers of a namespace', () => {
  const SPACE = { kind: 'Namespace', name: 'n' } as const;
  const finalize = (metadata: object, finalizers: readonly string[] | undefined, more: object = {}): ApiRequest => ({
    ...SPACE,
    verb: 'update',
    subresource: 'finalize',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', ...metadata }, spec: { finalizers } },
    ...more,
  });
  const namespace = (world: Setup, finalizers?: readonly string[]) =>
    world.ok({
      verb: 'create',
      kind: 'Namespace',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', finalizers } } as never,
    });
  const stored = ({ store }: Setup) =>
    store.get('Namespace', 'n') as (ApiObject & { readonly spec: { readonly finalizers?: readonly string[] } }) | undefined;

  it('are replaced, and the namespace goes with the last one once it is deleted', () => {
    const world = setup();
    const before = namespace(world);
    expect(before['spec']).toEqual({ finalizers: ['kubernetes'] });
    expect(answered(world, finalize({}, ['kubernetes', 'example.com/x'], { dryRun: true }))).toMatchObject({
      spec: { finalizers: ['kubernetes', 'example.com/x'] },
    });
    expect(stored(world)).toBe(before);
    answered(world, finalize({}, ['kubernetes', 'example.com/x']));
    expect(stored(world)?.spec).toEqual({ finalizers: ['kubernetes', 'example.com/x'] });
    answered(world, finalize({}, []));
    expect(stored(world)?.spec).toEqual({});
    answered(world, finalize({}, ['kubernetes']));
    world.ok({ ...SPACE, verb: 'delete' });
    const { revision } = world.store;
    const last = answered(world, finalize({}, undefined));
    expect(last).toMatchObject({ metadata: { resourceVersion: String(revision + 1) }, spec: {}, status: { phase: 'Terminating' } });
    expect(stored(world)).toBeUndefined();
  });

  it('leave a namespace that has others in its metadata', () => {
    const world = setup();
    namespace(world, ['example.com/f']);
    world.ok({ ...SPACE, verb: 'delete' });
    answered(world, finalize({}, []));
    expect(stored(world)?.spec).toEqual({});
  });

  it('are refused for another name or revision', () => {
    const world = setup();
    namespace(world);
    expect(answered(world, finalize({ name: 'x' }, []))).toBe('400 the name of the object (x) does not match the name on the URL (n)');
    expect(answered(world, finalize({ resourceVersion: '1' }, []))).toMatch(
      /^409 Operation cannot be fulfilled on namespaces "n": the object has been modified/,
    );
  });
});

describe('an eviction', () => {
  const evict = (body: object = {}): ApiRequest => ({
    ...PODS,
    verb: 'create',
    subresource: 'eviction',
    body: { apiVersion: 'policy/v1', kind: 'Eviction', ...body } as never,
  });

  it('deletes a pod, with the options that it has', () => {
    const world = setup();
    made(world, PODS, { ...POD, spec: { ...POD.spec, nodeName: 'n' } });
    expect(answered(world, evict({ metadata: { name: 'q' } }))).toBe('400 name in URL does not match name in Eviction object');
    expect(answered(world, evict({ deleteOptions: { propagationPolicy: 'X' } }))).toContain('422 DeleteOptions.meta.k8s.io "" is invalid');
    expect(answered(world, evict({ deleteOptions: { preconditions: { uid: 'x' } } }))).toContain(
      '409 Operation cannot be fulfilled on Pod "p"',
    );
    expect(answered(world, evict({ metadata: { name: 'p' }, deleteOptions: { gracePeriodSeconds: 7 } }))).toMatchObject({
      status: 'Success',
      code: 201,
    });
    expect(world.store.get('Pod', 'default/p')?.metadata).toMatchObject({ deletionGracePeriodSeconds: 7 });
  });

  it('of a pod in more than one budget is a server error', () => {
    const world = setup();
    const { metadata } = made(world, PODS, { ...POD, metadata: { name: 'p', labels: { a: 'b' } }, spec: { ...POD.spec, nodeName: 'n' } });
    for (const name of ['x', 'y']) {
      const body = {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name },
        spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
      };
      world.ok({ kind: 'PodDisruptionBudget', namespace: 'default', verb: 'create', body: body });
    }
    // A pod that has not started is no disruption.
    expect(answered(world, { ...evict(), dryRun: true } as ApiRequest)).toMatchObject({ status: 'Success' });
    world.ok({ ...PODS, verb: 'update', subresource: 'status', body: { ...POD, metadata, status: { phase: 'Running' } } });
    expect(answered(world, evict())).toBe(
      '500 Internal error occurred: This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  });
});
