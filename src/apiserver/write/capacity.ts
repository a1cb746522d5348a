/** The most objects. Beyond it creations are refused, and the rest works. It counts objects, so that it is the same on every host. */
import { failure, type Refusal, type Resource } from '../request/index.ts';
import type { Store } from '../store/index.ts';
import { accessors } from '../../engine/index.ts';

const withUsedRefusedWhy = accessors('used', 'refused', 'why');

/** All kinds but Event. An unbounded Job reaches this limit before Node runs out of memory. */
export const MAX_OBJECTS = 150_000;
/** Events are small and expire after an hour, so they have a limit of their own: this multiple of the limit of the others. */
const EVENTS_AN_OBJECT = 4;

export interface Capacity {
  readonly limit: number;
  /** The number of objects without Events. */
  readonly used: number;
  /** The number of creations refused because of the limit. */
  readonly refused: number;
  /** The last refusal, as a sentence. */
  readonly why: string | undefined;
  /** Returns the refusal of one more object; undefined below the limit. */
  refusal(resource: Resource, name: string): Refusal | undefined;
}

export function createCapacity(store: Store, limit = MAX_OBJECTS): Capacity {
  const state: { refused: number; why: string | undefined } = { refused: 0, why: undefined };
  const usedNow = (): number => store.total - store.size('Event');
  return withUsedRefusedWhy(
    { used: usedNow, refused: () => state.refused, why: () => state.why },
    {
      limit,
      refusal({ group, kind }, name) {
        if (store.total < limit) return undefined;
        const isEvent = kind.kind === 'Event';
        const [used, most] = isEvent ? [store.size('Event'), limit * EVENTS_AN_OBJECT] : [usedNow(), limit];
        if (used < most) return undefined;
        state.refused++;
        const why = `this cluster is full: it has ${used} ${isEvent ? 'Events' : 'objects'}, the maximum, and ${kind.kind} ${JSON.stringify(name)} would exceed it`;
        state.why = why;
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
