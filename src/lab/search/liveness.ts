/** Circles and starvation as causes: what a run came to that goes on and gets nowhere. */
import { compareText } from '../../grammar/values/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { livelockText, starvationText, watchLivelocks, watchStarvation, type Livelock, type Starvation } from '../livelock/index.ts';
import type { Entry } from '../trace/index.ts';
import { sketch, type Cause } from './cause.ts';

const LIVELOCK = 'nothing goes round in circles';
/** What was made late before may come so much after trouble has ended: the longest hold, twice. */
const LATE_MS = 60_000;
const STARVATION = 'nobody fails for ever';

/** Whether a claim is one of these, which no single failure of a run tells of. */
export const isLiveness = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === LIVELOCK || claim === STARVATION;

/** Whether a claim is known at a run's end alone: who fails may still succeed. */
export const isKnownLast = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === STARVATION;

interface LivenessWatch {
  hear(entry: Entry): void;
  /** What else has broken by now, with these where they tell most: after what an invariant says of a write, before what only never came. */
  among(others: readonly Cause[]): readonly Cause[];
}

/** Watches a run; failures count from an instant on, after which nobody makes trouble any more. */
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

/** Who is in it, in the order of their names: a circle has no first. */
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
