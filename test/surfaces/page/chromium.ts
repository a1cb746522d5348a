/** Opens pages in Chromium from file://, like a page that was sent to a user. Tests skip by name without Chromium. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

const root = join(import.meta.dirname, '../../..');
const program = join(root, 'bin/orchsim.js');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));
export const ready = executablePath !== undefined && existsSync(join(root, 'dist/page.html')) && existsSync(join(root, 'dist/orchsim.js'));
if (!ready)
  console.log(
    `test/surfaces/page skipped in a browser: ${executablePath === undefined ? 'no Chromium at /usr/bin/chromium (apt-get install chromium)' : 'dist/ is not built (npm run build)'}`,
  );

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launch = (): Promise<Browser> => chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: FLAGS });

const folder = mkdtempSync(join(tmpdir(), 'orchsim-page-'));
export const tidy = (): void => {
  rmSync(folder, { recursive: true, force: true });
};

/** The output of `orchsim …`. */
export const orchsim = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Writes a page of one scenario; returns its path. */
export function written(name: string, scenario: string): string {
  // Test files in one process share the folder, and each cleans up.
  mkdirSync(folder, { recursive: true });
  const out = join(folder, `${name}.html`);
  orchsim('page', scenario, '--out', out);
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
