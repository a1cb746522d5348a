/** The cost of requests to a server without controllers, kind by kind. */
import { envelopeOf } from '../src/apiserver/request/index.ts';
import type { ApiObject, Kind, ObjectInput } from '../src/apiserver/machinery/index.ts';
import { exampleOf } from '../test/support/examples.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { ask, kinds, names, openServer } from './server.ts';
import { cpu, inTurns, type Timed } from './measure.ts';

/** So many bodies of a kind without shared parts, as a parser returns them. */
function bodies(kind: Kind, count: number): readonly ObjectInput[] {
  const text = JSON.stringify(exampleOf(kind, names));
  return Array.from({ length: count }, (_, at) => {
    const body = JSON.parse(text) as ObjectInput & { readonly spec?: object };
    // The name of an APIService is its version and group.
    return kind.kind === 'APIService'
      ? { ...body, metadata: { ...body.metadata, name: `v${at + 1}.example.com` }, spec: { ...body.spec, version: `v${at + 1}` } }
      : { ...body, metadata: { ...body.metadata, name: `x-${at}` } };
  });
}

const VERBS = ['create', 'read', 'update', 'delete'] as const;

/** Creates, reads, updates and deletes objects of a kind, each verb timed separately. */
function cycle(kind: Kind, count: number): Timed<readonly number[]> {
  const server = openServer();
  const given = bodies(kind, count);
  const place = { kind: kind.kind, ...(kind.namespaced ? { namespace: 'default' } : {}) };
  const nameOf = ({ metadata }: ObjectInput): string => metadata?.name ?? '';
  const relabelled = (object: ApiObject): ObjectInput =>
    JSON.parse(JSON.stringify({ ...object, metadata: { ...object.metadata, labels: { app: 'other' } } })) as ObjectInput;
  const create = cpu(() => given.map((body) => ask(server, { ...place, verb: 'create', body })));
  const read = cpu(() => {
    for (const body of given) ask(server, { ...place, verb: 'get', name: nameOf(body) });
  });
  const changed = create.value.flatMap((object) => (object === undefined ? [] : [relabelled(object)]));
  if (changed.length !== count) throw new Error(`${kind.kind}: ${changed.length} of ${count} objects came back`);
  const update = cpu(() => {
    for (const body of changed) ask(server, { ...place, verb: 'update', name: nameOf(body), body });
  });
  const remove = cpu(() => {
    for (const body of given) ask(server, { ...place, verb: 'delete', name: nameOf(body), propagationPolicy: 'Background' });
  });
  const left = server.handle(envelopeOf('client', { ...place, verb: 'list' }));
  // Some deletions wait for finalizers; none may leave an unchanged object.
  if (
    !left.ok ||
    !('list' in left) ||
    left.list.items.some(({ metadata }) => metadata.name.startsWith('x-') && metadata.deletionTimestamp === undefined)
  )
    throw new Error(`${kind.kind}: not all objects were deleted`);
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
    const timed = inTurns(
      scale.rounds,
      listed.map((kind) => () => cycle(kind, count)),
    );
    return {
      rows: listed.flatMap((kind, at) => {
        const found = timed[at];
        return found === undefined ? [] : [rowOf(kind, count, found)];
      }),
    };
  },
};
