/** The controls of an embedded page: back, play, on, a scrubber, the theme; the full page is one click away. */
import { go, move, togglePlay } from '../actions.ts';
import { toggleTheme } from '../appearance.ts';
import { cursor, playing, theme, track } from '../state.ts';
import { Icon, Tool } from './icon.tsx';

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
