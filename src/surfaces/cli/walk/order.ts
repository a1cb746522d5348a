/** Pending events of a walk, and forks that change their order: `waiting`, `fork first 2`, `fork later 2 10s`. */
import { expectedDuration, formatDurationMs, parseDurationMs } from '../../../schema/values/index.ts';
import type { ForkAction } from '../../../lab/fork/index.ts';
import { waitingAt, type Waiting } from '../../../lab/order/index.ts';
import { table } from '../../report/index.ts';
import { BadInput } from '../exit.ts';
import { type Session, here, type Walk } from './session.ts';

/** The default delay, in milliseconds. */
const LATER_MS = 5_000;

function waitingHere({ scenario, history: { seed, plugins }, moment }: Session): readonly Waiting[] {
  if (scenario === undefined) throw new BadInput('waiting: a saved trace does not say what was pending; walk the scenario itself');
  return waitingAt(scenario, seed, moment.step, plugins.definitions);
}

export function waiting(walk: Walk): readonly string[] {
  const session = here(walk);
  const { palette } = walk;
  const all = waitingHere(session);
  if (all.length === 0) return [`  ${palette.dim('nothing is pending but renewals of leases')}`];
  const rows = all.map(({ at, what, first, because = '' }, index) => [
    `  ${palette.strong(String(index + 1))}`,
    at <= session.moment.at ? 'now' : `+${formatDurationMs(at - session.moment.at)}`,
    what,
    palette.dim(first === undefined ? `cannot go first: ${because}` : ''),
  ]);
  return [...table(rows), ...hint(all).map((line) => `  ${palette.dim(line)}`)];
}

function hint(all: readonly Waiting[]): readonly string[] {
  const [first, later] = [all.findIndex((each) => (each.first?.length ?? 0) > 0), all.findIndex((each) => each.later !== undefined)];
  return [
    ...(first < 0 ? [] : [`fork first ${first + 1} lets number ${first + 1} go first`]),
    ...(later < 0 ? [] : [`fork later ${later + 1} 10s holds number ${later + 1}`]),
  ];
}

/** Parses `first 2` and `later 2 10s`. Returns the choices and their description; undefined: it is another kind of fork. */
export function readOrder(walk: Walk, rest: string): { readonly injectedFault: ForkAction; readonly said: string } | undefined {
  const [word, number = '', duration, over] = rest.split(/\s+/);
  if (word !== 'first' && word !== 'later') return undefined;
  const extra = word === 'first' ? duration : over;
  if (extra !== undefined)
    throw new BadInput(`fork ${word}: takes ${word === 'first' ? 'NUMBER' : 'NUMBER [5s]'}, found ${JSON.stringify(extra)}`);
  const all = waitingHere(here(walk));
  const one = /^\d+$/.test(number) ? all[Number(number) - 1] : undefined;
  if (one === undefined)
    throw new BadInput(
      all.length === 0
        ? `fork ${word}: nothing is pending here but renewals of leases`
        : `fork ${word}: expected a number from 1 to ${all.length}, as waiting lists them, found ${JSON.stringify(number)}`,
    );
  if (word === 'first') {
    if (one.first === undefined) throw new BadInput(`fork first: ${one.what} cannot go first: ${one.because ?? ''}`);
    if (one.first.length === 0) throw new BadInput(`fork first: ${one.what} goes first by itself`);
    return { injectedFault: { choices: one.first }, said: `${one.what} first` };
  }
  const ms = duration === undefined ? LATER_MS : (parseDurationMs(duration).value ?? 0);
  if (ms <= 0)
    throw new BadInput(
      `fork later: expected ${expectedDuration(duration ?? '', 'a duration such as 10s')}, found ${JSON.stringify(duration)}`,
    );
  if (one.later === undefined) throw new BadInput(`fork later: it cannot be delayed: ${one.what}`);
  return { injectedFault: { choices: one.later(ms) }, said: `${one.what} ${formatDurationMs(ms)} later` };
}
