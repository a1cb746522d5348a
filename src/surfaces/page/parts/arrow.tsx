/** Lines on the stage: the entry at the cursor as an arrow, down for a write, up for a delivery; and watch events on their way. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import { toneOf } from '../../../lab/trace/index.ts';
import { useRef } from 'preact/hooks';
import type { Model } from '../model/index.ts';
import type { Layout } from '../model/layout.ts';
import type { Box } from '../model/boxes.ts';
import { atCursor, stepIn, fine } from '../state.ts';
import { processStatusAt } from '../model/lifespans.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Of moves that come within so many milliseconds of each other only the path is drawn: nothing has time to fly along it. */
const QUICK_MS = 150;

export function Arrow({ model: of, layout }: { readonly model: Model; readonly layout: Layout }) {
  const model = atCursor(of);
  const step = stepIn(model);
  const move = useRef({ step: -1, at: -Infinity, isQuick: false });
  // It is rendered again at the same step too, when the window changes.
  if (move.current.step !== step) {
    const at = performance.now();
    move.current = { step, at, isQuick: at - move.current.at < QUICK_MS };
  }
  const entry = model.trace.entries[step - 1];
  const ends = entry === undefined ? undefined : endsOf(model, layout, entry);
  if (entry === undefined || ends === undefined) return null;
  const [from, to] = ends;
  const bend = (to.y - from.y) / 2;
  const path = `M${from.x} ${from.y}C${from.x} ${from.y + bend} ${to.x} ${to.y - bend} ${to.x} ${to.y}`;
  const tone = toneOf(entry);
  return (
    <>
      <svg class={`arrow ${tone}`} width={layout.width} height={layout.height} aria-hidden="true">
        <path d={path} />
        <circle cx={from.x} cy={from.y} r="3" />
      </svg>
      {!move.current.isQuick && (
        <i
          key={step}
          class={`arrow dot ${tone}`}
          style={{ left: `${from.x}px`, top: `${from.y}px`, '--x': `${to.x - from.x}px`, '--y': `${to.y - from.y}px` }}
        >
          <i />
        </i>
      )}
    </>
  );
}

type Entry = Model['trace']['entries'][number];

function endsOf(model: Model, layout: Layout, entry: Entry): readonly [Point, Point] | undefined {
  const middle = { x: layout.width / 2, y: layout.tiers.written };
  if (entry.type === 'write') {
    const { kind, key, object } = entry.change;
    const { kind: of = '', name = '', uid = '' } = isOf('Event', object) ? object.involvedObject : {};
    const about = isOf('Event', object) ? { kind: of, key: name, uid } : { kind, key, uid: object.metadata.uid };
    const from = actorAt(model, layout, entry.actor) ?? { x: 24, y: layout.tiers.written };
    return [from, objectAt(layout, about) ?? middle];
  }
  if (entry.type !== 'delivery') return undefined;
  const uid = model.world.find(entry.kind, entry.key)?.object.metadata.uid ?? '';
  const from = objectAt(layout, { kind: entry.kind, key: entry.key, uid });
  const to = actorAt(model, layout, entry.process);
  return from === undefined || to === undefined ? undefined : [from, to];
}

type About = Readonly<Record<'kind' | 'key' | 'uid', string>>;

const foot = ({ x, y, w, h }: Box): Point => ({ x: x + w / 2, y: y + h });
const head = ({ x, y, w, h }: Box): Point => ({ x: x + w / 2, y: y + Math.min(8, h / 2) });

/** The foot of the card of a process, or the sign of a node's agent. */
function actorAt(model: Model, { deciders, nodes }: Layout, process: string): Point | undefined {
  const box = deciders.get(process);
  if (box !== undefined) return foot(box);
  const node = [...model.agents].find(([, actor]) => actor.process === process)?.[0];
  const at = node === undefined ? undefined : nodes.get(node);
  return at === undefined ? undefined : { x: at.x + 14, y: at.y + 12 };
}

/** The head of what shows an object; undefined: nothing does. */
function objectAt({ pods, cards, onCards, nodes }: Layout, { kind, key, uid }: About): Point | undefined {
  const box = pods.get(uid) ?? cards.get(uid) ?? onCards.get(uid) ?? (kind === 'Node' ? nodes.get(key) : undefined);
  return box === undefined ? undefined : head(box);
}

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

/** `place`: that among those to the same process, around 0. */
function flightsOf(model: Model, layout: Layout) {
  const step = stepIn(model);
  const flights = model.deciders.flatMap(({ process }) => {
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
