/** Updates of a known base use the fast path. The full path runs beside it here, and no client can observe the difference. */
import { describe, expect, it } from 'vitest';
import { createDigest, createRandom } from '../../../src/engine/index.ts';
import { type AdmissionPlugin, plugins, type ServerOptions } from '../../../src/apiserver/admission/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { exampleOf } from '../../support/examples.ts';
import { type ApiObject, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { bootstrap, createServer, type Server } from '../../../src/apiserver/handlers/index.ts';
import { type ApiRequest, type ApiResponse, envelopeOf } from '../../../src/apiserver/request/index.ts';
import { createStore, type WritableStore } from '../../../src/apiserver/store/index.ts';
import { setup } from '../handlers/setup.ts';

const names = namesFor('k8s.io');
const kinds = kindsFor(names);

/**
 * Counts updates: those that use the full path; or, with `anything`, all of them, because a plug-in that may change anything rules out the
 * fast path.
 */
const counter = (seen: { updates: number }, anything: boolean): AdmissionPlugin => ({
  name: 'Counter',
  verbs: ['update'],
  subresources: true,
  ...(anything ? {} : { changes: 'spec' }),
  mutate() {
    seen.updates++;
  },
});

interface World {
  readonly server: Server;
  readonly store: WritableStore;
  readonly seen: { updates: number };
  readonly digest: ReturnType<typeof createDigest>;
  now: number;
}

function worldWith(way: 'long' | 'short'): World {
  const seen = { updates: 0 };
  const store = createStore();
  const digest = createDigest();
  const world = { now: Date.parse('2024-03-01T00:00:00Z') };
  const options: ServerOptions = {
    kinds,
    store,
    names,
    gates: {},
    random: createRandom(7).stream('server'),
    now: () => world.now,
    entry: () => 0,
  };
  const server = createServer(options, [...plugins, counter(seen, way === 'long')]);
  bootstrap(server, names);
  // The digest includes the parts that each revision shares with the one before.
  store.onChange(({ previous, object }) => digest.mixRevision(previous, object));
  return Object.assign(world, { server, store, seen, digest });
}

const place = (kind: string) => ({ kind, ...(kinds.byKind(kind)?.namespaced === true ? { namespace: 'default' } : {}) });
const keyIn = (kind: string): string => (kinds.byKind(kind)?.namespaced === true ? 'default/x' : 'x');
const stored = ({ store }: World, kind: string): ApiObject | undefined => store.get(kind, keyIn(kind));
const send = ({ server }: World, request: ApiRequest, base?: ApiObject, controller?: string): ApiResponse => {
  const envelope = envelopeOf('client', request);
  const by = controller === undefined ? envelope.by : { ...envelope.by, controller };
  return server.handle({ ...envelope, by, ...(base === undefined ? {} : { base }) });
};

function creating(kind: string): ApiRequest {
  const found = kinds.byKind(kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  const example = exampleOf(found, names);
  return { ...place(kind), verb: 'create', body: { ...example, metadata: { ...example.metadata, name: 'x' } } };
}

type Values = Readonly<Record<string, unknown>>;
const TIME = '2024-03-01T00:00:00Z';
const condition = (at: number): Values => ({
  type: at % 3 === 0 ? 'Ready' : 'Initialized',
  status: at % 2 === 0 ? 'True' : 'False',
  lastTransitionTime: TIME,
  lastProbeTime: null,
});

/** Values for a part of a kind; some of them are invalid. */
const PARTS: Readonly<
  Record<string, { readonly part: string; readonly subresource?: 'status'; readonly values: readonly ((at: number) => Values)[] }>
> = {
  Pod: {
    part: 'status',
    subresource: 'status',
    values: [
      (at) => ({ phase: 'Running', startTime: TIME, podIP: `10.0.0.${at % 200}`, podIPs: [{ ip: `10.0.0.${at % 200}` }] }),
      (at) => ({ conditions: [condition(at)] }),
      (at) => ({ nominatedNodeName: at % 4 === 0 ? 'NOT A NODE' : 'node-1' }),
      () => ({ podIPs: [{ ip: 'nonsense' }] }),
      () => ({ phase: 7 }),
      // A whole status as an agent writes it, with unchanged, non-canonical and invalid parts.
      (at) => ({
        phase: at % 2 === 0 ? 'Running' : 'Succeeded',
        conditions: [condition(at % 3)],
        ...(at % 5 === 0 ? { message: '' } : {}),
        hostIP: '10.0.0.1',
        podIP: `10.0.0.${at % 2}`,
        podIPs: [{ ip: `10.0.0.${at % 2}` }],
        startTime: at % 7 === 0 ? '2024-03-01T01:00:00+01:00' : TIME,
        containerStatuses: [
          {
            ...(at % 4 === 0 ? { imageID: '', name: 'c' } : { name: 'c', imageID: '' }),
            image: 'c:1',
            ready: true,
            restartCount: at % 11 === 0 ? 'many' : at % 2,
            state: { running: { startedAt: TIME } },
            lastState: at % 3 === 0 ? null : {},
            started: true,
          },
        ],
        qosClass: 'BestEffort',
      }),
      (at) => ({ startTime: TIME, phase: 'Running', unknown: at % 2 === 0 ? { a: 1 } : undefined }),
      () => ({ phase: null, podIPs: [] }),
      (at) => ({
        containerStatuses: [
          {
            name: 'c',
            image: 'c:1',
            imageID: '',
            ready: at % 2 === 0,
            restartCount: at % 3,
            state: { running: { startedAt: TIME } },
            lastState: {},
          },
        ],
      }),
    ],
  },
  Job: {
    part: 'status',
    subresource: 'status',
    values: [
      (at) => ({ active: at % 5, ready: 0, startTime: TIME }),
      (at) => ({ succeeded: at, active: -1 }),
      (at) => ({ uncountedTerminatedPods: { succeeded: [`u${at}`] } }),
      (at) => ({ conditions: [{ ...condition(at), type: 'Complete' }] }),
    ],
  },
  StatefulSet: {
    part: 'status',
    subresource: 'status',
    values: [
      (at) => ({ replicas: at % 4, readyReplicas: at % 3, availableReplicas: at % 3, observedGeneration: 1 }),
      () => ({ replicas: -1, availableReplicas: 0 }),
    ],
  },
  Lease: {
    part: 'spec',
    values: [(at) => ({ renewTime: `2024-03-01T00:00:${String(at % 60).padStart(2, '0')}.000000Z` }), () => ({ leaseDurationSeconds: -1 })],
  },
  Node: {
    part: 'status',
    subresource: 'status',
    values: [
      (at) => ({ conditions: [condition(at)] }),
      (at) => ({ capacity: { cpu: `${at}` } }),
      (at) => ({ allocatable: at % 3 === 0 ? null : { cpu: '1' } }),
      // What an agent reports first: nested maps, of which some shrink, and values in another form.
      (at) => ({
        capacity: { pods: '110', memory: at % 2 === 0 ? '1Gi' : '1024Mi', cpu: at % 5 === 0 ? 'many' : '4' },
        nodeInfo: { machineID: `m${at % 2}`, osImage: 'sim', unknown: at % 3 === 0 ? 'x' : undefined },
        daemonEndpoints: { [names.fields.agentEndpoint]: at % 4 === 0 ? null : { Port: at % 3 } },
        addresses: at % 3 === 0 ? [] : [{ type: 'InternalIP', address: '10.0.0.1' }],
      }),
      (at) => ({ config: { active: { configMap: { name: `c${at % 2}`, namespace: 'default', kubeletConfigKey: 'k' } } } }),
    ],
  },
  Event: { part: 'metadata', values: [(at) => ({ labels: { seen: `${at % 3}` } })] },
};

/** The spec of nodes, in which controllers set taints. */
const NODE_SPEC: readonly ((at: number) => Values)[] = [
  (at) => ({ taints: at % 3 === 0 ? [] : [{ key: `k${at % 2}`, effect: 'NoSchedule' }] }),
  (at) => ({ unschedulable: at % 2 === 0 ? true : null }),
  (at) => ({ taints: [{ key: 'k', effect: at % 2 === 0 ? 'Whatever' : 'NoExecute', timeAdded: TIME }] }),
  () => ({ configSource: { configMap: { name: 'c', namespace: 'default', kubeletConfigKey: 'k' } } }),
  () => ({ configSource: 7 }),
];

/** Changes of metadata that any client may make. */
const METADATA: readonly ((at: number) => Values)[] = [
  (at) => ({ labels: { app: `a${at % 3}` } }),
  (at) => ({ annotations: { note: `n${at % 2}` } }),
  () => ({ labels: { 'a b': 'c' } }),
  () => ({ finalizers: ['example.com/hold'] }),
  () => ({ finalizers: null }),
  () => ({ finalizers: ['example.com/hold', 'example.com/other'] }),
  () => ({ '$deleteFromPrimitiveList/finalizers': ['example.com/hold'] }),
  () => ({ '$deleteFromPrimitiveList/finalizers': ['example.com/other', 'example.com/hold'] }),
  () => ({ '$deleteFromPrimitiveList/finalizers': 'example.com/hold' }),
  () => ({ uid: 'another' }),
  () => ({ resourceVersion: '1' }),
];

interface Step {
  readonly kind: string;
  readonly request: (object: ApiObject) => ApiRequest;
}

/** A merge patch of a part, or the whole object. */
function stepOf(random: { below(count: number): number }, at: number): Step {
  const kind = Object.keys(PARTS)[random.below(Object.keys(PARTS).length)] ?? 'Pod';
  const own = PARTS[kind];
  const meta = random.below(3) === 0;
  const pick = <T>(items: readonly T[]): T | undefined => items[random.below(items.length)];
  const spec = kind === 'Node' && !meta && random.below(2) === 0;
  const part = meta ? 'metadata' : spec ? 'spec' : (own?.part ?? 'status');
  const values = (meta ? pick(METADATA) : pick(spec ? NODE_SPEC : (own?.values ?? [])))?.(at) ?? {};
  const where = { ...place(kind), name: 'x', ...(meta || spec || own?.subresource === undefined ? {} : { subresource: own.subresource }) };
  if (random.below(2) === 0)
    return {
      kind,
      request: () => ({
        ...where,
        verb: 'patch',
        patchType: random.below(meta ? 2 : 4) === 0 ? 'strategic' : 'merge',
        body: { [part]: values },
      }),
    };
  const kept = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  return {
    kind,
    request: (object) => ({ ...where, verb: 'update', body: { ...object, [part]: { ...(object[part] as Values), ...kept } } }),
  };
}

describe('updates on the fast path', () => {
  const short = worldWith('short');
  const long = worldWith('long');
  const worlds = [short, long];
  for (const kind of Object.keys(PARTS))
    for (const world of worlds) {
      if (!send(world, creating(kind)).ok) throw new Error(`${kind} was not made`);
    }

  it('have the same results as on the full path: responses, objects, revisions and shared parts', () => {
    const random = createRandom(23).stream('steps');
    const codes = new Map<number, number>();
    for (let at = 0; at < 3000; at++) {
      const seed = random.below(1 << 30);
      const answers = worlds.map((world) => {
        const { kind, request } = stepOf(createRandom(seed).stream('step'), at);
        const object = stored(world, kind);
        if (object === undefined) throw new Error(`${kind} is gone`);
        // Patches of processes of the cluster have a fast path of their own.
        return send(world, request(object), object, at % 2 === 0 ? 'somebody' : undefined);
      });
      const [a, b] = answers;
      expect(JSON.stringify(a)).toBe(JSON.stringify(b));
      expect(short.store.revision).toBe(long.store.revision);
      expect(short.digest.text(), `step ${at}`).toBe(long.digest.text());
      if (a !== undefined) codes.set(a.code, (codes.get(a.code) ?? 0) + 1);
      if (random.below(20) === 0) for (const world of worlds) world.now += 1000;
    }
    for (const kind of Object.keys(PARTS)) expect(JSON.stringify(stored(short, kind))).toBe(JSON.stringify(stored(long, kind)));
    for (const code of [200, 409, 422]) expect(codes.get(code) ?? 0, `answers of ${code}`).toBeGreaterThan(20);
    expect(long.seen.updates).toBeGreaterThan(2000);
    expect(short.seen.updates).toBeLessThan(long.seen.updates / 2);
  });

  it('use the full path where the base is not the stored object', () => {
    const world = worldWith('short');
    send(world, creating('Job'));
    const base = stored(world, 'Job');
    if (base === undefined) throw new Error('no Job');
    const write = (active: number): ApiResponse =>
      send(world, { ...place('Job'), verb: 'update', subresource: 'status', name: 'x', body: { ...base, status: { active } } }, base);
    expect(write(1).code).toBe(200);
    expect(write(2).code).toBe(409);
  });
});

describe('a stored object', () => {
  it('is deeply frozen, for every way to write it', () => {
    const world = worldWith('short');
    const loose: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) loose.push(path);
      for (const [key, item] of Object.entries(value)) walk(item, `${path}.${key}`);
    };
    world.store.onChange(({ kind, type, object }) => walk(object, `${type} ${kind}`));
    for (const kind of kinds.list()) {
      const where = { kind: kind.kind, ...(kind.namespaced ? { namespace: 'default' } : {}) };
      const made = send(world, { ...where, verb: 'create', body: exampleOf(kind, names) });
      if (!made.ok || !('object' in made)) throw new Error(`${kind.kind}: not made`);
      const { name } = made.object.metadata;
      send(world, {
        ...where,
        verb: 'patch',
        patchType: 'merge',
        name,
        body: { metadata: { annotations: { a: 'b' }, finalizers: ['example.com/hold'] } },
      });
      send(world, { ...where, verb: 'patch', patchType: 'merge', subresource: 'status', name, body: { status: { conditions: [] } } });
      if (kind.kind === 'Pod')
        send(world, {
          ...where,
          verb: 'create',
          subresource: 'binding',
          name,
          body: { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'n' } },
        });
      send(world, { ...where, verb: 'delete', name });
    }
    expect(loose).toEqual([]);
  });
});

it('a kind whose schema is open at its root keeps its members when a patch shares them', () => {
  const world = setup();
  const group = 'example.com';
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
  world.ok({ verb: 'create', kind: 'CustomResourceDefinition', body: crd });
  const at = { kind: 'Thing', namespace: 'default', name: 't' } as const;
  const thing = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 't' }, spec: { a: 1 }, more: [2] };
  world.ok({ ...at, verb: 'create', body: thing });
  const label = [{ op: 'add', path: '/metadata/labels', value: { b: 'c' } }];
  expect(world.ok({ ...at, verb: 'patch', patchType: 'json', body: label })).toMatchObject({ spec: { a: 1 }, more: [2] });
  world.ok({ ...at, verb: 'patch', patchType: 'merge', body: { metadata: { annotations: { d: 'e' } } } });
  expect(world.store.get('Thing', 'default/t')).toMatchObject({ metadata: { labels: { b: 'c' } }, spec: { a: 1 }, more: [2] });
});
