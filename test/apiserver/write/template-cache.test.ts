/** Pods of one template: their shared part is validated once, the rest for each pod, and no client can observe the difference. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/engine/index.ts';
import { kindsFor, type KindRegistry } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor, type ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { type ApiRequest, type ApiResponse, envelopeOf } from '../../../src/apiserver/request/index.ts';
import { setup, type Setup } from '../handlers/setup.ts';

const names = namesFor('k8s.io');

/** Returns the same kinds without template rules. */
function alone(): KindRegistry {
  const kinds = kindsFor(names);
  const all = new Map(
    kinds.list().map((kind) => {
      const { templateRules: _, ...rest } = kind;
      return [kind.kind, rest] as const;
    }),
  );
  return { ...kinds, byKind: (kind) => all.get(kind) };
}

const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
};

const TEMPLATE = freeze({
  containers: [
    {
      name: 'main',
      image: 'c:1',
      env: Array.from({ length: 20 }, (_, at) => ({ name: `E${at}`, value: `${at}` })),
      volumeMounts: [{ name: 'data', mountPath: '/data' }],
    },
    { name: 'side', image: 's:1', resources: { requests: { cpu: '100m' } } },
  ],
  restartPolicy: 'Never',
});
const SHARED = freeze([{ name: 'tmp', emptyDir: {} }]);
const DATA = freeze([{ name: 'data', emptyDir: {} }]);
const OWNERS = freeze([{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u', controller: true, blockOwnerDeletion: true }]);
const LABELS = freeze({ app: 'x' });

/** The members are in published order, as controllers write them. */
const pod = ({ name, generateName, ...more }: Partial<ObjectInput['metadata']>, spec: object): ObjectInput => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    ...(name === undefined ? {} : { name }),
    ...(generateName === undefined ? {} : { generateName }),
    namespace: 'default',
    labels: LABELS,
    ...more,
    ...('ownerReferences' in more ? {} : { ownerReferences: OWNERS }),
  },
  spec,
});
const PLAIN = freeze(pod({ generateName: 'j-' }, { ...TEMPLATE, volumes: DATA }));
const plain = (): ObjectInput => PLAIN;
const INDEXED = { ...TEMPLATE, containers: freeze([...TEMPLATE.containers]), volumes: DATA };
const indexed = (at: number): ObjectInput =>
  pod(
    { generateName: `j-${at}-`, annotations: { 'batch.kubernetes.io/job-completion-index': `${at}` } },
    { ...INDEXED, hostname: `j-${at}` },
  );
const claim = (name: string) => ({ name: 'data', persistentVolumeClaim: { claimName: name } });
const SET = { ...TEMPLATE, containers: freeze([...TEMPLATE.containers]) };
const ordinal = (at: number): ObjectInput =>
  pod(
    { name: `web-${at}`, generateName: 'web-', labels: { app: 'x', 'statefulset.kubernetes.io/pod-name': `web-${at}` } },
    { ...SET, hostname: `web-${at}`, subdomain: 'web', volumes: [claim(`data-web-${at}`), ...SHARED] },
  );

const DAEMON = { ...TEMPLATE, containers: freeze([...TEMPLATE.containers]), volumes: DATA };
const pinnedBy = (key: string, node: string): object => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key, operator: 'In', values: [node] }] }] },
  },
});
const daemon = (at: number): ObjectInput => pod({ generateName: 'd-' }, { ...DAEMON, affinity: pinnedBy('metadata.name', `node-${at}`) });

const answerOf = ({ server }: Setup, request: ApiRequest): ApiResponse => server.handle(envelopeOf('client', request));
type Delete = Extract<ApiRequest, { verb: 'delete' }>;
const creating = (body: ObjectInput): ApiRequest => ({ verb: 'create', kind: 'Pod', namespace: 'default', body });
const object = (kind: string, body: object): ApiRequest => ({
  verb: 'create',
  kind,
  namespace: 'default',
  body: { kind, ...body } as ObjectInput,
});

const limitRange = (cpu: string): ApiRequest =>
  object('LimitRange', {
    apiVersion: 'v1',
    metadata: { name: 'limits' },
    spec: { limits: [{ type: 'Container', defaultRequest: { cpu } }] },
  });

