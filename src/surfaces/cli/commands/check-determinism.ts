/**
 * `check-determinism PATH…`: runs the same seed twice in this process and once in a fresh one, and prints the first entry that differs,
 * with both values.
 */
import { formatChange } from '../../../lab/trace/index.ts';
import { count, type Palette } from '../../report/index.ts';
import type { CommandModule } from '../command.ts';
import { checkDeterminism, tracing, type Determinism, freshTrace } from '../determinism.ts';
import { EXIT } from '../exit.ts';
import { fitted } from '../io.ts';
import { chosenOf, GREP_TEXT, SCENARIO_TEXT } from '../choose.ts';
import { loadScenarios, underRules } from '../load.ts';
import { readRules, readSeed, RULES_TEXT } from '../options.ts';
import { progressOn } from '../run/progress.ts';

interface Options {
  readonly seed?: string;
  readonly scenario?: string;
  readonly grep?: string;
  readonly rules?: string;
  readonly json?: boolean;
}

export const determinism: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('<path...>', "scenario files, folders, or patterns such as 'scenarios/*/0*.yaml'")
      .option('--seed <n>', "instead of the scenarios' own")
      .option('--scenario <name>', SCENARIO_TEXT)
      .option('--grep <text>', GREP_TEXT)
      .option('--rules <mode>', RULES_TEXT)
      .option('--json', 'as JSON')
      .action(
        action(async (paths: string[], options: Options) => {
          const seed = options.seed === undefined ? {} : { seed: readSeed(options.seed) };
          const rules = readRules(options.rules);
          const results: Determinism[] = [];
          // Read once, and given to the fresh process too.
          const input = paths.includes('-') ? io.stdin?.() : undefined;
          const place = input === undefined ? io : { ...io, stdin: () => input };
          for (const one of chosenOf(loadScenarios(paths, place), options)) {
            const loaded = underRules(one, rules);
            const result = await checkDeterminism(loaded, {
              ...seed,
              runOnce: tracing(progressOn(io)),
              fresh: (loaded, used) => freshTrace(loaded, used, io.cwd, input),
            });
            results.push(result);
            if (options.json !== true) io.out(fitted(determinismLines(result, io.palette), io));
          }
          if (options.json === true) io.out(`${JSON.stringify(results, null, 2)}\n`);
          return results.some(({ difference }) => difference !== undefined) ? EXIT.nondeterministic : EXIT.held;
        }),
      );
  },
};

/** The result of a check as lines: equal, or the first difference with likely causes. */
export function determinismLines({ scenario, seed, digest, entries, difference }: Determinism, palette: Palette): readonly string[] {
  if (difference === undefined)
    return [
      `${palette.good('✓')} ${palette.strong(scenario)}  three runs of seed ${seed} are the same in ${count(entries, 'entry', 'entries')}, digest ${digest}`,
    ];
  const { between, step, time, first, second, changes } = difference;
  return [
    `${palette.bad('✗')} ${palette.strong(scenario)}  seed ${seed}: ${between} differ, first at ${time}, ${step > 0 ? `step #${step}` : `${1 - step} entries before the start`}`,
    `    one:   ${first ?? 'it had ended'}`,
    `    other: ${second ?? 'it had ended'}`,
    ...changes.map((change) => `      ${formatChange(change)}`),
    "    likely causes: the host's clock or chance (Date, Math.random), the order of object keys or of a sort without comparator,",
    '    state kept between runs in a module, floating point beyond + - * /',
  ];
}
