import { kindOfDefinition } from '../custom/index.ts';
import { type CustomResourceDefinition, type KindRegistry, registryWith } from '../kinds/index.ts';
import type { Kind } from '../machinery/index.ts';
import type { Store, Tally } from '../store/index.ts';

const DEFINITION = 'CustomResourceDefinition';

/** Whether the kind of a definition is served: its names are accepted, and were from the beginning. */
export const isServed = ({ status }: CustomResourceDefinition): boolean =>
  (status.conditions ?? []).some(({ type, status: is }) => type === 'Established' && is === 'True');

/** Returns the definition of a kind; undefined: there is none, or the kind is not defined by a client. */
export const definitionOf = (store: Pick<Store, 'get'>, kind: Kind, group: string): CustomResourceDefinition | undefined =>
  kind.definition === undefined ? undefined : store.get(DEFINITION, `${kind.plural}.${group}`);

/** What follows from the definitions in a store. */
interface Served {
  /** The changes of definitions that it is as of. */
  changes: number;
  registry: KindRegistry;
  /** The names of definitions by the name of their kind in the registry. They are kept: objects are stored by them. */
  readonly definitions: Map<string, string>;
}

/**
 * Returns the registry of a world. A kind whose name is taken, by a built-in kind or one of another group, has the qualified name
 * `Service.serving.example.dev` in it.
 */
export function servedKinds(base: KindRegistry, store: Pick<Store, 'tally' | 'values'>): KindRegistry {
  const tally: Readonly<Tally> = store.tally(DEFINITION);
  const served: Served = { changes: tally.changes, registry: base, definitions: new Map() };
  const now = (): KindRegistry => {
    if (served.changes !== tally.changes) {
      served.registry = registryWith(base, kindsIn(store, base, served.definitions));
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

function kindsIn(store: Pick<Store, 'values'>, base: KindRegistry, definitions: Map<string, string>): readonly Kind[] {
  const kinds: Kind[] = [];
  for (const definition of store.values(DEFINITION))
    if (isServed(definition)) kinds.push(kindOfDefinition(definition, nameFor(definition, base, definitions)));
  return kinds;
}

/** Returns the name of a definition's kind in the registry: the first of a name has it for ever. */
function nameFor({ metadata, spec }: CustomResourceDefinition, base: KindRegistry, definitions: Map<string, string>): string {
  const kind = spec.names?.kind ?? '';
  const holder = definitions.get(kind);
  if (holder === metadata.name) return kind;
  if (holder === undefined && base.byKind(kind) === undefined) {
    definitions.set(kind, metadata.name);
    return kind;
  }
  return `${kind}.${spec.group ?? ''}`;
}
