/** Livelock and starvation as causes: a run that continues and makes no progress. */
import { compareText } from '../../schema/values/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { livelockText, starvationText, watchLivelocks, watchStarvation, type Livelock, type Starvation } from '../livelock/index.ts';
import type { Entry } from '../trace/index.ts';
import { sketch, type Cause } from './cause.ts';

const LIVELOCK = 'nothing goes round in circles';
/** Delayed messages may arrive this long after the end of faults: twice the longest delay. */
const LATE_MS = 60_000;
const STARVATION = 'nobody fails for ever';

/** Whether a cause is one of these, which no single failure of a run shows. */
export const isLiveness = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === LIVELOCK || claim === STARVATION;

/** Whether a cause is only known at the end of a run: a key that fails may still succeed. */
export const isKnownLast = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === STARVATION;

interface LivenessWatch {
  hear(entry: Entry): void;
  /** What else has broken by now, with these where they tell most: after what an invariant says of a write, before what only never came. */
  among(others: readonly Cause[]): readonly Cause[];
}

/** Observes a run; failures count from the end of faults on. */
export function watchLiveness(world: () => Cluster | undefined, quietAt: number): LivenessWatch {
  const livelocks = watchLivelocks(world);
  const hungry = watchStarvation(world, quietAt, LATE_MS);
  return {
    hear(entry) {
      livelocks.hear(entry);
      hungry.hear(entry);
    },
    among(others) {
      const { livelock } = livelocks;
      const { current: starvation } = hungry;
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

/** The keys of a livelock, sorted by name: a cycle has no first. */
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
