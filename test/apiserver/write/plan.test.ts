/**
 * The plan of a write skips stages. Beside it runs a server whose writes skip nothing: each stage runs, on a draft of the whole object, and
 * no author says what a write changes. For random writes of every kind and verb both give the same bytes, errors included.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/engine/index.ts';
import { kindsFor, type KindRegistry } from '../../../src/apiserver/kinds/index.ts';
import { exampleOf } from '../../support/examples.ts';
import { ALWAYS, namesFor, partOf, partsOf, UNKNOWN, WHOLE } from '../../../src/apiserver/machinery/index.ts';
import type { ApiObject, Kind, ObjectInput, Part, Parts } from '../../../src/apiserver/machinery/index.ts';
import { bootstrap, createServer, type Server } from '../../../src/apiserver/handlers/index.ts';
import { type ApiRequest, type ApiResponse, type Envelope, envelopeOf } from '../../../src/apiserver/request/index.ts';
import { createStore, type WritableStore } from '../../../src/apiserver/store/index.ts';
import type { Plan, ServerOptions, Stage } from '../../../src/apiserver/write/index.ts';
import { decode } from '../../../src/schema/shape/index.ts';
import { mutated, plausible, type Tape, tapeOf } from '../../support/hostile.ts';

const names = namesFor('k8s.io');
const kinds = kindsFor(names);

/** Kinds without templates, so that each object is read by itself. */
const withoutTemplates: KindRegistry = {
  ...kinds,
  byKind(name) {
    const kind = kinds.byKind(name);
    if (kind?.templateRules === undefined) return kind;
    const { templateRules: _, ...rest } = kind;
    return rest;
  },
};

const drafting: Stage = {
  name: 'draft',
  reads: WHOLE,
  run(write) {
    write.draft();
  },
};

/** Every stage runs, on a draft. */
const skippingNothing = (plan: Plan): Plan => [drafting, ...plan.map((stage) => ({ ...stage, reads: WHOLE }))];

interface World {
  readonly server: Server;
  readonly store: WritableStore;
  /** Every change of the store, as text. */
  readonly changes: string[];
  /** How often each stage ran. */
  readonly ran: Map<string, number>;
}

function worldOf(isWhole: boolean, gates: Readonly<Record<string, boolean>>, planned?: (plan: Plan) => Plan): World {
  const store = createStore();
  const changes: string[] = [];
  const ran = new Map<string, number>();
  const counted = (plan: Plan): Plan =>
    plan.map((stage) => ({
      ...stage,
      run(write) {
        ran.set(stage.name, (ran.get(stage.name) ?? 0) + 1);
        stage.run(write);
      },
    }));
  const options: ServerOptions = {
    kinds: isWhole ? withoutTemplates : kinds,
    store,
    names,
    gates,
    random: createRandom(7).stream('server'),
    now: () => Date.parse('2024-03-01T00:00:00Z'),
    entry: () => 0,
    planned: planned ?? (isWhole ? skippingNothing : counted),
  };
  const server = createServer(options);
  bootstrap(server, names);
  store.onChange(({ type, key, object }) => changes.push(`${type} ${key} ${JSON.stringify(object)}`));
  return { server, store, changes, ran };
}

/** What the author of a write tells the server beside it; the whole server is told nothing. */
interface Step {
  readonly request: ApiRequest;
  readonly known: Partial<Pick<Envelope, 'base' | 'typed'>> & { readonly controller?: string };
}

function handle({ server }: World, { request, known: { controller, ...known } }: Step, isWhole: boolean): ApiResponse {
  const envelope = envelopeOf('client', request);
  if (isWhole) return server.handle(envelope);
  return server.handle({ ...envelope, ...known, by: controller === undefined ? envelope.by : { ...envelope.by, controller } });
}

const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
};

const FINALIZER = 'example.com/hold';
const METADATA: readonly Readonly<Record<string, unknown>>[] = [
  { labels: { app: 'b' } },
  { labels: null },
  { labels: { 'a b': 'c' } },
  { annotations: { note: 'other' } },
  { annotations: { 'deprecated.deployment.rollback.to': 'x', 'deprecated.daemonset.template.generation': 'y' } },
  { finalizers: [FINALIZER] },
  { finalizers: null },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'o', uid: 'o' }] },
  { resourceVersion: '1' },
  { uid: 'another' },
  { generation: 7, creationTimestamp: '2020-01-01T00:00:00Z', selfLink: '/x', managedFields: [] },
];

