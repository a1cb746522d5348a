/**
 * The inspector: why an entry happened, why something has not happened, what changed, how each cache has the object, and what comes next.
 */
import { useState } from 'preact/hooks';
import { forkHere, go } from '../actions.ts';
import { counters } from '../counters.ts';
import { duration, grouped, sentenceOf, type Said } from '../model/words.ts';
import { LONGEST } from '../run-data.ts';
import { atInspected, canFork, data, headlineAt, inspectedStep, model, peek, scenario, inspectedObject, sheet } from '../state.ts';
import { Icon } from './icon.tsx';
import { ObjectPane } from './object.tsx';
import { Order } from './order.tsx';
import { storyOf, type Trace, toneOf } from '../../../lab/trace/index.ts';

export function Inspector() {
  counters.renders++;
  const of = model.value;
  if (of === undefined) return null;
  return (
    <>
      <button class="button close narrow" aria-label="Close the inspector" onClick={() => (sheet.value = false)}>
        <Icon of="close" />
      </button>
      <Why />
      <WhyNot />
      <ObjectPane model={of} />
      <Next />
    </>
  );
}

function Why() {
  const of = model.value;
  if (of === undefined) return null;
  const step = headlineAt(of, inspectedStep.value);
  const said = sentenceOf(of.trace, step);
  return (
    <section>
      <h2>Why</h2>
      {said === undefined ? (
        <p class="quiet">Nothing has happened yet. Press → or Play.</p>
      ) : (
        <>
          <p>
            <time>{said.time}</time> <b>{said.who}</b> {said.what}
          </p>
          {said.why !== '' && <blockquote>{said.why}</blockquote>}
          <Chain trace={of.trace} step={step} why={said.why} go={go} />
        </>
      )}
    </section>
  );
}

/** What the object waits for; empty if it waits for nothing. */
function WhyNot() {
  const look = peek.value;
  const about = inspectedObject.value;
  if (look?.step !== inspectedStep.value || look.waits.length === 0 || look.about?.name !== about?.name) return null;
  return (
    <section>
      <h2>Why not yet</h2>
      <ul class="waits">
        {look.waits.slice(0, 6).map((line) => (
          <li style={{ paddingLeft: `${(line.length - line.trimStart().length) * 6}px` }}>{line.trimStart()}</li>
        ))}
      </ul>
    </section>
  );
}

/** Recordings have no pending events, because there is no engine to repeat the run. */
function Recorded() {
  const { seed } = model.value?.run ?? {};
  const run = data.value.runs?.find((each) => each.seed === seed && each.scenario === scenario.value?.name);
  return (
    <section>
      <h2>Next</h2>
      <p class="quiet">This is a recording: it has no pending events.{run?.replay && ' The command that repeats the run:'}</p>
      {run?.replay && <code class="code">{run.replay}</code>}
    </section>
  );
}

const MOST_NEXT = 7;

const MOST_LISTED = 300;

function Next() {
  const [all, setAll] = useState(false);
  const [ordered, setOrdered] = useState(false);
  const look = peek.value;
  const of = model.value;
  if (of === undefined) return null;
  if (data.value.runs !== undefined || of.run.recorded === true) return <Recorded />;
  if (look?.step !== inspectedStep.value)
    return (
      <section>
        <h2>Next</h2>
        <p class="quiet">
          {of.run.live === true && inspectedStep.value < of.length
            ? 'Pending events are known only for the present.'
            : of.length > LONGEST
              ? `Pending events are known in runs of up to ${grouped(LONGEST)} entries.`
              : 'once the cursor rests …'}
        </p>
      </section>
    );
  const now = atInspected(of).world.at;
  const foreground = look.introspection.pending.filter(({ background }) => !background);
  return (
    <section>
      <h2>Next</h2>
      {foreground.length === 0 && <p class="quiet">Only heartbeats are pending: the cluster has settled.</p>}
      <ol class="next">
        {foreground.slice(0, all ? MOST_LISTED : MOST_NEXT).map(({ what, at }) => (
          <li>
            <time>{at <= now ? 'now' : `+${duration(at - now)}`}</time> {what}
          </li>
        ))}
      </ol>
      {foreground.length > MOST_NEXT && (
        <button class="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'only the first' : `and ${foreground.length - MOST_NEXT} more`}
        </button>
      )}
      {BUILT_WITH_ENGINE && foreground.length > 1 && canFork.value && (
        <details class="orders" open={ordered} onToggle={({ currentTarget }) => setOrdered(currentTarget.open)}>
          <summary>In another order</summary>
          {ordered && <Order of={{}} alone={true} fork={forkHere} />}
        </details>
      )}
    </section>
  );
}

interface Props {
  readonly trace: Trace;
  readonly step: number;
  /** Empty if a later link has the same reason. */
  readonly why: string;
  go(step: number): void;
}

interface Link {
  readonly step: number;
  readonly said: Said;
  readonly tone: string;
  times: number;
}

const DEEPEST = 200;
const MOST = 10;

function Chain({ trace, step, why, go }: Props) {
  const links = step === 0 ? [] : linksOf(trace, step);
  if (links.length === 0) return null;
  return (
    <ol class="chain" aria-label="Causes">
      {links.slice(0, MOST).map(({ step: at, said, tone, times }) => (
        <li class={tone}>
          <button onClick={() => go(at)}>
            <time>{said.time}</time> <b>{said.who}</b> {clipped(said.what, 96)}
            {times > 1 && <small> · {times} times</small>}
            {said.why !== '' && said.why !== why && <i>{clipped(said.why, 110)}</i>}
          </button>
        </li>
      ))}
      {links.length > MOST && <li class="more">and {links.length - MOST} before</li>}
    </ol>
  );
}

/** A loop (a leader that cannot renew) is one link. */
function linksOf(trace: Trace, step: number): readonly Link[] {
  const links = new Map<string, Link>();
  for (const { step: at, entry } of storyOf(trace, step, DEEPEST)) {
    const said = sentenceOf(trace, at);
    if (said === undefined) continue;
    const key = `${said.who} ${said.what} ${said.why}`;
    const known = links.get(key);
    if (known === undefined) links.set(key, { step: at, said, tone: toneOf(entry), times: 1 });
    else known.times++;
  }
  return [...links.values()];
}

const clipped = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
