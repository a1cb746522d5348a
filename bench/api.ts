/** The door without a cluster behind it: what a request costs, kind by kind, and what validation is of that. */
import { kindsFor, namesFor, type ApiObject, type Kind, type ObjectInput } from '../src/cluster/api/index.ts';
import { decode } from '../src/cluster/schema/index.ts';
import { bootstrap, createServer, type ApiRequest, type Server } from '../src/cluster/server/index.ts';
import { createStore } from '../src/cluster/store/index.ts';
import { createRandom } from '../src/engine/index.ts';
import { oneOf } from '../test/support/one-of-each.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { cpu, inTurns, type Timed } from './measure.ts';

const names = namesFor('k8s.io');
const kinds = kindsFor(names);
const NOW = Date.UTC(2024, 0, 1);

function openServer(): Server {
  const server = createServer({ kinds, store: createStore(), names, gates: {}, random: createRandom(1).stream('server'), now: () => NOW, entry: () => 0 });
  bootstrap(server, names);
  return server;
}

/** A request that must succeed. */
function ask(server: Server, request: ApiRequest): ApiObject | undefined {
  const response = server.handle(request);
  if (!response.ok) throw new Error(`${request.verb} ${request.kind}: ${response.status.message ?? response.code}`);
  return 'object' in response ? response.object : undefined;
}

/** So many bodies of a kind, nothing shared between them, as they come out of a parser. */
function bodies(kind: Kind, count: number): readonly ObjectInput[] {
  const text = JSON.stringify(oneOf(kind, names));
  return Array.from({ length: count }, (_, at) => {
    const body = JSON.parse(text) as { metadata: Record<string, unknown>; spec?: Record<string, unknown> };
    // The name of an API service is its version and group.
    if (kind.kind === 'APIService') body.spec = { ...body.spec, version: `v${at + 1}` };
    body.metadata['name'] = kind.kind === 'APIService' ? `v${at + 1}.example.com` : `x-${at}`;
    return body as unknown as ObjectInput;
  });
}

const VERBS = ['create', 'read', 'update', 'delete'] as const;

/** Creates, reads, updates and deletes objects of a kind, each verb timed for itself. */
function cycle(kind: Kind, count: number): Timed<readonly number[]> {
  const server = openServer();
  const given = bodies(kind, count);
  const place = { kind: kind.kind, ...(kind.namespaced ? { namespace: 'default' } : {}) };
  const nameOf = ({ metadata }: ObjectInput): string => metadata?.name ?? '';
  const relabelled = (object: ApiObject): ObjectInput => JSON.parse(JSON.stringify({ ...object, metadata: { ...object.metadata, labels: { app: 'other' } } })) as ObjectInput;
  const create = cpu(() => given.map((body) => ask(server, { ...place, verb: 'create', body })));
  const read = cpu(() => { for (const body of given) ask(server, { ...place, verb: 'get', name: nameOf(body) }); });
  const changed = create.value.flatMap((object) => (object === undefined ? [] : [relabelled(object)]));
  if (changed.length !== count) throw new Error(`${kind.kind}: ${changed.length} of ${count} objects came back`);
  const update = cpu(() => { for (const body of changed) ask(server, { ...place, verb: 'update', name: nameOf(body), body }); });
  const remove = cpu(() => { for (const body of given) ask(server, { ...place, verb: 'delete', name: nameOf(body), propagationPolicy: 'Background' }); });
  const left = server.handle({ ...place, verb: 'list' });
  // Some wait for finalizers; none may be there as if nothing had happened.
  if (!left.ok || !('list' in left) || left.list.items.some(({ metadata }) => metadata.name.startsWith('x-') && metadata.deletionTimestamp === undefined)) throw new Error(`${kind.kind}: not all objects were deleted`);
  const each = [create.ms, read.ms, update.ms, remove.ms];
  return { ms: each.reduce((sum, ms) => sum + ms, 0), value: each };
}

function rowOf(kind: Kind, count: number, { ms, value }: Timed<readonly number[]>): Row {
  const work = Object.fromEntries(VERBS.map((verb, at) => [`${verb} µs`, ((value[at] ?? 0) * 1000) / count]));
  return { label: kind.kind, ms, units: count, unit: 'cycle', work: { 'cycles a second': Math.round((count * 1000) / ms), ...work } };
}

