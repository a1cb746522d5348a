/**
 * `npm run mutants [-- --only WORD] [--everywhere]`: plants each mutant of the catalogue in a copy and runs the tests of the nearest
 * folder; prints which mutants were killed, and how long it took. `--everywhere` runs the other tests for surviving mutants. Exit 1 where
 * one survives that is not marked equivalent, 2 where one could not be tested: an unknown name, a compile error, or tests that fail without
 * it.
 */
import { readOptions, wrongUsage } from '../../src/surfaces/arguments.ts';
import { MUTANTS } from './catalogue/index.ts';
import { field, testsBeside } from './plant.ts';
import { exitCodeOf, moduleOf, summary, reported, type Verdict } from './verdict.ts';

const USAGE = `usage: npm run mutants -- [--only WORD]… [--everywhere]
  --only        mutants whose names contain WORD; a name begins with its module: ${[...new Set(MUTANTS.map(moduleOf))].join(', ')}
  --everywhere  asks the rest of the tests about those that survive the nearest`;
const asked = readOptions(process.argv.slice(2), { only: { type: 'string', multiple: true }, everywhere: { type: 'boolean' } }, USAGE);
if (typeof asked === 'number') process.exit(asked);
const { only = [''], everywhere = false } = asked;
// The tests are listed before the copy is made, because a developer may move them meanwhile.
const wanted = MUTANTS.filter(({ name }) => only.some((word) => name.includes(word))).map((mutant) => ({
  ...mutant,
  tests: mutant.tests ?? testsBeside(mutant.file),
}));
if (wanted.length === 0) process.exit(wrongUsage(`no mutant is called like ${only.join(' or ')}`, USAGE));
/** The most important tests besides the nearest folder. */
const EVERYWHERE = ['test/controlplane/', 'test/apiserver/', 'test/engine/', 'test/lab/', 'test/golden.test.ts'];
const copy = field(() => Number(process.hrtime.bigint() / 1_000_000n));
const verdicts: Verdict[] = [];
try {
  for (const mutant of wanted) {
    const verdict = await ask(mutant);
    verdicts.push(verdict);
    console.log(reported(verdict));
  }
} finally {
  copy.remove();
}
console.log(`\n${summary(verdicts).join('\n')}\nby ${everywhere ? 'all tests' : 'the tests of the nearest folder'}`);
process.exitCode = exitCodeOf(verdicts);

async function ask(mutant: (typeof wanted)[number]): Promise<Verdict> {
  const near = await copy.try(mutant, mutant.tests);
  if (near.answer.says !== 'passed' || !everywhere || mutant.equivalent !== undefined) return near;
  const { answer, seconds } = await copy.try(mutant, EVERYWHERE);
  const far = answer.says === 'failed' ? { ...answer, by: `(not nearby) ${answer.by}` } : answer;
  return { mutant, answer: far, seconds: near.seconds + seconds };
}
