/** The card of an object: a Job with its slots, a set with its ordinals, a schedule, a lease with the time left, a claim, a service. */
import { keyOf } from '../../../apiserver/machinery/index.ts';
import { select } from '../actions.ts';
import { nextRequeue } from '../model/actors.ts';
import type { Card, CardSet, Slot } from '../model/card.ts';
import { cardOf } from '../model/cards.ts';
import type { Model } from '../model/index.ts';
import type { Box } from '../model/layout.ts';
import { GLYPHS, PHASES } from '../model/phase.ts';
import { duration, placeName } from '../model/words.ts';
import type { Held } from '../model/world.ts';
import { atCursor, differs, inspected, lens, nameOfKey, stepIn } from '../state.ts';
import { Name } from './name.tsx';
import { boxStyle, hueOf } from './place.ts';

interface Props {
  readonly model: Model;
  readonly card: Card;
  readonly box: Box;
}

export function CardTile({ model, card, box }: Props) {
  const { held, conditions, leaving, sets = [] } = card;
  const { kind, key, object } = held;
  const note = `${card.note}${nextRun(model, held)}`;
  const { how, says } = cacheViewOf(model, held);
  // The numbers of a Deployment show its good conditions already.
  const condition = conditions.find(({ bad }) => bad) ?? (kind === 'Deployment' ? undefined : conditions[0]);
  return (
    <div class={`card ${how} ${isChosen(held) ? 'chosen' : ''} ${differs(placeName(kind, key)) ? 'differs' : ''}`} style={boxStyle(box)}>
      <button
        class="face"
        aria-label={`${kind} ${object.metadata.name}: ${note}${says === undefined ? '' : `, ${says}`}`}
        onClick={() => select(nameOfKey(kind, key))}
      >
        <span class="head" title={`${kind} ${object.metadata.name}`}>
          <small>{kind}</small>
          <b>
            <Name of={object.metadata.name} />
          </b>
          <span class="grow" />
          {condition !== undefined && <span class={`pill ${condition.bad ? 'bad' : 'good'}`}>{condition.type}</span>}
          {leaving && <span class="pill bad">terminating</span>}
        </span>
        <Body card={card} />
        <span class="note-line" title={says ?? note}>
          {says === undefined ? note : <mark>{says}</mark>}
        </span>
      </button>
      {sets.length > 0 && (
        <ul class="sets">
          {sets.map((set) => (
            <SetRow key={set.held.object.metadata.uid} model={model} set={set} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The next run of a schedule, from its controller's decision. */
function nextRun(model: Model, { kind, key }: Held): string {
  const at = kind === 'CronJob' ? nextRequeue(model.decisions, 'cron-job', key, stepIn(model)) : undefined;
  const now = atCursor(model).world.at;
  return at === undefined || at <= now ? '' : ` · next in ${duration(at - now)}`;
}

/** How the selected cache has an object; its version is described like the current one. */
function cacheViewOf(model: Model, held: Held): { readonly how: string; readonly says?: string } {
  if (lens.value === undefined) return { how: 'seen' };
  const { how, saw } = atCursor(model).cacheLens.sees(lens.value, held);
  if (how === 'unseen') return { how, says: 'not observed yet' };
  if (how !== 'stale' || saw === undefined) return { how };
  return { how, says: `in its cache: ${cardOf({ ...held, object: saw }, model.world).note}` };
}

function isChosen({ kind, key, object }: Held): boolean {
  const about = inspected.value;
  return about?.kind === kind && keyOf(object) === key && about.name === object.metadata.name;
}

/** A set of a Deployment: the colour is that of its template, like the left edge of its pods. */
function SetRow({ model, set: { held, label, revision, slots, note } }: { readonly model: Model; readonly set: CardSet }) {
  const { kind, key, object } = held;
  const { how, says } = cacheViewOf(model, held);
  return (
    <li>
      <button
        class={`set ${how} ${isChosen(held) ? 'chosen' : ''}`}
        style={{ '--hue': hueOf(revision) }}
        aria-label={`ReplicaSet ${object.metadata.name}, ${label}: ${note}${says === undefined ? '' : `, ${says}`}`}
        title={`ReplicaSet ${object.metadata.name}: ${says ?? note}`}
        onClick={() => select(nameOfKey(kind, key))}
      >
        <small>{label}</small>
        <span class="slots line">{slots.slice(0, MOST_IN_ROW).map(slot)}</span>
        <small>{says === undefined ? note : <mark>{how === 'unseen' ? 'unseen' : 'cached'}</mark>}</small>
      </button>
    </li>
  );
}

const MOST_IN_ROW = 24;

function Body({ card: { slots, left, code } }: { readonly card: Card }) {
  if (slots !== undefined) return <span class={`slots ${slots.length > 24 ? 'many' : ''}`}>{slots.map(slot)}</span>;
  if (left !== undefined)
    return (
      <span class="meter">
        <i class={left === 0 ? 'out' : left < 0.34 ? 'low' : ''} style={{ width: `${Math.round(left * 100)}%` }} />
      </span>
    );
  return code === undefined ? null : (
    <code class="code" title={code}>
      {code}
    </code>
  );
}

const slot = ({ is, label, revision, title }: Slot) => (
  <i
    class={`slot ${is.toLowerCase()} ${label === undefined ? '' : 'ordinal'} ${revision === undefined ? '' : 'tinted'}`}
    style={revision === undefined ? {} : { '--hue': hueOf(revision) }}
    {...(title === undefined ? {} : { title })}
  >
    {label ?? (is === 'done' ? '✓' : is === 'failed' ? '✗' : isPhase(is) ? GLYPHS[is] : '')}
  </i>
);

const isPhase = (is: Slot['is']): is is (typeof PHASES)[number] => PHASES.some((phase) => phase === is);
