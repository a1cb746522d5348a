/** Builders for the controllers and definitions of a user. Each checks its arguments, and throws ORCH_ARGUMENT for a wrong one. */
import { customKinds as kindsIn, defineConfig as config } from '../../lab/definitions/index.ts';
import { defineController as controller } from '../../lab/sandbox/index.ts';
import * as runtime from '../../controlplane/runtime/index.ts';
import type { Outcome, Write } from '../../controlplane/runtime/index.ts';
import { defineCustomKind } from '../../apiserver/custom/index.ts';
import { callback, checked, having, optional, options, refuse, text } from './check.ts';

const stored = having(['kind', 'metadata'], 'an object (from the cache)');
const consequences = optional(having([], '{ then, otherwise, tolerate, resume, awaited }'));

/**
 * Definitions of a user: controllers, invariants, faults, kinds. Returns them unchanged; `orchsim.config.ts` exports the result as default.
 *
 * ```ts
 * export default defineConfig({ controllers: [tidier], invariants: [tidy] });
 * ```
 */
export const defineConfig = checked('defineConfig', config, {
  definitions: having([], '{ controllers, invariants, faults, kinds }'),
});

/** Defines a controller, with the types of its kind. Returns it unchanged, and records the place of the call for messages. */
export const defineController = checked('defineController', controller, {
  controller: having([], '{ name, reconciles, reconcile, … }'),
});

/**
 * Defines a kind of a user. Defaults: version v1, the plural with -s, namespaced, a status sub-resource if the schema has a status.
 *
 * ```ts
 * const widget = defineKind<Widget>({ kind: 'Widget', group: 'example.com', schema: schema.obj('Widget', { ...schema.typeMeta }) });
 * ```
 */
export const defineKind = checked('defineKind', defineCustomKind, {
  definition: having(['kind', 'group', 'schema'], '{ kind, group, schema, … }'),
});

/**
 * Returns the kinds of a YAML text with custom resource definitions. `file` names the text in messages.
 * @throws OrchsimError ORCH_DEFINITION, with every problem of the text
 */
export const customKinds = checked('customKinds', kindsIn, { text, file: optional(text) });

/** Returns a write that creates an object. */
export const create = checked('create', runtime.create, { object: having(['apiVersion', 'kind', 'metadata'], 'an object'), consequences });

/**
 * Returns a write that changes an object: the recipe assigns to a draft. A change of the status alone goes to the status sub-resource.
 * @throws OrchsimError ORCH_ARGUMENT when the recipe changes the status and other fields: these are two updates
 *
 * ```ts
 * write('one pod runs', update(job, (draft) => { draft.status.active = 1; }));
 * ```
 */
export const update = checked('update', runtime.update, { object: stored, recipe: callback, consequences });

/** Returns a write that replaces the status of an object. It fails with a conflict if the object has changed since it was read. */
export const writeStatus = checked('writeStatus', runtime.writeStatus, { object: stored });

/** Returns a write that deletes exactly this object, by its uid. An object that no longer exists counts as deleted. */
export const remove = checked('remove', runtime.remove, { object: stored, options: optional(having([], 'an object of options')) });

/** Returns a write that records an Event about an object. */
export const record = checked('record', runtime.record, {
  about: having(['kind', 'metadata'], 'an object'),
  type: (value, path) => (value === 'Normal' || value === 'Warning' ? undefined : `${path}: expected Normal or Warning`),
  reason: text,
  message: text,
});

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
export const idle = checked('idle', runtime.idle, { why: text });

/** Returns the outcome of a reconcile that is to run again at an instant: milliseconds since the epoch, later than `now`. */
export const wakeAt = checked('wakeAt', runtime.wakeAt, {
  at: (value, path) => (Number.isFinite(value) ? undefined : `${path}: expected milliseconds since the epoch, found ${String(value)}`),
  why: text,
});

/** Returns a watch on a kind. `enqueue` returns the keys to reconcile after a change; without it, the key of the changed object. */
export const watch = checked('watch', runtime.watch, {
  kind: text,
  enqueue: optional(callback),
  options: options({
    only: having([], '{ index, value }'),
    renewals: (value, path) => (value === false ? undefined : `${path}: expected false`),
    predicate: having([], '{ fields, owners, has, whileThereAre }'),
  }),
});
