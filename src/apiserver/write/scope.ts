/**
 * The context of requests: the server's options, its resources by kind and version, its admission plug-ins, the most objects, and the current
 * request.
 */
import { type Admission, inVersionOf, type Scope as BareScope, type ServerOptions as Options } from '../admission/index.ts';
import { about, envelopeOf, failure, resourceOf, stamped, storeKey, unknownResource } from '../request/index.ts';
import type { ApiRequest, Envelope, Refusal, Resource, WatchRequest } from '../request/index.ts';
import { afterDeletion, DEFINITION, registerVersions } from './definitions.ts';
import type { Plan } from './stages.ts';
import { type TemplateCache, templateCacheOf } from './template.ts';
import { inVersion } from '../kinds/index.ts';
import type { ChangeType, Store } from '../store/index.ts';
import { type ApiObject, type Kind, type KindContext, KeyTables, type Lookup } from '../machinery/index.ts';

export interface ServerOptions extends Options {
  /** Changes each plan once it is compiled: tests let a server skip nothing. */
  readonly planned?: (plan: Plan) => Plan;
}

export interface Scope extends BareScope, Pick<ServerOptions, 'planned'> {
  readonly admission: Admission;
  readonly capacity: Capacity;
  envelope: Envelope;
  /** Annotations of the current request for the audit log. */
  annotations: Record<string, string> | undefined;
  /** `version`: one of those of a custom resource; absent: the stored one. Versions of other kinds are forms of the same resource. */
  resource(kind: string, version?: string): ServedResource;
}

/** A resource with the plans of its writes, once they are compiled, and the templates of its kind. Scopes hand out no others. */
export interface ServedResource extends Resource {
  readonly plans: { [write in 'create' | 'update' | 'status']: Plan | undefined };
  /** Undefined: objects of the kind are not made from templates. */
  readonly templates: TemplateCache | undefined;
}

interface State {
  readonly resources: Map<string, ServedResource>;
  readonly keyTables: KeyTables;
  context: KindContext | undefined;
  /** The resource of the last request, because consecutive requests are often for one kind. */
  last: ServedResource | undefined;
}

/** The envelope outside of requests: of watches, which write nothing. */
const WATCHER = envelopeOf('watch', { verb: 'list', kind: '' });

/** Returns the scope of a server, whose envelope is set for each request. */
export function createScope(options: ServerOptions, admission: Admission): Scope {
  const { store, now, entry } = options;
  const state: State = { resources: new Map(), keyTables: new KeyTables(), context: undefined, last: undefined };
  const lookup: Lookup = Object.assign(
    (kind: string, namespace: string | undefined, name: string) => store.get(kind, storeKey(namespace, name)),
    { values: store.values },
  );
  const put = (type: ChangeType, kind: string, key: string, object: ApiObject): void => {
    store.commit({ revision: 0, type, kind, key, object, at: now(), entry: entry(), previous: undefined }, scope.envelope);
  };
  const scope: Scope = {
    ...options,
    admission,
    capacity: new Capacity(store, options.maxObjects),
    kept: {},
    envelope: WATCHER,
    annotations: undefined,
    resource: (kind, version) => resourceIn(options, admission, state, kind, version),
    context: () => contextOf(options, state),
    annotate(key, value) {
      const annotations = (scope.annotations ??= {});
      if (!Object.hasOwn(annotations, key)) annotations[key] = value;
    },
    commit(resource, type, key, object, before, isFresh = false) {
      // What every cluster has is created whatever the limit is.
      const isLimited = type === 'ADDED' && scope.envelope.by.process !== 'server';
      const full = isLimited ? scope.capacity.refusal(resource, object.metadata.name) : undefined;
      if (full !== undefined) throw full;
      const { kind, stored: current, settle, definition } = resource.kind;
      const given = current === undefined ? object : inVersionOf(scope, object, current);
      const stored = stamped(given, String(store.revision + 1), before, isFresh && given === object);
      put(type, kind, key, stored);
      if (settle !== undefined && type !== 'DELETED') {
        // A follow-up write of the server itself. The client's response has the object of its own write.
        const settled = settle(stored, lookup, scope.context());
        if (settled !== stored) put('MODIFIED', kind, key, stamped(settled, String(store.revision + 1)));
      }
      if (type === 'DELETED' && (definition !== undefined || kind === DEFINITION)) afterDeletion(scope, resource, stored);
      if (kind === DEFINITION) registerVersions(scope);
      return stored;
    },
  };
  return scope;
}

