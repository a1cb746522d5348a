/**
 * `npm run pictures -- --timings` prints sizes and times of the page; `--large [--pods N]…` the cost of runs with many pods. `--out DIR [--only
 * WORD]`: every view of the page in both themes and five sizes of the window, for visual review, and an `index.html` that shows them side by
 * side. Problems that can be detected automatically (text that is cut, covered, hard to read) are
 * printed at the end.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { readOptions, wrongUsage } from '../../../../bench/arguments.ts';
import { launch, ready } from '../chromium.ts';
import { contrastsBelow } from '../contrast.ts';
import { unreadable, untidiness } from '../layout-problems.ts';
import { filesIn } from './files.ts';
import { large, LARGE } from './large.ts';
import { timings } from './timings.ts';
import { VIEWS, type View } from './views.ts';

const SIZES = [
  { width: 1600, height: 960 },
  { width: 1280, height: 720 },
  { width: 1024, height: 768 },
  { width: 600, height: 1000 },
  { width: 390, height: 844 },
] as const;
/** Pixels of the smallest text. */
const SMALLEST = 14;
/** In presenter mode, which is for these widths. */
const SMALLEST_PRESENTED = 18;
const PROJECTORS = [1600, 1280];
const THEMES = ['light', 'dark'] as const;

const USAGE = `usage: npm run pictures -- --timings | --large [--pods N]… | --out DIR [--only WORD]… [--width ${SIZES.map((size) => size.width).join('|')}]`;
const options = {
  timings: { type: 'boolean' },
  large: { type: 'boolean' },
  pods: { type: 'string', multiple: true },
  out: { type: 'string' },
  only: { type: 'string', multiple: true },
  width: { type: 'string' },
} as const;
const values = readOptions(process.argv.slice(2), options, USAGE);
if (typeof values === 'number') process.exit(values);
if (values.out === undefined && values.timings !== true && values.large !== true)
  process.exit(wrongUsage('--out: expected a folder for the pictures', USAGE));
if (!ready) process.exit(wrongUsage('pictures need Chromium and npm run build', USAGE));
const folder = mkdtempSync(join(tmpdir(), 'orchsim-pictures-'));
const files = filesIn(folder);
if (values.timings === true || values.large === true) {
  try {
    if (values.timings === true) process.exitCode = (await timings(files)) > 0 ? 1 : 0;
    if (values.large === true) await large(folder, values.pods?.map(Number) ?? LARGE);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (values.out === undefined) process.exit();
}
const out = resolve(values.out ?? '');
mkdirSync(out, { recursive: true });
const browser = await launch();
const complaints: string[] = [];
const { only = [''], width } = values;
const views = VIEWS.filter(({ name }) => only.some((word) => name.includes(word)));
const sizes = SIZES.filter((size) => width === undefined || String(size.width) === width);
try {
  for (const view of views) await shoot(browser, view);
  writeFileSync(join(out, 'index.html'), overview(views));
} finally {
  await browser.close();
  files.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const complaint of complaints) console.log(complaint);
console.log(`${views.length * sizes.length * THEMES.length} pictures in ${out}; open index.html`);
if (complaints.length > 0) process.exitCode = 1;

/** One view: the actions of the reader run once, at the widest size, then the window is made smaller. */
async function shoot(from: Browser, view: View): Promise<void> {
  const page = await from.newPage({ viewport: SIZES[0], reducedMotion: 'reduce' });
  page.on('pageerror', ({ message }) => complaints.push(`${view.name}: ${message}`));
  await page.goto(`${await files.address(view.of)}${view.address ?? ''}`);
  const isShown = (): boolean => {
    const { state } = globalThis.orchsimPage;
    const { value: model } = state.model;
    return state.view.value === 'course' || (model !== undefined && model.run.unfinished === undefined);
  };
  await page.waitForFunction(isShown, undefined, { timeout: 60_000 });
  await view.shows(page);
  // Until the cursor has rested, and introspection was requested.
  await page.waitForTimeout(500);
  for (const size of sizes) {
    if (view.presented === true && !PROJECTORS.includes(size.width)) continue;
    await page.setViewportSize(size);
    for (const theme of THEMES) {
      const name = `${view.name}-${theme}-${size.width}`;
      await page.evaluate((is) => {
        document.documentElement.dataset['theme'] = is;
        (globalThis.orchsimPage.state as unknown as { theme: { value: string } }).theme.value = is;
      }, theme);
      await page.waitForTimeout(120);
      await page.screenshot({ path: join(out, `${name}.png`) });
      for (const what of await judged(page, view)) complaints.push(`${name}: ${what}`);
    }
  }
  await page.close();
}

async function judged(page: Page, { presented }: View): Promise<readonly string[]> {
  return [
    ...(await page.evaluate(untidiness)),
    ...(await page.evaluate(unreadable, presented === true ? SMALLEST_PRESENTED : SMALLEST)),
    ...(await page.evaluate(contrastsBelow, 4.5)),
  ];
}

function overview(shown: readonly View[]): string {
  return `<!doctype html><meta charset="utf-8"><title>Pictures of the page</title><style>body{font:14px system-ui;margin:20px}img{vertical-align:top;border:1px solid #888;margin:0 8px 8px 0;height:420px}</style>${shown
    .map(
      ({ name }) =>
        `<h2>${name}</h2>${THEMES.flatMap((theme) => sizes.map((size) => `<img src="${name}-${theme}-${size.width}.png" alt="${name}, ${theme}, ${size.width}">`)).join('')}`,
    )
    .join('')}\n`;
}
