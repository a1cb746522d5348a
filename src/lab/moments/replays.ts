/**
 * Replays of a run: its cluster at any of its steps, and other runs that go on from its moments. A fork lives in the world of its run: their
 * moments are one tree.
 */
import { bisect } from '../../schema/values/index.ts';
import { repeatsEntries, unasked } from '../fork/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { Replay, Run, SimulateOptions } from '../simulation/index.ts';
import { stageMoments, type Moment, type MomentRun } from './run.ts';

/** The number of events whose moments are kept, of a run and its forks together. Each has 3 KB of writes. */
const MOST_MOMENTS = 60_000;

/** A run that can be asked for any of its steps, and continued from there as another one. */
export interface Replays {
  /** Returns the cluster of the run at a step, or at its end: see `Replay`. Only a step that is long past is run to again. */
  at(step: number): Pick<Replay, 'cluster' | 'step'>;
  /**
   * Runs another scenario whose steps are the same up to a moment, from there on: the result is that of the whole run. undefined: it cannot
   * go on there, because a step that takes its time is under way, or the moment is forgotten.
   */
  continueAs(next: Scenario, since: { readonly at: number; readonly revision?: number }): Continued | undefined;
}

/** A run that went on from a moment of another one, and its replays. Its cluster is wherever one of the two was last asked for. */
export interface Continued {
  readonly run: Run;
  readonly replays: Replays;
}

interface Kept {
  readonly moment: Moment;
  readonly step: number;
  readonly at: number;
  readonly revision: number;
}

/** The moments of one run, from the first that is kept. A fork has those of its run up to where they part. */
interface Line {
  readonly world: LivingWorld;
  moments: Kept[];
  /** Its moments are forgotten. */
  isLost: boolean;
}

/** A run with the lines of its moments: its own, and those of its forks. */
interface LivingWorld {
  readonly run: MomentRun;
  /** The number of moments that are kept. */
  readonly most: number;
  lines: Line[];
  /** The number of moments in all lines. */
  kept: number;
}

export interface ReplayOptions extends Pick<SimulateOptions, 'trace'> {
  /** The number of events whose moments are kept. */
  readonly most?: number;
}

/** Returns the replays of a run. */
export function replayMoments(scenario: Scenario, seed: number, { trace = false, most = MOST_MOMENTS }: ReplayOptions = {}): Replays {
  const begin = (each: Scenario): Line => beginLine(stageMoments(each, { trace, seed }), most);
  if (repeatsEntries(scenario)) return replaysFrom(unasked(scenario), begin);
  const forks: { of?: Replays } = {};
  return {
    at: replaysFrom(scenario, begin).at,
    continueAs: (next, since) => (forks.of ??= replaysFrom(unasked(scenario), begin)).continueAs(next, since),
  };
}

/** `known`: the line of a fork that has gone on from its run. */
function replaysFrom(scenario: Scenario, begin: (scenario: Scenario) => Line, known?: Line): Replays {
  let line = known;
  /** The line if it is kept from a step on; otherwise it begins again. */
  const lineSince = (step: number): Line => {
    if (line !== undefined && !line.isLost && (line.moments[0]?.step ?? 0) <= step) return line;
    line?.world.run.leave();
    return (line = begin(scenario));
  };
  return {
    at(step) {
      const of = lineSince(step);
      const { run } = of.world;
      enter(of, of.moments[bisect(of.moments, (kept) => kept.step < step)]);
      while (run.entries() < step && advance(of));
      return { cluster: run.cluster, step: run.entries() };
    },
    continueAs(next, { at, revision = Infinity }) {
      const isBefore = (kept: Kept | undefined): boolean => kept !== undefined && kept.at <= at && kept.revision < revision;
      const of = lineSince(Infinity);
      // What is forgotten is not noted again for this: the whole run takes less.
      if (!isBefore(of.moments[0])) return undefined;
      enter(of);
      while (isBefore(of.moments.at(-1)) && advance(of));
      const { run } = of.world;
      for (let place = bisect(of.moments, isBefore) - 1; place >= 0; place--) {
        enter(of, of.moments[place]);
        if (!run.continueAs(next)) continue;
        const fork = { world: of.world, moments: [...of.moments.slice(0, place + 1), keep(run)], isLost: false };
        of.world.lines.push(fork);
        return { run: unchanging(run.finish()), replays: replaysFrom(next, begin, fork) };
      }
      return undefined;
    },
  };
}

function beginLine(run: MomentRun, most: number): Line {
  const line: Line = { world: { run, most, lines: [], kept: 1 }, moments: [keep(run)], isLost: false };
  line.world.lines.push(line);
  return line;
}

const keep = (run: MomentRun): Kept => ({
  moment: run.here(),
  step: run.entries(),
  at: run.cluster.now,
  revision: run.cluster.store.revision,
});

/** Goes to a moment that is known, or to the last one. */
function enter({ world: { run }, moments }: Line, known = moments.at(-1)): void {
  run.enter();
  if (known !== undefined) run.go(known.moment);
}

/** Takes the next event, behind the last moment; false: the run has ended. */
function advance(line: Line): boolean {
  const { world, moments } = line;
  if (!world.run.advance()) return false;
  moments.push(keep(world.run));
  if (++world.kept > world.most) forgetBut(line);
  return true;
}

/** Keeps the later moments of one line alone: paths between lines may lead through earlier ones. */
function forgetBut(line: Line): void {
  const { world } = line;
  for (const each of world.lines) each.isLost = each !== line;
  world.lines = [line];
  line.moments = line.moments.slice(-Math.ceil(world.most / 2));
  world.kept = line.moments.length;
  const [first] = line.moments;
  if (first !== undefined) world.run.forgetBefore(first.moment);
}

/** A result with its own records: those of the run change when it goes elsewhere, also entries that were completed after they were made. */
function unchanging({ scenario, cluster, trace, ...run }: Run): Run {
  return { ...unchangingData(run), scenario, cluster, ...(trace === undefined ? {} : { trace: unchangingData(trace) }) };
}

/** A copy of plain data; frozen records are shared. */
function unchangingData<T>(value: T): T;
function unchangingData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => unchangingData(each));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unchangingData(inner)]));
}
