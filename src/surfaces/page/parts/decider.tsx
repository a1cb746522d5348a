/** A process that decides: its status, the staleness of its cache, and for each controller its last reason and its queue. */
import { look, select } from '../actions.ts';
import { lastAt, type Actor } from '../model/actors.ts';
import type { Behind } from '../model/cache-lens.ts';
import type { Model } from '../model/index.ts';
import { columnsIn } from '../model/layout-deciders.ts';
import type { Box } from '../model/boxes.ts';
import { processStatusAt, type ProcessStatus } from '../model/lifespans.ts';
import { duration, placeName } from '../model/words.ts';
import { canFork, differs, fine, lens, model as main, nameOfKey, offer, peek, stepIn, type Offer } from '../state.ts';
import { useAtCursor } from './at-cursor.ts';
import { Icon } from './icon.tsx';
import { Name } from './name.tsx';
import { boxStyle } from './place.ts';

interface Props {
  readonly model: Model;
  readonly actor: Actor;
  readonly box: Box;
  readonly brief: boolean;
  /** Whether its head has one line. */
  readonly flat: boolean;
}

export function Decider({ model, actor: { process, controllers }, box, brief, flat }: Props) {
  const status = useAtCursor(model, (of) => processStatusAt(of.lifespans, process, stepIn(of)), process);
  const down = status === 'crashed' || status === 'stopped' || status === undefined;
  const elects = model.lifespans.processes.get(process)?.some(({ what }) => what === 'leads') === true;
  const cacheLens = lens.value === process;
  const slim = !flat && box.w < SLIM;
  return (
    <section
      class={`decider ${down ? 'down' : ''} ${cacheLens ? 'observer' : ''} ${differs(process) ? 'differs' : ''}`}
      style={boxStyle(box)}
      aria-label={process}
    >
      <header>
        <b title={process}>
          <Name of={process} />
        </b>
        {!slim && statusPill(status, down, elects)}
        {flat && (
          <span class={`cache ${down ? 'lost' : ''}`}>
            <Cache model={model} process={process} down={down} />
          </span>
        )}
        <span class="grow" />
        {BUILT_WITH_ENGINE && !down && canFork.value && model === main.value && (
          <button
            class="bare bolt"
            aria-label={`What if something happened to ${process}?`}
            onClick={() => (offer.value = offerFor(process))}
          >
            <Icon of="bolt" />
          </button>
        )}
        <button class="bare" aria-pressed={cacheLens} aria-label={`Show the cache of ${process}`} onClick={() => look(process)}>
          <Icon of="eye" />
        </button>
      </header>
      {!flat && (
        <p class={`cache ${down ? 'lost' : ''}`}>
          {slim && statusPill(status, down, elects)}
          <Cache model={model} process={process} down={down} />
        </p>
      )}
      <ul style={{ gridTemplateColumns: `repeat(${Math.min(columnsIn(box.w, brief), Math.max(1, controllers.length))}, minmax(0, 1fr))` }}>
        {controllers.map((controller) => (
          <Controller key={controller} model={model} process={process} controller={controller} down={down} />
        ))}
      </ul>
    </section>
  );
}

export const offerFor = (process: string): Offer => ({
  title: `What if, to ${process}, here?`,
  waits: { process },
  faults: [
    { say: 'It crashes, and restarts after 5 seconds', typed: `fault crash ${process} restartAfter=5s` },
    { say: 'Its cache falls 10 seconds behind, for 20 seconds', typed: `fault lag ${process} by=10s for=20s` },
    { say: 'It is partitioned from the server for 20 seconds', typed: `fault partition ${process} for=20s` },
    { say: 'Its next request is refused', typed: `fault failRequest ${process}` },
  ],
});

const statusPill = (status: ProcessStatus | undefined, down: boolean, elects: boolean) => (
  <span class={`pill ${down ? 'bad' : status === 'leads' ? 'lead' : ''}`}>
    {status === 'leads' && <Icon of="crown" />}
    {down ? (status ?? 'not started yet') : status === 'leads' ? 'leader' : elects ? 'standby' : 'up'}
  </span>
);