/** Pods with an invalid or unusual member. */
const ODD: readonly ((at: number) => ObjectInput)[] = [
  (at) => pod({ generateName: 'j-' }, { ...INDEXED, hostname: `NOT_A_HOST_${at}` }),
  (at) =>
    pod(
      { generateName: `j-${at}-`, annotations: { 'container.apparmor.security.beta.kubernetes.io/gone': 'x' } },
      { ...INDEXED, hostname: 'h' },
    ),
  (at) =>
    pod(
      { generateName: `j-${at}-`, annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' } },
      { ...INDEXED, hostname: 'h' },
    ),
  (at) => pod({ generateName: 'd-' }, { ...DAEMON, affinity: pinnedBy('metadata.uid', `node-${at}`) }),
  (at) => pod({ generateName: 'd-' }, { ...DAEMON, affinity: pinnedBy('metadata.name', `NODE_${at}`) }),
  (at) => pod({ name: `NAME-${at}` }, { ...INDEXED, hostname: 'h' }),
  (at) => pod({ generateName: 'j-', labels: { 'a b': `${at}` } }, { ...INDEXED, hostname: 'h' }),
  () => pod({ name: 'web-0' }, { ...SET, hostname: 'web-0', subdomain: 'web', volumes: [claim('data-web-0'), ...SHARED] }),
  () => pod({ generateName: 'web-' }, { ...SET, hostname: 'w', subdomain: 'web', volumes: [claim(''), ...SHARED] }),
  () => pod({ generateName: 'web-' }, { ...SET, hostname: 'w', subdomain: 'web', volumes: [{ ...claim('c'), name: 'other' }, ...SHARED] }),
  () =>
    pod(
      { generateName: 'web-' },
      { ...SET, hostname: 'w', subdomain: 'web', volumes: [{ name: 'data', hostPath: { path: '..' } }, ...SHARED] },
    ),
  () => pod({ generateName: 'web-' }, { ...SET, hostname: 7, subdomain: 'web', volumes: [claim('c'), ...SHARED] }),
  () => pod({ generateName: 'j-' }, { ...INDEXED, hostname: 'h', nodeName: 'node-1' }),
  () => pod({ generateName: 'j-', namespace: 'other' }, { ...INDEXED, hostname: 'h' }),
  () => pod({ generateName: 'j-', resourceVersion: '7' }, { ...INDEXED, hostname: 'h' }),
  () => pod({ generateName: 'j-', ownerReferences: [...OWNERS, ...OWNERS] }, { ...INDEXED, hostname: 'h' }),
  () => pod({ generateName: 'j-', finalizers: ['bare'] }, { ...INDEXED, hostname: 'h' }),
  () => ({ ...plain(), apiVersion: 'v2' }),
  () => ({ ...plain(), kind: 'Job' }),
];

/** Changes that affect admission. */
const EDITS: readonly ApiRequest[] = [
  limitRange('50m'),
  { verb: 'delete', kind: 'LimitRange', namespace: 'default', name: 'limits' },
  object('PriorityClass', { apiVersion: 'scheduling.k8s.io/v1', metadata: { name: 'usual' }, value: 7, globalDefault: true }),
  { verb: 'delete', kind: 'PriorityClass', name: 'usual' },
  object('ResourceQuota', { apiVersion: 'v1', metadata: { name: 'few' }, spec: { hard: { pods: '40' } } }),
];

describe('pods of one template', () => {
  it('have the same results as without the cache: responses, objects, revisions', () => {
    const random = createRandom(11).stream('pods');
    const together = setup();
    const apart = setup('k8s.io', {}, { kinds: alone() });
    const both = (request: ApiRequest): void => {
      expect(JSON.stringify(answerOf(together, request))).toBe(JSON.stringify(answerOf(apart, request)));
      expect(together.store.revision).toBe(apart.store.revision);
    };
    const usual = [plain, indexed, indexed, ordinal, ordinal, daemon, daemon];
    for (let at = 0; at < 600; at++) {
      if (random.below(12) === 0) both(EDITS[random.below(EDITS.length)] ?? limitRange('1'));
      else if (random.below(5) === 0) both(creating((ODD[random.below(ODD.length)] ?? plain)(at)));
      else both(creating((usual[random.below(usual.length)] ?? plain)(at)));
      if (random.below(30) === 0) for (const world of [together, apart]) world.advance(1500);
    }
    const pods = (world: Setup): string => JSON.stringify([...world.store.values('Pod')]);
    expect(pods(together)).toBe(pods(apart));
    expect(together.store.size('Pod')).toBeGreaterThan(300);
  });

  it('share the specification, or the members in which they do not differ', () => {
    const { ok } = setup();
    const [a, b] = [ok(creating(plain())), ok(creating(plain()))];
    expect(a['spec']).toBe(b['spec']);
    const [c, d] = [ok(creating(indexed(0))), ok(creating(indexed(1)))] as unknown as {
      spec: { containers: unknown; tolerations: unknown; hostname: string };
    }[];
    expect(c?.spec.containers).toBe(d?.spec.containers);
    expect(c?.spec.tolerations).toBe(d?.spec.tolerations);
    expect([c?.spec.hostname, d?.spec.hostname]).toEqual(['j-0', 'j-1']);
  });
});

describe('a change in a kind that admission reads', () => {
  const cpuOf = (made: ApiObject): string | undefined =>
    (made['spec'] as { containers: { resources: { requests?: Record<string, string> } }[] }).containers[0]?.resources.requests?.['cpu'];

  it('applies to the next pod: a LimitRange created, changed and deleted', () => {
    const world = setup();
    const { ok } = world;
    const gone = (what: Pick<Delete, 'kind' | 'namespace' | 'name'>): void => {
      expect(answerOf(world, { ...what, verb: 'delete' }).ok).toBe(true);
    };
    ok(creating(indexed(0)));
    expect(cpuOf(ok(creating(indexed(1))))).toBeUndefined();
    ok(limitRange('50m'));
    const limited = ok(creating(indexed(2)));
    expect(cpuOf(limited)).toBe('50m');
    expect(limited.metadata.annotations?.['kubernetes.io/limit-ranger']).toContain('cpu request for container main');
    expect(ok(creating(indexed(3))).metadata.annotations).toMatchObject({
      'batch.kubernetes.io/job-completion-index': '3',
      'kubernetes.io/limit-ranger': expect.stringContaining('container main') as string,
    });
    ok({
      verb: 'patch',
      kind: 'LimitRange',
      namespace: 'default',
      name: 'limits',
      patchType: 'merge',
      body: { spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '70m' } }] } },
    });
    expect(cpuOf(ok(creating(indexed(4))))).toBe('70m');
    gone({ kind: 'LimitRange', namespace: 'default', name: 'limits' });
    expect(cpuOf(ok(creating(indexed(5))))).toBeUndefined();
  });

  it('applies to the next pod: a quota that counts each pod, and changes', () => {
    const { ok, refused, store } = setup();
    ok(creating(indexed(0)));
    ok(object('ResourceQuota', { apiVersion: 'v1', metadata: { name: 'few' }, spec: { hard: { pods: '2' } } }));
    const status = (hard: string): ApiRequest => ({
      verb: 'patch',
      kind: 'ResourceQuota',
      namespace: 'default',
      name: 'few',
      subresource: 'status',
      patchType: 'merge',
      body: { status: { hard: { pods: hard }, used: { pods: String(store.size('Pod')) } } },
    });
    ok(status('2'));
    ok(creating(indexed(1)));
    expect(refused(creating(indexed(2))).message).toContain('exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2');
    ok(status('3'));
    ok(creating(indexed(3)));
    expect(refused(creating(indexed(4))).reason).toBe('Forbidden');
  });

  it('applies to the next pod: a default PriorityClass, and a terminating namespace', () => {
    const world = setup();
    const { ok, refused } = world;
    const gone = (what: Pick<Delete, 'kind' | 'namespace' | 'name'>): void => {
      expect(answerOf(world, { ...what, verb: 'delete' }).ok).toBe(true);
    };
    const priorityOf = (made: ApiObject): unknown => (made['spec'] as { priority?: number }).priority;
    ok(creating(ordinal(0)));
    expect(priorityOf(ok(creating(ordinal(1))))).toBe(0);
    ok(object('PriorityClass', { apiVersion: 'scheduling.k8s.io/v1', metadata: { name: 'usual' }, value: 7, globalDefault: true }));
    expect(priorityOf(ok(creating(ordinal(2))))).toBe(7);
    gone({ kind: 'PriorityClass', name: 'usual' });
    expect(priorityOf(ok(creating(ordinal(3))))).toBe(0);
    const elsewhere = (at: number): ApiRequest => ({
      ...creating({ ...ordinal(at), metadata: { ...ordinal(at).metadata, namespace: 'n' } }),
      namespace: 'n',
    });
    ok({ verb: 'create', kind: 'Namespace', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } } });
    ok(elsewhere(0));
    ok(elsewhere(1));
    ok({ verb: 'delete', kind: 'Namespace', name: 'n' });
    expect(refused(elsewhere(2)).message).toContain('because it is being terminated');
  });

  it('applies to the next pod: a RuntimeClass', () => {
    const world = setup();
    const { ok, refused } = world;
    const gone = (what: Pick<Delete, 'kind' | 'namespace' | 'name'>): void => {
      expect(answerOf(world, { ...what, verb: 'delete' }).ok).toBe(true);
    };
    const containers = freeze([...TEMPLATE.containers]);
    const sandboxed = (at: number): ApiRequest =>
      creating(pod({ generateName: 's-' }, { ...TEMPLATE, containers, volumes: DATA, hostname: `s-${at}`, runtimeClassName: 'box' }));
    ok(
      object('RuntimeClass', {
        apiVersion: 'node.k8s.io/v1',
        metadata: { name: 'box' },
        handler: 'box',
        overhead: { podFixed: { cpu: '10m' } },
      }),
    );
    ok(sandboxed(0));
    expect(ok(sandboxed(1))).toMatchObject({ spec: { overhead: { cpu: '10m' }, hostname: 's-1' } });
    gone({ kind: 'RuntimeClass', name: 'box' });
    expect(refused(sandboxed(2)).message).toContain('RuntimeClass "box" not found');
  });
});

