/** The stage in three tiers: processes, objects, nodes with their pods. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { counters } from '../counters.ts';
import { breachesAt } from '../model/headline.ts';
import type { Model } from '../model/index.ts';
import { layoutOf, sharing, type Layout } from '../model/layout.ts';
import { many } from '../model/words.ts';
import { stagedAt, type StagedAt } from '../model/staged.ts';
import { lens, other, presenting, selection, stepIn, zoomed } from '../state.ts';
import { Arrow, Flights } from './arrow.tsx';
import { useResize } from './at-cursor.ts';
import { CardTile } from './card.tsx';
import { PodGrid, pickPod } from './pod-grid.tsx';
import { Decider } from './decider.tsx';
import { NodeBox } from './node.tsx';
import { PodTile } from './pod.tsx';
import { boxStyle } from './place.ts';

const FIRST_WIDTH = 860;
/** The height of a line of the headline, and a little. */
const LINE = 30;

export function Stage({ of }: { readonly of: Model }) {
  counters.renders++;
  const host = useRef<HTMLDivElement>(null);
  const { width, tall } = useRoom(host);
  const picked = selection.value;
  useEffect(() => {
    if (picked !== undefined && host.current !== null) bringIntoView(host.current);
    // A smaller frame may have left it outside.
  }, [picked, tall]);
  const staged = stagedAt(of, stepIn(of), lens.value, zoomed.value);
  const before = useRef<Layout | undefined>(undefined);
  const layout = sharing(layoutOf(of, staged, width - 2, tall - 2, other.value !== undefined, presenting.value), before.current);
  before.current = layout;
  const broken = new Set(breachesAt(of, stepIn(of)).map(({ uid }) => uid));
  return (
    <div
      ref={host}
      class={`stage density-${layout.density} ${layout.brief ? 'brief' : ''} ${layout.terse ? 'terse' : ''} ${layout.low ? 'low' : ''} ${lens.value === undefined ? '' : 'lensed'}`}
      style={{ height: `${layout.height}px` }}
      role="group"
      aria-label="Stage"
      onClick={(event) => {
        if (layout.density === 'canvas') pickPod(of, layout, event);
      }}
    >
      <Tiers layout={layout} staged={staged} />
      <Flights model={of} layout={layout} />
      {of.deciders.map((actor) => {
        const box = layout.deciders.get(actor.process);
        return box && <Decider key={actor.process} model={of} actor={actor} box={box} brief={layout.brief} flat={layout.flat.deciders} />;
      })}
      {staged.cards.map((card) => {
        const { uid } = card.held.object.metadata;
        const box = layout.cards.get(uid);
        return (
          box && (
            <CardTile
              key={uid}
              model={of}
              card={card}
              box={box}
              broken={broken.has(uid) || card.sets?.some((set) => broken.has(set.held.object.metadata.uid)) === true}
            />
          )
        );
      })}
      <Runs of={of} layout={layout} staged={staged} broken={broken} />
      <Arrow model={of} layout={layout} />
    </div>
  );
}

/** The size of the frame around the stage, in pixels of the stage. */
function useRoom(host: RefObject<HTMLDivElement | null>) {
  const [width, setWidth] = useState(FIRST_WIDTH);
  const [tall, setTall] = useState(0);
  const styled = useRef({ width: NaN, zoom: 1, fills: true });
  useResize(
    host,
    ({ width: w = 0, height: h = 0 }) => {
      if (host.current === null) return;
      // In presenter mode the stage is enlarged. If the container is as tall as the stage itself, there is no space to fill. Both follow from
      // the width, and the height changes with each headline.
      if (w !== styled.current.width) {
        const zoom = Number(getComputedStyle(host.current).zoom) || 1;
        styled.current = { width: w, zoom, fills: getComputedStyle(around(host.current)).flexGrow !== '0' };
      }
      setWidth(Math.max(300, Math.round(w) / styled.current.zoom));
      const now = styled.current.fills ? Math.round(h) / styled.current.zoom : 0;
      // A headline of one line makes room for a second one: nothing is to move with its length.
      setTall((before) => (now > before && now <= before + LINE ? before : now));
    },
    around,
  );
  return { width, tall };
}

const around = (element: Element): Element => element.parentElement ?? element;

/** Scrolls the stage, and nothing else, to the selected object. */
function bringIntoView(stage: HTMLElement): void {
  // Two stages are in one frame.
  const around = stage.closest('.futures') ?? stage.parentElement;
  const chosen = stage.querySelector('.chosen')?.getBoundingClientRect();
  if (around === null || chosen === undefined) return;
  const seen = around.getBoundingClientRect();
  if (chosen.bottom > seen.bottom) around.scrollTop += chosen.bottom - seen.bottom + MARGIN;
  else if (chosen.top < seen.top) around.scrollTop -= seen.top - chosen.top + MARGIN;
}

const MARGIN = 12;

const Tiers = ({ layout: { tiers }, staged }: { readonly layout: Layout; readonly staged: StagedAt }) => (
  <>
    <h2 class="tier" style={{ top: `${tiers.decides}px` }}>
      Processes
    </h2>
    <h2 class="tier ruled" style={{ top: `${tiers.written}px` }}>
      Objects
      <small>
        {staged.moreCards > 0 && `${staged.moreCards} more not shown · `}revision {staged.revision}
      </small>
    </h2>
    <h2 class="tier" style={{ top: `${tiers.runs}px` }}>
      Nodes
    </h2>
  </>
);

interface RunsProps {
  readonly of: Model;
  readonly layout: Layout;
  readonly staged: StagedAt;
  /** By uid: objects whose write broke something. */
  readonly broken: ReadonlySet<string | undefined>;
}

function Runs({ of, layout, staged, broken }: RunsProps) {
  const waiting = layout.nodes.get('');
  const tiles = [
    ...[...staged.pods.values()].flat().map((held) => ({ id: held.object.metadata.uid, held, phantom: false })),
    ...staged.phantoms.map(({ uid, held }) => ({ id: `~${uid}`, held, phantom: true })),
  ].sort((a, b) => (a.id === b.id ? 0 : a.held.order - b.held.order));
  return (
    <>
      {waiting && (
        <div class={`node waiting ${of.world.podsOn('').length === 0 ? 'empty' : ''}`} style={boxStyle(waiting)}>
          <header>no node yet</header>
          {layout.density === 'canvas' && <p class="facts">{many(of.world.podsOn('').length, 'pod')}</p>}
        </div>
      )}
      {staged.nodes.map((held) => {
        const box = layout.nodes.get(held.object.metadata.name);
        return (
          box && (
            <NodeBox key={held.object.metadata.name} model={of} held={held} box={box} density={layout.density} flat={layout.flat.nodes} />
          )
        );
      })}
      {layout.density === 'canvas' ? (
        <PodGrid model={of} layout={layout} />
      ) : (
        tiles.map(({ id, held, phantom }) => {
          const box = layout.pods.get(id);
          return (
            box && <PodTile key={id} model={of} held={held} box={box} phantom={phantom} density={layout.density} broken={broken.has(id)} />
          );
        })
      )}
    </>
  );
}
