/** The left side: the notes of the run, or the scenario's text. */
import type { JSX } from 'preact';
import { counters } from '../counters.ts';
import { data, embedded, live, panel, type Panel, scenario, sought } from '../state.ts';
import { Editor } from './editor.tsx';
import { Live } from './live.tsx';
import { Runs } from './runs.tsx';
import { Story } from './story.tsx';
import { WayOn } from './way-on.tsx';
import { useEffect, useRef } from 'preact/hooks';

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

/** The scenario's text, read-only, in pages that cannot run it. The line that was asked for is marked. */
function Source() {
  const marked = useRef<HTMLElement>(null);
  const line = sought.value?.line;
  useEffect(() => marked.current?.scrollIntoView({ block: 'center' }), [line]);
  const lines = (scenario.value?.text ?? '').split('\n');
  return (
    <>
      <h1 class="unseen">The scenario as a file</h1>
      <pre class="code" tabIndex={0} aria-label="The scenario's text">
        {line === undefined
          ? lines.join('\n')
          : [`${lines.slice(0, line - 1).join('\n')}\n`, <mark ref={marked}>{lines[line - 1]}</mark>, `\n${lines.slice(line).join('\n')}`]}
      </pre>
    </>
  );
}
