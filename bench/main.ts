/**
 * `npm run bench -- [--only NAME[,NAME]] [--quick] [--json]`: runs the benchmarks one after another, prints a table; exit 1 when a limit is
 * broken.
 */
import { held, type Benchmark, type Result, type Scale, type Skipped } from './benchmark.ts';
import { benchmarks } from './registry.ts';
import { resultLines, summaryLine } from './table.ts';

interface Finding {
  readonly benchmark: Benchmark;
  readonly result: Result | Skipped;
}

async function main(args: readonly string[]): Promise<number> {
  const { names, quick, json } = readArguments(args);
  if (names === undefined) return 2;
  const scale: Scale = { quick, size: (full) => (quick ? Math.ceil(full / 10) : full), rounds: quick ? 1 : 3 };
  const findings: Finding[] = [];
  for (const benchmark of benchmarks) {
    if (names.length > 0 && !names.includes(benchmark.name)) continue;
    const result = await benchmark.run(scale);
    findings.push({ benchmark, result });
    if (!json) say(resultLines(benchmark, result).join('\n'));
  }
  const broken = findings.filter(({ result }) => 'rows' in result && held(result) === false).map(({ benchmark: { name } }) => name);
  if (json)
    say(
      JSON.stringify(
        {
          quick,
          node: process.version,
          broken,
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
  else
    say(
      summaryLine(
        findings.map(({ result }) => result),
        broken,
      ),
    );
  return broken.length > 0 ? 1 : 0;
}

function readArguments(args: readonly string[]): {
  readonly names: readonly string[] | undefined;
  readonly quick: boolean;
  readonly json: boolean;
} {
  const names: string[] = [];
  let quick = false;
  let json = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--quick') quick = true;
    else if (word === '--json') json = true;
    else if (word === '--only') names.push(...(args[++at] ?? '').split(','));
    else {
      complain(`bench: unknown option ${JSON.stringify(word)}; there are --only NAME[,NAME], --quick and --json`);
      return { names: undefined, quick, json };
    }
  }
  const unknown = names.filter((name) => benchmarks.every((benchmark) => benchmark.name !== name));
  if (unknown.length === 0) return { names, quick, json };
  complain(
    `bench: there is no ${unknown.join(', ')}; there are:\n${benchmarks.map(({ name, asks }) => `  ${name.padEnd(18)} ${asks}`).join('\n')}`,
  );
  return { names: undefined, quick, json };
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const complain = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

process.exitCode = await main(process.argv.slice(2));
