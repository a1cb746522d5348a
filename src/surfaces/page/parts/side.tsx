/** The left side: the notes of the run, or the scenario's text. */
import type { JSX } from 'preact';
import { counters } from '../counters.ts';
import { data, embedded, live, panel, type Panel } from '../state.ts';
import { Editor } from './editor.tsx';
import { Live } from './live.tsx';
import { Runs } from './runs.tsx';
import { Source } from './source.tsx';
import { Story } from './story.tsx';
import { WayOn } from './way-on.tsx';

export function Side() {
  counters.renders++;
  return (
    <>
      <div
        class="tabs"
        role="tablist"
        aria-label="Left side"
        hidden={panels().length < 2 || embedded.value}
        onKeyDown={(event) => {
          const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
          if (by === 0) return;
          // Outside of the tabs these keys move the cursor.
          event.stopPropagation();
          event.preventDefault();
          turn(by);
        }}
      >
        {panels().map((name) => (
          <button
            role="tab"
            id={`tab-${name}`}
            aria-controls="panel"
            aria-selected={panel.value === name}
            tabIndex={panel.value === name ? 0 : -1}
            onClick={() => (panel.value = name)}
          >
            {NAMES[name]}
          </button>
        ))}
      </div>
      <div id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${panel.value}`}>
        {PANELS[embedded.value ? 'story' : panel.value]()}
        {(embedded.value || panel.value === 'story') && <WayOn />}
      </div>
    </>
  );
}

const NAMES: Readonly<Record<Panel, string>> = { live: 'Cluster', runs: 'Runs', story: 'Notes', scenario: 'Scenario' };
const PANELS: Readonly<Record<Panel, () => JSX.Element>> = {
  live: () => (BUILT_WITH_ENGINE ? <Live /> : <></>),
  runs: () => <Runs />,
  story: () => <Story />,
  scenario: () => (BUILT_WITH_ENGINE ? <Editor /> : <Source />),
};

/** Opens the neighbouring tab and moves the focus there. */
function turn(by: 1 | -1): void {
  const all = panels();
  const next = all[(all.indexOf(panel.value) + by + all.length) % all.length] ?? panel.value;
  panel.value = next;
  document.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
}

function panels(): readonly Panel[] {
  if (live.value !== undefined) return ['live'];
  return (data.value.runs?.length ?? 0) > 1 ? ['runs', 'story', 'scenario'] : ['story', 'scenario'];
}
