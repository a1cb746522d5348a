/**
 * `npm run bench -- [--only NAME[,NAME]] [--all] [--quick] [--json]`: prints the table of what we owe, each figure of today beside its
 * limit, and with `--all` (or by name) the benchmarks that show where it goes. Exit 1 when an exact figure or a benchmark's limit is not
 * held, 130 when it was interrupted: what was measured until then is told.
 */
import { held, type Benchmark, type Result, type Scale, type Skipped } from './benchmark.ts';
import { figureLine, isHeld, owed, type Figure } from './owed/index.ts';
import { benchmarks } from './registry.ts';
import { resultLines, summaryLine } from './table.ts';

interface Finding {
  readonly benchmark: Benchmark;
  readonly result: Result | Skipped;
}

async function main(args: readonly string[]): Promise<number> {
  const { names, all, quick, json } = readArguments(args);
  if (names === undefined) return 2;
  const scale: Scale = { quick, size: (full) => (quick ? Math.ceil(full / 10) : full), rounds: quick ? 1 : 3 };
  const figures: Figure[] = [];
  for (const { name, measure } of owed) {
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
          ...(interruption.heard ? { interrupted: true } : {}),
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
  if (interruption.heard) {
    complain('interrupted: the figures above are those that were measured');
    return INTERRUPTED;
  }
  return broken.length > 0 || figures.some((figure) => figure.exact === true && !isHeld(figure)) ? 1 : 0;
}

/** The exit code of what Ctrl-C ended. */
const INTERRUPTED = 130;
const interruption = { heard: false };
process.once('SIGINT', () => {
  // The next one ends the process at once.
  interruption.heard = true;
});

/** What was measured; undefined when somebody interrupted before it was, or while it was, so that its processes ended. */
async function unlessInterrupted<T>(measure: () => T | Promise<T>): Promise<T | undefined> {
  await new Promise((done) => setImmediate(done));
  if (interruption.heard) return undefined;
  try {
    return await measure();
  } catch (error) {
    await new Promise((done) => setImmediate(done));
    if (interruption.heard) return undefined;
    throw error;
  }
}

function readArguments(args: readonly string[]): {
  readonly names: readonly string[] | undefined;
  readonly all: boolean;
  readonly quick: boolean;
  readonly json: boolean;
} {
  const names: string[] = [];
  let all = false;
  let quick = false;
  let json = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--all') all = true;
    else if (word === '--quick') quick = true;
    else if (word === '--json') json = true;
    else if (word === '--only') names.push(...(args[++at] ?? '').split(','));
    else {
      complain(`bench: unknown option ${JSON.stringify(word)}; there are --only NAME[,NAME], --all, --quick and --json`);
      return { names: undefined, all, quick, json };
    }
  }
  const known = [...owed, ...benchmarks];
  const unknown = names.filter((name) => known.every((one) => one.name !== name));
  if (unknown.length === 0) return { names, all, quick, json };
  complain(
    `bench: there is no ${unknown.join(', ')}; there are:\n${known.map(({ name, asks }) => `  ${name.padEnd(18)} ${asks}`).join('\n')}`,
  );
  return { names: undefined, all, quick, json };
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const complain = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

process.exitCode = await main(process.argv.slice(2));
