/** What every verb works with: the options of the server, its resources by kind, its admission plug-ins. */
import type { RandomStream } from '../../engine/index.ts';
import type { FeatureGates, KindContext } from '../api/kind.ts';
import type { Names } from '../api/names.ts';
import type { ApiObject } from '../api/object.ts';
import type { KindRegistry } from '../api/index.ts';
import type { ChangeType, Store } from '../store/index.ts';
import type { Admission } from './admission/index.ts';
import { unknownResource } from './errors.ts';
import type { ApiRequest, WatchRequest } from './request.ts';
import { resourceOf, type Resource } from './resource.ts';

export interface ServerOptions {
  readonly kinds: KindRegistry;
  readonly store: Store;
  readonly names: Names;
  readonly gates: FeatureGates;
  /** Draws uids and name suffixes. */
  readonly random: RandomStream;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The trace entry in progress: what a commit is attributed to. */
  readonly entry: () => number;
  /** Says no with a message, or yes with undefined; absent: everybody may do everything. */
  readonly authorize?: (request: ApiRequest | WatchRequest) => string | undefined;
  /** Whose writes are tracked in `managedFields`; absent: nobody's. */
  readonly trackFields?: (request: ApiRequest) => boolean;
}

export interface Door extends ServerOptions {
  readonly admission: Admission;
  /** The resource of a kind; refuses kinds nobody registered. */
  resource(kind: string): Resource;
  /** Names, gates and the instant of the request. */
  context(): KindContext;
  commit(resource: Resource, type: ChangeType, key: string, object: ApiObject): void;
  /** The resourceVersion the next commit has to carry. */
  nextVersion(): string;
}

export function openDoor(options: ServerOptions, admission: Admission): Door {
  const { kinds, store, names, gates, now, entry } = options;
  const resources = new Map<string, Resource>();
  let context: KindContext | undefined;
  return {
    ...options,
    admission,
    resource(kind) {
      let found = resources.get(kind);
      if (found === undefined) {
        const known = kinds.byKind(kind);
        if (known === undefined) throw unknownResource();
        resources.set(kind, (found = resourceOf(known, names)));
      }
      return found;
    },
    context() {
      const at = now();
      if (context === undefined || context.now !== at) context = { names, gates, now: at };
      return context;
    },
    commit(resource, type, key, object) {
      store.commit({ type, kind: resource.kind.kind, key, object, at: now(), entry: entry() });
    },
    nextVersion: () => String(store.revision + 1),
  };
}
