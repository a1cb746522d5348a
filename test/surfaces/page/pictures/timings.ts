/** Sizes and times of the page, in one run: what `npm run pictures -- --timings` prints. Times are of this machine, at its load. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { launch } from '../chromium.ts';
import type { filesIn } from './files.ts';

const root = join(import.meta.dirname, '../../../..');

interface Line {
  readonly what: string;
  readonly found: number;
  readonly atMost: number;
  readonly unit: 'KB gzipped' | 's' | 'ms of CPU';
  readonly note?: string;
}

/** Prints a line each; returns how many miss their bound. */
export async function timings(files: ReturnType<typeof filesIn>): Promise<number> {
  const play = await files.address('play');
  const lines = [
    size('a recording, beside its trace', join(root, 'dist/recording.html'), 75),
    size('a page with the engine', join(root, 'dist/page.html'), 900),
    size('the playground', fileURLToPath(play), 900),
    ...(await pictures(play)),
    await firstAnswer(),
  ];
  for (const { what, found, atMost, unit, note = '' } of lines)
    console.log(
      `${found > atMost ? '✗' : '✓'} ${what.padEnd(36)}${found.toFixed(unit === 's' ? 2 : 0).padStart(7)} of ${atMost} ${unit}${note}`,
    );
  return lines.filter(({ found, atMost }) => found > atMost).length;
}

const size = (what: string, path: string, atMost: number): Line => ({
  what,
  found: gzipSync(readFileSync(path), { level: 9 }).length / 1000,
  atMost,
  unit: 'KB gzipped',
});

const STAY = 3_000;

/** From the address to the first picture of each lesson: in a browser that has just started, and again in the same one. */
async function pictures(play: string): Promise<readonly Line[]> {
  const lessons = await namesOf(play);
  const first: number[] = [];
  const second: number[] = [];
  for (const name of lessons) {
    const browser = await launch();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(watchFirstPicture);
    for (const times of [first, second]) {
      const page = await context.newPage();
      await page.goto(`${play}#${new URLSearchParams({ file: name }).toString()}`);
      await page.waitForFunction(() => globalThis.firstPicture !== undefined, undefined, { timeout: 60_000 });
      times.push((await page.evaluate(() => globalThis.firstPicture ?? NaN)) / 1000);
      // A reader stays for some seconds, in which the run is kept.
      await page.waitForTimeout(STAY);
      await page.close();
    }
    await browser.close();
  }
  return [lineOf('first picture of a lesson', first, 1.5), lineOf('second visit', second, 0.7)];
}

/** The median, and the slowest as a note: a single time has the load of the machine in it. */
function lineOf(what: string, times: readonly number[], atMost: number): Line {
  const sorted = times.toSorted((a, b) => a - b);
  const found = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  return { what, found, atMost, unit: 's', note: `, median of ${sorted.length}; the slowest ${(sorted.at(-1) ?? NaN).toFixed(2)}` };
}

async function namesOf(play: string): Promise<readonly string[]> {
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(play);
  const links = page.locator('.lessons a');
  await links.first().waitFor();
  const names = await links.evaluateAll((all) =>
    all.map((link) => new URLSearchParams((link as HTMLAnchorElement).hash.slice(1)).get('file') ?? ''),
  );
  await browser.close();
  return [...new Set(names)].filter((name) => name !== '');
}

declare global {
  // oxlint-disable-next-line eslint/no-var
  var firstPicture: number | undefined;
}

/** Notes, in the page, when the stage has been painted for the first time: milliseconds since the navigation. */
function watchFirstPicture(): void {
  const look = (): void => {
    if (document.querySelector('.stage') === null) requestAnimationFrame(look);
    else
      requestAnimationFrame(() => {
        globalThis.firstPicture = performance.now();
      });
  };
  requestAnimationFrame(look);
}

/** CPU of `serve` for its first `GET /`. */
async function firstAnswer(): Promise<Line> {
  const server = spawn(process.execPath, [join(root, 'bin/orchsim.js'), 'serve', '--port', '0', '--json', '--clock', 'manual'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await new Promise<number>((resolve) => {
      server.stdout.once('data', (line: Buffer) => {
        resolve((JSON.parse(line.toString()) as { readonly port: number }).port);
      });
    });
    // What the start still does is not the answer's.
    await new Promise((done) => setTimeout(done, 1_000));
    const before = cpuOf(server.pid);
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } });
    const { length } = await answer.text();
    const note = `, ${answer.status}, ${Math.round(length / 1000)} KB${before === undefined ? ' (not measured: no /proc)' : ''}`;
    return { what: 'the first GET / of serve', found: (cpuOf(server.pid) ?? 0) - (before ?? 0), atMost: 100, unit: 'ms of CPU', note };
  } finally {
    server.kill();
  }
}

/** Milliseconds of CPU of a process so far, user and system; undefined: the system does not say. */
function cpuOf(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // A tick of Linux is 10 ms.
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
}
