/**
 * Requests and responses of the API, the same for controllers, agents, scenario steps and HTTP clients. The names of a kind that the server
 * derives once: its full group, the names in errors, and its prefix in the real store.
 */
import type { ApiObject, Kind, Names, ObjectInput, Status } from '../machinery/index.ts';

export interface Resource {
  readonly kind: Kind;
  readonly group: string;
  /** `coordination.k8s.io/v1`, `v1`. */
  readonly apiVersion: string;
  /** `leases.coordination.k8s.io`, `pods`. */
  readonly qualified: string;
  /** The group in `Invalid` errors. */
  readonly invalidGroup: string;
  /** The prefix in the real store, which some conflicts print: `/registry/leases/`. */
  readonly storagePrefix: string;
}

const STORAGE_FOLDER: Readonly<Record<string, string>> = {
  Node: 'minions',
  Ingress: 'ingress',
  Endpoints: 'services/endpoints',
  Service: 'services/specs',
};

export function resourceOf(kind: Kind, names: Names): Resource {
  const group = names.group(kind.groupPrefix);
  const folder = STORAGE_FOLDER[kind.kind] ?? (kind.groupPrefix === 'apiregistration' ? `${group}/${kind.plural}` : kind.plural);
  return {
    kind,
    group,
    apiVersion: group === '' ? kind.version : `${group}/${kind.version}`,
    qualified: group === '' ? kind.plural : `${kind.plural}.${group}`,
    invalidGroup: kind.invalidGroup ?? group,
    storagePrefix: `/registry/${folder}/`,
  };
}

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  /** The id that distinguishes users of the same name, if authentication knows it. */
  readonly uid?: string;
  /** Further attributes, such as the pod of a service account. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

interface Base {
  /** The kind by its registry name: `Job`. */
  readonly kind: string;
  readonly namespace?: string;
  readonly user?: User;
  /** The version that the client uses, if it is not the kind's own: `events/v1`; of a custom resource: `v1beta1`. */
  readonly version?: string;
  /** The client's name for itself; the field manager where `fieldManager` is not set. */
  readonly userAgent?: string;
}
interface WriteOptions {
  /** A flag, or the values of a query parameter, of which only `All` is valid. */
  readonly dryRun?: boolean | readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
  /** The body as text, if it was sent as text: errors quote it. */
  readonly rawBody?: string;
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

/** A request to the API server: verb, kind, name and body, as plain data. Refusals are returned as an `ApiResponse`; nothing is thrown. */
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

/** What the audit log says of a request besides: annotations of webhooks. */
export interface Audited {
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A response: an object, a list, a success or a failure, with the HTTP status code. `warnings` are for the client. */
export type ApiResponse = Audited & Answer;

type Answer =
  | { readonly ok: true; readonly code: 200 | 201 | 202; readonly object: ApiObject; readonly warnings?: readonly string[] }
  | { readonly ok: true; readonly code: 200; readonly list: ObjectList; readonly warnings?: readonly string[] }
  /** A `Status` that reports success, as returned by most deletions. */
  | { readonly ok: true; readonly code: 200 | 201; readonly success: Status; readonly warnings?: readonly string[] }
  | { readonly ok: false; readonly code: number; readonly status: Status; readonly warnings?: readonly string[] };

export interface Author {
  /** `controller-manager`, `agent/node-0`; for a client outside the cluster, its name. */
  readonly process: string;
  /** The number of crashes of the process before this request. */
  readonly incarnation: number;
  /** The controller that decided on the request, and the reconciled key. */
  readonly controller?: string;
  readonly key?: string;
}

export interface Envelope {
  readonly request: ApiRequest;
  readonly by: Author;
  /** Ids of the trace entries that caused it. */
  readonly causes: readonly number[];
  /** The object that the author read, where the request changes one. */
  readonly base?: ApiObject;
  /** Whether the body is a literal in the form of a decoded object: known fields in published order, none of them empty. */
  readonly typed?: true;
}

const NOTHING: readonly number[] = [];

/** Returns the envelope of a request from outside the cluster's processes. */
export const envelopeOf = (name: string, request: ApiRequest, causes: readonly number[] = NOTHING): Envelope => ({
  request,
  by: { process: name, incarnation: 0 },
  causes,
});
