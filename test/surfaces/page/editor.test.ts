/** The editor: problems are marked at their places, completions and descriptions are offered, and the last good run stays. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, drawn, launch, opened, ready, textOf, tidy, written } from './chromium.ts';

afterAll(tidy);

/** Replaces the text as a reader who pastes. */
async function fill(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: "The scenario's text" }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

describe.skipIf(!ready)('the editor in a browser', () => {
  let browser: Browser;
  let file = '';
  beforeAll(async () => {
    file = await written('editor', 'scenarios/job/15-crash-between-writes.yaml');
    browser = await launch();
  }, 120_000);
  afterAll(() => closePages(browser));

  const digest = (page: Page): Promise<string> => page.evaluate(() => globalThis.orchsimPage.state.model.value?.run.digest ?? '');

  it('marks a misspelt key at its line, and keeps the last good run', async () => {
    const { page, complaints } = await opened(browser, file);
    const before = await digest(page);
    await page.keyboard.press('End');
    await page.keyboard.press('e');
    const changed = (await textOf(page)).replace('completions:', 'compleshuns:').replace('  steps:', '  steeps:');
    await fill(page, changed);
    const marks = page.locator('.cm-lintRange-error');
    await marks.filter({ hasText: 'steeps' }).waitFor();
    const line = changed.split('\n').findIndex((each) => each.includes('steeps:')) + 1;
    const [first = ''] = await page.locator('.found li').allInnerTexts();
    expect(first).toMatch(new RegExp(`^${line}:3: .*steeps`));
    await page.keyboard.press('Control+Enter');
    await page.waitForTimeout(400);
    expect(await digest(page)).toBe(before);
    expect(await page.locator('.stage').count()).toBe(1);
    // A problem of the list leads to its place; what is typed then stands there.
    await page.locator('.found button').first().click();
    await page.keyboard.type('X');
    expect((await textOf(page)).split('\n')[line - 1]).toBe('  Xsteeps:');
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('runs a changed text, and a link contains it', async () => {
    const { page, complaints } = await opened(browser, file);
    const before = await digest(page);
    await page.keyboard.press('e');
    await fill(page, (await textOf(page)).replace(/restartAfter: \w+/, 'restartAfter: 7s'));
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction((before) => globalThis.orchsimPage.state.model.value?.run.digest !== before, before);
    const after = await digest(page);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const url = await page.getByRole('textbox', { name: 'the link' }).inputValue();
    expect(url).toContain('#s=');
    const other = await browser.newPage();
    await other.goto(url);
    await other.waitForFunction(() => globalThis.orchsimPage.state.model.value !== undefined);
    expect(await digest(other)).toBe(after);
    expect(complaints).toEqual([]);
    for (const each of [page, other]) await each.close();
  }, 60_000);

  it('completes, describes, searches, formats, can undo, and is left by Escape twice', async () => {
    const { page, complaints } = await opened(browser, file);
    await page.keyboard.press('e');
    const text = await textOf(page);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('editor');
    await page.keyboard.press('Control+End');
    // Typed letters are completed, a pasted text is not.
    await page.keyboard.insertText('\n    - wai');
    await page.keyboard.type('t');
    // The list follows each letter; on a busy machine it is behind the last one for a moment.
    await page.getByRole('listbox').getByRole('option', { name: 'waitFor', selected: true }).waitFor();
    expect(await page.locator('.cm-completionInfo').innerText()).toContain('Waits until an expectation holds');
    // It takes no key that came sooner than a reader can have read it.
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    expect(await textOf(page)).toMatch(/- waitFor$/);
    for (let at = 0; at < 40 && (await textOf(page)) !== text; at++) await page.keyboard.press('Control+z');
    expect(await textOf(page)).toBe(text);
    await page.locator('.cm-line span', { hasText: 'restartPolicy' }).first().hover();
    expect(await page.locator('.says').innerText()).toContain('whether terminated containers are restarted');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('completions');
    await page.locator('.cm-searchMatch').first().waitFor();
    await page.keyboard.press('Escape');
    const isIn = (): Promise<boolean> => page.evaluate(() => document.activeElement?.id === 'editor');
    expect(await isIn()).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await isIn()).toBe(false);
    await fill(page, text.replace('kind: Scenario', 'kind:     Scenario'));
    await page.getByRole('button', { name: 'Format' }).click();
    await drawn(page);
    await expect.poll(() => textOf(page)).not.toContain('kind:     ');
    const wide = await page.locator('.side').evaluate((side) => side.getBoundingClientRect().width);
    await page.getByRole('separator', { name: 'Width of the editor' }).press('ArrowRight');
    expect(await page.locator('.side').evaluate((side) => side.getBoundingClientRect().width)).toBeGreaterThan(wide);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);
});
