/** Watch events on their way: a line from each object to a process that has not seen its last write, with a letter on it. */
import type { Model } from '../model/index.ts';
import type { Layout } from '../model/layout.ts';
import { processStatusAt } from '../model/lifespans.ts';
import { atCursor, fine, stepIn } from '../state.ts';
import { actorAt, objectAt, type Point } from './arrow.tsx';

/** Letters for one process, and for all. */
const MOST_FOR_ONE = 6;
const MOST = 24;

export function Flights({ model: of, layout }: { readonly model: Model; readonly layout: Layout }) {
  const letters = flightsOf(atCursor(of), layout);
  if (letters.length === 0) return null;
  return (
    <svg class="flights" width={layout.width} height={layout.height} aria-hidden="true">
      {letters.map(({ from, to, place }) => {
        // Letters lie in the gap between the floors, side by side.
        const y = layout.tiers.written - 7;
        const x = to.x + place * 20;
        return (
          <g>
            <path class="way" d={`M${from.x} ${from.y}L${x} ${y}L${to.x} ${to.y}`} />
            <path class="letter" d={`M${x - 8} ${y - 5}h16v10h-16zl8 6l8 -6`} />
          </g>
        );
      })}
    </svg>
  );
}

interface Flight {
  readonly from: Point;
  readonly to: Point;
  /** Its place among those to the same process, around 0. */
  readonly place: number;
}

function flightsOf(model: Model, layout: Layout): readonly Flight[] {
  const step = stepIn(model);
  const flights = model.deciders.flatMap(({ process }): readonly Flight[] => {
    const status = processStatusAt(model.lifespans, process, step);
    const to = status === 'up' || status === 'leads' ? actorAt(model, layout, process) : undefined;
    if (to === undefined) return [];
    const late = (model.cacheLens.behind(process, fine.value) ?? []).slice(0, MOST_FOR_ONE);
    return late.flatMap(({ kind, key, held, saw }, at) => {
      const from = objectAt(layout, { kind, key, uid: (held?.object ?? saw)?.metadata.uid ?? '' });
      return from === undefined ? [] : [{ from, to, place: at - (late.length - 1) / 2 }];
    });
  });
  return flights.slice(0, MOST);
}
