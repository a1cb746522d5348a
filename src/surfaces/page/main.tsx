/** The entry point in the browser: reads the data in the file, starts the engine, shows the first scenario. */
import { render } from 'preact';
import { compare, go } from './actions.ts';
import { setTheme } from './appearance.ts';
import { afterPicture, bindEngine, bindLive, open } from './opening.ts';
import { startClocks } from './clocks.ts';
import { counters, resetCounters } from './counters.ts';
import { engineOf, unpacked, recordedEngine } from './engine.ts';
import { isKept } from './kept-runs.ts';
import { listenToKeys } from './keys.ts';
import { follow, showCourse, systemTheme } from './links.ts';
import { startAddress } from './address.ts';
import { App } from './parts/app.tsx';
import type { PageData } from './protocol.ts';
import { goLive, peekLive, stopLive } from './live.ts';
import { listenToDrops } from './trace-files.ts';
import * as state from './state.ts';

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

function start(root: HTMLElement): void {
  // `index.ts` wrote the data, so its type is known.
  const carried = JSON.parse(textOf('data')) as PageData;
  const engine = BUILT_WITH_ENGINE ? engineOf(textOf('engine')) : recordedEngine(carried);
  // Its thread reads the program while this one unpacks scenarios and draws.
  if (BUILT_WITH_ENGINE && needsEngine(carried)) engine.start();
  const data = BUILT_WITH_ENGINE ? unpacked(carried) : carried;
  state.data.value = data;
  setTheme(systemTheme());
  bindEngine(engine);
  if ((data.runs?.length ?? 0) > 1) state.panel.value = 'runs';
  if (BUILT_WITH_ENGINE) bindLive({ begin: goLive, end: stopLive, peek: peekLive });
  listenToKeys();
  if (BUILT_WITH_ENGINE) listenToDrops();
  startClocks();
  embedded(new URLSearchParams(location.search).has('embed'));
  render(<App />, root);
  addEventListener('hashchange', () => void begin(data));
  void begin(data).then(startAddress);
  // A click on the course comes after its picture. Other pages start the engine when they need it.
  if (BUILT_WITH_ENGINE && data.live === undefined) afterPicture(engine.start);
}

/** Whether nothing can be shown without the engine: neither the course, nor a kept run, nor the cluster of a server. */
function needsEngine({ scenarios, shipped, live, moment }: PageData): boolean {
  if (live !== undefined) return false;
  const linked = new URLSearchParams(location.hash.replace(/^#/, '') || moment);
  const name = linked.get('file');
  if (name !== null) return !isKept(name);
  return linked.has('s') || (shipped === undefined && scenarios.every(({ card }) => card === undefined));
}

/** Opens what the address names, else the course, else the first scenario of the file. */
async function begin({ scenarios, open: named, seed, beside, live, moment }: PageData): Promise<void> {
  if (await follow(location.hash)) return;
  // A page that was saved at a moment opens there.
  if (moment !== undefined && (await follow(moment))) return;
  if (state.lessons.value.length > 0 && live === undefined && !state.embedded.value) {
    showCourse();
    return;
  }
  const first = scenarios.find(({ name }) => name === named) ?? scenarios[0];
  if (first === undefined) return;
  await open(first, seed);
  if (beside !== undefined) await compare({ is: 'recording', said: beside.said, first: first.file });
}

function embedded(is: boolean): void {
  state.embedded.value = is;
  document.documentElement.classList.toggle('embedded', is);
}

const root = document.getElementById('app');
if (root !== null) start(root);

// For tests, and for the console.
Object.assign(globalThis, { orchsimPage: { state, counters, resetCounters, go } });