/** Below this width the status is shown beside the cache, not beside the name. */
const SLIM = 330;

const LOST = 'cache, queue and memory are lost';
const FRESH = 'its cache is up to date';
const TOO_MUCH = 'too many objects to compare at every step';

const CHIPS = 8;

function Cache({ model, process, down }: { readonly model: Model; readonly process: string; readonly down: boolean }) {
  if (down) return <span title={LOST}>{LOST}</span>;
  const behind = useAtCursor(model, (of) => of.cacheLens.behind(process, fine.value), process);
  if (behind === undefined) return <span title={TOO_MUCH}>{TOO_MUCH}</span>;
  if (behind.length === 0) return <span title={FRESH}>{FRESH}</span>;
  return (
    <span class="late">
      {behind.slice(0, CHIPS).map((late) => (
        <button
          key={`${late.kind} ${late.key}`}
          class={`chip ${late.how}`}
          aria-label={behindText(late)}
          title={behindText(late)}
          onClick={() => {
            select(nameOfKey(late.kind, late.key));
            lens.value = process;
          }}
        >
          {late.kind.charAt(0)}
        </button>
      ))}
      {behind.length} behind
    </span>
  );
}

function behindText({ how, kind, key, held, saw }: Behind): string {
  const place = placeName(kind, key);
  if (how === 'phantom') return `${place} is deleted, but still in the cache`;
  if (how === 'unseen') return `${place} exists, but is not in the cache yet`;
  return `${place}: the server holds revision ${held?.object.metadata.resourceVersion ?? '?'}, its cache ${saw?.metadata.resourceVersion ?? '?'}`;
}

function actsAt(of: Model, process: string, controller: string): boolean {
  const entry = of.trace.entries[stepIn(of) - 1];
  return (
    (entry?.type === 'write' && entry.actor === process && entry.controller === controller) ||
    (entry?.type === 'reconcile' && entry.process === process && entry.controller === controller)
  );
}

interface ControllerProps {
  readonly model: Model;
  readonly process: string;
  readonly controller: string;
  readonly down: boolean;
}

function Controller({ model, process, controller, down }: ControllerProps) {
  const place = `${process} ${controller}`;
  const acts = useAtCursor(model, (of) => actsAt(of, process, controller), place);
  const queue = useAtCursor(model, (of) => (down ? undefined : queueOf(of, process, controller, of.world.at)), place, down);
  const said = useAtCursor(model, (of) => lastAt(of.decisions.get(place), stepIn(of))?.why ?? 'no decision yet', place);
  const why = down ? '' : said;
  return (
    <li class={acts ? 'acts' : ''}>
      <b title={controller}>{controller}</b>
      <span title={why}>
        {queue !== undefined && <em title={queue}>{queue}</em>} {why}
      </span>
    </li>
  );
}

/** The most important key of its queue: an unmet expectation, a failure, a wait. */
function queueOf(of: Model, process: string, controller: string, now: number): string | undefined {
  const introspection = peek.value;
  // The engine keeps one run for introspection.
  if (of !== main.value || introspection?.step !== stepIn(of)) return undefined;
  const keys = introspection.introspection.processes
    .find(({ name }) => name === process)
    ?.controllers.find(({ name }) => name === controller)?.keys;
  for (const { writing, awaits, failures, delayedUntil, queued, wakesAt } of keys ?? []) {
    const failed = failures === 0 ? '' : `, ${failures} failed`;
    const [first] = awaits;
    if (first !== undefined) return `awaits ${first.kind} rv ${first.revision}`;
    if (writing !== undefined && writing.left > 0) return `${writing.left} to write`;
    if (delayedUntil !== undefined) return `due in ${duration(delayedUntil - now)}${failed}`;
    if (queued) return `queued${failed}`;
    if (wakesAt !== undefined) return `wakes in ${duration(wakesAt - now)}`;
  }
  return undefined;
}
