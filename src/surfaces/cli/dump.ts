/** Reads the files of a dump: a file, the files of a folder and of those in it, standard input. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { type DumpSource, formatScenario, type Manifests, type Scenario, type SnapshotFile } from '../../lab/scenario/index.ts';
import { onDemand } from '../../lab/rehearsal/index.ts';
import { compareText } from '../../schema/values/index.ts';
import type { OptionsOf } from './command.ts';
import { BadInput } from './exit.ts';
import { readText, STDIN, writeWhole } from './files.ts';
import type { Io } from './io.ts';
import { shownAs } from './paths.ts';
import { isMeantAsScenario } from './plain.ts';

/** What is read of a dump at most; JavaScript holds no longer text than half of it. */
const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_FILES = 20_000;
const DEPTH = 16;

const ENDINGS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

/** Returns a reader of dumps by path; `files` receives what was read. */
export const dumpReader =
  ({ cwd, stdin }: Pick<Io, 'cwd' | 'stdin'>, files: string[]) =>
  (path: string): readonly SnapshotFile[] | undefined => {
    if (path === '-') return stdin === undefined ? undefined : [{ file: STDIN, text: stdin() }];
    const full = resolve(cwd, path);
    const found = filesIn(full);
    if (found === undefined) return undefined;
    files.push(...found);
    const bytes = found.reduce((sum, each) => sum + statSync(each).size, 0);
    if (bytes > MAX_BYTES) throw new BadInput(`${path}: ${bytes} bytes, at most ${MAX_BYTES} of a dump are read`);
    return found.map((each) => ({ file: shownAs(each, cwd), text: readText(each, shownAs(each, cwd)) }));
  };

/** What a path to manifests may be. */
export const MANIFESTS = 'a file or folder of manifests, as helm template and kustomize build write them';

/** Reads the files of manifests: a file, a folder, standard input. Throws BadInput where there is nothing. */
export function manifestFiles(path: string, io: Pick<Io, 'cwd' | 'stdin'>): readonly SnapshotFile[] {
  const files = dumpReader(io, [])(path);
  if (files === undefined || files.length === 0) throw new BadInput(`${path}: expected ${MANIFESTS}, found nothing`);
  return files;
}

/** Throws BadInput for manifests without an object. */
export function someManifests({ manifests }: Manifests, path: string): void {
  if (manifests.length === 0) throw new BadInput(`${path}: expected ${MANIFESTS}, found no object`);
}

/** The objects of kinds that the server lacks, in a sentence; none: there are none. */
export const foreignNote = (foreign: Manifests['foreign']): readonly string[] =>
  foreign.size === 0
    ? []
    : [`left out, because the server lacks the kinds: ${[...foreign].map(([kind, many]) => `${many} ${kind}`).join(', ')}`];

/** So many hooks are named. */
const NAMED_HOOKS = 5;

/** The hooks that are left out, in a sentence; none: there are none. */
export function hooksNote(...sets: readonly Manifests['manifests'][]): readonly string[] {
  const hooks = [...new Set(sets.flatMap(onDemand))];
  if (hooks.length === 0) return [];
  const named = `${hooks.slice(0, NAMED_HOOKS).join('; ')}${hooks.length > NAMED_HOOKS ? '; …' : ''}`;
  return [`left out: ${hooks.length} hook${hooks.length === 1 ? '' : 's'} of tests and deletions (${named})`];
}

/** The file, or the files of objects in a folder, in order; undefined: there is nothing. */
function filesIn(full: string, depth = 0): readonly string[] | undefined {
  const found = statSync(full, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return [full];
  if (depth > DEPTH) return [];
  const entries = readdirSync(full, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
  const files = entries.flatMap((entry) => {
    const inner = join(full, entry.name);
    if (entry.isDirectory()) return filesIn(inner, depth + 1) ?? [];
    return entry.isFile() && ENDINGS.has(extname(entry.name)) ? [inner] : [];
  });
  if (files.length > MAX_FILES) throw new BadInput(`${full}: ${files.length} files, at most ${MAX_FILES} of a dump are read`);
  return files;
}

const HEAD_BYTES = 64 * 1024;

/** Whether a path is a file with a scenario, and not a dump. */
export function isScenarioFile(path: string, cwd: string): boolean {
  const full = resolve(cwd, path);
  if (path === '-' || statSync(full, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(full, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return isMeantAsScenario(head.toString('utf8', 0, readSync(file, head)));
  } finally {
    closeSync(file);
  }
}

/** Options of commands that begin with a dump. */
export const FROM = [
  [
    '--from <path>',
    'begins with the dump of a cluster: a file or folder of kubectl get -o yaml, cluster-info dump or kwokctl; - for the input',
    [],
  ],
  ['--with-secrets', 'with --from: Secrets keep their values, which are emptied otherwise'],
  ['--lenient', 'with --from: leaves out what cannot be read or contradicts something else, with a note, instead of refusing the dump'],
  ['--behaviors <file>', 'with --from: how its pods go on, and what they use; init --from writes the file'],
] as const;

/** The dump that options name; undefined: none. */
export function dumpIn({ from, withSecrets, lenient, behaviors }: OptionsOf<typeof FROM>): DumpSource | undefined {
  if (from.length > 0)
    return {
      paths: from,
      ...(withSecrets ? { secrets: true } : {}),
      ...(lenient ? { lenient: true } : {}),
      ...(behaviors === undefined ? {} : { behaviors }),
    };
  for (const [given, option] of [
    [behaviors !== undefined, '--behaviors'],
    [withSecrets, '--with-secrets'],
    [lenient, '--lenient'],
  ] as const)
    if (given) throw new BadInput(`${option}: it needs --from PATH`);
  return undefined;
}

/** The options that read the same dump again. */
export const fromFlags = (from: DumpSource | undefined): readonly string[] =>
  from === undefined
    ? []
    : [
        ...from.paths.flatMap((path) => ['--from', path]),
        ...(from.secrets === true ? ['--with-secrets'] : []),
        ...(from.lenient === true ? ['--lenient'] : []),
        ...(from.behaviors === undefined ? [] : ['--behaviors', from.behaviors]),
      ];

/** Writes the file of `--save`; the paths of its dump are relative to it. */
export function saveScenario(scenario: Scenario, file: string, comment: string, { cwd }: Pick<Io, 'cwd'>): void {
  const { from } = scenario;
  const folder = dirname(resolve(cwd, file));
  const beside = (path: string): string => relative(folder, resolve(cwd, path)).replaceAll('\\', '/');
  const behaviors = from?.behaviors === undefined ? {} : { behaviors: beside(from.behaviors) };
  const kept = from === undefined ? scenario : { ...scenario, from: { ...from, paths: from.paths.map(beside), ...behaviors } };
  writeWhole({ option: '--save', path: file, cwd }, formatScenario(kept, { comment }));
}

/** The scenario of a dump alone: its first minute, in which a cluster at rest does nothing. It is in no file. */
export const bareScenario = {
  file: '',
  text: JSON.stringify({
    apiVersion: 'scenario.orch.io/v1',
    kind: 'Scenario',
    metadata: { name: 'from-a-cluster' },
    spec: { title: 'The first minute of a cluster from its dump', until: '1m' },
  }),
} as const;
