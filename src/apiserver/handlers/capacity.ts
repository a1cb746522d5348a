/**
 * How much a world may hold. Beyond it creations are refused, whoever asks, and everything else goes on: what is there can be read, changed
 * and deleted. Counted in objects, so that every host draws the line at the same place.
 */
import { failure, type Refusal, type Resource } from '../request/index.ts';
import type { Store } from '../store/index.ts';
import { accessors } from '../../engine/index.ts';

const withUsedRefusedWhy = accessors('used', 'refused', 'why');

/** Objects of every kind but Event; an unbounded Job stops before the memory does that Node gives a program. */
export const MAX_OBJECTS = 150_000;
/** Events, which are small and go by themselves after an hour, count apart: so many times the others. */
const EVENTS_AN_OBJECT = 4;

export interface Capacity {
  readonly limit: number;
  /** Objects there are, Events apart. */
  readonly used: number;
  /** Creations refused for want of room. */
  readonly refused: number;
  /** What was refused last, as a sentence. */
  readonly why: string | undefined;
  /** The refusal of one more object; undefined while there is room. */
  refusal(resource: Resource, name: string): Refusal | undefined;
}

export function createCapacity(store: Store, limit = MAX_OBJECTS): Capacity {
  let refused = 0;
  let why: string | undefined;
  const usedNow = (): number => store.total - store.size('Event');
  return withUsedRefusedWhy(
    {
      used: () => usedNow(),
      refused: () => refused,
      why: () => why,
    },
    {
      limit,
      refusal({ group, kind }, name) {
        if (store.total < limit) return undefined;
        const isEvent = kind.kind === 'Event';
        const [used, most] = isEvent ? [store.size('Event'), limit * EVENTS_AN_OBJECT] : [usedNow(), limit];
        if (used < most) return undefined;
        refused++;
        why = `this world is full: it holds ${used} ${isEvent ? 'Events' : 'objects'}, as many as it may, and ${kind.kind} ${JSON.stringify(name)} would be one more`;
        return failure({
          code: 403,
          reason: 'Forbidden',
          message: `${kind.plural} ${JSON.stringify(name)} is forbidden: ${why}; delete some, or allow more (serve --max-objects N, in a scenario spec.limits.objects)`,
          details: { name, ...(group === '' ? {} : { group }), kind: kind.plural },
        });
      },
    },
  );
}
