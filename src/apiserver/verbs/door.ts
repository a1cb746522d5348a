/** What every verb works with: the options of the server, its resources by kind, its admission plug-ins. */
import type { Admission } from '../admission/index.ts';
import { resourceOf, unknownResource, type Door as BareDoor, type Resource, type ServerOptions } from '../request/index.ts';
import type { KindContext } from '../vocabulary/index.ts';

export interface Door extends BareDoor {
  readonly admission: Admission;
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
