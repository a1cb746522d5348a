/** `check-determinism PATH…`: runs the same seed three times, once in a fresh process, and prints the first entry that differs. */
import { formatChange } from '../../../lab/trace/index.ts';
import { count, type Palette } from '../../report/index.ts';
import { defineCommand } from '../command.ts';
import { checkDeterminism, tracing, type Determinism, freshTrace } from '../determinism.ts';
import { EXIT } from '../exit.ts';
import { fitted, jsonText } from '../io.ts';
import { chosenOf, CHOICE } from '../choose.ts';
import { loadScenarios, underRules } from '../load.ts';
import { readRules, readSeed, RULES, AS_JSON, SCENARIO_PATHS } from '../options.ts';
import { progressOn } from '../run/progress.ts';

export const command = defineCommand({
  arguments: [['<path...>', SCENARIO_PATHS]],
  options: [['--seed <n>', "instead of the scenarios' own"], ...CHOICE, RULES, AS_JSON],
  async act({ io }, options, paths) {
    const seed = options.seed === undefined ? {} : { seed: readSeed(options.seed) };
    const rules = readRules(options.rules);
    const results: Determinism[] = [];
    // Read once, and given to the fresh process too.
    const input = paths.includes('-') ? io.stdin?.() : undefined;
    const place = input === undefined ? io : { ...io, stdin: () => input };
    for (const one of chosenOf(loadScenarios(paths, place), options)) {
      const result = await checkDeterminism(underRules(one, rules), {
        ...seed,
        runOnce: tracing(progressOn(io)),
        fresh: (loaded, used) => freshTrace(loaded, used, io.cwd, input),
      });
      results.push(result);
      if (!options.json) io.out(fitted(determinismLines(result, io.palette), io));
    }
    if (options.json) io.out(jsonText(results));
    return results.some(({ difference }) => difference !== undefined) ? EXIT.nondeterministic : EXIT.held;
  },
});

export function determinismLines({ scenario, seed, digest, entries, difference }: Determinism, palette: Palette): readonly string[] {
  if (difference === undefined)
    return [
      `${palette.good('✓')} ${palette.strong(scenario)}  three runs of seed ${seed} are the same in ${count(entries, 'entry', 'entries')}, digest ${digest}`,
    ];
  const { between, step, time, first, second, changes } = difference;
  return [
    `${palette.bad('✗')} ${palette.strong(scenario)}  seed ${seed}: ${between} differ, first at ${time}, ${step > 0 ? `step #${step}` : `${count(1 - step, 'entry', 'entries')} before the start`}`,
    `    one:   ${first ?? 'it had ended'}`,
    `    other: ${second ?? 'it had ended'}`,
    ...changes.map((change) => `      ${formatChange(change)}`),
    "    likely causes: the host's clock or chance (Date, Math.random), the order of object keys or of a sort without comparator,",
    '    state kept between runs in a module, floating point beyond + - * /',
  ];
}
