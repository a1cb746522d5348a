/** The left side: the story of the run as its notes tell it, or the scenario's text. */
import type { JSX } from 'preact';
import { counters } from '../counters.ts';
import { data, embedded, live, panel, type Panel } from '../state.ts';
import { Editor } from './editor.tsx';
import { Live } from './live.tsx';
import { Runs } from './runs.tsx';
import { Source } from './source.tsx';
import { Story } from './story.tsx';

export function Side() {
  counters.renders++;
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Left side" hidden={panels().length < 2 || embedded.value}>
        {panels().map((name) => (
          <button role="tab" aria-selected={panel.value === name} onClick={() => (panel.value = name)}>
            {NAMES[name]}
          </button>
        ))}
      </div>
      {PANELS[embedded.value ? 'story' : panel.value]()}
    </>
  );
}

const NAMES: Readonly<Record<Panel, string>> = { live: 'Cluster', runs: 'Runs', story: 'Story', scenario: 'Scenario' };
const PANELS: Readonly<Record<Panel, () => JSX.Element>> = {
  live: () => (BUILT_WITH_ENGINE ? <Live /> : <></>),
  runs: () => <Runs />,
  story: () => <Story />,
  scenario: () => (BUILT_WITH_ENGINE ? <Editor /> : <Source />),
};

function panels(): readonly Panel[] {
  if (live.value !== undefined) return ['live'];
  return (data.value.runs?.length ?? 0) > 1 ? ['runs', 'story', 'scenario'] : ['story', 'scenario'];
}
