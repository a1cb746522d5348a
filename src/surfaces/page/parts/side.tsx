/** The left side: the story of the run as its notes tell it, or the scenario's text. */
import type { JSX } from 'preact';
import { go, hop } from '../actions.ts';
import { counters } from '../counters.ts';
import { since } from '../model/words.ts';
import type { LessonBeat } from '../protocol.ts';
import { data, here, live, model, panel, scenario, type Panel } from '../state.ts';
import { Prose } from './prose.tsx';
import { Live } from './live.tsx';
import { Runs } from './runs.tsx';

export function Side() {
  counters.renders++;
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Left side" hidden={panels().length < 2}>
        {panels().map((name) => (
          <button role="tab" aria-selected={panel.value === name} onClick={() => (panel.value = name)}>
            {NAMES[name]}
          </button>
        ))}
      </div>
      {PANELS[panel.value]()}
    </>
  );
}

const NAMES: Readonly<Record<Panel, string>> = { live: 'Cluster', runs: 'Runs', story: 'Story', scenario: 'Scenario' };
const PANELS: Readonly<Record<Panel, () => JSX.Element>> = {
  live: () => <Live />,
  runs: () => <Runs />,
  story: () => <Story />,
  scenario: () => <Text />,
};

function panels(): readonly Panel[] {
  if (live.value !== undefined) return ['live'];
  return (data.value.runs?.length ?? 0) > 1 ? ['runs', 'story', 'scenario'] : ['story', 'scenario'];
}

const Text = () => (
  <pre class="text" tabIndex={0} aria-label="The scenario's text">
    {scenario.value?.text ?? ''}
  </pre>
);

function Story() {
  const of = model.value;
  if (of === undefined) return null;
  const { title, teaches, beats } = of.run.lesson;
  const reached = beats.filter(({ step }) => step <= here.value).length;
  const more = beats.length - reached;
  return (
    <div class="story">
      <h1>{title}</h1>
      {teaches !== undefined && <p class="teaches">{teaches}</p>}
      <Failures />
      {beats.slice(0, reached).map((beat, at) => (
        <Beat beat={beat} number={at + 1} current={at === reached - 1} key={at} />
      ))}
      {more > 0 ? (
        <button class="button primary" onClick={() => hop(of.beats, 1)}>
          {reached === 0 ? 'To the first note' : `On to note ${reached + 1}`}
        </button>
      ) : (
        here.value < of.length && (
          <button class="button" onClick={() => go(of.length)}>
            To the end
          </button>
        )
      )}
    </div>
  );
}

/** What broke comes first: it is what whoever opens such a page looks for. */
function Failures() {
  const failures = model.value?.run.failures ?? [];
  if (failures.length === 0) return null;
  return (
    <ul class="failures">
      {failures.map(({ message, invariant, step, detail }) => (
        <li>
          <button onClick={() => go(step)}>
            <b>{invariant === undefined ? 'Failed' : invariant}</b> {message}
            <small>{detail[0] ?? ''}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface BeatProps {
  readonly beat: LessonBeat;
  readonly number: number;
  readonly current: boolean;
}

function Beat({ beat: { step, note }, number, current }: BeatProps) {
  const of = model.value;
  const at = (of?.trace.entries[step - 1]?.at ?? of?.trace.startAt ?? 0) - (of?.trace.startAt ?? 0);
  const intoView = (element: HTMLElement | null): void => {
    // Where the page itself scrolls, the stage would be scrolled away.
    const side = element?.closest('.side');
    if (current && side !== null && side !== undefined && side.scrollHeight > side.clientHeight)
      element?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <article class={`note ${current ? 'current' : ''}`} ref={intoView}>
      <button class="when" onClick={() => go(step)} aria-label={`Note ${number}, at ${since(at)}`}>
        <i>{number}</i> {since(at)}
      </button>
      <Prose text={note} />
    </article>
  );
}
