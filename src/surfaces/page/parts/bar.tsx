/** The bar: the scenario, its verdict, the selected cache, and the identity of the run. */
import { setTheme } from '../actions.ts';
import { open, openStretch } from '../opening.ts';
import { counters } from '../counters.ts';
import { share } from '../links.ts';
import { grouped, many } from '../model/words.ts';
import type { CarriedScenario } from '../protocol.ts';
import { busy, canFork, data, lens, live, model, offer, scenario, sheet, theme } from '../state.ts';
import { Icon } from './icon.tsx';

export function Bar() {
  counters.renders++;
  return (
    <header class="bar">
      <b class="brand">orchsim</b>
      <Scenarios />
      <Verdict />
      <Long />
      {busy.value !== undefined && <span class="pill">{busy.value} …</span>}
      <span class="grow" />
      {lens.value !== undefined && (
        <button class="lens-on" onClick={() => (lens.value = undefined)} aria-label={`Stop showing the cache of ${lens.value}`}>
          <Icon of="eye" /> as {lens.value} sees it <Icon of="close" />
        </button>
      )}
      <Identity />
      {canFork.value && model.value !== undefined && (
        <button class="button" onClick={() => (offer.value = { title: 'Compare this run with another', faults: [], compare: true })}>
          Compare
        </button>
      )}
      {live.value === undefined && model.value !== undefined && model.value.run.unfinished === undefined && canLink() && (
        <button class="button" onClick={() => void share()}>
          Link
        </button>
      )}
      <button class="button narrow" aria-pressed={sheet.value} aria-label="Inspector" onClick={() => (sheet.value = !sheet.value)}>
        <Icon of="inspect" />
      </button>
      <button
        class="button"
        aria-label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
        onClick={() => setTheme(theme.value === 'dark' ? 'light' : 'dark')}
      >
        <Icon of="theme" />
      </button>
    </header>
  );
}

/** An opened recording does not fit into an address. */
const canLink = (): boolean => model.value?.run.recorded === undefined || data.value.runs !== undefined;

/** The scenarios in the page, by folder; for a single one its title. */
function Scenarios() {
  const { scenarios } = data.value;
  const now = scenario.value;
  if (scenarios.length < 2)
    return (
      <span class="title" title={now?.title ?? ''}>
        {now?.title ?? ''}
      </span>
    );
  const folders = new Map<string, CarriedScenario[]>();
  for (const each of scenarios) {
    const folder = each.name.includes('/') ? each.name.slice(0, each.name.lastIndexOf('/')) : '';
    folders.set(folder, [...(folders.get(folder) ?? []), each]);
  }
  const choose = (name: string): void => {
    const chosen = scenarios.find((each) => each.name === name);
    if (chosen !== undefined) void open(chosen);
  };
  return (
    <select class="field" aria-label="Scenario" value={now?.name ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {now !== undefined && !scenarios.includes(now) && (
        <option value={now.name}>
          {now.title} ({now.text === '' ? 'recorded' : 'changed'})
        </option>
      )}
      {[...folders].map(([folder, introspection]) => (
        <optgroup label={folder === '' ? 'scenarios' : folder}>
          {introspection.map(({ name, title }) => (
            <option value={name}>{title}</option>
          ))}
        </optgroup>
      ))}
    </select>
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
  if (of.run.unfinished === true) return <span class="pill">{grouped(of.length)} entries so far</span>;
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

/** The part of a run that is too long for a page. */
function Long() {
  const of = model.value;
  const { window: shown } = of?.run ?? {};
  if (of === undefined || shown === undefined) return null;
  const to = shown.from + of.length;
  const engine = data.value.runs === undefined;
  return (
    <span class="pill long" title={`${grouped(shown.of)} entries are too many for a page: it shows ${grouped(of.length)} of them`}>
      {engine && shown.from > 0 && <StretchKey name="The part before" text="‹" from={shown.from - of.length} />}
      long run: {grouped(shown.from + 1)} to {grouped(to)} of {grouped(shown.of)}
      {engine && to < shown.of && <StretchKey name="The part after" text="›" from={to} />}
    </span>
  );
}

const StretchKey = ({ name, text, from }: { readonly name: string; readonly text: string; readonly from: number }) => (
  <button class="link" aria-label={name} title={name} onClick={() => void openStretch(from)}>
    {text}
  </button>
);

function Identity() {
  const run = model.value?.run;
  if (run === undefined || run.unfinished === true) return null;
  if (run.digest === '') return <span class="identity">seed {run.seed}</span>;
  return (
    <span class="identity" title={`The digest is the same on any machine: ${run.digest}`}>
      seed {run.seed} · {run.digest.slice(0, 8)}
    </span>
  );
}