const optionsOf = (tape: Tape): object => ({
  ...(tape.once(8) ? { dryRun: ['All'] } : {}),
  ...(tape.once(8) ? { fieldValidation: tape.pick(['Strict', 'Warn', 'Ignore']) } : {}),
  ...(tape.once(8) ? { fieldManager: 'm' } : {}),
});

const laidOver = (object: ApiObject, part: string, values: Readonly<Record<string, unknown>>): ApiObject => {
  const now = { ...(object[part] as object | undefined), ...values };
  return { ...object, [part]: Object.fromEntries(Object.entries(now).filter(([, value]) => value !== null)) };
};

/** A write of the object, with whatever its author may know. */
function stepOf(kind: Kind, object: ApiObject, tape: Tape): Step {
  const { name, namespace } = object.metadata;
  const where = { kind: kind.kind, name, ...(namespace === undefined ? {} : { namespace }), ...optionsOf(tape) };
  const isStatus = 'status' in kind.schema.fields && tape.once(2);
  const members = Object.keys(kind.schema.fields).filter((member) => !['kind', 'apiVersion', 'metadata'].includes(member));
  const isMeta = tape.once(3) || members.length === 0;
  const part = isMeta ? 'metadata' : isStatus ? 'status' : tape.pick(members);
  const sub = isStatus && kind.subresources.includes('status') ? { subresource: 'status' } : {};
  const field = kind.schema.fields[part];
  const change = isMeta ? tape.pick(METADATA) : plausible(field ?? kind.schema, tape);
  const controller = tape.once(2) ? { controller: 'somebody' } : {};
  switch (tape.below(8)) {
    case 0:
      return { request: { ...where, verb: 'delete' }, known: {} };
    case 1:
      return {
        request: { ...where, ...sub, verb: 'patch', patchType: 'json', body: [{ op: 'replace', path: `/${part}`, value: change }] },
        known: controller,
      };
    case 2:
      return {
        request: {
          ...where,
          ...sub,
          verb: 'patch',
          patchType: 'apply',
          fieldManager: 'applier',
          force: true,
          body: { apiVersion: object.apiVersion, kind: kind.kind, metadata: { name }, [part]: change },
        },
        known: controller,
      };
    case 3:
    case 4:
      return {
        request: { ...where, ...sub, verb: 'patch', patchType: tape.pick(['merge', 'strategic']), body: { [part]: change } },
        known: controller,
      };
    default: {
      const body = isMeta
        ? laidOver(object, 'metadata', change as Readonly<Record<string, unknown>>)
        : tape.once(2)
          ? (mutated(object, kind.schema, tape) as ObjectInput)
          : { ...object, [part]: mutated(object[part], field, tape) };
      return { request: { ...where, ...sub, verb: 'update', body }, known: { base: object, ...controller } };
    }
  }
}

/** The creation of the example, with some change; of the same frozen parts each time, as controllers create from templates. */
function creationOf(kind: Kind, example: ObjectInput, tape: Tape): Step {
  const where = { kind: kind.kind, ...(kind.namespaced ? { namespace: 'default' } : {}), ...optionsOf(tape) };
  if (tape.once(4)) return { request: { ...where, verb: 'create', body: mutated(example, kind.schema, tape) as ObjectInput }, known: {} };
  if (tape.once(4)) {
    // Decoding adds some defaults at the end; decoded again, they are in their places.
    const body = decode(kind.schema, decode(kind.schema, structuredClone(example))) as ObjectInput;
    return { request: { ...where, verb: 'create', body }, known: { typed: true } };
  }
  const { name: _, ...metadata } = example.metadata;
  const extra = tape.once(2) ? tape.pick(METADATA) : {};
  const named = tape.once(3) ? { ...metadata, name: 'x' } : { ...metadata, generateName: 'y-' };
  return { request: { ...where, verb: 'create', body: { ...example, metadata: { ...named, ...extra } } }, known: {} };
}

const GATED = { CronJobTimeZone: true, MaxUnavailableStatefulSet: true, StatefulSetAutoDeletePVC: true, ServerSideFieldValidation: true };
const STEPS = 24;

