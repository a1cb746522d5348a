/** Empties a namespace that was deleted, then lets it go. Models: v1.24 pkg/controller/namespace. */
import type { KindRegistry, Namespace } from '../../api/index.ts';
import { defineController, idle, remove, type Controller, type Outcome } from '../../runtime/index.ts';
import { parseTime } from '../../values/index.ts';
import { deletionConditions, estimateSeconds, remainingIn, sameConditions } from './content.ts';

/** A deleted namespace rests this long, so that everybody has seen it before its content goes. */
const GRACE_MS = 5_000;
/** A look asks the server for every kind there is, one after the other: what is left is judged only then. */
const LOOK_MS = 100;

/** What the last look did: it deleted; the next one judges what is left. */
interface Memory { readonly deletedAt: number }

export function namespaceLifecycle(registry: KindRegistry): Controller {
  const controller = defineController<'Namespace', Memory>({
    name: 'namespace',
    reconciles: 'Namespace',
    writes: registry.list().map(({ kind }) => kind),
    models: 'v1.24 pkg/controller/namespace with its deletion helper. Omits: discovery failures.',
    self: { enqueue: ({ type, key, object }) => (type !== 'DELETED' && object.metadata.deletionTimestamp !== undefined ? { key, afterMs: GRACE_MS } : undefined) },
    watches: registry.list().filter(({ namespaced, kind }) => namespaced && kind !== 'Event' && kind !== 'Lease').map(({ kind }) => ({ kind, enqueue: () => undefined })),
    reconcile(input): Outcome<Memory> {
      const { self: namespace, names, cache, now, memory } = input;
      const { name, deletionTimestamp } = namespace.metadata;
      if (deletionTimestamp === undefined) return idle('it is not being deleted');
      if ((namespace.spec.finalizers ?? []).length === 0) return idle('it waits for its other finalizers');
      const deletedForMs = now - parseTime(deletionTimestamp);
      const remaining = remainingIn(registry, names, cache, name);
      if (remaining.length === 0) return letGo(namespace, deletionConditions([], [], name, namespace.status.conditions, now));
      if (!input.seesOwnWrites) return { why: 'it has not seen the end of its deletions yet', writes: [], backoff: 'keep', wakeAt: now + 1 };
      if (memory === undefined) {
        const fresh = remaining.flatMap(({ objects }) => objects).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
        const writes = fresh.map((object) => remove(object, { propagationPolicy: 'Background', tolerate: ['NotFound', 'Conflict'] }));
        return { why: `${fresh.length} of the ${remaining.reduce((sum, { objects }) => sum + objects.length, 0)} objects in it are still to be deleted`, writes, memory: { deletedAt: now }, backoff: 'keep', wakeAt: now + LOOK_MS };
      }
      if (now < memory.deletedAt + LOOK_MS) return { why: 'it is still looking at what is left', writes: [], backoff: 'keep', wakeAt: memory.deletedAt + LOOK_MS };
      return judge(namespace, remaining, deletedForMs, now, name);
    },
  });
  return controller;
}

const letGo = (namespace: Namespace, conditions: ReturnType<typeof deletionConditions>): Outcome<Memory> => {
  const told = namespace.status.conditions === undefined || sameConditions(namespace.status.conditions, conditions);
  const status = told ? [] : [{ op: 'update', subresource: 'status', object: { ...namespace, status: { ...namespace.status, conditions } } } as const];
  const { finalizers: _, ...spec } = namespace.spec;
  return {
    why: 'it is empty', memory: null,
    writes: [...status, { op: 'update', subresource: 'finalize', object: { ...namespace, spec }, tolerate: ['NotFound'] }],
  };
};

const judge = (namespace: Namespace, remaining: ReturnType<typeof remainingIn>, deletedForMs: number, now: number, name: string): Outcome<Memory> => {
  const estimates = remaining.map((one) => ({ one, seconds: estimateSeconds(one, deletedForMs) }));
  const stuck = estimates.filter(({ seconds }) => seconds === undefined).map(({ one }) => one);
  const conditions = deletionConditions(remaining, stuck, name, namespace.status.conditions, now);
  const writes = sameConditions(namespace.status.conditions, conditions) ? [] : [{ op: 'update', subresource: 'status', object: { ...namespace, status: { ...namespace.status, conditions } } } as const];
  if (stuck.length > 0) return { why: `${stuck.map(({ plural }) => plural).join(', ')} should be gone by now`, writes, backoff: 'retry', memory: null };
  const seconds = Math.max(...estimates.map((estimate) => estimate.seconds ?? 0));
  return { why: `what is left may take ${seconds} s`, writes, memory: null, wakeAt: now + (Math.floor(seconds / 2) + 1) * 1000 };
};
