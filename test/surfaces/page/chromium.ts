/** Opens pages in Chromium from file://, like a page that was sent to a user. Tests skip by name without Chromium. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { executablePath } from '../../support/executable.ts';
import { main } from '../../../src/surfaces/cli/program.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';

const root = join(import.meta.dirname, '../../..');
export const ready = executablePath !== undefined && existsSync(join(root, 'dist/page.html')) && existsSync(join(root, 'dist/orchsim.js'));
if (!ready)
  console.log(
    `test/surfaces/page skipped in a browser: ${executablePath === undefined ? 'no Chromium at /usr/bin/chromium (apt-get install chromium)' : 'dist/ is not built (npm run build)'}`,
  );

/**
 * Features that are turned off. Chromium draws the suggestions of its address bar as pages of their own, in a process of their own, for each
 * window: as much work again as a page of ours. The others are those that playwright turns off, because only the last list counts.
 */
const FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];
export const FLAGS: readonly string[] = [
  `--disable-features=${FEATURES.join(',')}`,
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let running: Promise<Browser> | undefined;

/**
 * Returns the browser of this process: a start takes as long as a whole test of a page. A file closes its pages (`closePages`); the browser
 * ends with the process.
 */
export async function launch(): Promise<Browser> {
  if ((await running?.catch(() => undefined))?.isConnected() !== true)
    running = chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: [...FLAGS] });
  return running ?? launch();
}

export const closePages = async (browser: Browser): Promise<void> => {
  for (const context of browser.contexts()) await context.close();
};

const folder = mkdtempSync(join(tmpdir(), 'orchsim-page-'));
export const tidy = (): void => {
  rmSync(folder, { recursive: true, force: true });
};

/**
 * Returns the output of `orchsim …`, run in this process: a process of its own would take ten times as long.
 * @throws {Error} with `status`, `stdout` and `stderr`, when the exit code is another than 0.
 */
export async function orchsim(...args: readonly string[]): Promise<string> {
  let [stdout, stderr] = ['', ''];
  const status = await main(args, {
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    terminal: false,
    columns: 80,
    palette: PLAIN,
    cwd: root,
    input: () => Readable.from([]),
  });
  if (status !== 0) throw Object.assign(new Error(stderr), { status, stdout, stderr });
  return stdout;
}

/** Writes a page of one scenario; returns its path. */
export async function written(name: string, scenario: string): Promise<string> {
  // Test files in one process share the folder, and each cleans up.
  mkdirSync(folder, { recursive: true });
  const out = join(folder, `${name}.html`);
  await orchsim('page', scenario, '--out', out, '--force');
  return out;
}

/** The part of the page's test handle that tests use. */
interface Handle {
  readonly state: {
    readonly model: { readonly value?: Shown; subscribe(hear: (model: Shown | undefined) => void): void };
    readonly view: { readonly value: 'course' | 'run' };
    readonly step: { value: number };
    readonly lens: { value: string | undefined };
    readonly selection: { value: unknown };
    readonly problems: { readonly value: readonly unknown[] };
    readonly scenario: { readonly value?: { readonly name: string } };
  };
  readonly counters: Readonly<Record<string, number>>;
  resetCounters(): void;
  go(step: number): void;
}

interface Shown {
  readonly length: number;
  readonly run: { readonly digest: string; readonly seed: number; readonly unfinished?: true };
  readonly trace: Trace;
}

interface Trace {
  readonly startAt: number;
  readonly entries: readonly { readonly at: number }[];
}

declare global {
  // oxlint-disable-next-line eslint/no-var
  var orchsimPage: Handle;
}

export interface Opened {
  readonly page: Page;
  /** Messages of the console and errors of the page; requests for anything except the file count too. */
  readonly complaints: readonly string[];
}

/** Opens a file and waits until its first run is shown. */
export async function opened(browser: Browser, file: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  const complaints: string[] = [];
  const url = pathToFileURL(file).href;
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('blob:')) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  // A playground begins with the course.
  await page.waitForFunction(
    () => globalThis.orchsimPage.state.view.value === 'course' || globalThis.orchsimPage.state.scenario.value !== undefined,
  );
  if (await page.evaluate(() => globalThis.orchsimPage.state.view.value === 'run')) await made(page);
  return { page, complaints };
}

/** Waits until a run is shown completely. */
const made = async (page: Page): Promise<void> => {
  const isMade = (): boolean =>
    globalThis.orchsimPage.state.model.value?.run.unfinished === undefined && globalThis.orchsimPage.state.model.value !== undefined;
  await page.waitForFunction(isMade, undefined, { timeout: 60_000 });
};

/** Opens a scenario of the playground by its address and waits until it is shown. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.evaluate((name) => {
    location.hash = new URLSearchParams({ file: name }).toString();
  }, name);
  await page.waitForFunction((wanted) => globalThis.orchsimPage.state.scenario.value?.name === wanted, name, { timeout: 60_000 });
  await made(page);
}

/** Moves to the last entry at or before an instant, and waits for the next frame. */
export async function goTo(page: Page, ms: number): Promise<void> {
  await page.evaluate((ms) => {
    const trace = globalThis.orchsimPage.state.model.value?.trace;
    if (trace !== undefined) globalThis.orchsimPage.go(trace.entries.findLastIndex(({ at }) => at - trace.startAt <= ms) + 1);
  }, ms);
  await drawn(page);
}

export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            done();
          }),
        );
      }),
  );

/** The text of the editor. */
export const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { draft, scenario } = globalThis.orchsimPage.state as unknown as {
      readonly draft: { readonly value?: string };
      readonly scenario: { readonly value?: { readonly text: string } };
    };
    return draft.value ?? scenario.value?.text ?? '';
  });
