/**
 * Whether a run reproduces a cause. The run ends with the answer: after the violation of an invariant, the rest of the scenario and the
 * healing phase add nothing.
 */
import type { Chooser } from '../choices/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { stage, type Staged } from '../simulation/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Making } from './run.ts';
import { quietAtOf } from './healing.ts';
import { listen, type Cause } from './cause.ts';
import { isKnownLast, isLiveness, watchLiveness } from './liveness.ts';

/** How a cause was reproduced. */
export interface Break {
  readonly cause: Cause;
  /** The instant of the write that broke it, milliseconds since the epoch; absent: no single write broke it. */
  readonly at?: number;
}

/** The cause to look for. */
export interface Question {
  readonly claim: string;
  /** What has not broken by then does not count, milliseconds since the epoch. Default: the whole run. */
  readonly by?: number;
}

/** Makes a run until it is known how the claim breaks; undefined: it holds. */
export function reproduction(scenario: Scenario, making: Making, chooser: Chooser, { claim, by = Infinity }: Question): Break | undefined {
  const heard = listen();
  const there: { cluster?: Cluster; staged?: Staged } = {};
  const liveness = isLiveness({ claim }) ? watchLiveness(() => there.cluster, quietAtOf(scenario)) : undefined;
  const found = (): Cause | undefined => (liveness?.among([]) ?? heard.broken).find((each) => each.claim === claim);
  const isDone = (): boolean => !isKnownLast({ claim }) && found() !== undefined;
  let enough = false;
  const end = (): void => {
    enough = true;
    there.staged?.pauseAt(0);
  };
  const staged = (there.staged = stage(scenario, {
    ...making,
    digest: false,
    tries: false,
    chooser,
    onCluster: (cluster) => (there.cluster = cluster),
    onEntry(entry) {
      heard.hear(entry);
      liveness?.hear(entry);
      if (entry.at > by || (liveness !== undefined && isDone())) end();
    },
    onFailure(failure) {
      heard.failed(failure);
      if (isDone()) end();
    },
  }));
  for (;;) {
    const { done, value } = staged.passing.next();
    const cause = isDone() ? found() : undefined;
    if (cause !== undefined) return cause.action === undefined ? { cause } : { cause, at: staged.cluster.now };
    if (enough) return undefined;
    if (done !== true) continue;
    staged.end(value);
    const late = found();
    return late === undefined ? undefined : { cause: late };
  }
}

/** The addresses of the points that a run comes by for as long as things may go otherwise, in their order, each once. */
export function pointsOf(scenario: Scenario, making: Making, { slow, choose }: Chooser): readonly string[] {
  const found = new Set<string>();
  const quietAt = quietAtOf(scenario);
  const there: { staged?: Staged } = {};
  const staged = (there.staged = stage(scenario, {
    ...making,
    digest: false,
    tries: false,
    chooser: {
      slow,
      choose(point, now) {
        if (now < quietAt) found.add(point.address);
        return choose(point, now);
      },
    },
    onEntry({ at }) {
      if (at >= quietAt) there.staged?.pauseAt(0);
    },
  }));
  staged.passing.next();
  return [...found];
}
