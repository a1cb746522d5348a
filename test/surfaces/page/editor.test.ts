/** The editor: errors are marked at their places, completions are offered, and the last good run stays. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn, launch, opened, ready, tidy, written } from './chromium.ts';

afterAll(tidy);

describe.skipIf(!ready)('the editor in a browser', () => {
  let browser: Browser;
  let file = '';
  beforeAll(async () => {
    file = written('editor', 'scenarios/job/15-crash-between-writes.yaml');
    browser = await launch();
  }, 120_000);
  afterAll(() => browser.close());

  const digest = (page: Page): Promise<string> => page.evaluate(() => globalThis.orchsimPage.state.model.value?.run.digest ?? '');

  it('marks a misspelt key at its line and column, and keeps the last good run', async () => {
    const { page, complaints } = await opened(browser, file);
    const before = await digest(page);
    await page.keyboard.press('End');
    await page.keyboard.press('e');
    const field = page.getByRole('textbox', { name: "The scenario's text" });
    const text = await field.inputValue();
    const changed = text.replace('completions:', 'compleshuns:').replace('  steps:', '  steeps:');
    expect(changed).not.toBe(text);
    const line = changed.split('\n').findIndex((each) => each.includes('steeps:')) + 1;
    const col = (changed.split('\n')[line - 1]?.indexOf('steeps') ?? 0) + 1;
    await field.fill(changed);
    await page.locator(`[data-place="${line}:${col}"]`).waitFor();
    expect(await page.locator('.found').innerText()).toContain('steeps');
    await page.keyboard.press('Control+Enter');
    await page.waitForTimeout(400);
    expect(await digest(page)).toBe(before);
    expect(await page.locator('.stage').count()).toBe(1);
    await page.locator('.found button').first().click();
    expect(await field.evaluate((element) => (element as HTMLTextAreaElement).selectionStart)).toBe(
      changed
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + col,
    );
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('runs a changed text, and a link contains it', async () => {
    const { page, complaints } = await opened(browser, file);
    const before = await digest(page);
    await page.keyboard.press('e');
    const field = page.getByRole('textbox', { name: "The scenario's text" });
    await field.fill((await field.inputValue()).replace(/restartAfter: \w+/, 'restartAfter: 7s'));
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction((before) => globalThis.orchsimPage.state.model.value?.run.digest !== before, before);
    const after = await digest(page);
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    const url = await page.getByRole('textbox', { name: 'the link' }).inputValue();
    expect(url).toContain('#s=');
    const other = await browser.newPage();
    await other.goto(url);
    await other.waitForFunction(() => globalThis.orchsimPage.state.model.value !== undefined);
    expect(await digest(other)).toBe(after);
    expect(complaints).toEqual([]);
    for (const each of [page, other]) await each.close();
  }, 60_000);

  it('completes, describes, formats, and can undo', async () => {
    const { page, complaints } = await opened(browser, file);
    await page.keyboard.press('e');
    const field = page.getByRole('textbox', { name: "The scenario's text" });
    const text = await field.inputValue();
    await field.press('Control+End');
    await page.keyboard.type('\n    - wait');
    // The list follows each letter; on a busy machine it is behind the last one for a moment.
    await page.getByRole('listbox', { name: 'Completions' }).getByRole('option', { name: 'waitFor', selected: true }).waitFor();
    expect(await page.locator('.meaning').innerText()).toContain('Waits until an expectation holds');
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toMatch(/- waitFor$/);
    for (let at = 0; at < 40 && (await field.inputValue()) !== text; at++) await page.keyboard.press('Control+z');
    expect(await field.inputValue()).toBe(text);
    await field.fill(text.replace('kind: Scenario', 'kind:     Scenario'));
    await page.getByRole('button', { name: 'Format' }).click();
    await page.waitForFunction(() => !document.querySelector<HTMLTextAreaElement>('#editor')?.value.includes('kind:     '));
    await drawn(page);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);
});
