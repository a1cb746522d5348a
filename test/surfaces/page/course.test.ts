/** The course: cards, progress, and a way on that is always in view; the address follows what is shown. */
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressed, progressText, readProgress, NO_PROGRESS } from '../../../src/surfaces/page/model/progress.ts';
import { closePages, drawn, launch, opened, ready, tidy } from './chromium.ts';
import { unreadable } from './layout-problems.ts';
import { playground } from './playground.ts';

declare global {
  // oxlint-disable-next-line eslint/no-var
  var leaps: number;
}

/** Counts the moves of the cursor. */
function countLeaps(): void {
  globalThis.leaps = -1;
  (globalThis.orchsimPage.state.step as unknown as { subscribe(hear: () => void): void }).subscribe(() => globalThis.leaps++);
}

afterAll(tidy);

describe('progress through the course', () => {
  const at = 'file=a';

  it('keeps what was read, also after a new start', () => {
    const half = progressed(NO_PROGRESS, 'a', { notes: 2, of: 4, at });
    expect(half.lessons.get('a')).toEqual({ notes: 2, of: 4, done: false, at });
    const back = progressed(half, 'a', { notes: 0, of: 4, at });
    expect(back.lessons.get('a')?.notes).toBe(2);
    const done = progressed(progressed(back, 'a', { notes: 4, of: 4, at }), 'a', { notes: 1, of: 4, at });
    expect(done.lessons.get('a')).toMatchObject({ notes: 4, done: true });
    expect(readProgress(progressText(done))).toEqual(done);
  });

  it.each([null, '', 'x', '[]', '{"lessons":{"a":{"notes":5,"of":4,"at":""}}}', '{"lessons":{"a":{"notes":1,"of":4,"at":7}},"last":1}'])(
    'that was stored as %s is none',
    (text) => {
      expect(readProgress(text)).toEqual(NO_PROGRESS);
    },
  );
});

/** What the handout of the shown lesson has, by the button of the bar; afterwards nothing of it is left. */
async function printed() {
  const handout = await new Promise<HTMLElement | null>((resolve) => {
    globalThis.print = () => resolve(document.querySelector('.handout')?.cloneNode(true) as HTMLElement | null);
    document.querySelector<HTMLElement>('[aria-label="Print a handout"]')?.click();
  });
  const { theme } = document.documentElement.dataset;
  dispatchEvent(new Event('afterprint'));
  return {
    pictures: handout?.querySelectorAll('article .stage').length,
    notes: [...(handout?.querySelectorAll('article > p') ?? [])].filter(({ textContent }) => (textContent ?? '').length > 20).length,
    first: handout?.querySelector('h2')?.textContent,
    pods: (handout?.querySelectorAll('.stage .pod').length ?? 0) > 0,
    theme,
    left: document.querySelectorAll('.handout').length,
  };
}