function resourceIn(options: ServerOptions, admission: Admission, state: State, name: string, version: string | undefined): ServedResource {
  const { kinds, names, store } = options;
  const { last, resources } = state;
  if (version === undefined && last?.kind.kind === name && last.kind.stored === undefined && isCurrent(last, kinds)) return last;
  const known = version === undefined ? resources.get(name) : undefined;
  if (known !== undefined && known.kind.stored === undefined && isCurrent(known, kinds)) return (state.last = known);
  const kind = kindIn(kinds, name, version);
  const key = kind.stored === undefined ? name : `${kind.version}.${name}`;
  let found = resources.get(key);
  if (found?.kind !== kind) {
    const plans = { create: undefined, update: undefined, status: undefined };
    resources.set(key, (found = { plans, templates: templateCacheOf(store, admission, kind), ...resourceOf(kind, names) }));
  }
  state.last = found;
  return found;
}

/** Returns the kind in a version of it: only custom resources have several. */
function kindIn(kinds: ServerOptions['kinds'], name: string, version: string | undefined): Kind {
  const kind = kinds.byKind(name);
  const found = version === undefined || kind?.definition === undefined ? kind : inVersion(kind, version);
  if (found === undefined) throw unknownResource();
  return found;
}

/** Whether a resource is as its definition says now: clients change and remove those of custom resources. */
const isCurrent = ({ kind }: ServedResource, kinds: ServerOptions['kinds']): boolean =>
  kind.definition === undefined || kinds.byKind(kind.kind) === kind;

function contextOf({ now, names, gates, rules }: ServerOptions, state: State): KindContext {
  const at = now();
  if (state.context?.now !== at) state.context = { names, gates, rules, keyTables: state.keyTables, now: at };
  return state.context;
}

/** All kinds but Event. An unbounded Job reaches this limit before Node runs out of memory. */
export const MAX_OBJECTS = 150_000;
/** Events are small and expire after an hour, so they have a limit of their own: this multiple of the limit of the others. */
const EVENTS_AN_OBJECT = 4;

/** The most objects. Beyond it creations are refused, and the rest works. It counts objects, so that it is the same on every host. */
export class Capacity {
  readonly limit: number;
  /** The number of creations refused because of the limit. */
  refused = 0;
  /** The last refusal, as a sentence. */
  why: string | undefined = undefined;
  readonly #store: Store;

  constructor(store: Store, limit = MAX_OBJECTS) {
    this.limit = limit;
    this.#store = store;
  }

  /** The number of objects without Events. */
  get used(): number {
    return this.#store.total - this.#store.size('Event');
  }

  /** Returns the refusal of one more object; undefined below the limit. */
  refusal({ group, kind }: Resource, name: string): Refusal | undefined {
    if (this.#store.total < this.limit) return undefined;
    const isEvent = kind.kind === 'Event';
    const [used, most] = isEvent ? [this.#store.size('Event'), this.limit * EVENTS_AN_OBJECT] : [this.used, this.limit];
    if (used < most) return undefined;
    this.refused++;
    this.why = `this cluster is full: it has ${used} ${isEvent ? 'Events' : 'objects'}, the maximum, and ${kind.kind} ${JSON.stringify(name)} would exceed it`;
    return failure({
      code: 403,
      reason: 'Forbidden',
      message: `${kind.plural} ${JSON.stringify(name)} is forbidden: ${this.why}; delete some, or allow more (serve --max-objects N, in a scenario spec.limits.objects)`,
      details: about(name, group, kind.plural),
    });
  }
}

// The versions of custom resources: a request is about the resource in the version of its client, and objects are read from the store, and
// answered, in that version. Models: v1.24 apiextensions-apiserver pkg/apiserver customresource_handler.go, where each version has a storage.

/** Returns the resource of a request. Who names no version has that of the body, or the stored one. */
export function resourceFor(scope: Scope, request: ApiRequest | WatchRequest): ServedResource {
  if (request.version !== undefined) return scope.resource(request.kind, request.version);
  const resource = scope.resource(request.kind);
  const { versions } = resource.kind;
  if (versions === undefined || !('body' in request)) return resource;
  const apiVersion: unknown = (request.body as Partial<ApiObject> | undefined)?.apiVersion;
  if (typeof apiVersion !== 'string' || !apiVersion.startsWith(`${resource.group}/`)) return resource;
  const version = apiVersion.slice(resource.group.length + 1);
  return versions.has(version) ? scope.resource(request.kind, version) : resource;
}

/** Returns a stored object as a version of its resource has it. */
export const shownIn = (scope: Scope, { kind }: Resource, object: ApiObject): ApiObject =>
  kind.stored === undefined ? object : inVersionOf(scope, object, kind);

/** Returns the stored object of a name, as the version of the resource has it. */
export function readIn(scope: Scope, resource: Resource, namespace: string | undefined, name: string): ApiObject | undefined {
  const stored = scope.store.get(resource.kind.kind, storeKey(namespace, name));
  return stored === undefined ? undefined : shownIn(scope, resource, stored);
}
