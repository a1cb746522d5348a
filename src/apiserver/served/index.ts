/** The kinds of a world: the built-in ones, and those of the definitions in its store, as they are at the moment. */
import { kindOfDefinition } from '../custom/index.ts';
import { isEstablished, type KindRegistry, registryWith } from '../kinds/index.ts';
import type { Kind } from '../machinery/index.ts';
import type { Store } from '../store/index.ts';

const DEFINITION = 'CustomResourceDefinition';

/**
 * Returns the registry of a world. A kind whose name is taken when it is first served, by a built-in kind or one of another group, has the
 * qualified name `Service.serving.example.dev` in it.
 */
export function servedKinds(base: KindRegistry, store: Pick<Store, 'tally' | 'values'>): KindRegistry {
  const tally = store.tally(DEFINITION);
  /** `registry`: valid for this number of changes. `known`: names of kinds by definition; they never change, because objects are stored by them. */
  const served = { changes: tally.changes, registry: base, known: new Map<string, string>() };
  const now = (): KindRegistry => {
    if (served.changes !== tally.changes) {
      served.registry = registryWith(base, kindsIn(store, base, served.known));
      served.changes = tally.changes;
    }
    return served.registry;
  };
  return Object.freeze({
    names: base.names,
    byKind: (kind: string) => base.byKind(kind) ?? now().byKind(kind),
    byPlural: (group: string, plural: string) => now().byPlural(group, plural),
    list: () => now().list(),
    apiVersionOf: base.apiVersionOf,
    now,
  });
}

function kindsIn(store: Pick<Store, 'values'>, base: KindRegistry, known: Map<string, string>): readonly Kind[] {
  const definitions = [...store.values(DEFINITION)].filter(isEstablished);
  const there = new Set(definitions.map(({ metadata }) => metadata.name));
  for (const name of known.keys()) if (!there.has(name)) known.delete(name);
  const taken = new Set(known.values());
  return definitions.map((definition) => {
    const { metadata, spec } = definition;
    const kind = spec.names?.kind ?? '';
    let name = known.get(metadata.name);
    if (name === undefined) {
      name = base.byKind(kind) === undefined && !taken.has(kind) ? kind : `${kind}.${spec.group ?? ''}`;
      known.set(metadata.name, name);
      taken.add(name);
    }
    return kindOfDefinition(definition, name);
  });
}
