/** The bar: the scenario, its verdict, the selected cache, and the identity of the run. */
import { offerComparison } from '../actions.ts';
import { foldSide, present, toggleTheme } from '../appearance.ts';
import { printHandout } from '../handout.ts';
import { formatSince } from '../../../lab/trace/index.ts';
import { openStretch, stopRun } from '../opening.ts';
import { counters } from '../counters.ts';
import { share } from '../links.ts';
import { grouped, many } from '../model/words.ts';
import { busy, canFork, data, help, lens, lessons, live, model, runProgress, scenario, sheet, sides, theme, view } from '../state.ts';
import { addressOf, COURSE, lessonIndex } from '../way-on.ts';
import { offerActions } from './offer.tsx';
import { Icon, Tool } from './icon.tsx';

export function Bar() {
  counters.renders++;
  const { live: cluster } = data.value;
  return (
    <header class="bar">
      {!BUILT_WITH_ENGINE || lessons.value.length === 0 ? (
        <b class="brand">orchsim</b>
      ) : (
        <a class="brand" href={COURSE} aria-current={view.value === 'course' ? 'page' : undefined}>
          <b>orchsim</b>
          {view.value === 'run' && <span>All lessons</span>}
        </a>
      )}
      {cluster !== undefined && (view.value === 'course' || live.value === undefined) && (
        <a class="link" href={addressOf({ name: cluster })}>
          The live cluster
        </a>
      )}
      {view.value === 'run' && (
        <>
          <Title />
          {BUILT_WITH_ENGINE && <Neighbours />}
          <Verdict />
          <Long />
        </>
      )}
      <Busy />
      <span class="grow" />
      {view.value === 'run' && <OfRun />}
      {view.value === 'run' && model.value !== undefined && (
        <>
          <Tool of="notes" name={sides.value.notes ? 'Fold the notes' : 'Unfold the notes'} act={() => foldSide('notes')} shown="wide" />
          <Tool of="print" name="Print a handout" act={() => void printHandout()} shown="wide" />
          <Tool of="present" name="Presenter mode" act={() => present(true)} shown="projector" />
        </>
      )}
      <Tool of="help" name="Help: keys and signs" act={() => (help.value = true)} />
      <Tool of="theme" name={theme.value === 'dark' ? 'Light theme' : 'Dark theme'} act={toggleTheme} />
    </header>
  );
}

/** The selected cache, the identity of the run, and what can be done with it. */
const OfRun = () => (
  <>
    {lens.value !== undefined && (
      <button
        class="lens-on"
        title={`as ${lens.value} sees it`}
        onClick={() => (lens.value = undefined)}
        aria-label={`Stop showing the cache of ${lens.value}`}
      >
        <Icon of="eye" /> <span class="wide">as {lens.value}</span>
        <span class="sees"> sees it</span> <Icon of="close" />
      </button>
    )}
    <Identity />
    {BUILT_WITH_ENGINE && canFork.value && model.value !== undefined && (
      <>
        <button class="button wide" onClick={offerActions}>
          What if
        </button>
        <button class="button wide" onClick={offerComparison}>
          Compare
        </button>
      </>
    )}
    {live.value === undefined &&
      model.value !== undefined &&
      model.value.run.unfinished === undefined &&
      model.value.run.stopped === undefined &&
      canLink() && (
        <button class="button wide" onClick={() => void share()}>
          Share
        </button>
      )}
    <button
      class="button folds"
      aria-pressed={sides.value.inspector}
      aria-label="Fold or unfold the inspector"
      title="Fold or unfold the inspector"
      onClick={() => foldSide('inspector')}
    >
      <Icon of="inspect" />
    </button>
    <button class="button narrow" aria-pressed={sheet.value} aria-label="Inspector" onClick={() => (sheet.value = !sheet.value)}>
      <Icon of="inspect" />
    </button>
  </>
);

/** An opened recording does not fit into an address. */
const canLink = (): boolean => model.value?.run.recorded === undefined || data.value.runs !== undefined;

