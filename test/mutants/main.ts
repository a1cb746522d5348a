/**
 * `npm run mutants [-- --only WORD] [--everywhere]`: plants each mutant of the catalogue in a copy and runs the tests of the nearest folder; says which
 * of them noticed, and how long it took. `--everywhere` asks the rest of the tests about those that survive. Exit 1 where one survives that is not called equivalent.
 */
import { parseArgs } from 'node:util';
import pc from 'picocolors';
import { MUTANTS } from './catalogue/index.ts';
import type { Mutant } from './mutant.ts';
import { field, testsBeside, type Verdict } from './plant.ts';

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, everywhere: { type: 'boolean' } } });
const { only = [''], everywhere = false } = values;
const wanted = MUTANTS.filter(({ name }) => only.some((word) => name.includes(word)));
if (wanted.length === 0) {
  console.error(
    `no mutant is called like ${only.join(' or ')}; rooms are ${[...new Set(MUTANTS.map(({ name }) => name.split('/')[0]))].join(', ')}`,
  );
  process.exit(2);
}
/** What tells most about the whole, besides the nearest folder. */
const EVERYWHERE = ['test/controlplane/', 'test/apiserver/', 'test/engine/', 'test/lab/', 'test/golden.test.ts'];
const now = (): number => Number(process.hrtime.bigint() / 1_000_000n);
const copy = field();
const verdicts: Verdict[] = [];
try {
  for (const mutant of wanted) {
    const verdict = await ask(mutant);
    verdicts.push(verdict);
    const { killedBy, seconds } = verdict;
    const word = killedBy !== undefined ? pc.green('killed  ') : mutant.equivalent === undefined ? pc.red('survived') : pc.dim('the same');
    console.log(`${word} ${mutant.name.padEnd(44)} ${seconds.toFixed(1).padStart(5)} s  ${killedBy ?? mutant.equivalent ?? mutant.file}`);
  }
} finally {
  copy.remove();
}

const judged = verdicts.filter(({ mutant }) => mutant.equivalent === undefined);
const alive = judged.filter(({ killedBy }) => killedBy === undefined);
const killed = judged.length - alive.length;
console.log(
  `\n${killed} of ${judged.length} killed (${((100 * killed) / Math.max(1, judged.length)).toFixed(0)} %)${everywhere ? '' : ' by the tests of the nearest folder'}; ${verdicts.length - judged.length} do what the original does`,
);
if (alive.length > 0) process.exitCode = 1;

async function ask(mutant: Mutant): Promise<Verdict> {
  const near = await copy.try(mutant, mutant.tests ?? testsBeside(mutant.file), now);
  if (near.killedBy !== undefined || !everywhere || mutant.equivalent !== undefined) return near;
  const far = await copy.try(mutant, EVERYWHERE, now);
  return { ...far, seconds: near.seconds + far.seconds, killedBy: far.killedBy === undefined ? undefined : `(not nearby) ${far.killedBy}` };
}
