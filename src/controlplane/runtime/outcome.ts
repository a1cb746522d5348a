/**
 * The outcome of a decision: the writes that a controller may decide on, the events recorded when one succeeds or fails, and when it decides
 * again. Plain data: nothing is executed here.
 */
import { type ApiObject, type Draft, type ObjectInput, produce } from '../../apiserver/machinery/index.ts';

/** The subject of an Event: an object, or the part of a reference that its recorder gives. */
export interface Subject {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid?: string; readonly resourceVersion?: string };
}

/** The text of an Event. In a message `{name}` is the name of the object just written, `{error}` the error's text. */
export interface EventText {
  readonly about: Subject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The part of the object: `spec.containers{web}`. */
  readonly fieldPath?: string;
  /** The action, for recorders of the newer events API: `Binding`. */
  readonly action?: string;
}

export interface Consequences {
  /** Event recorded when the write succeeds. */
  readonly then?: EventText;
  /** Event recorded when it fails. */
  readonly otherwise?: EventText;
  /** Reasons (`NotFound`, `AlreadyExists`, `Conflict`, …) that count as success. */
  readonly tolerate?: readonly string[];
  /** The decision needs the response: the controller's `resume` then replaces the rest of the outcome. */
  readonly resume?: true;
  /** Of a patch or an update: `expectationsSatisfied` is false until the cache shows it. For creates and deletes that is always so. */
  readonly awaited?: true;
}

/**
 * One write of an outcome, or a live read where the cache is not reliable enough. Preconditions are part of it: `update` has its object's
 * resourceVersion, `delete` a uid.
 */
export type Write =
  | (Consequences & { readonly op: 'create'; readonly object: ObjectInput })
  | (Consequences & { readonly op: 'update'; readonly object: ApiObject; readonly subresource?: 'status' | 'finalize' | 'approval' })
  | (Consequences & {
      readonly op: 'patch';
      readonly kind: string;
      readonly namespace?: string;
      readonly name: string;
      readonly patchType: 'merge' | 'strategic' | 'json';
      readonly patch: unknown;
      readonly subresource?: string;
    })
  | (Consequences & {
      readonly op: 'delete';
      readonly kind: string;
      readonly namespace?: string;
      readonly name: string;
      readonly uid?: string;
      readonly resourceVersion?: string;
      readonly propagationPolicy?: string;
      readonly gracePeriodSeconds?: number;
    })
  /** Deletes all objects of a kind in a namespace, including those that no cache shows. */
  | (Consequences & {
      readonly op: 'deleteCollection';
      readonly kind: string;
      readonly namespace: string;
      readonly propagationPolicy?: string;
    })
  | (Consequences & { readonly op: 'get'; readonly kind: string; readonly namespace?: string; readonly name: string })
  /** Lists all objects of a kind, of one namespace or of all, from the server: `resume` receives them. */
  | (Consequences & { readonly op: 'list'; readonly kind: string; readonly namespace?: string })
  /** Creates on a sub-resource: a pod's `binding` or `eviction`. */
  | (Consequences & {
      readonly op: 'post';
      readonly kind: string;
      readonly namespace?: string;
      readonly name: string;
      readonly subresource: string;
      readonly body: ObjectInput;
    })
  /** Continues only if the server itself has the object, with that uid and not being deleted; fails with `NotFound` otherwise. */
  | (Consequences & {
      readonly op: 'check';
      readonly kind: string;
      readonly namespace?: string;
      readonly name: string;
      readonly uid: string;
    })
  | { readonly op: 'event'; readonly event: EventText };

/** Whether it is a live read, whose response takes effect when it is back at the process. */
export const isLiveRead = ({ op }: Write): boolean => op === 'get' || op === 'list';

