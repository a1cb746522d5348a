/** The rules of axe in both themes, 200 % zoom, and reduced motion: over the course, a lesson, the editor, and two futures. */
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, closePages, drawn, launch, opened, ready, tidy } from './chromium.ts';
import { playground } from './playground.ts';

/** Every finding as a line: the rule, the element. */
async function findingsIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { readonly axe: typeof axe };
    const { violations: all } = await inPage.run(document, { resultTypes: ['violations'] });
    return all.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ target, html }) => ({ target: target.join(' '), html })) }));
  });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, html }) => `${id}: ${help}: ${target} ${html.slice(0, 160)}`));
}

const LESSON = 'lessons/03-crash-between-writes';

afterAll(tidy);

describe.skipIf(!ready)('the page for everybody', () => {
  let browser: Browser;
  let file = '';
  beforeAll(async () => {
    file = await playground();
    browser = await launch();
  }, 120_000);
  afterAll(() => closePages(browser));

  it.each(['light', 'dark'] as const)(
    'has no findings of axe, %s',
    async (colorScheme) => {
      const { page, complaints } = await opened(browser, file, { colorScheme, reducedMotion: 'reduce' });
      const found: Record<string, readonly string[]> = { course: await findingsIn(page) };
      await choose(page, LESSON);
      await drawn(page);
      found['lesson'] = await findingsIn(page);
      await page.keyboard.press('e');
      await page.locator('.editor').waitFor();
      await drawn(page);
      found['editor'] = await findingsIn(page);
      expect(found).toEqual({ course: [], lesson: [], editor: [] });
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
      expect(complaints).toEqual([]);
      await page.close();
    },
    120_000,
  );

  it('can be used at 200 % zoom: nothing is wider than the window, and the way on is in it', async () => {
    // A window of 1280 by 720 at 200 % has so many pixels of the style sheet.
    const page = await browser.newPage({ viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 });
    await page.goto(pathToFileURL(file).href);
    await page.locator('.way-in a').waitFor();
    const wider = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await wider()).toBeLessThanOrEqual(0);
    await choose(page, LESSON);
    await drawn(page);
    expect(await wider()).toBeLessThanOrEqual(0);
    const box = await page.locator('.way-on button, .way-on a').first().boundingBox();
    expect(box === null ? NaN : box.y + box.height).toBeLessThanOrEqual(360);
    expect(box?.y).toBeGreaterThanOrEqual(0);
    await page.close();
  }, 60_000);
});
