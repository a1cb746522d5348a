/** The page as a file from disk, in Chromium. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIRST_PART } from '../../../src/surfaces/page/worker/ahead.ts';
import { covering } from '../../support/covering.ts';
import { recordedDigests } from '../../support/shipped.ts';
import { choose, closePages, drawn, goTo, launch, opened, ready, tidy, written } from './chromium.ts';
import { contrastsBelow } from './contrast.ts';
import { podGridOf } from './many-pods.ts';
import { LONG_NAMES } from './pictures/scenarios.ts';
import { playground } from './playground.ts';
import { untidiness } from './layout-problems.ts';

const BYTES = 900_000;
const CRASH = 'scenarios/job/15-crash-between-writes.yaml';

/** Nodes of the document that a step to the next entry may write, on average. */
const MOST_WRITES = 70;

/** So many pods make more than 50,000 entries: enough for a reader to stop. */
const MANY = 2_350;
/** So many make more than 12,000: several parts, and more pods than a stage has elements. */
const SEVERAL = 700;

afterAll(tidy);

describe.skipIf(!ready)('a page in a browser', () => {
  let browser: Browser;
  const files = { play: '', crash: '', podGrid: '', long: '' };
  beforeAll(async () => {
    files.play = await playground();
    files.crash = await written('crash', CRASH);
    const scenario = join(files.crash, '../crowd.yaml');
    writeFileSync(scenario, podGridOf(400));
    files.podGrid = await written('crowd', scenario);
    const long = join(files.crash, '../long.yaml');
    writeFileSync(long, LONG_NAMES);
    files.long = await written('long', long);
    browser = await launch();
  }, 120_000);
  afterAll(() => closePages(browser));

  // `test/browser.test.ts` compares the digests of all.
  it('offers every shipped scenario, and opens those with every operation without errors, with the recorded digest', async () => {
    const recorded = recordedDigests();
    const { page, complaints } = await opened(browser, files.play);
    const names = await page
      .locator('.course a[href^="#file="]:not(.button)')
      .evaluateAll((links) => links.map((link) => new URLSearchParams((link as HTMLAnchorElement).hash.slice(1)).get('file') ?? ''));
    expect(names.length).toBe(recorded.size);
    const chosen = [...covering('operations'), 'scenarios/broken/'].map((file) => file.replace(/^scenarios\/|\.yaml$/g, ''));
    const found = new Map<string, string>();
    for (const each of names.filter((name) => chosen.some((file) => name.startsWith(file)))) {
      await choose(page, each);
      // Only these fields: a whole run would be large to transfer.
      const [name = '', digest = ''] = await page.evaluate(() => {
        const run = globalThis.orchsimPage.state.model.value?.run as unknown as { readonly name: string; readonly digest: string };
        return [run.name, run.digest];
      });
      found.set(name, digest);
      await page.keyboard.press('End');
      await drawn(page);
    }
    expect(found.size).toBeGreaterThan(20);
    expect([...found].filter(([name, digest]) => recorded.get(name) !== digest)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.locator('.broken-card').count()).toBe(0);
    await page.close();
  }, 600_000);

  it('shows the same stage for every way of navigation', async () => {
    const { page, complaints } = await opened(browser, files.crash);
    const length = await page.evaluate(() => globalThis.orchsimPage.state.model.value?.length ?? 0);
    const steps = Array.from({ length: 20 }, (_, at) => Math.round((at * length) / 19));
    const look = async (step: number): Promise<string> => {
      await page.evaluate((step) => {
        globalThis.orchsimPage.go(step);
      }, step);
      await drawn(page);
      return page.locator('.stage').ariaSnapshot();
    };
    const forwards: string[] = [];
    for (const step of steps) forwards.push(await look(step));
    const backwards: string[] = [];
    for (const step of steps.toReversed()) backwards.unshift(await look(step));
    expect(backwards.map(withoutQueues)).toEqual(forwards.map(withoutQueues));
    expect(new Set(forwards).size).toBeGreaterThan(10);
    expect(complaints).toEqual([]);
    await page.close();
  }, 120_000);

  it('shows the cache of a partitioned leader', async () => {
    const { page } = await opened(browser, files.play);
    await choose(page, 'lease/05-leader-cut-off');
    await goTo(page, 19_000);
    const truth = await page.getByRole('button', { name: /^Pod work-.*, Succeeded$/ }).count();
    await page.getByRole('button', { name: 'Show the cache of controller-manager', exact: true }).click();
    await drawn(page);
    expect(await page.getByRole('button', { name: /^Pod work-.*, Succeeded, Ready in the cache$/ }).count()).toBe(1);
    expect(await page.getByRole('button', { name: /^Pod work-.*, Succeeded$/ }).count()).toBe(truth - 1);
    await page.keyboard.press('Escape');
    await drawn(page);
    expect(await page.getByRole('button', { name: /Ready in the cache/ }).count()).toBe(0);
    await page.close();
  }, 60_000);

  it('can be used only by keyboard', async () => {
    const { page } = await opened(browser, files.crash);
    // The effect of a key is drawn with the next frame.
    const press = async (key: string): Promise<void> => {
      await page.keyboard.press(key);
      await drawn(page);
    };
    const step = (): Promise<number> => page.evaluate(() => globalThis.orchsimPage.state.step.value);
    await press('Shift+ArrowRight');
    expect(await page.locator('.note.current').count()).toBe(1);
    const first = await step();
    await press('Alt+ArrowRight');
    expect(await step()).toBe(first + 1);
    await press('Home');
    expect(await step()).toBe(0);
    await press('w');
    expect(await page.locator('.narration').innerText()).toContain('Job');
    await press('1');
    expect(await page.locator('.lens-on').innerText()).toContain('controller-manager');
    await press('/');
    await page.keyboard.type('kind:Pod by:scheduler');
    await press('Enter');
    expect(await page.locator('.narration').innerText()).toMatch(/scheduler.* binds trio-/s);
    await press('Escape');
    await press('m');
    expect(await page.getByRole('button', { name: 'Mark this step' }).getAttribute('aria-pressed')).toBe('true');
    await press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    // A dialog opens after the frame.
    await keys.waitFor({ state: 'visible' });
    await press('Escape');
    await keys.waitFor({ state: 'hidden' });
    await press('End');
    expect(await step()).toBe(await page.evaluate(() => globalThis.orchsimPage.state.model.value?.length));
    await page.close();
  }, 60_000);

  // Colours do not depend on the width, nor names and the layout on the colours.
  it('names every button and can be read, light and dark, of any width', async () => {
    const { page } = await opened(browser, files.crash, { reducedMotion: 'reduce' });
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['light', 600],
      ['dark', 1000],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const ms of [0, 3_000, 12_000]) {
        await goTo(page, ms);
        expect(await page.evaluate(contrastsBelow, 4.5)).toEqual([]);
        // A check of the check: no text reaches a contrast ratio of 42.
        expect((await page.evaluate(contrastsBelow, 22)).length).toBeGreaterThan(20);
        const nameless = await page
          .locator('button, input, select, canvas')
          .evaluateAll((all) =>
            all
              .filter((element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim() === '')
              .map(({ outerHTML }) => outerHTML),
          );
        expect(nameless).toEqual([]);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    }
    await page.close();
  }, 120_000);

  it('keeps its budgets', async () => {
    for (const file of [files.play, files.crash]) expect(gzipSync(readFileSync(file), { level: 9 }).length).toBeLessThanOrEqual(BYTES);
    const { page } = await opened(browser, files.podGrid);
    const length = await page.evaluate(() => globalThis.orchsimPage.state.model.value?.length ?? 0);
    expect(length).toBeGreaterThan(5_000);
    await page.evaluate(() => {
      globalThis.orchsimPage.resetCounters();
    });
    const box = await page.getByRole('slider', { name: 'Timeline' }).boundingBox();
    if (box === null) throw new Error('there is no timeline');
    await page.mouse.move(box.x + 200, box.y + 30);
    await page.mouse.down();
    const moves = 30;
    for (let at = 0; at < moves; at++) {
      await page.mouse.move(box.x + 200 + at * 12, box.y + 30);
      await drawn(page);
    }
    await page.mouse.up();
    const {
      swimlanePaints = 0,
      cursorPaints = 0,
      renders = 0,
      podGridPaints = 0,
    } = await page.evaluate(() => ({ ...globalThis.orchsimPage.counters }));
    expect(swimlanePaints).toBe(0);
    expect(cursorPaints).toBeGreaterThan(moves / 2);
    // Five components follow the cursor; the reply of the engine renders them once more.
    expect(renders).toBeLessThanOrEqual(7 * (moves + 4));
    expect(podGridPaints).toBeLessThanOrEqual(2 * (moves + 4));
    const perStep = await page.evaluate(costOfSteps, Math.floor(length / 2));
    // Nothing that is read of the layout delays a step, and what has not changed is not written.
    expect(perStep.reads).toBe(0);
    expect(perStep.writes).toBeLessThan(MOST_WRITES);
    const ms = await page.evaluate((length) => {
      const times: number[] = [];
      const world = (globalThis.orchsimPage.state.model.value as unknown as { readonly world: MovedWorld }).world;
      for (let at = 0; at < 200; at++) {
        const from = performance.now();
        world.moveTo((at * 7919) % length);
        world.count('Pod');
        times.push(performance.now() - from);
      }
      return times.reduce((sum, each) => sum + each, 0) / times.length;
    }, length);
    console.log(
      `page: a jump among ${length} entries takes ${ms.toFixed(2)} ms; 30 moves of the cursor rendered ${renders} parts; a step writes ${perStep.writes.toFixed(1)} nodes`,
    );
    await page.close();
  }, 120_000);

  it('is usable before a long run is complete, and navigates in it', async () => {
    const scenario = join(files.crash, '../many.yaml');
    writeFileSync(scenario, podGridOf(SEVERAL, 20));
    const file = await written('many', scenario);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(watchRuns);
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction(() => globalThis.shownRuns.at(-1)?.unfinished === false, undefined, { timeout: 120_000 });
    const shown = await page.evaluate(() => globalThis.shownRuns);
    const lengths = shown.map(({ length }) => length);
    // Shown with the first entries, then whenever their number has doubled.
    expect(lengths[0]).toBe(FIRST_PART);
    expect(lengths.at(-1)).toBeGreaterThan(12_000);
    expect(lengths.length).toBeLessThanOrEqual(2 + Math.log2((lengths.at(-1) ?? 0) / FIRST_PART));
    expect(shown.map(({ unfinished }) => unfinished)).toEqual(lengths.map((_, at) => at < lengths.length - 1));
    await drawn(page);
    const { ms, swimlanePaints = 0 } = await page.evaluate(
      async (length) => {
        globalThis.orchsimPage.resetCounters();
        const times: number[] = [];
        for (let at = 0; at < 40; at++) {
          const from = performance.now();
          globalThis.orchsimPage.go((at * 7919 * 13) % length);
          // Components are rendered right after this, and painted with the next frame.
          await new Promise((done) => {
            setTimeout(done);
          });
          times.push(performance.now() - from);
          await new Promise(requestAnimationFrame);
        }
        const world = (globalThis.orchsimPage.state.model.value as unknown as { readonly world: MovedWorld }).world;
        const from = performance.now();
        for (let at = 0; at < 200; at++) {
          world.moveTo((at * 7919) % length);
          world.count('Pod');
        }
        return {
          ms: { jump: (performance.now() - from) / 200, rendered: times.sort((a, b) => a - b)[20] ?? 0 },
          swimlanePaints: globalThis.orchsimPage.counters['swimlanePaints'],
        };
      },
      lengths.at(-1) ?? 0,
    );
    expect(swimlanePaints).toBe(0);
    // The pods are cells of one canvas.
    expect(await page.locator('.stage *').count()).toBeLessThan(600);
    console.log(
      `page: of ${lengths.at(-1)} entries the first ${FIRST_PART} are shown after ${Math.round(shown[0]?.at ?? 0)} ms, all after ${Math.round(shown.at(-1)?.at ?? 0)} ms; a jump takes ${ms.jump.toFixed(1)} ms, rendered ${ms.rendered.toFixed(1)} ms`,
    );
    await page.close();
  }, 180_000);

  it('stops a long run where the reader wants, and keeps what there is', async () => {
    const scenario = join(files.crash, '../stopped.yaml');
    writeFileSync(scenario, podGridOf(MANY, 20));
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.addInitScript(stopsWhenItCan);
    await page.goto(pathToFileURL(await written('stopped', scenario)).href);
    await page.locator('.bar').getByText('stopped at').waitFor({ state: 'attached', timeout: 60_000 });
    expect(await page.evaluate(() => globalThis.orchsimPage.state.model.value?.run.unfinished)).toBe(undefined);
    const length = await page.evaluate(() => globalThis.orchsimPage.state.model.value?.length ?? 0);
    expect(length).toBeGreaterThanOrEqual(FIRST_PART);
    expect(length).toBeLessThan(50_000);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await page.locator('.bar').innerText()).toContain('stopped at');
    expect(await page.getByRole('button', { name: 'What if', exact: true }).count()).toBe(0);
    await page.evaluate(() => {
      globalThis.orchsimPage.go(100);
    });
    await drawn(page);
    expect(await page.locator('.stage').count()).toBe(1);
    await page.close();
  }, 120_000);

  it('paints many pods, selects one of them, and zooms into a node', async () => {
    const { page, complaints } = await opened(browser, files.podGrid);
    await goTo(page, 20_000);
    // Its words follow at rest.
    await page.getByRole('img', { name: /^Pods\..*node-0: \d+ Ready/ }).waitFor({ timeout: 10_000 });
    await page.getByRole('region', { name: 'node-1' }).click({ position: { x: 15, y: 58 } });
    await drawn(page);
    expect(await page.locator('.inspector').innerText()).toMatch(/Pod crowd-/);
    await page.getByRole('button', { name: 'Zoom into node-1' }).click();
    await drawn(page);
    expect(await page.getByRole('region', { name: /^node-/ }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await drawn(page);
    expect(await page.getByRole('region', { name: /^node-/ }).count()).toBe(4);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('supports long names: no text is cut without a tooltip, nothing overlaps', async () => {
    const { page, complaints } = await opened(browser, files.long, { reducedMotion: 'reduce' });
    for (const width of [600, 1024, 1600]) {
      await page.setViewportSize({ width, height: 960 });
      for (const ms of [1_000, 20_000, 70_000]) {
        await goTo(page, ms);
        expect(await page.evaluate(untidiness)).toEqual([]);
      }
    }
    // A check of the check: a text in a box that is too small is found.
    await page.evaluate(() => {
      const title = document.querySelector<HTMLElement>('.story h1');
      Object.assign(title?.style ?? {}, { width: '20px', height: '20px', overflow: 'hidden' });
    });
    expect(await page.evaluate(untidiness)).toHaveLength(1);
    expect(complaints).toEqual([]);
    await page.close();
  }, 120_000);

  it('shows the sets of a Deployment on its card, and opens one', async () => {
    const { page } = await opened(browser, files.long, { reducedMotion: 'reduce' });
    await goTo(page, 70_000);
    await page.getByRole('button', { name: /^ReplicaSet .*, revision 1: 0 of 0 ready$/ }).click();
    await drawn(page);
    expect(await page.locator('.inspector').innerText()).toMatch(/ReplicaSet a-front-end-with-a-long-name-/);
    await page.close();
  }, 60_000);

  it('describes the item under the pointer on the timeline, and keeps the focus in a dialog', async () => {
    const { page } = await opened(browser, files.crash);
    await page.keyboard.press('End');
    const timeline = page.getByRole('slider', { name: 'Timeline' });
    const all = await timeline.evaluate((canvas) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const said = new Set<string>();
      for (let y = 24; y < height; y += 8)
        for (let x = 150; x < width; x += 6) {
          canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: left + x, clientY: top + y, buttons: 0, bubbles: true }));
          said.add((canvas as HTMLCanvasElement).title);
        }
      return [...said].join('\n');
    });
    expect(all).toMatch(/job creates Pod trio-0-\w+ for Job trio, because 0 active/);
    expect(all).toMatch(/trio-0-\w+: Ready/);
    expect(all).toContain('controller-manager crashed, from 0s');
    await page.getByRole('button', { name: 'Share', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Share' });
    await dialog.waitFor();
    for (let at = 0; at < 6; at++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('dialog, body')?.tagName)).not.toBe('MAIN');
      expect(await page.evaluate(() => document.activeElement?.closest('.bar, main'))).toBeNull();
    }
    await page.keyboard.press('Escape');
    await drawn(page);
    expect(await dialog.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Share');
    await page.close();
  }, 60_000);

  it('shows a message in place of a broken component, and keeps the others', async () => {
    const { page, complaints } = await opened(browser, files.crash);
    await page.keyboard.press('Shift+ArrowRight');
    await page.evaluate(() => {
      globalThis.orchsimPage.resetCounters();
      globalThis.orchsimPage.state.selection.value = {
        kind: 'Pod',
        get name(): string {
          throw new Error('planted');
        },
      };
    });
    await page.waitForTimeout(500);
    expect(await page.getByRole('alert').first().innerText()).toContain('planted');
    expect(await page.evaluate(() => globalThis.orchsimPage.counters['renders'])).toBeLessThan(30);
    expect(complaints.join('\n')).toContain('planted');
    await page.evaluate(() => {
      globalThis.orchsimPage.state.selection.value = undefined;
    });
    const again = page.getByRole('button', { name: 'Render it again' });
    while ((await again.count()) > 0) await again.first().click();
    await drawn(page);
    expect(await page.locator('.broken-card').count()).toBe(0);
    await page.close();
  }, 60_000);

  it('never treats text of a scenario as markup, and sends no requests', async () => {
    const scenario = join(files.crash, '../hostile.yaml');
    writeFileSync(
      scenario,
      `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: hostile }
spec:
  title: '</script><script>globalThis.hurt = 1</script><img src=x onerror="globalThis.hurt = 1">'
  steps:
    - note: '<img src="http://127.0.0.1:9/x"> **<b onclick=alert(1)>bold</b>** </style>'
      apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: '<script>globalThis.hurt = 1</script>' } }
`,
    );
    const { page, complaints } = await opened(browser, await written('hostile', scenario));
    await page.keyboard.press('End');
    await drawn(page);
    expect(await page.evaluate(() => 'hurt' in globalThis)).toBe(false);
    expect(await page.locator('h1').innerText()).toContain('<script>');
    expect(await page.locator('img, .note script').count()).toBe(0);
    expect(complaints).toEqual([]);
    const blocked = await page.evaluate(() =>
      fetch('http://127.0.0.1:9/').then(
        () => 'sent',
        () => 'refused',
      ),
    );
    expect(blocked).toBe('refused');
    expect(complaints.join('\n')).toContain('Content Security Policy');
    await page.close();
  }, 60_000);
});

