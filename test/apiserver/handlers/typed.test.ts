/** Typed bodies use a fast path: no client can observe the difference, and recorders write only canonical bodies. */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/engine/index.ts';
import { type AdmissionPlugin, plugins } from '../../../src/apiserver/admission/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { decode } from '../../../src/schema/shape/index.ts';
import { bootstrap, createServer, type Server } from '../../../src/apiserver/handlers/index.ts';
import { type ApiRequest, envelopeOf } from '../../../src/apiserver/request/index.ts';
import { createStore, type WritableStore } from '../../../src/apiserver/store/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/surfaces/cli/load.ts';

const names = namesFor('k8s.io');
const kinds = kindsFor(names);

/** Counts creations with a plug-in that may change anything, which rules out the fast path. */
const counter = (seen: { creations: number }): AdmissionPlugin => ({
  name: 'Counter',
  verbs: ['create'],
  mutate() {
    seen.creations++;
  },
});

interface World {
  readonly server: Server;
  readonly store: WritableStore;
}

function worldWith(more: readonly AdmissionPlugin[]): World {
  const store = createStore();
  const now = (): number => Date.parse('2024-03-01T00:00:00Z');
  const random = createRandom(7).stream('server');
  const server = createServer({ kinds, store, names, gates: {}, random, now, entry: () => 0 }, [...plugins, ...more]);
  bootstrap(server, names);
  return { server, store };
}

type Values = Readonly<Record<string, unknown>>;

const about: Values = { kind: 'Pod', namespace: 'default', name: 'p', uid: 'u', apiVersion: 'v1', resourceVersion: '7' };
const metadata: Values = { name: 'p.1', namespace: 'default', creationTimestamp: null };
const counted: Values = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata,
  involvedObject: about,
  reason: 'Started',
  message: 'started',
  source: { component: 'agent', host: 'n' },
  firstTimestamp: '2024-03-01T00:00:00Z',
  lastTimestamp: '2024-03-01T00:00:00Z',
  count: 1,
  type: 'Normal',
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};
const untimed: Values = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata,
  involvedObject: about,
  reason: 'Scheduled',
  message: 'on n',
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  type: 'Normal',
  eventTime: '2024-03-01T00:00:00.000000Z',
  action: 'Binding',
  reportingComponent: 'scheduler',
  reportingInstance: 'scheduler-1',
};

const inside = (namespace: string): Values => ({ ...metadata, namespace });
/** Bodies, and the namespace of their requests. */
const BODIES: readonly (readonly [Values, string])[] = [
  [counted, 'default'],
  [counted, 'default'],
  [{ ...untimed, metadata: { ...metadata, name: 'p.2' } }, 'default'],
  [{ ...untimed, metadata: { ...metadata, name: 'p.3' }, message: 'm'.repeat(1_100), reportingInstance: 'i'.repeat(200) }, 'default'],
  [{ ...untimed, metadata: { ...metadata, name: 'p.4' }, reportingComponent: 'not a name!' }, 'default'],
  [{ ...counted, metadata: { ...metadata, name: 'a/b' } }, 'default'],
  [{ ...counted, metadata: { ...metadata, name: '' } }, 'default'],
  [{ ...counted, metadata: inside('nowhere'), involvedObject: { ...about, namespace: 'nowhere' } }, 'nowhere'],
  [{ ...counted, metadata: inside('other') }, 'default'],
  [{ ...counted, metadata: { ...inside('default'), name: 'p.5' }, involvedObject: { ...about, namespace: 'other' } }, 'default'],
  [{ ...counted, metadata: { ...metadata, name: 'p.6' } }, 'default'],
];

describe('a typed body', () => {
  it('has the same result as on the full path: responses, objects, revisions and random values', () => {
    const seen = { creations: 0 };
    const short = worldWith([]);
    const long = worldWith([counter(seen)]);
    const before = seen.creations;
    const codes: number[] = [];
    for (const [body, namespace] of BODIES) {
      const request = { verb: 'create', kind: 'Event', namespace, body } as ApiRequest;
      const envelope = { ...envelopeOf('recorder', request), typed: true } as const;
      const [a, b] = [short, long].map(({ server }) => server.handle(envelope));
      expect(JSON.stringify(a)).toBe(JSON.stringify(b));
      expect(short.store.revision).toBe(long.store.revision);
      codes.push(a?.code ?? 0);
    }
    expect(codes).toEqual([201, 409, 201, 422, 422, 422, 422, 404, 400, 422, 201]);
    expect(seen.creations - before).toBeGreaterThan(5);
    for (const object of short.store.values('Event')) expect(Object.isFrozen(object.metadata)).toBe(true);
  });

  // A body that is not canonical would be stored unchanged.
  it('is canonical: every Event of a recorder equals its decoded form', { timeout: 60_000 }, () => {
    const folders = [
      'job',
      'cron-job',
      'stateful-set',
      'daemon-set',
      'deployment',
      'node',
      'decisions',
      'lessons',
      'storage',
      'volume-attachment',
    ];
    const { scenarios } = readScenarios(
      folders.map((folder) => `scenarios/${folder}`),
      { cwd: resolve(import.meta.dirname, '../../..') },
    );
    const schema = kinds.byKind('Event')?.schema;
    if (schema === undefined) throw new Error('there is no kind Event');
    const reasons = new Set<string>();
    for (const { scenario } of scenarios.filter((_, at) => at % 4 === 0)) {
      simulate(scenario, {
        onObjectChange({ kind, type, object }) {
          if (kind !== 'Event' || type !== 'ADDED') return;
          reasons.add(String(object['reason']));
          expect(JSON.stringify(decode(schema, structuredClone(object)))).toBe(JSON.stringify(object));
        },
      });
    }
    expect(reasons.size).toBeGreaterThan(10);
  });
});
