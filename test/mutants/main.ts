/**
 * `npm run mutants [-- --only WORD] [--everywhere]`: plants each mutant of the catalogue in a copy and runs the tests of the nearest
 * folder; says which of them noticed, and how long it took. `--everywhere` asks the rest of the tests about those that survive. Exit 1
 * where one survives that is not called equivalent, 2 where one could not be asked about: no such name, it does not compile, its tests fail
 * without it.
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
// Where tests are is looked up before the copy is made: whoever goes on working meanwhile may move them.
const wanted = MUTANTS.filter(({ name }) => only.some((word) => name.includes(word))).map((mutant) => ({
  ...mutant,
  tests: mutant.tests ?? testsBeside(mutant.file),
}));
if (wanted.length === 0) process.exit(wrongUsage(`no mutant is called like ${only.join(' or ')}`, USAGE));
/** What tells most about the whole, besides the nearest folder. */
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
