/**
 * `npm run mutants [-- --count 100] [--seed N] [--under src/lab/]`: draws mutants of the sources at random, plants each in a copy, and asks
 * the tests of the nearest folder. Prints the seed, each verdict, and how many were killed. Exit 1 where fewer than nine of ten were.
 */
import { readFileSync } from 'node:fs';
import { readOptions } from '../../bench/arguments.ts';
import { testsBeside } from './beside.ts';
import { drawn } from './draw.ts';
import { described } from './mutant.ts';
import { field } from './plant.ts';
import { exitCodeOf, reported, summary, type Verdict } from './verdict.ts';

/** At least so many of a hundred mutants must be killed. */
const PERCENT = 90;
const USAGE = `usage: npm run mutants -- [--count N] [--seed N] [--under PATH] [--list]
  --count  how many mutants are drawn (25)
  --seed   draws the same mutants again (otherwise another one each time)
  --under  of files whose paths begin so (src/)
  --list   prints them and their tests, and runs nothing`;

const asked = readOptions(
  process.argv.slice(2),
  { count: { type: 'string' }, seed: { type: 'string' }, under: { type: 'string' }, list: { type: 'boolean' } },
  USAGE,
);
if (typeof asked === 'number') process.exit(asked);
const draw = { count: Number(asked.count ?? 25), seed: Number(asked.seed ?? Date.now() % 1_000_000), under: asked.under ?? 'src/' };
const again = draw.under === 'src/' ? '' : ` --under ${draw.under}`;
console.log(`seed ${draw.seed}: npm run mutants -- --count ${draw.count} --seed ${draw.seed}${again}`);

const mutants = await drawn(draw);
// The tests are listed before the copy is made, because a developer may move them meanwhile.
const beside = testsBeside();
const wanted = mutants.map((mutant) => ({ mutant, tests: beside(mutant.file) }));
if (asked.list === true) for (const { mutant, tests } of wanted) console.log(described(mutant, readFileSync(mutant.file, 'utf8')), tests);
else process.exitCode = await judge();

async function judge(): Promise<number> {
  const copy = field(() => Number(process.hrtime.bigint() / 1_000_000n));
  const verdicts: Verdict[] = [];
  try {
    for (const { mutant, tests } of wanted) {
      const verdict = await copy.try(mutant, tests);
      verdicts.push(verdict);
      console.log(reported(verdict));
    }
  } finally {
    copy.remove();
  }
  console.log(`\n${summary(verdicts).join('\n')}\nby the tests of the nearest folder; seed ${draw.seed}`);
  return exitCodeOf(verdicts, PERCENT);
}
