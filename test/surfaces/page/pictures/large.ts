/**
 * The cost of many pods: what `npm run pictures -- --large [--pods N]…` prints. Costs are CPU, which other work on the machine does not change;
 * seconds of a clock stand beside them.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { launch, orchsim } from '../chromium.ts';
import { manyPods } from './scenarios.ts';

declare global {
  // eslint-disable-next-line no-var
  var longTasks: number[];
}

/** Numbers of pods, of which a run has about 27 entries each. */
export const LARGE = [1_000, 5_000, 20_000];
/** Moves of the cursor across the whole run, as a hand that drags makes them. */
const MOVES = 40;
const STEPS = 24;
/** Moves to the same place. */
const EMPTY = 15;
const LONGEST_RUN = 280_000;

/** Prints a line for each number of pods. */
export async function large(folder: string, numbers: readonly number[]): Promise<void> {
  console.log(
    'pods     entries  first picture        complete             heap page  worker  renderer at most  scrub: longest, median  a step           longest task',
  );
  for (const pods of numbers) {
    const scenario = join(folder, `pods-${pods}.yaml`);
    const path = join(folder, `pods-${pods}.html`);
    writeFileSync(scenario, manyPods(pods));
    await orchsim('page', scenario, '--out', path, '--force');
    const browser = await launch();
    try {
      console.log(await costsOf(browser, pods, pathToFileURL(path).href));
    } finally {
      await browser.close();
    }
  }
}

async function costsOf(browser: Browser, pods: number, address: string): Promise<string> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('pageerror', ({ message }) => {
    console.log(`! ${message}`);
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const began = performance.now();
  await page.goto(address);
  const renderers = await renderersOf(browser);
  const spent = (): string => {
    const cpu = renderers.reduce((sum, pid) => sum + cpuOf(pid), 0);
    return `${seconds(performance.now() - began)} (${seconds(cpu)} CPU)`.padEnd(21);
  };
  await page.waitForFunction(() => document.querySelector('.stage') !== null, undefined, { timeout: LONGEST_RUN });
  const first = spent();
  const isComplete = (): boolean => {
    const { state } = globalThis.orchsimPage;
    return state.model.value !== undefined && state.model.value.run.unfinished === undefined;
  };
  const isCompleted = await page.waitForFunction(isComplete, undefined, { timeout: LONGEST_RUN, polling: 500 }).then(
    () => true,
    () => false,
  );
  const complete = isCompleted ? spent() : 'not complete'.padEnd(21);
  const entries = await page.evaluate(() => globalThis.orchsimPage.state.model.value?.length ?? 0);
  await page.evaluate(watchTasks);
  const scrub = await costsOfMoves(page, session, scattered(entries, MOVES));
  const steps = consecutive(entries, STEPS);
  // To the first of the steps is a jump.
  await costsOfMoves(page, session, steps.slice(0, 1));
  const step = await costsOfMoves(page, session, steps.slice(1));
  const longest = await page.evaluate(() => Math.max(0, ...globalThis.longTasks));
  // Collects garbage, and compiled code too: the next move would pay for it.
  const [heap, worker] = [await heapOf(session), isCompleted ? await heapOfWorker(page) : NaN];
  return [
    String(pods).padEnd(8),
    String(entries).padStart(8),
    ` ${first}${complete}`,
    megabytes(heap).padStart(8),
    megabytes(worker).padStart(8),
    megabytes(Math.max(...renderers.map(peakOf))).padStart(12),
    `${scrub.longest.toFixed(0).padStart(17)} ms, ${scrub.median.toFixed(0)} ms`,
    `${step.longest.toFixed(0).padStart(8)} ms, ${step.median.toFixed(0)} ms`,
    `${longest === 0 ? 'under 50'.padStart(14) : longest.toFixed(0).padStart(14)} ms`,
  ].join(' ');
}

/** Places across a run, to and fro: each is far from the one before. */
const scattered = (length: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => Math.round(length * Math.abs(Math.sin(at / 4))));

const consecutive = (length: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => Math.round(length / 2) + at);

/** Notes all tasks of the main thread that take longer than 50 ms of the clock, which other work on the machine makes longer. */
function watchTasks(): void {
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask' });
}

/**
 * The CPU of the main thread for each move, from its beginning to its painted frame, in milliseconds: without that of a move to where the
 * cursor is already, which is the measure's own and that of an empty frame.
 */
async function costsOfMoves(
  page: Page,
  session: CDPSession,
  places: readonly number[],
): Promise<{ readonly longest: number; readonly median: number }> {
  const costOf = async (place: number): Promise<number> => {
    const before = await busyOf(session);
    await page.evaluate(
      (to) =>
        new Promise<void>((done) => {
          globalThis.orchsimPage.go(to);
          requestAnimationFrame(() => {
            setTimeout(done);
          });
        }),
      place,
    );
    return 1_000 * ((await busyOf(session)) - before);
  };
  const costs: number[] = [];
  for (const place of places) costs.push(await costOf(place));
  const empty: number[] = [];
  for (let at = 0; at < EMPTY; at++) empty.push(await costOf(places.at(-1) ?? 0));
  const own = medianOf(empty);
  // The first move also computes what all others use.
  return { longest: Math.max(...costs) - own, median: medianOf(costs) - own };
}

const medianOf = (costs: readonly number[]): number => costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? NaN;

async function busyOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** The heap of the engine's worker; NaN: the browser does not say. */
async function heapOfWorker(page: Page): Promise<number> {
  const [worker] = page.workers();
  return (
    (await worker?.evaluate(
      () => (performance as unknown as { readonly memory?: { readonly usedJSHeapSize: number } }).memory?.usedJSHeapSize,
    )) ?? NaN
  );
}

/** The processes of pages, of which all but one are spare. */
async function renderersOf(browser: Browser): Promise<readonly number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** Milliseconds of CPU of a process so far: all its threads, so the page and the engine. A tick of Linux is 10 ms. */
function cpuOf(pid: number): number {
  const ticks = (task: string): number => {
    const fields = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  return 10 * readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + ticks(task), 0);
}

/** The most memory that a process ever had, in bytes. */
const peakOf = (pid: number): number => 1024 * Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN);

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number): string => (Number.isNaN(bytes) ? '?' : `${Math.round(bytes / 1e6)} MB`);
