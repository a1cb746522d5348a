/** Finding a kind. One line a kind in `kinds.ts`; everything that lists kinds reads this. */
import type { Kind } from './kind.ts';
import type { Domain, Names } from './names.ts';
import { allKinds } from './kinds.ts';
import { withPublishedTexts } from './published-texts.ts';

export interface KindRegistry {
  readonly names: Names;
  /** By the Kind's name: `Job`. */
  byKind(kind: string): Kind | undefined;
  /** By full group (`coordination.k8s.io`, '' for core) and plural. */
  byPlural(group: string, plural: string): Kind | undefined;
  list(): readonly Kind[];
  /** `batch/v1`, or `v1` in the core group. */
  apiVersionOf(kind: Kind): string;
}

const made = new Map<Domain, KindRegistry>();

/** The kinds of a domain; the same object on every call. */
export function kindsFor(names: Names): KindRegistry {
  let registry = made.get(names.domain);
  if (registry === undefined) made.set(names.domain, (registry = build(names)));
  return registry;
}

function build(names: Names): KindRegistry {
  const kinds = names.domain === 'k8s.io' ? allKinds(names).map(withPublishedTexts) : allKinds(names);
  const byKind = new Map(kinds.map((kind) => [kind.kind, kind]));
  const byPlural = new Map(kinds.map((kind) => [`${names.group(kind.groupPrefix)}/${kind.plural}`, kind]));
  return Object.freeze({
    names,
    byKind: (kind: string) => byKind.get(kind),
    byPlural: (group: string, plural: string) => byPlural.get(`${group}/${plural}`),
    list: () => kinds,
    apiVersionOf: ({ groupPrefix, version }: Kind) => (groupPrefix === '' ? version : `${names.group(groupPrefix)}/${version}`),
  });
}