/** The members of a request that name an object. */
export const addressOf = ({ kind, metadata: { name, namespace } }: Subject): Address => ({
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
});
interface Address {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Reads an object from the server; the controller's `resume` gets it, and decides anew. */
export const readLive = (object: Subject, consequences: Consequences = {}): Write => ({
  op: 'get',
  ...addressOf(object),
  resume: true,
  ...consequences,
});

/** Deletes exactly this object: a later object of the same name survives. An object that is gone counts as deleted. */
export const remove = (
  object: ApiObject,
  options: {
    readonly propagationPolicy?: string;
    readonly gracePeriodSeconds?: number;
    /** Only while it is as last seen. */ readonly resourceVersion?: string;
  } & Consequences = {},
): Write => ({
  op: 'delete',
  ...addressOf(object),
  uid: object.metadata.uid,
  tolerate: ['NotFound'],
  ...options,
});
/** Merges into an object. An object that is gone counts as patched. */
export const mergePatch = (
  object: Subject,
  patch: unknown,
  options: { readonly subresource?: 'status'; readonly patchType?: 'strategic' } & Consequences = {},
): Write => {
  const {
    kind,
    metadata: { name, namespace },
  } = object;
  const { patchType = 'merge', tolerate = GONE_IS_FINE } = options;
  const { subresource, then, otherwise, resume, awaited } = options;
  const isPlain = then === undefined && otherwise === undefined && resume === undefined && awaited === undefined;
  if (!isPlain || namespace === undefined)
    return { op: 'patch', kind, name, ...(namespace === undefined ? {} : { namespace }), ...options, patchType, patch, tolerate };
  // Literals, because copying options member by member takes time and memory.
  if (subresource === undefined) return { op: 'patch', kind, name, namespace, patchType, patch, tolerate };
  return { op: 'patch', kind, name, namespace, patchType, patch, tolerate, subresource };
};
const GONE_IS_FINE: readonly string[] = ['NotFound'];
/** Replaces an object's status, unless the object was changed meanwhile. Where only parts of it change, `update` is shorter. */
export const writeStatus = <O extends ApiObject>(object: O, status: O['status']): Write => ({
  op: 'update',
  subresource: 'status',
  object: { ...object, status },
});
/**
 * Changes an object: the recipe assigns to a draft; unchanged parts stay shared. A change of only the status goes to the status
 * sub-resource, any other to the object itself. A change of both needs two requests, so two updates.
 *
 * ```ts
 * write('one pod runs', update(job, (draft) => { draft.status.active = 1; }));
 * ```
 */
export function update<O extends ApiObject>(object: O, recipe: (draft: Draft<O>) => void, consequences: Consequences = {}): Write {
  const changed: ApiObject = produce(object, (draft) => {
    recipe(draft);
  });
  const members = [...new Set([...Object.keys(object), ...Object.keys(changed)])].filter((name) => object[name] !== changed[name]);
  const status = members.includes('status');
  if (status && members.length > 1)
    throw new Error(
      `an update changes ${members.join(' and ')} of ${object.kind} ${object.metadata.name}: the status is written apart, so make two updates`,
    );
  return { op: 'update', object: changed, ...(status ? { subresource: 'status' } : {}), ...consequences };
}
/** Creates an object. */
export const create = (object: ObjectInput, consequences: Consequences = {}): Write => ({ op: 'create', object, ...consequences });
/** Records an event. */
export const record = (about: Subject, type: EventText['type'], reason: string, message: string): Write => ({
  op: 'event',
  event: { about, type, reason, message },
});

/** A key to reconcile, at once or after a delay. */
export type Enqueue = string | { readonly key: string; readonly afterMs: number };

/**
 * The result of a reconcile: the reason, the writes to make one after the other, and when to reconcile again. Made by `write`, `idle` and
 * `wakeAt`.
 */
export interface Outcome<Memory = unknown, Action = unknown> {
  /** One true sentence: the reason of this decision. */
  readonly why: string;
  readonly writes: readonly Write[];
  /**
   * Agents only: actions that happen at once and outside the API, on containers for example. Plain data; `act` performs them, before the
   * writes.
   */
  readonly actions?: readonly Action[];
  /** When to reconcile again, milliseconds since the epoch, later than now. */
  readonly wakeAt?: number;
  /** A periodic wake-up: a run counts as settled while it is pending. */
  readonly background?: boolean;
  /** The wake-up recurs for as long as the object stays as it is: its period, and what happens then (`fires every minute`). */
  readonly recurs?: { readonly everyMs: number; readonly does: string };
  /** What this process remembers for the key until it crashes; absent: unchanged, null: forgotten. */
  readonly memory?: Memory | null;
  /** Other keys that this decision affects: they are reconciled too. */
  readonly enqueue?: readonly Enqueue[];
  /**
   * From `wakeAt` on and until `until` (default: indefinitely) the controller would only renew this lease, once per period. The runtime may
   * elide these renewals (see renewal-elision.ts).
   */
  readonly heartbeat?: {
    readonly lease: { readonly namespace: string; readonly name: string };
    readonly everyMs: number;
    readonly until?: number;
    /**
     * The controller that checks the health of the lease's holder expects a renewal this often. Where a renewal could take longer to be
     * observed, each is made for real.
     */
    readonly seenWithinMs?: number;
    /** From decision to commit, where that is more than one request's way there. */ readonly delayMs?: number;
  };
  /**
   * What happens to the process after the writes: it starts all its controllers (see `ProcessSpec.elector`), exits and is restarted by its
   * supervisor, or stops.
   */
  readonly process?: 'lead' | 'exit' | 'stop';
  /**
   * The failure count of the key after success: `forget` (default) resets it, `keep` leaves it, `retry` adds one and requeues with
   * back-off.
   */
  readonly backoff?: 'forget' | 'keep' | 'retry';
}

/** Nothing to do until something changes; `why` is one sentence, as `orchsim why` prints it. */
export const idle = (why: string): Outcome<never, never> => ({ why, writes: [] });
/** Nothing to do before an instant, milliseconds since the epoch and later than `now`, unless something changes. */
export const wakeAt = (at: number, why: string): Outcome<never, never> => ({ why, writes: [], wakeAt: at });
/**
 * Writes, in order, each a request of its own. The first failure drops the rest and requeues the key with back-off. `create`, `update` and
 * `remove` make them.
 */
export const write = (why: string, ...writes: readonly Write[]): Outcome<never, never> => ({ why, writes });
