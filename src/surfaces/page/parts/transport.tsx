/** The transport: navigation, play, position, search; and the controls of an embedded page, from which the full page is one click away. */
import { computed } from '@preact/signals';
import { go, hop, move, nextOf, previousNote, toggleMark, togglePlay } from '../actions.ts';
import { counters } from '../counters.ts';
import { beginsAt } from '../model/axis.ts';
import { grouped, many, since } from '../model/words.ts';
import { found } from '../searching.ts';
import { cursor, fine, folded, here, marks, matches, model, other, playing, search, speed, track, theme } from '../state.ts';
import { Icon, Tool } from './icon.tsx';
import { toggleTheme } from '../appearance.ts';

/** The toolbar is not rendered at every step. */
const isMarked = computed(() => marks.value.includes(here.value));

const SPEEDS = [0.5, 1, 2, 4, 8];

export function Transport() {
  counters.renders++;
  const of = track.value;
  if (of === undefined) return null;
  const { narrationSteps, length } = of;
  return (
    <div class="transport" role="toolbar" aria-label="Transport">
      <div class="group">
        <Tool of="start" name="To the start" act={() => go(0)} shown="wide" />
        <Tool of="noteBack" name="Previous note" act={previousNote} />
        <Tool of="back" name="Back" act={() => move(-1)} />
        <button
          class="button primary play"
          aria-label={playing.value ? 'Pause' : 'Play'}
          title={playing.value ? 'Pause' : 'Play'}
          onClick={togglePlay}
        >
          <Icon of={playing.value ? 'pause' : 'on'} />
        </button>
        <Tool of="on" name="On" act={() => move(1)} />
        <Tool of="noteOn" name="Next note" act={() => hop([...narrationSteps, length], 1)} />
        <Tool of="end" name="To the end" act={() => go(length)} shown="wide" />
      </div>
      <Position />
      <Broken />
      <span class="grow" />
      {other.value === undefined && (
        <>
          <Search />
          {toggle('flag', 'Mark this step', isMarked.value, toggleMark)}
        </>
      )}
      <select
        class="field wide"
        aria-label="Speed"
        value={speed.value}
        onChange={({ currentTarget }) => (speed.value = Number(currentTarget.value))}
      >
        {SPEEDS.map((each) => (
          <option value={each}>{each}×</option>
        ))}
      </select>
      {toggle('every', 'Step through every entry', fine.value, () => (fine.value = !fine.value))}
      {toggle('fold', 'Fold quiet time', folded.value, () => (folded.value = !folded.value))}
    </div>
  );
}

const toggle = (of: 'flag' | 'every' | 'fold', name: string, on: boolean, act: () => void) => (
  <button class="button fine" aria-label={name} title={name} aria-pressed={on} onClick={act}>
    <Icon of={of} />
  </button>
);

function Position() {
  const of = model.value;
  if (of === undefined) return null;
  const on = track.value ?? of;
  const at = track.value?.instantAt(cursor.value) ?? beginsAt(of.trace);
  const { from: before = 0, of: whole = on.length } = of.run.window ?? {};
  return (
    <output aria-live="off" title={`${since(at - of.trace.startAt)}, step ${grouped(cursor.value + before)} of ${grouped(whole)}`}>
      <b>{since(at - of.trace.startAt)}</b> #{grouped(cursor.value + before)} <small>of {grouped(whole)}</small>
    </output>
  );
}

function Broken() {
  const broken = track.value?.broken ?? [];
  if (broken.length === 0) return null;
  return (
    <button class="button bad" onClick={() => go(nextOf(broken, cursor.value, 1) ?? broken[0] ?? 0)}>
      ✗ {many(broken.length, 'break')}
    </button>
  );
}

function Search() {
  const steps = matches.value;
  return (
    <span class="search fine">
      <input
        id="search"
        class="field"
        type="search"
        placeholder="Search"
        title="Words, and kind:Pod by:job why:wanted"
        aria-label="Search: words, kind:, by:, why:"
        value={search.value}
        onInput={({ currentTarget }) => (search.value = currentTarget.value)}
        onKeyDown={({ key, shiftKey }) => {
          if (key === 'Enter') hop(found(), shiftKey ? -1 : 1);
        }}
      />
      {steps !== undefined && (
        <>
          <small>{steps.length === 0 ? 'none' : grouped(steps.length)}</small>
          <Tool of="back" name="Previous match" act={() => hop(found(), -1)} />
          <Tool of="on" name="Next match" act={() => hop(found(), 1)} />
        </>
      )}
    </span>
  );
}

export const Embedded = () => (
  <p class="embed-bar">
    <Tool of="back" name="Back" act={() => move(-1)} />
    <button class="button primary" aria-label={playing.value ? 'Pause' : 'Play'} onClick={togglePlay}>
      <Icon of={playing.value ? 'pause' : 'on'} />
    </button>
    <Tool of="on" name="On" act={() => move(1)} />
    <input
      class="grow"
      type="range"
      min={0}
      max={track.value?.length ?? 0}
      value={cursor.value}
      aria-label="Step"
      onInput={({ currentTarget }) => go(Number(currentTarget.value))}
    />
    <Tool of="theme" name={theme.value === 'dark' ? 'Light theme' : 'Dark theme'} act={toggleTheme} />
    <a class="link" href={location.href.replace(/[?]embed\b/, '')} target="_blank" rel="noopener noreferrer">
      open the whole page
    </a>
  </p>
);
