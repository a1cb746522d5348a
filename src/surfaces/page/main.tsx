/** The page, in the browser: reads what the file carries, starts the engine, shows the first scenario. */
import { render } from 'preact';
import { bindEngine, bindLive, go, open, setTheme, startClocks } from './actions.ts';
import { counters, resetCounters } from './counters.ts';
import { startEngine } from './engine.ts';
import { recordedEngine } from './recorded.ts';
import { listenToKeys } from './keys.ts';
import { App } from './parts/app.tsx';
import type { PageData } from './protocol.ts';
import { goLive, peekLive, stopLive } from './live.ts';
import * as state from './state.ts';

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

function start(root: HTMLElement): void {
  // It is ours: `index.ts` wrote it.
  const data = JSON.parse(textOf('data')) as PageData;
  state.data.value = data;
  setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  bindEngine(data.runs === undefined ? startEngine(textOf('engine')) : recordedEngine(data.runs));
  if ((data.runs?.length ?? 0) > 1) state.panel.value = 'runs';
  bindLive({ begin: goLive, end: stopLive, peek: peekLive });
  listenToKeys();
  startClocks();
  render(<App />, root);
  const first = data.scenarios.find(({ name }) => name === data.open) ?? data.scenarios[0];
  if (first !== undefined) void open(first, data.seed);
}

const root = document.getElementById('app');
if (root !== null) start(root);

// For tests, and for the curious at the console.
Object.assign(globalThis, { orchsimPage: { state, counters, resetCounters, go } });
