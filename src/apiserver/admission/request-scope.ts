/** What rules over a request may ask of the server that answers it. */
import type { RandomStream } from '../../engine/random.ts';
import type { ApiObject, FeatureGates, KindContext, Names, RulesMode } from '../machinery/index.ts';
import type { KindRegistry } from '../kinds/index.ts';
import type { ChangeType, Store, WritableStore } from '../store/index.ts';
import type { ApiRequest, Envelope, Resource, WatchRequest } from '../request/index.ts';

export interface ServerOptions {
  readonly kinds: KindRegistry;
  readonly store: WritableStore;
  readonly names: Names;
  readonly gates: FeatureGates;
  /** What is made of rules that the recorded server does not have; absent: as the domain has it. */
  readonly rules?: RulesMode | undefined;
  /** Draws uids and name suffixes. */
  readonly random: RandomStream;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The trace entry in progress: what a commit is attributed to. */
  readonly entry: () => number;
  /** Says no with a message, or yes with undefined; absent: everybody may do everything. */
  readonly authorize?: (request: ApiRequest | WatchRequest) => string | undefined;
  /** How many objects there may be, Events apart; absent: as many as is usual. */
  readonly maxObjects?: number;
  /** Whose writes are tracked in `managedFields`; absent: nobody's. */
  readonly trackFields?: (request: ApiRequest) => boolean;
}

/** What is open while one request is answered. */
export interface Scope {
  readonly kinds: KindRegistry;
  /** For reading; writes go through `commit`. */
  readonly store: Store;
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly random: RandomStream;
  readonly now: () => number;
  readonly trackFields: ServerOptions['trackFields'];
  /** The request that is being answered, and whose it is: what is committed meanwhile is theirs. */
  readonly envelope: Envelope;
  /** The resource of a kind; refuses kinds nobody registered. */
  resource(kind: string): Resource;
  /** Names, gates and the instant of the request. */
  context(): KindContext;
  /**
   * Makes a change at the next revision; answers the object as it is stored: with that revision, frozen. `before`: what it replaces, where
   * that is at hand. `isFresh`: nobody else has the object, which may be written to instead of being copied.
   */
  commit(resource: Resource, type: ChangeType, key: string, object: ApiObject, before?: ApiObject, isFresh?: boolean): ApiObject;
}
