/** The whole page: a bar, the story on the left, the stage with its timeline in the middle, the inspector on the right. */
import { counters } from '../counters.ts';
import { busy, live, model, problems, sheet } from '../state.ts';
import { Bar } from './bar.tsx';
import { Boundary } from './boundary.tsx';
import { Help } from './help.tsx';
import { Inspector } from './inspector.tsx';
import { Live } from './live.tsx';
import { Narration } from './narration.tsx';
import { Side } from './side.tsx';
import { Stage } from './stage.tsx';
import { Timeline } from './timeline.tsx';
import { Transport } from './transport.tsx';

export function App() {
  counters.renders++;
  return (
    <>
      <Boundary name="The bar">
        <Bar />
      </Boundary>
      <Problems />
      {model.value === undefined ? <Before /> : <Body />}
      <Help />
    </>
  );
}

/** Nothing can be shown yet: the engine starts, or a served cluster wants to know who asks. */
const Before = () =>
  live.value === undefined ? (
    <p class="loading">{busy.value === undefined ? '' : 'The engine starts …'}</p>
  ) : (
    <main class="before">
      <Live />
    </main>
  );

const Body = () => (
  <main>
    <aside class="side" aria-label="Story">
      <Boundary name="The story">
        <Side />
      </Boundary>
    </aside>
    <section class="middle" aria-label="What happens">
      <Boundary name="The narration">
        <Narration />
      </Boundary>
      <div class="scroll">
        <Boundary name="The stage">
          <Stage />
        </Boundary>
      </div>
      <div class="deck">
        <Boundary name="The transport">
          <Transport />
        </Boundary>
        <Boundary name="The timeline">
          <Timeline />
        </Boundary>
      </div>
    </section>
    <aside class={`inspector ${sheet.value ? 'open' : ''}`} aria-label="Inspector">
      <Boundary name="The inspector">
        <Inspector />
      </Boundary>
    </aside>
  </main>
);

/** What is wrong with a scenario that was refused; the last good run stands. */
function Problems() {
  if (problems.value.length === 0) return null;
  return (
    <ul class="problems" role="alert">
      {problems.value.slice(0, 8).map(({ message }) => (
        <li>{message}</li>
      ))}
    </ul>
  );
}
