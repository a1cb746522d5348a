/** The context of one request: the server's options, its resources by kind, its admission plug-ins, and the requesting user. */
import { type Admission, inVersionOf, type Scope as BareScope, type ServerOptions as Options } from '../admission/index.ts';
import { type Envelope, type Resource, resourceOf, stamped, storeKey, unknownResource } from '../request/index.ts';
import type { Capacity } from './capacity.ts';
import { afterDeletion, DEFINITION, registerVersions } from './definitions.ts';
import type { Plan } from './stages.ts';
import { type TemplateCache, templateCacheOf } from './template.ts';
import { inVersion } from '../kinds/index.ts';
import type { ChangeType } from '../store/index.ts';
import { type ApiObject, type Kind, type KindContext, KeyTables, type Lookup } from '../machinery/index.ts';

export interface ServerOptions extends Options {
  /** Changes each plan once it is compiled: tests let a server skip nothing. */
  readonly planned?: (plan: Plan) => Plan;
}

export interface Scope extends BareScope {
  readonly admission: Admission;
  planned(plan: Plan): Plan;
  /** `version`: one of those of a custom resource; absent: the stored one. Versions of other kinds are forms of the same resource. */
  resource(kind: string, version?: string): ServedResource;
  /** Returns the annotations so far, and forgets them. */
  takeAnnotations(): Readonly<Record<string, string>> | undefined;
}

/** A resource with the plans of its writes, once they are compiled, and the templates of its kind. Scopes hand out no others. */
export interface ServedResource extends Resource {
  readonly plans: { [write in 'create' | 'update' | 'status']: Plan | undefined };
  /** Undefined: objects of the kind are not made from templates. */
  readonly templates: TemplateCache | undefined;
}

interface ServerState {
  readonly options: ServerOptions;
  readonly admission: Admission;
  readonly capacity: Capacity;
  readonly resources: Map<string, ServedResource>;
  readonly keyTables: KeyTables;
  readonly kept: Scope['kept'];
  context: KindContext | undefined;
  /** Annotations of the current request for the audit log. */
  annotations: Record<string, string> | undefined;
  /** The resource of the last request, because consecutive requests are often for one kind. */
  last: ServedResource | undefined;
}

/** Returns a function that creates the scope of a request. */
export function scopesOf(options: ServerOptions, admission: Admission, capacity: Capacity): (envelope: Envelope) => Scope {
  const server: ServerState = {
    options,
    admission,
    capacity,
    resources: new Map(),
    keyTables: new KeyTables(),
    kept: {},
    context: undefined,
    annotations: undefined,
    last: undefined,
  };
  return (envelope) => new OpenScope(server, envelope);
}

function resourceIn(server: ServerState, name: string, version: string | undefined): ServedResource {
  const { last, resources, admission } = server;
  const { kinds, names, store } = server.options;
  if (version === undefined && last?.kind.kind === name && last.kind.stored === undefined && isCurrent(last, kinds)) return last;
  const known = version === undefined ? resources.get(name) : undefined;
  if (known !== undefined && known.kind.stored === undefined && isCurrent(known, kinds)) return (server.last = known);
  const kind = kindIn(kinds, name, version);
  const key = kind.stored === undefined ? name : `${kind.version}.${name}`;
  let found = resources.get(key);
  if (found?.kind !== kind) {
    const plans = { create: undefined, update: undefined, status: undefined };
    resources.set(key, (found = { plans, templates: templateCacheOf(store, admission, kind), ...resourceOf(kind, names) }));
  }
  server.last = found;
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

function contextOf(server: ServerState): KindContext {
  const { now, names, gates, rules } = server.options;
  const at = now();
  if (server.context === undefined || server.context.now !== at)
    server.context = { names, gates, rules, keyTables: server.keyTables, now: at };
  return server.context;
}

/** A class, so that all scopes share its accessors: each request creates a scope, which holds only two references. */
class OpenScope implements Scope {
  private readonly server: ServerState;
  readonly envelope: Envelope;
  constructor(server: ServerState, envelope: Envelope) {
    this.server = server;
    this.envelope = envelope;
  }
  get kinds() {
    return this.server.options.kinds;
  }
  get store() {
    return this.server.options.store;
  }
  get kept() {
    return this.server.kept;
  }
  get names() {
    return this.server.options.names;
  }
  get gates() {
    return this.server.options.gates;
  }
  get random() {
    return this.server.options.random;
  }
  get takenUids() {
    return this.server.options.takenUids;
  }
  get now() {
    return this.server.options.now;
  }
  get webhooks() {
    return this.server.options.webhooks;
  }
  get trackFields() {
    return this.server.options.trackFields;
  }
  get admission() {
    return this.server.admission;
  }
  resource(kind: string, version?: string): ServedResource {
    return resourceIn(this.server, kind, version);
  }
  planned(plan: Plan): Plan {
    return this.server.options.planned?.(plan) ?? plan;
  }

  context(): KindContext {
    return contextOf(this.server);
  }
  annotate(key: string, value: string): void {
    const annotations = (this.server.annotations ??= {});
    if (!Object.hasOwn(annotations, key)) annotations[key] = value;
  }
  takeAnnotations(): Readonly<Record<string, string>> | undefined {
    const { annotations } = this.server;
    if (annotations !== undefined) this.server.annotations = undefined;
    return annotations;
  }
  commit(resource: Resource, type: ChangeType, key: string, object: ApiObject, before?: ApiObject, isFresh = false): ApiObject {
    const { store, now, entry } = this.server.options;
    const full = type === 'ADDED' ? this.server.capacity.refusal(resource, object.metadata.name) : undefined;
    if (full !== undefined) throw full;
    const { kind, stored: current } = resource.kind;
    const given = current === undefined ? object : inVersionOf(this, object, current);
    const stored = stamped(given, String(store.revision + 1), before, isFresh && given === object);
    store.commit({ revision: 0, type, kind, key, object: stored, at: now(), entry: entry(), previous: undefined }, this.envelope);
    const { settle } = resource.kind;
    if (settle !== undefined && type !== 'DELETED') this.settle(resource, key, stored, settle);
    if (type === 'DELETED' && (resource.kind.definition !== undefined || resource.kind.kind === DEFINITION))
      afterDeletion(this, resource, stored);
    if (kind === DEFINITION) registerVersions(this);
    return stored;
  }
  /** Commits a follow-up write of the server itself. The client's response has the object of its own write. */
  private settle(resource: Resource, key: string, object: ApiObject, settle: NonNullable<Kind['settle']>): void {
    const { store, now, entry } = this.server.options;
    const lookup: Lookup = Object.assign(
      (kind: string, namespace: string | undefined, name: string) => store.get(kind, storeKey(namespace, name)),
      { values: store.values },
    );
    const settled = settle(object, lookup, this.context());
    if (settled === object) return;
    const next = stamped(settled, String(store.revision + 1));
    store.commit({ type: 'MODIFIED', kind: resource.kind.kind, key, object: next, at: now(), entry: entry() }, this.envelope);
  }
}
