/** Replays of the runs that are asked about: their clusters at any step, and forks that go on from there. */
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { Fork } from '../../../lab/fork/index.ts';
import type { Replays } from '../../../lab/moments/index.ts';
import { replayTo, simulate, type Replay, type Run } from '../../../lab/simulation/index.ts';
import { momentsBuild } from '../moments.ts';
import type { History } from './history.ts';

interface Replayed extends Pick<Replays, 'at'>, Partial<Pick<Replays, 'continueAs'>> {
  /** It went on from a moment of another run, so its cluster may be elsewhere meanwhile. */
  readonly isFork?: true;
}

const known = new WeakMap<Run, Replayed>();

function replaysOf(run: Run, plugins: History['plugins']): Replayed {
  let replays = known.get(run);
  if (replays === undefined) known.set(run, (replays = newReplays(run, plugins)));
  return replays;
}

/** A user's definitions cannot go back: an earlier step is run to from the start. */
function newReplays({ scenario, seed }: Run, { definitions }: History['plugins']): Replayed {
  const moments = momentsBuild(definitions);
  if (moments !== undefined) return moments.replayMoments(scenario, seed, { trace: true });
  let replay: Replay | undefined;
  return {
    at(step) {
      if (replay === undefined || replay.step > step) replay = replayTo(scenario, seed, step, { with: definitions });
      else replay.goOn(step);
      return replay;
    },
  };
}

/** The cluster of a run at a step. */
export const clusterAt = (run: Run, plugins: History['plugins'], step: number): Cluster => replaysOf(run, plugins).at(step).cluster;

/** The cluster of a run at its end. */
export function clusterAtEnd(run: Run): Cluster {
  const replays = known.get(run);
  return replays?.isFork === true ? replays.at(Infinity).cluster : run.cluster;
}

/** Runs a fork of a run: from the moment at which they part, or from the start where it cannot go on there. */
export function forkedFrom({ run, plugins, seed }: History, { scenario, since }: Fork): Run {
  const went = run === undefined || since === undefined ? undefined : replaysOf(run, plugins).continueAs?.(scenario, since);
  if (went === undefined) return simulate(scenario, { trace: true, seed, with: plugins.definitions });
  known.set(went.run, { ...went.replays, isFork: true });
  return went.run;
}
