/** Reads the dump that a scenario begins with, before everything else of it: the dump decides the names that the file may use. */
import type { Domain } from '../../apiserver/machinery/index.ts';
import { readSnapshot, type SnapshotFile, withForeign } from '../snapshot/index.ts';
import { memberAt, note, type CheckContext } from './context.ts';
import type { Vocabulary } from './fields.ts';
import { besides } from './read-manifests.ts';
import type { ScenarioFrom } from './types.ts';
import { joinPath, type Located, showValue } from '../../schema/yaml/index.ts';

const PATH = 'spec.from';

/** Returns the dump; undefined: there is none, or it cannot be read, and problems were reported. */
export function readFrom(document: Located, domain: Domain | undefined, context: CheckContext): ScenarioFrom | undefined {
  const from = memberAt(document, 'spec', 'from');
  if (from === undefined) return undefined;
  const named = from.shape === 'map' ? from.entries.get('paths')?.value : from;
  const items = named?.shape === 'list' ? named.items : named === undefined ? [] : [named];
  const paths = items.filter(({ plain }) => typeof plain === 'string' && plain !== '');
  // The format reports what has another form.
  if (paths.length === 0 || paths.length < items.length) return undefined;
  const files = paths.flatMap((path, at) => filesOf(path, items.length === 1 ? PATH : joinPath(PATH, at), context) ?? []);
  if (files.length === 0) return undefined;
  const flag = (name: string): boolean => memberAt(from, name)?.plain === true;
  const secrets = flag('secrets');
  const lenient = flag('lenient');
  const read = readSnapshot(files, { ...(domain === undefined ? {} : { domain }), secrets, lenient, kindsOf: context.vocabulary.kindsOf });
  if ('problems' in read) {
    context.problems.push(...read.problems);
    return undefined;
  }
  return {
    paths: paths.map(({ plain, source }) => besides(source.file, String(plain))),
    ...(secrets ? { secrets } : {}),
    ...(lenient ? { lenient } : {}),
    snapshot: read.snapshot,
  };
}

function filesOf(path: Located, at: string, context: CheckContext): readonly SnapshotFile[] | undefined {
  const files = context.readDump?.(String(path.plain), path.source.file);
  if (files !== undefined && files.length > 0) return files;
  const expected =
    context.readDump === undefined
      ? 'everything in one file (a dump cannot be read here)'
      : files === undefined
        ? 'a file or folder that can be read'
        : 'a folder with files of objects (.yaml, .yml, .json)';
  return note(context, path, at, expected, showValue(path.plain));
}

/** The names that a scenario may use beside a dump: also the kinds that only the dump has. */
export function vocabularyBeside(vocabulary: Vocabulary, from: ScenarioFrom | undefined): Vocabulary {
  const foreign = from?.snapshot.foreign ?? [];
  const { kindsOf, schemaOf } = vocabulary;
  if (foreign.length === 0 || kindsOf === undefined) return vocabulary;
  const registry = (domain: Domain | undefined) => withForeign(kindsOf(domain), foreign);
  return {
    ...vocabulary,
    kinds: [...vocabulary.kinds, ...foreign.map(({ kind }) => kind)],
    kindsOf: registry,
    ...(schemaOf === undefined
      ? {}
      : { schemaOf: (kind: string, domain?: Domain) => schemaOf(kind, domain) ?? registry(domain).byKind(kind)?.schema }),
  };
}
