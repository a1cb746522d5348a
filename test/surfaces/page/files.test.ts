/** Files in and out of the page: a failed run opens at its breach, a moment is saved as a page, and files are dropped. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, drawn, launch, opened, ready, tidy, written } from './chromium.ts';

const BROKEN = 'scenarios/broken/job-forgets-a-success.yaml';

afterAll(tidy);

describe.skipIf(!ready)('files of a page', () => {
  let browser: Browser;
  let file = '';
  beforeAll(async () => {
    file = await written('broken', BROKEN);
    browser = await launch();
  }, 120_000);
  afterAll(() => closePages(browser));

  const shown = (page: Page) =>
    page.evaluate(() => {
      const { model, step, scenario } = globalThis.orchsimPage.state;
      const run = model.value?.run as unknown as
        | { readonly digest: string; readonly failures: readonly { readonly step: number }[] }
        | undefined;
      return { step: step.value, digest: run?.digest, failure: run?.failures[0]?.step, name: scenario.value?.name };
    });

  const drop = (page: Page, name: string, text: string): Promise<void> =>
    page.evaluate(
      ([name, text]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], name));
        dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
      },
      [name, text] as const,
    );

  it('opens a failed run at its breach, with file and line and the chain beside it; saves that moment as a page', async () => {
    const { page, complaints } = await opened(browser, file);
    const here = await shown(page);
    expect(here.step).toBe(here.failure);
    expect(here.step).toBeGreaterThan(0);
    expect(await page.locator('.chain li').count()).toBeGreaterThan(1);
    const place = page.locator('.failures .place').first();
    expect(await place.innerText()).toMatch(/job-forgets-a-success\.yaml:\d+$/);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const moment = await shown(page);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save this moment as a file' }).click(),
    ]);
    const saved = `${file}.moment.html`;
    await download.saveAs(saved);
    const [trace] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Trace', exact: true }).click()]);
    expect(trace.suggestedFilename()).toBe('job-forgets-a-success.trace.jsonl');
    const other = await opened(browser, saved);
    expect(await shown(other.page)).toEqual(moment);
    expect(await other.page.locator('.stage').count()).toBe(1);
    expect([...complaints, ...other.complaints]).toEqual([]);
    // The trace is of the shown run, so it is opened beside it.
    await page.keyboard.press('Escape');
    await drop(page, 'a.trace.jsonl', readFileSync((await trace.path()) ?? '', 'utf8'));
    await page.locator('main.two').waitFor();
    for (const each of [page, other.page]) await each.close();
  }, 90_000);

  it('leads from a failure to its line, runs what is dropped, and says what is wrong with it', async () => {
    const { page, complaints } = await opened(browser, file);
    await page.locator('.failures .place').first().click();
    await page.locator('.cm-activeLine').waitFor();
    await drop(
      page,
      'pair.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: left }\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: right }\n',
    );
    await expect.poll(async () => (await shown(page)).name).toBe('pair');
    await drawn(page);
    await drop(page, 'wrong.yaml', 'apiVersion: v1\nkind: ConfigMop\nmetadata: { name: left }\n');
    await page.getByText(/wrong\.yaml:2:7.*ConfigMap/).waitFor();
    expect((await shown(page)).name).toBe('pair');
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);
});
