/** Makes the second run: a fork of the last one, or the same scenario with another seed or a changed gate. */
import { forkAt, readForkStep, type Fork } from '../../../lab/fork/index.ts';
import type { Replays } from '../../../lab/moments/index.ts';
import { formatScenario, itemsOf, type Scenario } from '../../../lab/scenario/index.ts';
import { checksOf, simulate, type Run } from '../../../lab/simulation/index.ts';
import { formatSince, type Trace } from '../../../lab/trace/index.ts';
import { vocabulary } from '../../../lab/vocabulary.ts';
import { present } from '../../../schema/values/index.ts';
import type { Second } from '../protocol.ts';

/**
 * Runs the second scenario: with `replays` of the run from where they part. Problems are lines. `text`: the scenario as a file;
 * `lintWarnings`: choices that had no effect.
 */
export function runBeside(run: Run, trace: Trace, how: Second, replays: Replays | undefined) {
  const made = scenarioFor(run, trace, how);
  if ('problems' in made) return made;
  const { scenario, said, comment, shows, breaks, showsAtMs, since } = made;
  const second =
    (since === undefined ? undefined : replays?.continueAs(scenario, since)?.run) ??
    simulate(scenario, { trace: true, tries: false, seed: how.is === 'seed' ? how.seed : run.seed });
  if (second.trace === undefined) return { problems: ['the run kept no trace'] };
  const lintWarnings = second.unused.map(({ at }) => `not reached: the run has no point ${at}`);
  if (lintWarnings.length > 0 && second.taken.length === 0) return { problems: lintWarnings };
  // Its scenario has the checks of the suggestion, so a sentence that is not true is not shown.
  const isTrue = breaks === undefined ? second.verdict === 'held' : second.failures.some(({ invariant }) => invariant === breaks);
  const checked = shows === undefined || !isTrue ? {} : { shows, ...(showsAtMs === undefined ? {} : { showsAtMs }) };
  return {
    run: second,
    trace: second.trace,
    said,
    lintWarnings,
    ...checked,
    text: formatScenario(scenario, { faults: vocabulary().faults, comment }),
  };
}

interface Made extends Pick<Fork, 'since'> {
  /** What it shows, in a sentence that the second run checks, and when, in milliseconds since the start; absent: at its end. */
  readonly shows?: string;
  readonly showsAtMs?: number;
  /** The invariant that the fork is to break. */
  readonly breaks?: string;
  readonly scenario: Scenario;
  readonly said: string;
  readonly comment: string;
}

function scenarioFor(
  { scenario, narrationSteps, cluster }: Run,
  trace: Trace,
  how: Second,
): Made | { readonly problems: readonly string[] } {
  if (how.is === 'recording') return { problems: [`the recording ${how.said} is not in this page: a link cannot contain it`] };
  if (how.is === 'seed') return { scenario, said: `seed ${how.seed}`, comment: `${scenario.name} under seed ${how.seed}` };
  if (how.is === 'gate') {
    const said = `${how.gate} ${how.on ? 'on' : 'off'}`;
    return {
      scenario: { ...scenario, featureGates: { ...scenario.featureGates, [how.gate]: how.on } },
      said,
      comment: `${scenario.name} with ${said}`,
    };
  }
  const { injectedFault, said } = how;
  if ('try' in injectedFault) {
    const [taken, at] = injectedFault.try;
    const offered = itemsOf(scenario.steps).find((item) => item.taken === taken)?.step.tries?.[at];
    const narrationStep = narrationSteps.findLast((each) => each.taken === taken);
    if (offered === undefined || narrationStep === undefined) return { problems: ['the lesson has no such what-if here'] };
    const moment = { step: narrationStep.traceStep, at: trace.startAt + narrationStep.sinceStartMs };
    const fork = forkAt(
      scenario,
      trace,
      moment,
      { step: { ...offered.action, timing: { when: 'next' } } },
      { name: forkName(scenario), said, checks: checksOf(scenario, offered) },
    );
    const { shows, breaks, afterMs } = offered;
    const showsAtMs = afterMs === undefined ? undefined : fork.sinceMs + afterMs;
    return { ...madeOf(fork, scenario, said), ...present({ shows, breaks, showsAtMs }) };
  }
  const read = readForkStep(injectedFault.typed, undefined, cluster.kinds);
  if ('problems' in read) return read;
  const moment = 'step' in read ? momentOf(trace, how.step) : { step: how.step, at: instantOf(trace, how.step) };
  return madeOf(
    forkAt(scenario, trace, moment, read, { name: forkName(scenario), said, rightAfter: true, keepLater: true }),
    scenario,
    said,
  );
}

const madeOf = ({ scenario, sinceMs, since }: Fork, { name }: Scenario, said: string): Made => ({
  scenario,
  said,
  comment: `Forked from ${name} at ${formatSince(sinceMs)}: ${said}`,
  ...present({ since }),
});

const forkName = ({ name }: Scenario): string => `${name}-fork`;

const instantOf = ({ entries, startAt }: Trace, step: number): number => entries[step - 1]?.at ?? startAt;

/** After the last write of the instant; without one, after its last entry. */
function momentOf(trace: Trace, step: number): { readonly step: number; readonly at: number } {
  const { entries } = trace;
  const at = instantOf(trace, step);
  for (let each = step; each > 0 && entries[each - 1]?.at === at; each--)
    if (entries[each - 1]?.type === 'write') return { step: each, at };
  return { step, at };
}
