/** The card of an object: a Job with its slots, a set with its ordinals, a schedule, a lease with the time left, a claim, a service. */
import { keyOf } from '../../../apiserver/machinery/index.ts';
import { select } from '../actions.ts';
import { nextRequeue } from '../model/actors.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { Card, CardLine, CardSet, Chart, Slot } from '../model/card.ts';
import { cardOf } from '../model/cards.ts';
import type { Model } from '../model/index.ts';
import type { Box } from '../model/boxes.ts';
import { processStatusAt } from '../model/lifespans.ts';
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
  /** Whether its write broke something. */
  readonly broken: boolean;
}

export function CardTile({ model, card, box, broken }: Props) {
  const { held, conditions, leaving, sets = [] } = card;
  const { kind, key, object } = held;
  const note = `${nextRun(model, held)}${card.note}`;
  const { how, says } = cacheViewOf(model, held);
  const [first] = conditions;
  // The numbers of these show their good conditions already.
  const condition = first?.bad === true || !COUNTED.has(kind) ? first : undefined;
  const lines = [...(card.lines ?? []), ...candidates(model, held)];
  const said = [...lines.map(({ label, text }) => `${label} ${text}`), note].join(', ');
  return (
    <div
      class={`card ${how} ${isChosen(held) ? 'chosen' : ''} ${differs(placeName(kind, key)) ? 'differs' : ''} ${broken ? 'breached' : ''}`}
      style={boxStyle(box)}
    >
      <button
        class="face"
        aria-label={`${kind} ${object.metadata.name}: ${said}${condition?.bad === true ? `, ${condition.text}` : ''}${says === undefined ? '' : `, ${says}`}`}
        onClick={() => select(nameOfKey(kind, key))}
      >
        <span class="head" title={`${kind} ${object.metadata.name}`}>
          <small>{kind}</small>
          <b>
            <Name of={object.metadata.name} />
          </b>
          <span class="grow" />
          {condition !== undefined && (
            <span class={`pill ${condition.bad ? 'bad' : 'good'}`} title={condition.because}>
              {condition.text}
            </span>
          )}
          {leaving && <span class="pill bad">terminating</span>}
        </span>
        <Body card={card} />
        {lines.length > 0 && <Lines of={lines} />}
        <span class={`note-line ${card.chart === undefined ? '' : 'unseen'}`} title={says ?? note}>
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

const COUNTED: ReadonlySet<string> = new Set(['Deployment', 'HorizontalPodAutoscaler', 'Namespace', 'PodDisruptionBudget']);

const Lines = ({ of }: { readonly of: readonly CardLine[] }) => (
  <span class="card-lines">
    {of.map(({ label, text, part, bad }) => (
      <span class={bad === true ? 'bad' : ''} title={`${label} ${text}`} key={label}>
        <small>{label}</small>
        {part !== undefined && (
          <span class="meter">
            <i class={bad === true ? 'out' : ''} style={{ width: `${Math.round(part * 100)}%` }} />
          </span>
        )}
        <span>{text}</span>
      </span>
    ))}
  </span>
);

/** The processes that would take a lease over from its holder: those of the same name and another number. */
function candidates(model: Model, { kind, object }: Held): readonly CardLine[] {
  if (kind !== 'Lease' || !isOf('Lease', object)) return [];
  const holder = object.spec.holderIdentity?.split('_')[0] ?? '';
  const stem = holder.replace(NUMBER, '');
  return model.deciders
    .filter(({ process }) => holder !== '' && process !== holder && process.replace(NUMBER, '') === stem)
    .map(({ process }) => {
      const status = processStatusAt(model.lifespans, process, stepIn(model));
      const down = status === 'crashed' || status === 'stopped';
      return {
        label: process,
        text: down ? status : status === 'leads' ? 'acts as the leader' : 'candidate',
        bad: down || status === 'leads',
      };
    });
}

const NUMBER = /-\d+$/;

/** The next run of a schedule, from its controller's decision. */
function nextRun(model: Model, { kind, key }: Held): string {
  const at = kind === 'CronJob' ? nextRequeue(model.decisions, 'cron-job', key, stepIn(model)) : undefined;
  const now = atCursor(model).world.at;
  return at === undefined || at <= now ? '' : `next in ${duration(at - now)} · `;
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

function Body({ card: { slots, left, code, chart } }: { readonly card: Card }) {
  if (chart !== undefined) return <ChartOf of={chart} />;
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

/** Heights and widths are shares of the box. */
const W = 1000;
const H = 100;

/** Pods as steps with a filled area, the load as a line above or below it, the bounds dashed. */
function ChartOf({ of: { points, now, bounds, load, pods } }: { readonly of: Chart }) {
  const steps = (value: (point: Chart['points'][number]) => number): string =>
    points
      .map((point, at) => `${at === 0 ? 'M' : 'H'}${point.x * W}${at === 0 ? ' ' : 'V'}${H - value(point) * H}`)
      .join('')
      .concat(`H${now * W}`);
  return (
    <>
      <svg class="chart" viewBox={`0 -3 ${W} ${H + 6}`} preserveAspectRatio="none" aria-hidden="true">
        {bounds.map((bound) => (
          <path class="bound" d={`M0 ${H - bound * H}H${W}`} />
        ))}
        <path class="pods" d={`${steps((point) => point.pods)}V${H}H${(points[0]?.x ?? 0) * W}Z`} />
        <path class="load" d={steps((point) => point.load)} />
      </svg>
      <span class="key">
        <span class="load">{load}</span> <span class="pods">{pods}</span>
      </span>
    </>
  );
}

// Without a glyph there is no text at all: an empty one would be written again at each step.
const slot = ({ is, label, revision, title }: Slot) => (
  <i
    class={`slot ${is.toLowerCase()} ${label === undefined ? '' : 'ordinal'} ${revision === undefined ? '' : 'tinted'}`}
    style={revision === undefined ? {} : { '--hue': hueOf(revision) }}
    {...(title === undefined ? {} : { title })}
  >
    {label ?? (is === 'done' ? '✓' : is === 'failed' ? '✗' : isPhase(is) ? GLYPHS[is] : null)}
  </i>
);

const isPhase = (is: Slot['is']): is is (typeof PHASES)[number] => PHASES.some((phase) => phase === is);