/** The objects of a kind are brought to the step when they are asked for. */
interface MovedWorld {
  moveTo(step: number): void;
  count(kind: string): number;
}

/** The runs that were shown, with the milliseconds from the opening of the page to their first frame. */
declare global {
  // oxlint-disable-next-line eslint/no-var
  var shownRuns: { readonly length: number; readonly unfinished: boolean; readonly at: number }[];
}

/** Runs in the page, and clicks when the button is there: a test that clicks from outside may come when the run has ended. */
function stopsWhenItCan(): void {
  const look = (): void => {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Stop');
    if (button === undefined) setTimeout(look);
    else button.click();
  };
  look();
}

/** Runs in the page, before its own script: waits for the test handle, and then records each run. */
function watchRuns(): void {
  globalThis.shownRuns = [];
  const listen = (): void => {
    const handle = 'orchsimPage' in globalThis ? globalThis.orchsimPage : undefined;
    if (handle === undefined) {
      setTimeout(listen);
      return;
    }
    handle.state.model.subscribe((model) => {
      if (model === undefined) return;
      requestAnimationFrame(() =>
        setTimeout(() =>
          globalThis.shownRuns.push({ length: model.length, unfinished: model.run.unfinished === true, at: performance.now() }),
        ),
      );
    });
  };
  listen();
}

