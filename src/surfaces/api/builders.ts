/** Builders for the controllers and definitions of a user. Each checks its arguments, and throws ORCH_ARGUMENT for a wrong one. */
import { customKinds as kindsIn, defineConfig as config, type Definitions } from '../../lab/definitions/index.ts';
import { defineController as controller } from '../../lab/sandbox/index.ts';
import * as runtime from '../../controlplane/runtime/index.ts';
import type { Controller, Outcome, Write } from '../../controlplane/runtime/index.ts';
import { defineCustomKind, type CustomKindDefinition } from '../../apiserver/custom/index.ts';
import type { ApiObject, Kind, KindOf, ObjectInput } from '../../apiserver/machinery/index.ts';
import { callback, type Check, having, options, refuse, text } from './check.ts';

const stored = having(['kind', 'metadata'], 'an object (from the cache)');
const optional = (check: Check, value: unknown, path: string): string | undefined => (value === undefined ? undefined : check(value, path));
const consequences = having([], '{ then, otherwise, tolerate, resume, awaited }');

/**
 * Definitions of a user: controllers, invariants, faults, kinds. Returns them unchanged; `orchsim.config.ts` exports the result as default.
 *
 * ```ts
 * export default defineConfig({ controllers: [tidier], invariants: [tidy] });
 * ```
 */
export function defineConfig(definitions: Definitions): Definitions {
  refuse('defineConfig', having([], '{ controllers, invariants, faults, kinds }')(definitions, 'definitions'));
  return config(definitions);
}

/** Defines a controller, with the types of its kind. Returns it unchanged, and records the place of the call for messages. */
export function defineController<K extends string, Memory = unknown, State = unknown, Action = unknown>(
  definition: Controller<K, Memory, State, Action>,
): Controller<K, Memory, State, Action> {
  refuse('defineController', having([], '{ name, reconciles, reconcile, … }')(definition, 'controller'));
  return controller(definition);
}

/**
 * Defines a kind of a user. Defaults: version v1, the plural with -s, namespaced, a status sub-resource if the schema has a status.
 *
 * ```ts
 * const widget = defineKind<Widget>({ kind: 'Widget', group: 'example.com', schema: schema.obj('Widget', { ...schema.typeMeta }) });
 * ```
 */
export function defineKind<O extends ApiObject>(definition: CustomKindDefinition<O>): KindOf<O> {
  refuse('defineKind', having(['kind', 'group', 'schema'], '{ kind, group, schema, … }')(definition, 'definition'));
  return defineCustomKind(definition);
}

/**
 * Returns the kinds of a YAML text with custom resource definitions. `file` names the text in messages.
 * @throws OrchsimError ORCH_DEFINITION, with every problem of the text
 */
export function customKinds(yaml: string, file?: string): readonly Kind[] {
  refuse('customKinds', text(yaml, 'text'), optional(text, file, 'file'));
  return kindsIn(yaml, file);
}

/** Returns a write that creates an object. */
export function create(object: ObjectInput, ...rest: Rest<typeof runtime.create>): Write {
  refuse(
    'create',
    having(['apiVersion', 'kind', 'metadata'], 'an object')(object, 'object'),
    optional(consequences, rest[0], 'consequences'),
  );
  return runtime.create(object, ...rest);
}

/**
 * Returns a write that changes an object: the recipe assigns to a draft. A change of the status alone goes to the status sub-resource.
 * @throws OrchsimError ORCH_ARGUMENT when the recipe changes the status and other fields: these are two updates
 *
 * ```ts
 * write('one pod runs', update(job, (draft) => { draft.status.active = 1; }));
 * ```
 */
export const update: typeof runtime.update = (object, recipe, rest) => {
  refuse('update', stored(object, 'object'), callback(recipe, 'recipe'), optional(consequences, rest, 'consequences'));
  return runtime.update(object, recipe, rest);
};

/** Returns a write that replaces the status of an object. It fails with a conflict if the object has changed since it was read. */
export const writeStatus: typeof runtime.writeStatus = (object, status) => {
  refuse('writeStatus', stored(object, 'object'));
  return runtime.writeStatus(object, status);
};

/** Returns a write that deletes exactly this object, by its uid. An object that no longer exists counts as deleted. */
export function remove(object: ApiObject, ...rest: Rest<typeof runtime.remove>): Write {
  refuse('remove', stored(object, 'object'), optional(having([], 'an object of options'), rest[0], 'options'));
  return runtime.remove(object, ...rest);
}

/** Returns a write that records an Event about an object. */
export const record: typeof runtime.record = (about, type, reason, message) => {
  const known: Check = (value, path) => (value === 'Normal' || value === 'Warning' ? undefined : `${path}: expected Normal or Warning`);
  refuse(
    'record',
    having(['kind', 'metadata'], 'an object')(about, 'about'),
    known(type, 'type'),
    text(reason, 'reason'),
    text(message, 'message'),
  );
  return runtime.record(about, type, reason, message);
};

/**
 * Returns the outcome of a reconcile that writes: the reason, and the writes in order, each a request. The first failure drops the
 * remaining writes, and the key is requeued with back-off.
 */
export function write(why: string, ...writes: readonly Write[]): Outcome<never, never> {
  const one = having(['op'], 'a write (create, update and remove return them)');
  refuse('write', text(why, 'why'), ...writes.map((each, at) => one(each, `writes[${at}]`)));
  return runtime.write(why, ...writes);
}

/** Returns the outcome of a reconcile that has nothing to do, with the reason. */
export function idle(why: string): Outcome<never, never> {
  refuse('idle', text(why, 'why'));
  return runtime.idle(why);
}

/** Returns the outcome of a reconcile that is to run again at an instant: milliseconds since the epoch, later than `now`. */
export function wakeAt(at: number, why: string): Outcome<never, never> {
  refuse('wakeAt', Number.isFinite(at) ? undefined : `at: expected milliseconds since the epoch, found ${String(at)}`, text(why, 'why'));
  return runtime.wakeAt(at, why);
}

/** Returns a watch on a kind. `enqueue` returns the keys to reconcile after a change; without it, the key of the changed object. */
export const watch: typeof runtime.watch = (kind, enqueue, rest) => {
  const known = options({
    only: having([], '{ index, value }'),
    renewals: (value, path) => (value === false ? undefined : `${path}: expected false`),
    predicate: having([], '{ fields, owners, has, whileThereAre }'),
  });
  refuse('watch', text(kind, 'kind'), optional(callback, enqueue, 'enqueue'), known(rest, 'options'));
  return runtime.watch(kind, enqueue, rest);
};

/** The parameters of a function after the first. */
type Rest<F extends (first: never, ...rest: never[]) => unknown> = F extends (first: never, ...rest: infer R) => unknown ? R : never;
