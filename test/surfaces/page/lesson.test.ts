/** Lessons in the page: only by keyboard, never beyond an open question, with the same answers as in the terminal. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barrierOf, openAt, passedBy, questionsOf } from '../../../src/surfaces/page/model/lesson.ts';
import { cli } from '../cli/cli.ts';
import { choose, closePages, drawn, launch, opened, ready, tidy, written } from './chromium.ts';
import { playground } from './playground.ts';

const root = join(import.meta.dirname, '../../..');
/** Every fourth lesson: `test/lessons.test.ts` walks all of them in the terminal. */
const LESSONS = readdirSync(join(root, 'scenarios/lessons'))
  .sort()
  .filter((_, index) => index % 4 === 2)
  .map((file) => file.replace('.yaml', ''));
const CRASH = 'scenarios/lessons/03-crash-between-writes.yaml';

afterAll(tidy);

describe('the questions of a lesson', () => {
  const narrationStep = (step: number, asked?: number) => ({
    step,
    taken: 0,
    note: 'n',
    ...(asked === undefined ? {} : { ask: { question: 'q', choices: [], right: 0, traceStep: asked, sinceStartMs: 0 } }),
  });
  const questions = questionsOf([narrationStep(3), narrationStep(9, 2), narrationStep(9, 9)]);

  it('are asked after the narration before them', () => {
    expect(questions).toEqual([
      { narrationStep: 1, from: 3, until: 9 },
      { narrationStep: 2, from: 9, until: 9 },
    ]);
  });

  it('stop a reader without an answer', () => {
    expect(barrierOf(questions, new Map(), 20)).toBe(3);
    expect(barrierOf(questions, new Map([[1, 0]]), 20)).toBe(9);
    expect(barrierOf(questions, passedBy(questions, 9), 20)).toBe(20);
    expect(passedBy(questions, 8).size).toBe(0);
    expect(openAt(questions, new Map(), 2)).toBeUndefined();
    expect(openAt(questions, new Map(), 3)?.narrationStep).toBe(1);
    expect(openAt(questions, new Map([[1, undefined]]), 9)?.narrationStep).toBe(2);
  });
});

describe.skipIf(!ready)('a lesson in a browser', () => {
  let browser: Browser;
  const files = { play: '', crash: '' };
  beforeAll(async () => {
    files.play = await playground();
    files.crash = await written('lesson-crash', CRASH);
    browser = await launch();
  }, 120_000);
  afterAll(() => closePages(browser));

  const step = (page: Page): Promise<number> => page.evaluate(() => globalThis.orchsimPage.state.step.value);
  const length = (page: Page): Promise<number> => page.evaluate(() => globalThis.orchsimPage.state.model.value?.length ?? 0);
  /** The content of the side, the latest last. */
  const marked = (page: Page): Promise<readonly string[]> => page.locator('.question.answered li.right > span').allInnerTexts();

  it('can be used from the first note to the last only by keyboard', async () => {
    const { page, complaints } = await opened(browser, files.crash);
    await page.keyboard.press('Shift+ArrowRight');
    await drawn(page);
    expect(await page.locator('.note.current').innerText()).toContain('A user creates a Job');
    for (const choice of ['a', 'b', 'c']) {
      await page.keyboard.press('End');
      await drawn(page);
      const question = page.getByRole('region', { name: 'Question' }).last();
      expect(await question.getByRole('button', { name: 'show the answer' }).count()).toBe(1);
      const stands = await step(page);
      // Nothing moves beyond it: neither the end, nor an arrow, nor play, nor a search.
      for (const key of ['End', 'ArrowRight', 'Shift+ArrowRight', ' ', 'w']) await page.keyboard.press(key);
      await page.waitForTimeout(400);
      expect(await step(page)).toBe(stands);
      await page.keyboard.press('d');
      expect(await step(page)).toBe(stands);
      await page.keyboard.press(choice);
      await page.waitForFunction(() => !(globalThis.orchsimPage.state as unknown as { playing: { value: boolean } }).playing.value);
      await drawn(page);
      expect(await page.locator('.note.current .question.answered').count()).toBe(1);
      expect(await step(page)).toBeGreaterThan(stands);
    }
    await page.keyboard.press('End');
    expect(await step(page)).toBe(await length(page));
    // Two answers were wrong: each has its reason, beside the reason of the right one.
    expect(await page.locator('li.wrong small').count()).toBe(2);
    expect(await page.locator('li.right small').count()).toBe(3);
    expect(await page.locator('.side').innerText()).not.toMatch(/score|points/i);
    expect(await page.locator('.learned').count()).toBe(0);
    await page.keyboard.press('Enter');
    await drawn(page);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('learned');
    expect(await page.locator('.learned .what-if').count()).toBe(2);
    expect(complaints).toEqual([]);
    await page.close();
  }, 120_000);

  it('shows the object and the cache that the lesson names, only while it rests there', async () => {
    const { page } = await opened(browser, files.crash, { reducedMotion: 'reduce' });
    for (const key of ['End', 'c', 'b']) await page.keyboard.press(key);
    await drawn(page);
    expect(await page.locator('.lens-on').innerText()).toContain('controller-manager');
    expect(await page.locator('.inspector').innerText()).toContain('Job trio');
    await page.keyboard.press('ArrowLeft');
    await drawn(page);
    expect(await page.locator('.lens-on').count()).toBe(0);
    await page.close();
  }, 60_000);

  it('marks one answer of each question of a lesson, and the one that the terminal gives', async () => {
    const { page, complaints } = await opened(browser, files.play, { reducedMotion: 'reduce' });
    const shown = new Map<string, readonly string[]>();
    for (const name of LESSONS) {
      await choose(page, `lessons/${name}`);
      const questions = await page.evaluate(
        () => (globalThis.orchsimPage.state.model.value as unknown as { questions: readonly unknown[] }).questions,
      );
      expect(questions.length, name).toBeGreaterThanOrEqual(3);
      for (let at = 0; at < questions.length; at++) {
        await page.keyboard.press('End');
        await drawn(page);
        expect(await page.locator('.question.open').count(), name).toBe(1);
        expect(await page.locator('.question.answered').count(), name).toBe(at);
        await page.getByRole('button', { name: 'show the answer' }).click();
        await drawn(page);
      }
      const marks = await page
        .locator('.question.answered')
        .evaluateAll((all) => all.map((each) => each.querySelectorAll('.right').length));
      expect(marks, name).toEqual(questions.map(() => 1));
      shown.set(name, (await marked(page)).map(flat));
    }
    const reported = new Map<string, readonly string[]>();
    for (const name of LESSONS) reported.set(name, await reportedInTerminal(`scenarios/lessons/${name}.yaml`));
    expect(shown).toEqual(reported);
    expect(complaints).toEqual([]);
    await page.close();
  }, 400_000);
});

const flat = (text: string): string => text.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').trim();

/** The right answers with their reasons, as `walk` reveals them when every question is skipped. */
async function reportedInTerminal(file: string): Promise<readonly string[]> {
  const { out: said } = await cli(['walk', file, '--script', 'n '.repeat(60), '--json']);
  const lines = said.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { readonly shown: readonly string[] }).shown));
  return lines.flatMap((line, at) => {
    const say = /^ *✓ [a-d] {2}(.*)$/.exec(line)?.[1];
    return say === undefined ? [] : [flat(`${say} ${lines[at + 1] ?? ''}`)];
  });
}