describe.skipIf(!ready)('the course in a browser', () => {
  let browser: Browser;
  let file = '';
  beforeAll(async () => {
    file = await playground();
    browser = await launch();
  }, 120_000);
  afterAll(() => closePages(browser));

  const hash = (page: Page): Promise<URLSearchParams> =>
    page.evaluate(() => location.hash).then((text) => new URLSearchParams(text.slice(1)));
  const shows = (page: Page, name: string): Promise<unknown> =>
    page.waitForFunction(
      (name) => globalThis.orchsimPage.state.view.value === 'run' && globalThis.orchsimPage.state.scenario.value?.name === name,
      name,
    );
  /** The way on, its part inside the window, and the focus. */
  const wayOn = (page: Page) =>
    page.evaluate(() => {
      const element = document.querySelector('.way-on .question.open, .way-on > .button');
      const box = element?.getBoundingClientRect() ?? new DOMRect();
      const [x, y] = [box.left + box.width / 2, box.bottom - 6];
      return {
        text: element?.textContent ?? '',
        inView: box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && element?.contains(document.elementFromPoint(x, y)) === true,
        focus: document.activeElement?.className ?? '',
      };
    });

  it('shows a lesson that was seen before from what the browser has kept, and has the engine repeat it', async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const visit = async (): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(`${pathToFileURL(await playground()).href}#file=lessons/01-wanted-and-found`);
      await page.locator('.stage').waitFor({ timeout: 60_000 });
      return page;
    };
    const shown = (page: Page) =>
      page.evaluate(() => {
        const { state, counters } = globalThis.orchsimPage;
        const { run, length = 0 } = state.model.value ?? {};
        return { digest: run?.digest, length, asked: counters['questions'] ?? 0 };
      });
    const isKept = (): boolean => localStorage.getItem('orchsim.run.lessons/01-wanted-and-found') !== null;
    const first = await visit();
    await first.waitForFunction(isKept, undefined, { timeout: 60_000 });
    const { digest, length } = await shown(first);
    await first.close();
    // Without an engine to wait for, the page shows the same.
    await context.addInitScript(() => {
      const send = Worker.prototype.postMessage;
      const later: (() => void)[] = [];
      Object.assign(globalThis, {
        goOn: () => {
          for (const each of later.splice(0)) each();
        },
      });
      Object.assign(Worker.prototype, {
        postMessage(this: Worker, message: unknown) {
          later.push(() => {
            Reflect.apply(send, this, [message]);
          });
        },
      });
    });
    // The engine is started when the picture has been painted.
    await context.addInitScript(() => {
      const seen = { painted: false, before: 0 };
      const look = (): void => {
        if (document.querySelector('.stage') === null) requestAnimationFrame(look);
        else requestAnimationFrame(() => (seen.painted = true));
      };
      requestAnimationFrame(look);
      const Real = Worker;
      const Counted = function (url: string): Worker {
        if (!seen.painted) seen.before++;
        return new Real(url);
      };
      Counted.prototype = Real.prototype;
      Object.assign(globalThis, { Worker: Counted, seen });
    });
    const second = await visit();
    expect(await shown(second)).toMatchObject({ digest, length });
    await second.waitForFunction(() => (globalThis.orchsimPage.counters['questions'] ?? 0) > 0);
    await second.evaluate(() => {
      (globalThis as unknown as { goOn(): void }).goOn();
    });
    expect(await second.evaluate(() => (globalThis as unknown as { readonly seen: unknown }).seen)).toEqual({ painted: true, before: 0 });
    expect(await shown(second)).toMatchObject({ digest, length });
    await second.close();
    // Another engine, or another text: what was kept does not count.
    const third = await context.newPage();
    await third.addInitScript(() => {
      localStorage.setItem('orchsim.run.lessons/01-wanted-and-found', '1.2.3 AAAA');
    });
    await third.goto(`${pathToFileURL(await playground()).href}#file=lessons/01-wanted-and-found`);
    await third.waitForFunction(() => (globalThis.orchsimPage.counters['questions'] ?? 0) > 0);
    expect(await third.locator('.stage').count()).toBe(0);
    await context.close();
  }, 120_000);

  it('is walked by Enter alone, with the next step in view at every size, and is continued after a reload', async () => {
    const { page, complaints } = await opened(browser, file, { reducedMotion: 'reduce' });
    expect(await page.locator('.lessons li').count()).toBe(16);
    expect(await page.locator('.lessons .picture rect').count()).toBeGreaterThan(100);
    await page.keyboard.press('Enter');
    await shows(page, 'lessons/01-wanted-and-found');
    expect(await page.title()).toBe('1. Desired state and observed state · orchsim');
    const hidden: string[] = [];
    for (let guard = 0; guard < 30; guard++) {
      for (const [width, height] of [
        [1600, 960],
        [1280, 720],
        [1024, 768],
        [600, 1000],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await drawn(page);
        const { inView, text } = await wayOn(page);
        if (!inView) hidden.push(`${width}: ${text.slice(0, 40)}`);
      }
      const { text, focus } = await wayOn(page);
      if (guard > 0) expect(focus).toMatch(/note|question|learned/);
      if (text.startsWith('Next lesson')) break;
      await page.keyboard.press('Enter');
      await drawn(page);
    }
    expect(hidden).toEqual([]);
    expect(await page.locator('.learned').innerText()).toContain('Controllers compare it with the observed state');
    await page.keyboard.press('Enter');
    await shows(page, 'lessons/02-retries');
    await page.goBack();
    await shows(page, 'lessons/01-wanted-and-found');
    // Of a reader who goes back, the answered questions ask nothing; a button goes on from each.
    await page.keyboard.press('Home');
    for (let guard = 0; guard < 4; guard++) {
      await drawn(page);
      expect(await page.locator('.way-on button.primary').count()).toBe(1);
      await page.keyboard.press('Shift+ArrowRight');
    }
    await page.goForward();
    await shows(page, 'lessons/02-retries');
    for (const key of ['Enter', 'Enter', 'a', 't']) await page.keyboard.press(key);
    await page.waitForFunction(() => location.hash.includes('answers=') && location.hash.includes('theme=dark'));
    const before = await hash(page);
    await page.reload();
    await shows(page, 'lessons/02-retries');
    expect(await page.locator('.question.answered').count()).toBe(1);
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    expect((await hash(page)).toString()).toBe(before.toString());
    await page.goBack();
    await shows(page, 'lessons/01-wanted-and-found');
    await page.getByRole('link', { name: 'All lessons' }).click();
    await page.getByRole('link', { name: 'Continue with lesson 2' }).waitFor();
    expect(await page.locator('.lessons .pill').allInnerTexts()).toEqual(['✓ done', expect.stringMatching(/^\d of \d read$/)]);
    await page.getByRole('link', { name: 'Continue with lesson 2' }).click();
    await shows(page, 'lessons/02-retries');
    expect((await hash(page)).get('answers')).toBe(before.get('answers'));
    expect(complaints).toEqual([]);
    await page.close();
  }, 120_000);

  it('shows every answer within three seconds, and its verdict in words', async () => {
    const { page } = await opened(browser, file);
    await page.evaluate(() => {
      location.hash = 'file=lessons/08-schedules';
    });
    await shows(page, 'lessons/08-schedules');
    await page.evaluate(countLeaps);
    const leaps: number[] = [];
    for (let guard = 0; guard < 20; guard++) {
      await drawn(page);
      if ((await page.locator('.learned').count()) > 0) break;
      if ((await page.locator('.question.open').count()) === 0) {
        await page.keyboard.press('Enter');
        continue;
      }
      const before = await page.evaluate(() => globalThis.leaps);
      await page.keyboard.press('a');
      await page.waitForFunction(() => document.querySelector('.question.open') !== null || document.querySelector('.clock') === null);
      leaps.push((await page.evaluate(() => globalThis.leaps)) - before);
      expect(await page.locator('.unseen').innerText()).toMatch(/^(Correct|Incorrect)\. /);
    }
    expect(await page.locator('.question.answered').count()).toBe(3);
    expect(await page.evaluate(unreadable, 14)).toEqual([]);
    // For an audience: the stage and one sentence, by the keys of a presenter's remote.
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const key of ['Home', 'p', 'PageDown', 'PageDown', 'PageUp']) await page.keyboard.press(key);
    await drawn(page);
    expect(await page.locator('.bar, .inspector, .deck').count()).toBe(0);
    expect(await page.evaluate(unreadable, 18)).toEqual([]);
    expect((await page.evaluate(unreadable, 30)).length).toBeGreaterThan(5);
    expect((await page.locator('.stage').boundingBox())?.width).toBeGreaterThan(1200);
    // One sentence, no second headline; a black screen ends with any key.
    expect(await page.locator('.caption').count()).toBe(1);
    expect(await page.locator('.narration').count()).toBe(0);
    await page.keyboard.press('b');
    await page.locator('.blank').waitFor();
    await page.keyboard.press('PageDown');
    await page.locator('.blank').waitFor({ state: 'detached' });
    await page.keyboard.press('p');
    await page.locator('.bar').waitFor();
    expect(await page.evaluate(printed)).toEqual({ pictures: 5, notes: 5, first: '1 · 0s', pods: true, theme: 'light', left: 0 });
    // One in 90 ms, for 2.5 s at most: one of the answers is thousands of steps away.
    expect(Math.max(...leaps)).toBeGreaterThan(3);
    expect(Math.max(...leaps)).toBeLessThanOrEqual(30);
    await page.close();
  }, 60_000);
});