export const api: Benchmark = {
  name: 'api',
  asks: 'create, read, update and delete through the door, validation on, by kind',
  run(scale) {
    const count = scale.size(500);
    const listed = kinds.list();
    const first = listed[0];
    if (first !== undefined) cycle(first, count);
    const timed = inTurns(scale.rounds, listed.map((kind) => () => cycle(kind, count)));
    return { rows: listed.flatMap((kind, at) => { const found = timed[at]; return found === undefined ? [] : [rowOf(kind, count, found)]; }) };
  },
};

/** A Job of three kilobytes: two containers with surroundings, nothing exotic. */
function largeJob(): { readonly kind: Kind; readonly text: string } {
  const kind = kinds.byKind('Job');
  if (kind === undefined) throw new Error('there are no Jobs');
  const container = (name: string): object => ({
    name, image: `registry.example.com/team/${name}:1.2.3`, command: ['/bin/work', '--verbose', '--mode=batch'], workingDir: '/srv',
    env: Array.from({ length: 12 }, (_, at) => ({ name: `SETTING_${at}`, value: `value number ${at}` })), ports: [{ name: `${name}-http`, containerPort: 8080, protocol: 'TCP' }],
    resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { cpu: '1', memory: '1Gi' } }, volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }, { name: 'settings', mountPath: '/etc/settings', readOnly: true }],
  });
  const labels = { app: 'report', team: 'finance', 'example.com/tier': 'batch' };
  const text = JSON.stringify({
    apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'x', namespace: 'default', labels, annotations: { 'example.com/owner': 'somebody@example.com', 'example.com/note': 'n'.repeat(200) } },
    spec: {
      parallelism: 4, completions: 16, backoffLimit: 3, completionMode: 'Indexed', activeDeadlineSeconds: 3600,
      template: { metadata: { labels }, spec: {
        restartPolicy: 'OnFailure', serviceAccountName: 'builder', containers: [container('worker'), container('sidecar')], nodeSelector: { 'example.com/pool': 'batch' }, tolerations: [{ key: 'example.com/batch', operator: 'Exists', effect: 'NoSchedule' }],
        volumes: [{ name: 'scratch', emptyDir: {} }, { name: 'settings', configMap: { name: 'settings' } }],
      } },
    },
  });
  return { kind, text };
}

export const validation: Benchmark = {
  name: 'validation',
  asks: 'reading and judging a Job of 3 KB, beside the parsing of its text',
  run(scale) {
    const { kind, text } = largeJob();
    const count = scale.size(4_000);
    const parse = (): unknown[] => Array.from({ length: count }, () => JSON.parse(text) as unknown);
    const server = openServer();
    const context = { names, gates: {}, now: NOW };
    // What the server stores of it has a uid, a selector and all that validation wants to see.
    const stored = ask(server, { verb: 'create', kind: kind.kind, namespace: 'default', body: JSON.parse(text) as ObjectInput });
    if (stored === undefined || kind.validate(stored, context).length > 0) throw new Error('the Job is not valid');
    const storedText = JSON.stringify(stored);
    const [parsed, decoded, judged, asked] = inTurns(scale.rounds, [
      () => { const { ms } = cpu(parse); return { ms, value: 0 }; },
      () => { const values = parse(); return cpu(() => { for (const value of values) decode(kind.schema, value); return 0; }); },
      () => {
        const objects = Array.from({ length: count }, () => decode(kind.schema, JSON.parse(storedText)) as ApiObject);
        return cpu(() => { let errors = 0; for (const object of objects) errors += kind.validate(object, context).length; if (errors > 0) throw new Error(`${errors} errors`); return 0; });
      },
      () => { const values = (parse() as ObjectInput[]).map((body) => ({ ...body, metadata: { ...body.metadata, name: 'y' } })); return cpu(() => { for (const body of values) ask(server, { verb: 'create', kind: kind.kind, namespace: 'default', body, dryRun: true }); return 0; }); },
    ]);
    const base = parsed?.ms ?? 0;
    const row = (label: string, timed: Timed<unknown> | undefined): Row => ({ label, ms: timed?.ms ?? 0, units: count, unit: 'Job', work: { bytes: text.length, 'times the parsing': base === 0 ? 0 : (timed?.ms ?? 0) / base } });
    return { rows: [row('JSON.parse', parsed), row('types and defaults', decoded), row('rules', judged), row('a whole create (dry run)', asked)], note: 'no compiled JSON Schema validator is among the dependencies, so there is none to compare with' };
  },
};