/** Counts look-ups in maps and sets during an action. */
function lookUps(act: () => void): number {
  let count = 0;
  const undo: (() => void)[] = [];
  for (const prototype of [Map.prototype, Set.prototype, WeakMap.prototype, WeakSet.prototype] as unknown as Record<string, unknown>[])
    for (const method of ['get', 'has', 'set', 'add'] as const) {
      const original = prototype[method];
      if (typeof original !== 'function') continue;
      prototype[method] = function (this: unknown, ...given: unknown[]): unknown {
        count++;
        return Reflect.apply(original, this, given) as unknown;
      };
      undo.push(() => (prototype[method] = original));
    }
  act();
  for (const step of undo) step();
  return count;
}

describe('a pod with its own index, claims or node', () => {
  const costOf = (make: (at: number) => ObjectInput): number => {
    const { ok } = setup();
    for (let at = 0; at < 3; at++) ok(creating(make(at)));
    const requests = Array.from({ length: 50 }, (_, at) => creating(make(at + 3)));
    return lookUps(() => requests.forEach((request) => ok(request))) / requests.length;
  };

  it('costs at most four look-ups more than a pod that equals its template', () => {
    const [usual, withIndex, withClaims, withNode] = [costOf(plain), costOf(indexed), costOf(ordinal), costOf(daemon)];
    expect(withIndex - usual, `${withIndex} for ${usual}`).toBeLessThanOrEqual(4);
    expect(withClaims - usual, `${withClaims} for ${usual}`).toBeLessThanOrEqual(4);
    expect(withNode - usual, `${withNode} for ${usual}`).toBeLessThanOrEqual(4);
  });

  it('does not read the parts of its template again', () => {
    let visits = 0;
    const containers = new Proxy(TEMPLATE.containers, {
      get(target, name, self): unknown {
        visits++;
        return Reflect.get(target, name, self);
      },
    });
    const { ok } = setup();
    const next = (at: number): ApiRequest =>
      creating(pod({ generateName: 'p-' }, { ...TEMPLATE, containers, volumes: DATA, hostname: `p-${at}` }));
    ok(next(0));
    expect(visits).toBeGreaterThan(0);
    visits = 0;
    for (let at = 1; at < 20; at++) ok(next(at));
    expect(visits).toBe(0);
  });
});
