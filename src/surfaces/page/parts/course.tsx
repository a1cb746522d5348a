/** The first view of a playground: the lessons of the course as cards, then all other scenarios, and files of the reader's own. */
import { useState } from 'preact/hooks';
import { forget } from '../address.ts';
import { counters } from '../counters.ts';
import { many } from '../model/words.ts';
import type { CarriedScenario, Picture } from '../protocol.ts';
import { data, lessons, progress } from '../state.ts';
import { openFiles } from '../trace-files.ts';
import { addressIn, addressOf, nextLesson } from '../way-on.ts';
import { Icon } from './icon.tsx';

export function Course() {
  counters.renders++;
  const all = lessons.value;
  const read = progress.value.lessons;
  const done = all.filter(({ name }) => read.get(name)?.done === true).length;
  const minutes = all.reduce((sum, { card }) => sum + (card?.minutes ?? 0), 0);
  return (
    <main class="course">
      <header>
        <h1>How a cluster of controllers works, and how it fails</h1>
        <p>
          {many(all.length, 'lesson')} in about {Math.round(minutes / 10) * 10} minutes. Each lesson is a real run of a simulated control
          plane: you predict what happens next, and the run shows it.
        </p>
        <WayIn done={done} of={all.length} />
      </header>
      <ol class="lessons">
        {all.map((lesson, at) => (
          <Lesson key={lesson.name} lesson={lesson} number={at + 1} />
        ))}
      </ol>
      <Others />
    </main>
  );
}

function WayIn({ done, of }: { readonly done: number; readonly of: number }) {
  const next = nextLesson.value;
  if (next === undefined) return null;
  const isNew = progress.value.lessons.size === 0;
  const number = lessons.value.indexOf(next) + 1;
  return (
    <p class="way-in">
      <a class="button primary" href={addressIn(next)}>
        {isNew ? 'Start with lesson 1' : done === of ? 'Start again with lesson 1' : `Continue with lesson ${number}: ${next.title}`}
      </a>
      {!isNew && (
        <>
          <span class="quiet">
            {done} of {of} done
          </span>
          <button class="link" onClick={forget}>
            forget my progress
          </button>
        </>
      )}
    </p>
  );
}

function Lesson({ lesson, number }: { readonly lesson: CarriedScenario; readonly number: number }) {
  const { card, title } = lesson;
  const read = progress.value.lessons.get(lesson.name);
  if (card === undefined) return null;
  return (
    <li>
      <a href={addressIn(lesson)} class={read?.done === true ? 'done' : ''}>
        <PictureOf of={card.picture} />
        <h2>
          <i>{number}</i> {title}
        </h2>
        <p>{card.teaches}</p>
        <footer>
          <span>{card.minutes} min</span>
          {read !== undefined && (
            <span class={read.done ? 'pill good' : 'pill'}>{read.done ? '✓ done' : `${read.notes} of ${read.of} read`}</span>
          )}
        </footer>
        {read !== undefined && !read.done && <progress value={read.notes} max={read.of} aria-hidden="true" />}
      </a>
    </li>
  );
}

function Others() {
  const [words, setWords] = useState('');
  const wanted = words.toLowerCase().split(/\s+/);
  const folders = new Map<string, CarriedScenario[]>();
  for (const each of data.value.scenarios) {
    if (each.card !== undefined || each.name === data.value.live) continue;
    if (!wanted.every((word) => `${each.name} ${each.title}`.toLowerCase().includes(word))) continue;
    const folder = each.name.includes('/') ? each.name.slice(0, each.name.lastIndexOf('/')) : 'scenarios';
    folders.set(folder, [...(folders.get(folder) ?? []), each]);
  }
  return (
    <section class="others" aria-label="Playground">
      <header>
        <h2>Playground</h2>
        <p>Every scenario that comes with orchsim. Open one, change it, and run it again.</p>
        <input
          class="field"
          type="search"
          placeholder="Find a scenario"
          aria-label="Find a scenario"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <label class="button">
          <Icon of="start" /> Open a file
          <input
            type="file"
            multiple
            aria-label="Open a file: a scenario, a manifest or a trace"
            onChange={({ currentTarget }) => void openFiles([...(currentTarget.files ?? [])])}
          />
        </label>
      </header>
      {folders.size === 0 && <p class="quiet">No scenario has these words.</p>}
      <div class="folders">
        {[...folders].map(([folder, all]) => (
          <section key={folder}>
            <h3>{folder}</h3>
            <ul>
              {all.map((each) => (
                <li>
                  <a href={addressOf(each)}>{each.title}</a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

/** A row is at most so high; many rows share the height. */
const ROW = 16;
const BAR = 0.7;
const WIDTH = 320;
/** Thousandths of the width that a position has. */
const SCALE = WIDTH / 1000;
const HEIGHT = 110;
/** The notes are at the foot. */
const FOOT = 14;
const MARGINS = 26;

function PictureOf({ of: { rows, bars, notes } }: { readonly of: Picture }) {
  const row = Math.min(ROW, (HEIGHT - MARGINS) / Math.max(1, rows));
  const top = (HEIGHT - FOOT - rows * row) / 2;
  return (
    <svg class="picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map(([at, from, to, look]) => (
        <rect class={look} x={from * SCALE} y={top + at * row} width={Math.max(1, (to - from) * SCALE - 0.6)} height={row * BAR} rx="1.5" />
      ))}
      {notes.map((at) => (
        <circle cx={Math.max(4, Math.min(WIDTH - 4, at * SCALE))} cy={HEIGHT - 8} r="2.5" />
      ))}
    </svg>
  );
}
