/** The whole page: a bar, the notes on the left, the stage with its timeline in the middle, the inspector on the right. */
import { counters } from '../counters.ts';
import type { Model } from '../model/index.ts';
import { blank, busy, embedded, live, model, notice, other, panel, presenting, problems, sheet, sides, view } from '../state.ts';
import { Bar } from './bar.tsx';
import { bounded } from './boundary.tsx';
import { Course } from './course.tsx';
import { Divider } from './divider.tsx';
import { Embedded, Transport } from './transport.tsx';
import { Futures, OneRun } from './futures.tsx';
import { Help } from './help.tsx';
import { Icon } from './icon.tsx';
import { Inspector } from './inspector.tsx';
import { Live } from './live.tsx';
import { Offer } from './offer.tsx';
import { Presenter, spotlight } from './presenter.tsx';
import { Share } from './share.tsx';
import { Side } from './side.tsx';
import { Timeline } from './timeline.tsx';

export function App() {
  counters.renders++;
  return (
    <>
      {!embedded.value && !presenting.value && bounded('The bar', <Bar />)}
      <Notice />
      <Problems />
      {BUILT_WITH_ENGINE && view.value === 'course' ? (
        bounded('The course', <Course />)
      ) : model.value === undefined ? (
        <Before />
      ) : (
        <Body of={model.value} />
      )}
      {BUILT_WITH_ENGINE && <Offer />}
      <Share />
      <Help />
    </>
  );
}

/** Shown before there is a run: the engine starts, or a served cluster requires a login. */
const Before = () =>
  !BUILT_WITH_ENGINE || live.value === undefined ? (
    <p class="loading">{busy.value === undefined ? '' : 'The engine starts …'}</p>
  ) : (
    <main class="before">
      <Live />
    </main>
  );

const Body = ({ of }: { readonly of: Model }) => (presenting.value ? <Presented of={of} /> : <Whole of={of} />);

/** For an audience: the stage, and one sentence. */
const Presented = ({ of }: { readonly of: Model }) => (
  <main class={other.value === undefined ? 'presented' : 'presented two'} onPointerMove={spotlight}>
    <section class="middle" aria-label="What happens">
      {other.value === undefined ? <OneRun of={of} silent /> : <Futures of={other.value} />}
    </section>
    {bounded('The notes', <Presenter />)}
    <div class="spotlight" />
    {blank.value && <button class="blank" aria-label="Show the stage again" onClick={() => (blank.value = false)} />}
  </main>
);

const Whole = ({ of }: { readonly of: Model }) => (
  <main
    class={`${other.value === undefined ? '' : 'two'} ${panel.value === 'scenario' ? 'editing' : ''} ${sides.value.notes || embedded.value ? '' : 'without-notes'} ${sides.value.inspector ? '' : 'without-inspector'}`}
  >
    <aside class="side" aria-label="Notes">
      {bounded('The notes', <Side />)}
      {BUILT_WITH_ENGINE && panel.value === 'scenario' && !embedded.value && <Divider />}
    </aside>
    <section class="middle" aria-label="What happens">
      {other.value === undefined ? <OneRun of={of} /> : <Futures of={other.value} />}
      {embedded.value && <Embedded />}
      <div class="deck" hidden={embedded.value}>
        {bounded('The transport', <Transport />)}
        {!embedded.value && bounded('The timeline', <Timelines of={of} />)}
      </div>
    </section>
    {!embedded.value && (
      <aside class={`inspector ${sheet.value ? 'open' : ''}`} aria-label="Inspector">
        {bounded('The inspector', <Inspector />)}
      </aside>
    )}
  </main>
);

function Timelines({ of }: { readonly of: Model }) {
  const pair = other.value?.pair;
  if (pair === undefined) return <Timeline of={of} name="Timeline" axis={of.axis} />;
  return (
    <>
      <Timeline of={of} name="Timeline of the first run" axis={pair.places.first} beside={pair} />
      <Timeline of={pair.second} name="Timeline of the second run" axis={pair.places.second} beside={pair} />
    </>
  );
}

function Notice() {
  if (notice.value === undefined) return null;
  return (
    <p class="notice" role="alert">
      <span>{notice.value}</span>
      <button class="bare" aria-label="Close" onClick={() => (notice.value = undefined)}>
        <Icon of="close" />
      </button>
    </p>
  );
}

/** The problems of a refused scenario; the last run stays. */
function Problems() {
  // The editor shows them at their places.
  if (problems.value.length === 0 || (panel.value === 'scenario' && model.value !== undefined)) return null;
  return (
    <ul class="problems" role="alert">
      {problems.value.slice(0, 8).map(({ message }) => (
        <li>{message}</li>
      ))}
    </ul>
  );
}