/** The title of what is shown, with the neighbours of a lesson. */
function Title() {
  const now = scenario.value;
  if (now === undefined) return null;
  const at = lessonIndex.value;
  const carried = data.value.scenarios.includes(now) || data.value.scenarios.length === 1;
  return (
    <span class="title" title={now.title}>
      {at >= 0 && <b>{at + 1} </b>}
      {now.title}
      {!carried && (now.text === '' ? ' (recorded)' : ' (changed)')}
    </span>
  );
}

function Neighbours() {
  const at = lessonIndex.value;
  if (at < 0) return null;
  return (
    <span class="neighbours">
      {[
        { of: 'back', name: 'Previous lesson', to: lessons.value[at - 1] } as const,
        { of: 'on', name: 'Next lesson', to: lessons.value[at + 1] } as const,
      ].map(({ of, name, to }) =>
        to === undefined ? null : (
          <a class="button" href={addressOf(to)} aria-label={`${name}: ${to.title}`} title={`${name}: ${to.title}`}>
            <Icon of={of} />
          </a>
        ),
      )}
    </span>
  );
}

function Verdict() {
  const of = model.value;
  if (of === undefined) return null;
  const { verdict, invariants, failures } = of.run;
  if (of.run.live === true)
    return (
      <span class={`pill ${live.value?.is === 'live' ? 'good' : 'bad'}`}>{live.value?.is === 'live' ? '● live' : 'not connected'}</span>
    );
  if (of.run.unfinished === true) return null;
  if (of.run.stopped === true) return <span class="pill">stopped at {grouped(of.length)} entries</span>;
  if (verdict === 'held')
    return (
      <span class="pill good" title={`${many(invariants.exercised, 'invariant was', 'invariants were')} exercised, and held`}>
        ✓ held{of.run.recorded === true ? null : <span class="wide"> · {many(invariants.exercised, 'invariant')}</span>}
      </span>
    );
  return (
    <span class="pill bad" title={failures.map(({ message }) => message).join('\n')}>
      ✗ {verdict === 'unsettled' ? 'did not settle' : many(failures.length, 'failure')}
    </span>
  );
}

/** What the engine does, and how far it is. A long run can be stopped. */
function Busy() {
  const so = runProgress.value;
  if (!BUILT_WITH_ENGINE || so === undefined) return busy.value === undefined ? null : <span class="pill">{busy.value} …</span>;
  const { entries, lengthMs, untilMs } = so;
  const far = untilMs === undefined ? formatSince(lengthMs) : `${Math.floor((100 * lengthMs) / untilMs)} %`;
  return (
    <span class="pill running">
      {grouped(entries)} entries so far · {far}
      <button class="link" title="Stop here, and keep what there is" onClick={stopRun}>
        Stop
      </button>
    </span>
  );
}

function Long() {
  const of = model.value;
  const { window: shown } = of?.run ?? {};
  if (of === undefined || shown === undefined) return null;
  const to = shown.from + of.length;
  const engine = BUILT_WITH_ENGINE && data.value.runs === undefined;
  return (
    <span class="pill long" title={`${grouped(shown.of)} entries are too many for a page: it shows ${grouped(of.length)} of them`}>
      {engine && shown.from > 0 && stretchKey('The part before', '‹', shown.from - of.length)}
      long run: {grouped(shown.from + 1)} to {grouped(to)} of {grouped(shown.of)}
      {engine && to < shown.of && stretchKey('The part after', '›', to)}
    </span>
  );
}

const stretchKey = (name: string, text: string, from: number) => (
  <button class="link" aria-label={name} title={name} onClick={() => void openStretch(from)}>
    {text}
  </button>
);

function Identity() {
  const run = model.value?.run;
  if (run === undefined || run.unfinished === true || run.stopped === true) return null;
  if (run.digest === '') return <span class="identity">seed {run.seed}</span>;
  return (
    <span class="identity" title={`The digest is the same on any machine: ${run.digest}`}>
      seed {run.seed} · {run.digest.slice(0, 8)}
    </span>
  );
}
