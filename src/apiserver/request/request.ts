/** What a client asks and what it gets: the one door for controllers, agents, scenario operators and HTTP clients. */
import type { ApiObject, ObjectInput, Status } from '../machinery/index.ts';

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  /** Tells it from a namesake, where whoever let it in knows. */
  readonly uid?: string;
  /** What else is known: which pod an account speaks for. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

interface Base {
  /** The Kind as the registry knows it: `Job`. */
  readonly kind: string;
  readonly namespace?: string;
  readonly user?: User;
  /** What the client calls itself; names the owner of the fields it writes where `fieldManager` does not. */
  readonly userAgent?: string;
}
interface WriteOptions {
  /** A flag, or the texts of a query, of which only `All` is known. */
  readonly dryRun?: boolean | readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
  /** The version that the client speaks, where it is not the kind's own: `events/v1`. */
  readonly version?: string;
  /** The body as it was sent, where it was text: errors quote it. */
  readonly rawBody?: string;
  /** Paths of keys that came twice in the body. */
  readonly duplicateFields?: readonly string[];
}
interface ListOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly limit?: number;
  readonly continue?: string;
}
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: Preconditions;
  readonly dryRun?: boolean | readonly string[];
}

/**
 * What is asked of the API server: a verb, a kind (by its plural), a name, a body. Plain data; refusals come back as an `ApiResponse`,
 * nothing is thrown.
 */
export type ApiRequest =
  | (Base & { readonly verb: 'get'; readonly name: string; readonly subresource?: string; readonly resourceVersion?: string })
  | (Base & ListOptions & { readonly verb: 'list' })
  | (Base & WriteOptions & { readonly verb: 'create'; readonly body: ObjectInput; readonly name?: string; readonly subresource?: string })
  | (Base & WriteOptions & { readonly verb: 'update'; readonly name: string; readonly body: ObjectInput; readonly subresource?: string })
  | (Base &
      WriteOptions & {
        readonly verb: 'patch';
        readonly name: string;
        readonly body: unknown;
        readonly patchType: 'json' | 'merge' | 'strategic' | 'apply';
        readonly subresource?: string;
        readonly force?: boolean;
      })
  | (Base & DeleteOptions & { readonly verb: 'delete'; readonly name: string })
  | (Base & DeleteOptions & ListOptions & { readonly verb: 'deletecollection' });

export type WatchRequest = Base & ListOptions & { readonly verb: 'watch'; readonly allowWatchBookmarks?: boolean };

export interface ObjectList {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: readonly ApiObject[];
}

/**
 * What the API server answers: an object, a list or a success, with the HTTP status code; or a `Status` that says why not. `warnings` are
 * for whoever wrote.
 */
export type ApiResponse =
  | { readonly ok: true; readonly code: 200 | 201 | 202; readonly object: ApiObject; readonly warnings?: readonly string[] }
  | { readonly ok: true; readonly code: 200; readonly list: ObjectList; readonly warnings?: readonly string[] }
  /** A `Status` that reports success, as most deletions answer. */
  | { readonly ok: true; readonly code: 200 | 201; readonly success: Status; readonly warnings?: readonly string[] }
  | { readonly ok: false; readonly code: number; readonly status: Status; readonly warnings?: readonly string[] };