describe.each(kinds.list().map((kind) => [kind.kind, kind] as const))('a plan for %s', (_, kind) => {
  const example = freeze(structuredClone(exampleOf(kind, names)));

  it('has the results of a plan that skips nothing', () => {
    const codes = new Map<number, number>();
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 2000, maxLength: 2000 }), fc.boolean(), (numbers, gated) => {
        const worlds = [false, true].map((isWhole) => ({ isWhole, tape: tapeOf(numbers), world: worldOf(isWhole, gated ? GATED : {}) }));
        for (let at = 0; at < STEPS; at++) {
          const outcomes = worlds.map(({ isWhole, tape, world }) => {
            // Each world's author has read the objects of that world.
            const stored = [...world.store.values(kind.kind)];
            const object = stored[tape.below(Math.max(stored.length, 1))];
            const step = object === undefined || tape.once(4) ? creationOf(kind, example, tape) : stepOf(kind, object, tape);
            const answer = handle(world, step, isWhole);
            return {
              step,
              answer,
              text: [JSON.stringify(answer), `revision ${world.store.revision}`, ...world.changes.splice(0)].join('\n'),
            };
          });
          const [a, b] = outcomes;
          if (a === undefined || b === undefined) throw new Error('there are two worlds');
          expect(a.text, `step ${at}: ${JSON.stringify(a.step)}`).toBe(b.text);
          codes.set(a.answer.code, (codes.get(a.answer.code) ?? 0) + 1);
        }
      }),
      { numRuns: 6, endOnFailure: true },
    );
    expect((codes.get(201) ?? 0) + (codes.get(200) ?? 0), [...codes].join(' ')).toBeGreaterThan(20);
  });
});

/** Returns the object, which notes each part that is read and not in the set. */
const guarded = <T extends object>(object: T, reads: Parts, note: (part: string) => void, isMeta = false): T =>
  // A proxy must show what a frozen target has; nobody writes to those.
  new Proxy(Object.isFrozen(object) ? { ...object } : object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof name !== 'string' || name === 'kind' || name === 'apiVersion') return value;
      if (name === 'metadata' && !isMeta) return guarded(value as object, reads, note, true);
      const isNamed = ['labels', 'annotations', 'ownerReferences', 'finalizers'].includes(name);
      // Every stage may read what an object is called.
      if (isMeta ? isNamed && (reads & partsOf(name as Part)) === 0 : (reads & partOf(name)) === 0) note(name);
      return value;
    },
  });

/** Lets each stage that says what it reads see no more. */
const watched =
  (note: (text: string) => void) =>
  (plan: Plan): Plan =>
    plan.map((stage) => {
      // A stage for unknown changes compares the whole object with the stored one.
      if ((stage.reads & (ALWAYS | UNKNOWN)) !== 0) return stage;
      const guard = <T extends object>(object: T): T => guarded(object, stage.reads, (part) => note(`${stage.name} reads ${part}`));
      return {
        ...stage,
        run(write) {
          const seen = new Proxy(write, {
            get(target, name) {
              if (name === 'draft') return () => guard(target.draft());
              const value: unknown = Reflect.get(target, name, target);
              if (name === 'object' || name === 'view') return guard(value as object);
              return typeof value === 'function' ? (value.bind(target) as unknown) : value;
            },
          });
          stage.run(seen);
        },
      };
    });

it('a stage reads no more than it says', () => {
  const notes = new Set<string>();
  for (const [at, kind] of kinds.list().entries()) {
    const world = worldOf(
      false,
      GATED,
      watched((text) => notes.add(`${kind.kind}: ${text}`)),
    );
    const random = createRandom(at).stream('steps');
    const tape = tapeOf(Array.from({ length: 4000 }, () => random.below(0xffff)));
    const example = freeze(structuredClone(exampleOf(kind, names)));
    for (let step = 0; step < 60; step++) {
      const stored = [...world.store.values(kind.kind)];
      const object = stored[tape.below(Math.max(stored.length, 1))];
      handle(world, object === undefined || tape.once(4) ? creationOf(kind, example, tape) : stepOf(kind, object, tape), false);
    }
  }
  expect([...notes].sort()).toEqual([]);
});
