/**
 * `npm run bench -- [--only NAME[,NAME]] [--all] [--quick] [--json]`: prints the table of figures with their limits, and with `--all` (or
 * by name) the benchmarks that break them down. Exit 1 when an exact figure or a benchmark exceeds its limit, 130 after an interruption,
 * with the measurements until then.
 */
import { didYouMean } from '../src/schema/values/index.ts';
import { readOptions, wrongUsage } from './arguments.ts';
import { held, type Benchmark, type Result, type Scale, type Skipped } from './benchmark.ts';
import { figureLine, isHeld, figureGroups, type Figure } from './figures/index.ts';
import { benchmarks } from './registry.ts';
import { resultLines, summaryLine } from './table.ts';

const USAGE = `usage: npm run bench -- [--only NAME[,NAME]] [--all] [--quick] [--json]
  --only   figures and benchmarks of these names (default: the figures with limits)
${[...figureGroups, ...benchmarks].map(({ name, asks }) => `             ${name.padEnd(18)} ${asks}`).join('\n')}
  --all    the benchmarks too
  --quick  once, and a tenth of the size
  --json   for other programs`;

interface Finding {
  readonly benchmark: Benchmark;
  readonly result: Result | Skipped;
}

async function main(args: readonly string[]): Promise<number> {
  const wishes = wishesOf(args);
  if (typeof wishes === 'number') return wishes;
  const { names, all, quick, json } = wishes;
  const scale: Scale = { quick, size: (full) => (quick ? Math.ceil(full / 10) : full), rounds: quick ? 1 : 3 };
  const figures: Figure[] = [];
  for (const { name, measure } of figureGroups) {
    if (names.length > 0 && !names.includes(name)) continue;
    const measured = await unlessInterrupted(() => measure(scale));
    if (measured === undefined) break;
    for (const figure of measured) {
      figures.push(figure);
      if (!json) say(figureLine(figure));
    }
  }
  if (!json && figures.length > 0) say(`${figures.filter(isHeld).length} of ${figures.length} limits held`);
  const findings: Finding[] = [];
  for (const benchmark of benchmarks) {
    if (names.length > 0 ? !names.includes(benchmark.name) : !all) continue;
    const result = await unlessInterrupted(() => benchmark.run(scale));
    if (result === undefined) break;
    findings.push({ benchmark, result });
    if (!json) say(resultLines(benchmark, result).join('\n'));
  }
  const broken = findings.filter(({ result }) => 'rows' in result && held(result) === false).map(({ benchmark: { name } }) => name);
  if (json)
    say(
      JSON.stringify(
        {
          quick,
          ...(interruption.received ? { interrupted: true } : {}),
          node: process.version,
          broken,
          owed: figures.map((figure) => ({ ...figure, held: isHeld(figure) })),
          benchmarks: findings.map(({ benchmark: { name, asks }, result }) => ({
            name,
            asks,
            ...result,
            ...('rows' in result ? { held: held(result) } : {}),
          })),
        },
        null,
        2,
      ),
    );
  else if (findings.length > 0)
    say(
      summaryLine(
        findings.map(({ result }) => result),
        broken,
      ),
    );
  if (interruption.received) {
    complain('interrupted: the figures above are those that were measured');
    return INTERRUPTED;
  }
  return broken.length > 0 || figures.some((figure) => figure.exact === true && !isHeld(figure)) ? 1 : 0;
}

/** The exit code after Ctrl-C. */
const INTERRUPTED = 130;
const interruption = { received: false };
process.once('SIGINT', () => {
  // The next interruption ends the process at once.
  interruption.received = true;
});

/** Returns a measurement; undefined when it was interrupted before or during it, which ends its processes. */
async function unlessInterrupted<T>(measure: () => T | Promise<T>): Promise<T | undefined> {
  await new Promise((done) => setImmediate(done));
  if (interruption.received) return undefined;
  try {
    return await measure();
  } catch (error) {
    await new Promise((done) => setImmediate(done));
    if (interruption.received) return undefined;
    throw error;
  }
}

/** Returns what to measure and how, or the exit code when there is nothing to do. */
function wishesOf(
  args: readonly string[],
): { readonly names: readonly string[]; readonly all: boolean; readonly quick: boolean; readonly json: boolean } | number {
  const flag = { type: 'boolean' } as const;
  const values = readOptions(args, { only: { type: 'string', multiple: true }, all: flag, quick: flag, json: flag }, USAGE);
  if (typeof values === 'number') return values;
  const { only = [], all = false, quick = false, json = false } = values;
  const names = only.flatMap((each) => each.split(','));
  const known = [...figureGroups, ...benchmarks].map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return { names, all, quick, json };
  return wrongUsage(unknown.map((name) => `there is no ${name}${didYouMean(name, known)}`).join('\n'), USAGE);
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const complain = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

process.exitCode = await main(process.argv.slice(2));
