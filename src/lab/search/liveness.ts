/** Livelock and starvation as causes of failure: a run continues without progress. */
import { compareText } from '../../schema/values/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { livelockText, starvationText, watchLivelocks, watchStarvation, type Livelock, type Starvation } from '../livelock/index.ts';
import type { Entry } from '../trace/index.ts';
import { sketch, type Cause } from './cause.ts';

const LIVELOCK = 'no livelock';
/** Delayed messages may arrive this long after the end of faults, in milliseconds: twice the longest delay. */
const LATE_MS = 60_000;
const STARVATION = 'no starvation';

/** Whether a cause is a livelock or starvation, which no single failure of a run shows. */
export const isLiveness = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === LIVELOCK || claim === STARVATION;

/** Whether a cause is certain only at the end of a run: a key that fails may still succeed. */
export const isKnownLast = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === STARVATION;

interface LivenessWatch {
  observe(entry: Entry): void;
  /**
   * Merges livelock and starvation with other causes, the most informative first: after violations by a write, and before expectations that
   * never became true.
   */
  among(others: readonly Cause[]): readonly Cause[];
}

/** Creates detectors for a run; failures count from the end of fault injection on. */
export function watchLiveness(world: () => Cluster | undefined, quietAt: number): LivenessWatch {
  const livelocks = watchLivelocks(world);
  const starvations = watchStarvation(world, quietAt, LATE_MS);
  return {
    observe(entry) {
      livelocks.observe(entry);
      starvations.observe(entry);
    },
    among(others) {
      const { livelock } = livelocks;
      const { current: starvation } = starvations;
      if (livelock === undefined && starvation === undefined) return others;
      return [
        ...others.filter(({ action }) => action !== undefined),
        ...(livelock === undefined ? [] : [livelockCause(livelock)]),
        ...(starvation === undefined ? [] : [starvationCause(starvation)]),
        ...others.filter(({ action }) => action === undefined),
      ];
    },
  };
}

/** Returns the cause. Controllers are sorted by name, because a cycle has no first one. */
function livelockCause(livelock: Livelock): Cause {
  const { message, detail } = livelockText(livelock);
  const who = [...new Set(livelock.moves.map(({ controller, actor }) => controller ?? actor))].sort(compareText);
  return { claim: LIVELOCK, controller: who.join(', '), message: [message, ...detail].join('\n') };
}

function starvationCause(starvation: Starvation): Cause {
  const { message, detail } = starvationText(starvation);
  const { process, controller, why } = starvation;
  return { claim: STARVATION, process, controller, why: sketch(why), message: [message, ...detail].join('\n') };
}
