/** Circles and starvation as causes: what a run came to that goes on and gets nowhere. */
import { compareText } from '../../grammar/values/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { circleText, starvationText, watchCircles, watchStarvation, type Circle, type Starvation } from '../circles/index.ts';
import type { Entry } from '../trace/index.ts';
import { sketch, type Cause } from './cause.ts';

const CIRCLE = 'nothing goes round in circles';
/** What was made late before may come so much after trouble has ended: the longest hold, twice. */
const LATE_MS = 60_000;
const STARVATION = 'nobody fails for ever';

/** Whether a claim is one of these, which no single failure of a run tells of. */
export const isNowhere = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === CIRCLE || claim === STARVATION;

/** Whether a claim is known at a run's end alone: who fails may still succeed. */
export const isKnownLast = ({ claim }: Pick<Cause, 'claim'>): boolean => claim === STARVATION;

interface NowhereWatch {
  hear(entry: Entry): void;
  /** What else has broken by now, with these where they tell most: after what an invariant says of a write, before what only never came. */
  among(others: readonly Cause[]): readonly Cause[];
}

/** Watches a run; failures count from an instant on, after which nobody makes trouble any more. */
export function watchNowhere(world: () => Cluster | undefined, quietAt: number): NowhereWatch {
  const circles = watchCircles(world);
  const hungry = watchStarvation(world, quietAt, LATE_MS);
  return {
    hear(entry) {
      circles.hear(entry);
      hungry.hear(entry);
    },
    among(others) {
      const { circle } = circles;
      const { current: starvation } = hungry;
      if (circle === undefined && starvation === undefined) return others;
      return [
        ...others.filter(({ deed }) => deed !== undefined),
        ...(circle === undefined ? [] : [circleCause(circle)]),
        ...(starvation === undefined ? [] : [starvationCause(starvation)]),
        ...others.filter(({ deed }) => deed === undefined),
      ];
    },
  };
}

/** Who is in it, in the order of their names: a circle has no first. */
function circleCause(circle: Circle): Cause {
  const { message, detail } = circleText(circle);
  const who = [...new Set(circle.moves.map(({ controller, actor }) => controller ?? actor))].sort(compareText);
  return { claim: CIRCLE, controller: who.join(', '), message: [message, ...detail].join('\n') };
}

function starvationCause(starvation: Starvation): Cause {
  const { message, detail } = starvationText(starvation);
  const { process, controller, why } = starvation;
  return { claim: STARVATION, process, controller, why: sketch(why), message: [message, ...detail].join('\n') };
}
