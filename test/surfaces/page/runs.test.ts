/** Pages of runs in Chromium: a recording without the engine, a sweep with seeds to open. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contrastsBelow } from './contrast.ts';
import { closePages, drawn, goTo, launch, opened, orchsim, ready, tidy, written } from './chromium.ts';

/** In some seeds a controller crashes between two writes: then a pod is missing. */
const CHANCE = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: chance }
spec:
  title: A crash among three pods, when chance says so
  cluster: { podBehaviors: [{ runFor: 60s }], latency: { api: { min: 0ms, max: 40ms }, watch: { min: 0ms, max: 10ms } } }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: trio }, spec: { completions: 3, parallelism: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - at: 70ms
      fault: { crash: controller-manager, restartAfter: 10s }
    - at: 5s
      expect: { count: { of: { kind: Pod }, is: 3 } }
`;
/** The compressed shell without the engine: the size of a page without its data. */
const SHELL_BYTES = 75_000;

afterAll(tidy);

/** A failing run has another exit code, and has written its page. */
async function failing(...args: readonly string[]): Promise<void> {
  try {
    await orchsim(...args);
  } catch {
    return;
  }
  throw new Error(`${args.join(' ')} was to fail`);
}

describe.skipIf(!ready)('a page of runs in a browser', () => {
  let browser: Browser;
  const files = { engine: '', broken: '', sweep: '' };
  beforeAll(async () => {
    files.engine = await written('broken-with-engine', 'scenarios/broken/job-forgets-a-success.yaml');
    files.broken = join(files.engine, '../broken.html');
    await failing('run', 'scenarios/broken', '--page', files.broken);
    const scenario = join(files.engine, '../chance.yaml');
    writeFileSync(scenario, CHANCE);
    files.sweep = join(files.engine, '../sweep.html');
    await failing('run', scenario, '--seeds', '1..30', '--page', files.sweep);
    browser = await launch();
  }, 120_000);
  afterAll(() => closePages(browser));

  it('shows the same stage as the page with the engine', async () => {
    const pages = [await opened(browser, files.broken), await opened(browser, files.engine)];
    const shown: unknown[] = [];
    for (const { page, complaints } of pages) {
      const seen: string[] = [await page.evaluate(() => globalThis.orchsimPage.state.model.value?.run.digest ?? '')];
      for (const ms of [0, 5_000, 9_500, 26_000]) {
        await goTo(page, ms);
        // Queues are known only to the engine.
        const names = await page
          .locator('.stage button')
          .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? each.textContent));
        // A recording has no forks.
        seen.push(names.filter((name) => !name.startsWith('What if ')).join('\n'));
      }
      shown.push(seen);
      expect(complaints).toEqual([]);
    }
    expect(shown[0]).toEqual(shown[1]);
    const [recorded] = pages;
    await recorded?.page.waitForTimeout(300);
    expect(await recorded?.page.locator('.inspector').innerText()).toContain(
      'npx orchsim run scenarios/broken/job-forgets-a-success.yaml --seed 1 -v',
    );
    await recorded?.page.getByRole('button', { name: /^✗ \d+ break/ }).click();
    expect(await recorded?.page.locator('.narration').innerText()).not.toBe('');
    for (const { page } of pages) await page.close();
  }, 120_000);

  it('is small compared with its trace', () => {
    const html = readFileSync(files.broken, 'utf8');
    const gzipped = (text: string): number => gzipSync(text, { level: 9 }).length;
    const bytes = gzipped(html.replace(/(id="data">)[^<]*/, '$1'));
    const without = gzipped(html.replace(/("packed":")[^"]+/g, '$1'));
    console.log(
      `page: a run's page weighs ${bytes} bytes, ${without - bytes} of its scenario and verdict, ${gzipped(html) - without} of its trace`,
    );
    expect(bytes).toBeLessThan(SHELL_BYTES);
  });

  it('shows which seeds of a sweep broke, and opens each', async () => {
    const { page, complaints } = await opened(browser, files.sweep, { reducedMotion: 'reduce' });
    const shown = (): Promise<number | undefined> => page.evaluate(() => globalThis.orchsimPage.state.model.value?.run.seed);
    const { sweeps } = JSON.parse(await said('run', join(files.sweep, '../chance.yaml'), '--seeds', '1..30', '--json')) as {
      readonly sweeps: readonly {
        readonly failing: readonly { readonly seed: number }[];
        readonly common: readonly {
          readonly features: readonly { readonly text: string; readonly here: number; readonly elsewhere: number }[];
        }[];
      }[];
    };
    const seeds = sweeps[0]?.failing.map(({ seed }) => seed) ?? [];
    expect(seeds.length).toBeGreaterThan(1);
    expect(seeds.length).toBeLessThan(30);
    expect(await page.locator('.runs').innerText()).toContain(`${30 - seeds.length} of 30 seeds held`);
    expect(await page.locator('.alike').first().innerText()).toContain('expectation');
    const common = sweeps[0]?.common[0]?.features ?? [];
    expect(common.length).toBeGreaterThan(0);
    expect(await page.locator('.signs li').allInnerTexts()).toEqual(
      common.map(({ text, here, elsewhere }) => `${text} in ${here} of these, ${elsewhere} of the others`),
    );
    expect(await page.getByRole('button', { name: /^Seed \d+, broken$/ }).count()).toBe(seeds.length);
    expect(await shown()).toBe(seeds[0]);
    // It opens at the failure.
    expect(await page.evaluate(() => globalThis.orchsimPage.state.step.value)).toBeGreaterThan(10);
    const last = seeds.at(-1) ?? 0;
    await page.getByRole('button', { name: `Seed ${last}, broken` }).click();
    await page.waitForFunction((seed) => globalThis.orchsimPage.state.model.value?.run.seed === seed, last);
    expect(await page.getByRole('button', { name: `Seed ${last}, broken` }).getAttribute('aria-pressed')).toBe('true');
    await page.locator('.runs summary').click();
    await page
      .getByRole('button', { name: /held, not in this page$/ })
      .first()
      .click();
    await drawn(page);
    expect(await page.getByRole('alert').innerText()).toMatch(/does not contain that run; npx orchsim run .+ --seed \d+ -v repeats it/);
    expect(await shown()).toBe(last);
    expect(complaints).toEqual([]);
    for (const theme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: theme as 'light' | 'dark' });
      await page.evaluate((theme) => (document.documentElement.dataset['theme'] = theme), theme);
      expect(await page.evaluate(contrastsBelow, 4.5)).toEqual([]);
    }
    await page.close();
  }, 120_000);
});

/** Returns the output, whatever the exit code. */
async function said(...args: readonly string[]): Promise<string> {
  try {
    return await orchsim(...args);
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'stdout' in error) return String(error.stdout);
    throw error;
  }
}
