/** The kinds that a file defines itself: its definitions of custom resources extend the vocabulary of everything else in it. */
import { customKind } from '../../apiserver/custom/index.ts';
import { registryWith, servedVersions } from '../../apiserver/kinds/index.ts';
import type { Kind } from '../../apiserver/machinery/index.ts';
import { type Located, readYaml } from '../../schema/yaml/index.ts';
import type { Vocabulary } from './fields.ts';
import { besides } from './read-manifests.ts';

const DEFINITION = 'CustomResourceDefinition';

interface Source extends Vocabulary {
  readonly readFile?: ((path: string, from: string) => string | undefined) | undefined;
}

/** Returns the vocabulary with the kinds that the documents define, or the files that they name. Wrong definitions are reported elsewhere. */
export function withDefinitions<V extends Source>(vocabulary: V, documents: readonly Located[]): V {
  const found: object[] = [];
  for (const document of documents) collect(document, vocabulary, found);
  const { kindsOf, schemaOf } = vocabulary;
  const known = new Set(vocabulary.kinds);
  const defined = new Map<string, Kind>();
  for (const definition of found) {
    const made = customKind(definition, (name) => kindsOf?.().byKind(name) ?? defined.get(name));
    const name = 'kind' in made ? made.kind.kind : '';
    if ('kind' in made && !known.has(name)) defined.set(name, inEither(defined.get(name), made.kind));
  }
  const kinds = [...defined.values()];
  if (kinds.length === 0) return vocabulary;
  const schemas = new Map(kinds.map(({ kind, schema }) => [kind, schema]));
  return {
    ...vocabulary,
    kinds: [...vocabulary.kinds, ...schemas.keys()],
    ...(kindsOf === undefined ? {} : { kindsOf: (domain) => registryWith(kindsOf(domain), kinds) }),
    ...(schemaOf === undefined ? {} : { schemaOf: (kind, domain) => schemas.get(kind) ?? schemaOf(kind, domain) }),
  };
}

/** A kind that a file defines again may be written in the versions of both definitions. */
function inEither(former: Kind | undefined, kind: Kind): Kind {
  if (former === undefined) return kind;
  // Another definition does not get the name while the first one has it.
  if (former.plural !== kind.plural) return former;
  const versions = [...servedVersions(former), ...servedVersions(kind)].map((each) => [each.version, each] as const);
  return { ...kind, versions: new Map(versions) };
}

function collect(node: Located, source: Source, found: object[]): void {
  if (node.shape === 'list') for (const item of node.items) collect(item, source, found);
  if (node.shape !== 'map') return;
  if (node.plain['kind'] === DEFINITION) {
    found.push(node.plain);
    return;
  }
  const file = node.entries.size === 1 ? node.entries.get('file')?.value : undefined;
  if (file !== undefined) collectFile(file, source, found);
  else for (const { value } of node.entries.values()) collect(value, source, found);
}

function collectFile(file: Located, source: Source, found: object[]): void {
  if (typeof file.plain !== 'string' || file.plain === '') return;
  const text = source.readFile?.(file.plain, file.source.file);
  if (text?.includes(DEFINITION) !== true) return;
  for (const document of readYaml(text, besides(file.source.file, file.plain)).documents)
    if (document.shape === 'map' && document.entries.size > 1) collect(document, source, found);
}
