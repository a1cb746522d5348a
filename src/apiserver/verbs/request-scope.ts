/**
 * What every verb works with while it answers one request: the server's options, its resources by kind, its admission plug-ins, and whose
 * request it is.
 */
import type { Admission, Scope as BareScope, ServerOptions } from '../admission/index.ts';
import { type Envelope, type Resource, resourceOf, stamped, storeKey, unknownResource } from '../request/index.ts';
import type { Capacity } from './capacity.ts';
import { type TemplateCache, templateCacheOf } from './template-cache.ts';
import type { ChangeType } from '../store/index.ts';
import type { ApiObject, Kind, KindContext, Look } from '../vocabulary/index.ts';

export interface Scope extends BareScope {
  readonly admission: Admission;
  /** The families of a kind, where it has such. */
  families(resource: Resource): TemplateCache | undefined;
}

/** What lasts from request to request. */
interface House {
  readonly options: ServerOptions;
  readonly admission: Admission;
  readonly capacity: Capacity;
  readonly resources: Map<string, Resource>;
  readonly families: Map<Resource, TemplateCache | undefined>;
  context: KindContext | undefined;
  /** Requests about one kind come many in a row. */
  last: Resource | undefined;
}

/** Doors to a store, one a request. */
export function scopesOf(options: ServerOptions, admission: Admission, capacity: Capacity): (envelope: Envelope) => Scope {
  const house: House = { options, admission, capacity, resources: new Map(), families: new Map(), context: undefined, last: undefined };
  return (envelope) => new OpenScope(house, envelope);
}

function resourceIn(house: House, kind: string): Resource {
  if (house.last?.kind.kind === kind) return house.last;
  const { resources } = house;
  const { kinds, names } = house.options;
  let found = resources.get(kind);
  if (found === undefined) {
    const known = kinds.byKind(kind);
    if (known === undefined) throw unknownResource();
    resources.set(kind, (found = resourceOf(known, names)));
  }
  house.last = found;
  return found;
}

function contextOf(house: House): KindContext {
  const { now, names, gates, rules } = house.options;
  const at = now();
  if (house.context === undefined || house.context.now !== at) house.context = { names, gates, rules, now: at };
  return house.context;
}

/** A class for its shared accessors: a door is made for every request and holds two references. */
class OpenScope implements Scope {
  readonly #house: House;
  readonly envelope: Envelope;
  constructor(house: House, envelope: Envelope) {
    this.#house = house;
    this.envelope = envelope;
  }
  get kinds() {
    return this.#house.options.kinds;
  }
  get store() {
    return this.#house.options.store;
  }
  get names() {
    return this.#house.options.names;
  }
  get gates() {
    return this.#house.options.gates;
  }
  get random() {
    return this.#house.options.random;
  }
  get now() {
    return this.#house.options.now;
  }
  get trackFields() {
    return this.#house.options.trackFields;
  }
  get admission() {
    return this.#house.admission;
  }
  resource(kind: string): Resource {
    return resourceIn(this.#house, kind);
  }
  families(resource: Resource): TemplateCache | undefined {
    if (resource.kind.family === undefined) return undefined;
    const { families } = this.#house;
    const known = families.get(resource);
    if (known !== undefined || families.has(resource)) return known;
    const book = templateCacheOf(this.store, this.admission, resource);
    families.set(resource, book);
    return book;
  }
  context(): KindContext {
    return contextOf(this.#house);
  }
  commit(resource: Resource, type: ChangeType, key: string, object: ApiObject, before?: ApiObject, isFresh = false): ApiObject {
    const { store, now, entry } = this.#house.options;
    const full = type === 'ADDED' ? this.#house.capacity.refusal(resource, object.metadata.name) : undefined;
    if (full !== undefined) throw full;
    const stored = stamped(object, String(store.revision + 1), before, isFresh);
    store.commit({ type, kind: resource.kind.kind, key, object: stored, at: now(), entry: entry() }, this.envelope);
    const { settle } = resource.kind;
    if (settle !== undefined && type !== 'DELETED') this.#settle(resource, key, stored, settle);
    return stored;
  }
  /** A write of the server's own, behind the one that was asked for: whoever asked is answered with theirs. */
  #settle(resource: Resource, key: string, object: ApiObject, settle: NonNullable<Kind['settle']>): void {
    const { store, now, entry } = this.#house.options;
    const look: Look = (kind, namespace, name) => store.get(kind, storeKey(namespace, name));
    const settled = settle(object, look, this.context());
    if (settled === object) return;
    const next = stamped(settled, String(store.revision + 1));
    store.commit({ type: 'MODIFIED', kind: resource.kind.kind, key, object: next, at: now(), entry: entry() }, this.envelope);
  }
}
