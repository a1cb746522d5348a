/**
 * Replays of a run: its cluster at any of its steps, and other runs that go on from its moments. The moments of a run and of its forks are one
 * tree.
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
interface Branch {
  readonly tree: RunTree;
  moments: Kept[];
  /** Its moments are forgotten. */
  isForgotten: boolean;
}

/** A run with the branches of its moments: its own, and those of its forks. */
interface RunTree {
  readonly run: MomentRun;
  /** The number of moments that are kept. */
  readonly most: number;
  branches: Branch[];
  /** The number of moments in all branches. */
  kept: number;
}

export interface ReplayOptions extends Pick<SimulateOptions, 'trace'> {
  /** The number of events whose moments are kept. */
  readonly most?: number;
}

export function replayMoments(scenario: Scenario, seed: number, { trace = false, most = MOST_MOMENTS }: ReplayOptions = {}): Replays {
  const begin = (each: Scenario): Branch => beginBranch(stageMoments(each, { trace, seed }), most);
  if (repeatsEntries(scenario)) return replaysFrom(unasked(scenario), begin);
  const forks: { of?: Replays } = {};
  return {
    at: replaysFrom(scenario, begin).at,
    continueAs: (next, since) => (forks.of ??= replaysFrom(unasked(scenario), begin)).continueAs(next, since),
  };
}

/** `known`: the branch of a fork that has gone on from its run. */
function replaysFrom(scenario: Scenario, begin: (scenario: Scenario) => Branch, known?: Branch): Replays {
  let branch = known;
  /** The branch if it is kept from a step on; otherwise it begins again. */
  const branchSince = (step: number): Branch => {
    if (branch !== undefined && !branch.isForgotten && (branch.moments[0]?.step ?? 0) <= step) return branch;
    branch?.tree.run.leave();
    return (branch = begin(scenario));
  };
  return {
    at(step) {
      const of = branchSince(step);
      const { run } = of.tree;
      enter(of, of.moments[bisect(of.moments, (kept) => kept.step < step)]);
      while (run.entries() < step && advance(of));
      return { cluster: run.cluster, step: run.entries() };
    },
    continueAs(next, { at, revision = Infinity }) {
      const isBefore = (kept: Kept | undefined): boolean => kept !== undefined && kept.at <= at && kept.revision < revision;
      const of = branchSince(Infinity);
      // What is forgotten is not noted again for this: the whole run takes less.
      if (!isBefore(of.moments[0])) return undefined;
      enter(of);
      while (isBefore(of.moments.at(-1)) && advance(of));
      const { run } = of.tree;
      for (let place = bisect(of.moments, isBefore) - 1; place >= 0; place--) {
        enter(of, of.moments[place]);
        if (!run.continueAs(next)) continue;
        const fork = { tree: of.tree, moments: [...of.moments.slice(0, place + 1), keep(run)], isForgotten: false };
        of.tree.branches.push(fork);
        return { run: unchanging(run.finish()), replays: replaysFrom(next, begin, fork) };
      }
      return undefined;
    },
  };
}

function beginBranch(run: MomentRun, most: number): Branch {
  const branch: Branch = { tree: { run, most, branches: [], kept: 1 }, moments: [keep(run)], isForgotten: false };
  branch.tree.branches.push(branch);
  return branch;
}

const keep = (run: MomentRun): Kept => ({
  moment: run.here(),
  step: run.entries(),
  at: run.cluster.now,
  revision: run.cluster.store.revision,
});

/** Goes to a moment that is known, or to the last one. */
function enter({ tree: { run }, moments }: Branch, known = moments.at(-1)): void {
  run.enter();
  if (known !== undefined) run.go(known.moment);
}

/** Takes the next event, behind the last moment; false: the run has ended. */
function advance(branch: Branch): boolean {
  const { tree, moments } = branch;
  if (!tree.run.advance()) return false;
  moments.push(keep(tree.run));
  if (++tree.kept > tree.most) forgetBut(branch);
  return true;
}

/** Keeps the later moments of one branch alone: paths between branches may lead through earlier ones. */
function forgetBut(branch: Branch): void {
  const { tree } = branch;
  for (const each of tree.branches) each.isForgotten = each !== branch;
  tree.branches = [branch];
  branch.moments = branch.moments.slice(-Math.ceil(tree.most / 2));
  tree.kept = branch.moments.length;
  const [first] = branch.moments;
  if (first !== undefined) tree.run.forgetBefore(first.moment);
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
