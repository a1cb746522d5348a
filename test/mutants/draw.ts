/** Draws mutants at random, with the mutators of StrykerJS. The same seed draws the same mutants of the same sources. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { createRandom } from '../../src/engine/index.ts';
import { isTest, sourceFiles } from '../habits/graph.ts';
import type { Mutant } from './mutant.ts';

const root = join(import.meta.dirname, '../..');
/** Faces only export, and builds and the page run in other programs than the tests beside them. */
const LEFT_OUT = /\/index\.ts$|\.tsx$|\.d\.ts$|^src\/(?:build|guide|surfaces\/page)\//;

const silent = (): void => undefined;
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/** Returns every mutant of a file. */
export async function mutantsOf(file: string, text = readFileSync(join(root, file), 'utf8')): Promise<readonly Mutant[]> {
  const { mutants } = await new Instrumenter(logger).instrument([{ name: file, content: text, mutate: true }], {
    plugins: null,
    ignorers: [],
    excludedMutations: [],
  });
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return mutants
    .map(({ mutatorName, location: { start, end }, replacement }) => ({
      file,
      mutator: mutatorName,
      line: start.line + 1,
      from: (starts[start.line] ?? 0) + start.column,
      to: (starts[end.line] ?? 0) + end.column,
      replacement,
    }))
    .filter((mutant) => !isForPeople(mutant, text));
}

/** Whether a text is for people: golden texts and transcripts hold what is said, and a word more or less is no bug. */
const isForPeople = ({ mutator, from, to }: Mutant, text: string): boolean =>
  mutator === 'StringLiteral' && /\s|\$\{|^.{0,3}$/s.test(text.slice(from, to));

export interface Draw {
  readonly seed: number;
  readonly count: number;
  /** The beginning of the files' paths, such as `src/lab/`. */
  readonly under: string;
}

/** Returns mutants of files that are drawn by their length, so that each line is as likely. */
export async function drawn({ seed, count, under }: Draw): Promise<readonly Mutant[]> {
  const random = createRandom(seed).stream('mutants');
  const files = sourceFiles()
    .filter((file) => file.startsWith('src/') && file.startsWith(under) && !isTest(file) && !LEFT_OUT.test(file))
    .map((file) => ({ file, length: readFileSync(join(root, file), 'utf8').length }));
  const total = files.reduce((sum, { length }) => sum + length, 0);
  const found = new Map<string, Mutant>();
  // A file may have no mutant, or only those that have been drawn.
  for (let draws = 0; found.size < count && draws < 10 * count; draws++) {
    let rest = random.below(total);
    const at = files.find(({ length }) => (rest -= length) < 0);
    const mutant = at === undefined ? undefined : random.pick(await mutantsOf(at.file));
    if (mutant !== undefined) found.set(`${mutant.file} ${mutant.from} ${mutant.to} ${mutant.replacement}`, mutant);
  }
  return [...found.values()];
}