const withoutQueues = (snapshot: string): string =>
  snapshot
    .replaceAll(/(?:awaits|due in|wakes in|queued|\d+ to write).*/g, '')
    // The text around an empty queue is one text node.
    .replaceAll(/- listitem:\n\s+- text: (.*)\n\s+- emphasis:.*\n\s+- text: (.*)/g, '- listitem: $1 $2')
    .replaceAll('"', '');

/** In the page: how often a step reads the layout, and the nodes that it writes, on average over steps to the next entry. */
async function costOfSteps(from: number): Promise<{ readonly reads: number; readonly writes: number }> {
  const steps = 40;
  let [reads, writes] = [0, 0];
  const restores: (() => void)[] = [];
  const count = (owner: object, name: string): void => {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    if (own === undefined) throw new Error(`${name} is not there`);
    const { get, value } = own as { readonly get?: () => unknown; readonly value?: (...given: readonly unknown[]) => unknown };
    const counted = function (this: unknown, ...given: readonly unknown[]): unknown {
      reads++;
      return Reflect.apply(get ?? value ?? String, this, given);
    };
    Object.defineProperty(owner, name, { ...own, ...(get === undefined ? { value: counted } : { get: counted }) });
    restores.push(() => Object.defineProperty(owner, name, own));
  };
  const frame = (): Promise<void> =>
    new Promise((done) => {
      requestAnimationFrame(() => {
        setTimeout(done);
      });
    });
  globalThis.orchsimPage.go(from);
  await frame();
  for (const name of ['clientWidth', 'clientHeight', 'scrollTop', 'scrollHeight', 'getBoundingClientRect', 'getClientRects'])
    count(Element.prototype, name);
  for (const name of ['offsetWidth', 'offsetHeight', 'innerText']) count(HTMLElement.prototype, name);
  count(globalThis, 'getComputedStyle');
  const watch = new MutationObserver((changes) => {
    writes += new Set(changes.map(({ target }) => target)).size;
  });
  watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  for (let step = from + 1; step <= from + steps; step++) {
    globalThis.orchsimPage.go(step);
    await frame();
  }
  watch.disconnect();
  for (const restore of restores) restore();
  return { reads: reads / steps, writes: writes / steps };
}
