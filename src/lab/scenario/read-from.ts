/** Reads the dump that a scenario begins with, before everything else of it: the dump decides the names that the file may use. */
import type { Domain } from '../../apiserver/machinery/index.ts';
import { definedKinds, readSnapshot, type SnapshotFile, withDumped } from '../snapshot/index.ts';
import { check } from './check.ts';
import { BEHAVIORS } from './cluster-format.ts';
import { compileBehaviors } from './compile-from.ts';
import { type CheckContext, memberAt, note, Reading } from './context.ts';
import type { Vocabulary } from './fields.ts';
import { besides } from './read-manifests.ts';
import type { Behavior, ScenarioFrom } from './types.ts';
import type { DumpSource } from './values.ts';
import { type Located, readYaml, showValue } from '../../schema/yaml/index.ts';

const PATH = 'spec.from';

/** Returns the dump; undefined: there is none, or it cannot be read, and problems were reported. */
export function readFrom(document: Located, domain: Domain | undefined, context: CheckContext): ScenarioFrom | undefined {
  const stated = context.from === undefined ? statedIn(document, context) : { source: context.from, places: [], behaviors: undefined };
  if (stated === undefined) return undefined;
  const { source, places } = stated;
  const files = source.paths.flatMap((path, at) => filesOf(path, places[at], context) ?? []);
  if (files.length === 0) return undefined;
  const behavior = source.behaviors === undefined ? undefined : behaviorIn(source.behaviors, stated.behaviors, context);
  const { secrets = false, lenient = false } = source;
  const read = readSnapshot(files, { ...(domain === undefined ? {} : { domain }), secrets, lenient, kindsOf: context.vocabulary.kindsOf });
  if ('problems' in read) {
    context.problems.push(...read.problems);
    return undefined;
  }
  return { ...source, snapshot: read.snapshot, ...(behavior === undefined ? {} : { behavior }) };
}

/** Reads a file of behaviours; `place`: where a scenario names it. */
function behaviorIn(path: string, place: Located | undefined, context: CheckContext): Behavior | undefined {
  const at = place ?? { file: path, line: 1, col: 1 };
  const text = context.readFile?.(path, '');
  if (text === undefined)
    return note(context, at, place === undefined ? '' : `${PATH}.behaviors`, 'a file that can be read', showValue(path));
  const { documents, problems } = readYaml(text, path);
  context.problems.push(...problems);
  const [document] = documents;
  // A file of comments alone states nothing.
  if (document === undefined) return undefined;
  const raw = check(BEHAVIORS, new Reading(withoutNothing(document), '', context));
  return raw === undefined ? undefined : compileBehaviors(raw);
}

/** A list whose entries all stand in comments is null. */
function withoutNothing(document: Located): Located {
  if (document.shape !== 'map') return document;
  return { ...document, entries: new Map([...document.entries].filter(([, { value }]) => value.plain !== null)) };
}

/** What a file says, with the places of the paths; undefined: nothing, or something of another form, which the format reports. */
function statedIn(
  document: Located,
  context: CheckContext,
): { readonly source: DumpSource; readonly places: readonly Located[]; readonly behaviors?: Located | undefined } | undefined {
  const from = memberAt(document, 'spec', 'from');
  const named = from?.shape === 'map' ? from.entries.get('paths')?.value : from;
  const places = named?.shape === 'list' ? named.items : named === undefined ? [] : [named];
  const paths = places.flatMap(({ plain, source }) => (typeof plain === 'string' && plain !== '' ? [besides(source.file, plain)] : []));
  for (const place of places) if (place.plain === '') note(context, place, PATH, 'a path', showValue(''));
  if (paths.length === 0 || paths.length < places.length) return undefined;
  const flag = (name: 'secrets' | 'lenient') => (memberAt(from, name)?.plain === true ? { [name]: true } : {});
  const behaviors = memberAt(from, 'behaviors');
  const file = typeof behaviors?.plain === 'string' && behaviors.plain !== '' ? besides(behaviors.source.file, behaviors.plain) : undefined;
  const more = file === undefined ? {} : { behaviors: file };
  return { source: { paths, ...flag('secrets'), ...flag('lenient'), ...more }, places, behaviors };
}

/** `place`: where a scenario names the path; undefined: the command line does. */
function filesOf(path: string, place: Located | undefined, context: CheckContext): readonly SnapshotFile[] | undefined {
  const files = context.readDump?.(path);
  if (files !== undefined && files.length > 0) return files;
  const expected =
    context.readDump === undefined
      ? 'everything in one file (a dump cannot be read here)'
      : files === undefined
        ? 'a file or folder that can be read'
        : 'a folder with files of objects (.yaml, .yml, .json)';
  return note(
    context,
    place ?? { file: path, line: 1, col: 1 },
    place === undefined ? '' : PATH,
    expected,
    place === undefined ? 'none' : showValue(path),
  );
}

/** The names that a scenario may use beside a dump: also the kinds that only the dump has. */
export function vocabularyBeside(vocabulary: Vocabulary, from: ScenarioFrom | undefined): Vocabulary {
  const { kindsOf, schemaOf } = vocabulary;
  if (from === undefined || kindsOf === undefined) return vocabulary;
  const { foreign, objects } = from.snapshot;
  const defined = definedKinds(objects, kindsOf(from.snapshot.domain));
  if (foreign.length === 0 && defined.length === 0) return vocabulary;
  const registry = (domain: Domain | undefined) => withDumped(kindsOf(domain), from.snapshot);
  return {
    ...vocabulary,
    kinds: [...vocabulary.kinds, ...[...foreign, ...defined].map(({ kind }) => kind)],
    kindsOf: registry,
    ...(schemaOf === undefined
      ? {}
      : { schemaOf: (kind: string, domain?: Domain) => schemaOf(kind, domain) ?? registry(domain).byKind(kind)?.schema }),
  };
}
