/** A card of the ledger: a Job with its slots, a set with its ordinals, a schedule, a lease with the time left, a claim, a service. */
import { keyOf } from '../../../apiserver/vocabulary/index.ts';
import { select } from '../actions.ts';
import { cardOf, type Card, type Slot } from '../model/cards.ts';
import type { Model } from '../model/index.ts';
import type { Box } from '../model/layout.ts';
import { GLYPHS, PHASES } from '../model/phase.ts';
import { atCursor, inspected, lens, nameOfKey } from '../state.ts';
import { boxStyle, hueOf } from './place.ts';

interface Props {
  readonly model: Model;
  readonly card: Card;
  readonly box: Box;
}

export function CardTile({ model, card, box }: Props) {
  const { held, note, conditions, leaving } = card;
  const { kind, key, object } = held;
  const { how, saw } = lens.value === undefined ? ({ how: 'seen' } as const) : atCursor(model).eyes.sees(lens.value, held);
  // What it believes is said in the same words.
  const believed = how === 'stale' && saw !== undefined ? `believed: ${cardOf({ ...held, object: saw }, model.world).note}` : undefined;
  const says = how === 'unseen' ? 'not seen yet' : believed;
  const chosen = inspected.value?.kind === kind && keyOf(object) === key && inspected.value.name === object.metadata.name;
  return (
    <button
      class={`card ${how} ${chosen ? 'chosen' : ''}`}
      style={boxStyle(box)}
      aria-label={`${kind} ${object.metadata.name}: ${note}${says === undefined ? '' : `, ${says}`}`}
      onClick={() => select(nameOfKey(kind, key))}
    >
      <header>
        <small>{kind}</small> <b>{object.metadata.name}</b>
        <span class="grow" />
        {conditions.slice(0, 1).map(({ type, bad }) => (
          <span class={`pill ${bad ? 'bad' : 'good'}`}>{type}</span>
        ))}
        {leaving && <span class="pill bad">leaving</span>}
      </header>
      <Body card={card} />
      <p>{says === undefined ? note : <mark>{says}</mark>}</p>
    </button>
  );
}

function Body({ card: { slots, left, code } }: { readonly card: Card }) {
  if (slots !== undefined) return <div class={`slots ${slots.length > 24 ? 'many' : ''}`}>{slots.map(slot)}</div>;
  if (left !== undefined)
    return (
      <div class="meter">
        <i class={left === 0 ? 'out' : left < 0.34 ? 'low' : ''} style={{ width: `${Math.round(left * 100)}%` }} />
      </div>
    );
  return <code class="code">{code ?? ''}</code>;
}

const slot = ({ is, label, revision }: Slot) => (
  <i
    class={`slot ${is.toLowerCase()} ${label === undefined ? '' : 'ordinal'}`}
    style={revision === undefined ? {} : { '--hue': hueOf(revision) }}
  >
    {label ?? (is === 'done' ? '✓' : is === 'failed' ? '✗' : isPhase(is) ? GLYPHS[is] : '')}
  </i>
);

const isPhase = (is: Slot['is']): is is (typeof PHASES)[number] => PHASES.some((phase) => phase === is);
