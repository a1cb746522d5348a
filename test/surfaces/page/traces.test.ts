/** Recordings of one scenario from two builds, side by side: from the command line, and opened in a page with the engine. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, drawn, launch, opened, orchsim, ready, tidy, written } from './chromium.ts';

const root = join(import.meta.dirname, '../../..');
const CRASH = 'scenarios/job/15-crash-between-writes.yaml';

const BACK_HERE = 'controller-manager: up ⇢ crashed';

interface Track {
  readonly length: number;
  instantAt(place: number): number;
}

afterAll(tidy);

/** Returns the error of a refused command. */
async function refusal(...args: readonly string[]): Promise<string> {
  try {
    await orchsim(...args);
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'status' in error && error.status === 2 && 'stderr' in error)
      return String(error.stderr);
    throw error;
  }
  throw new Error(`${args.join(' ')} was to be refused`);
}

describe.skipIf(!ready)('two recordings', () => {
  let browser: Browser;
  const files = { engine: '', before: '', after: '', other: '' };
  beforeAll(async () => {
    files.engine = await written('with-engine', CRASH);
    const at = (name: string): string => join(files.engine, '..', name);
    const traced = async (scenario: string, name: string): Promise<string> => {
      await orchsim('run', scenario, '--trace', at(name));
      return at(name);
    };
    files.before = await traced(CRASH, 'before.trace');
    files.other = await traced('scenarios/job/01-runs-to-completion.yaml', 'other.trace');
    // The other build behaves differently: here its controller returns later.
    writeFileSync(at('changed.yaml'), readFileSync(join(root, CRASH), 'utf8').replace(/restartAfter: \w+/, 'restartAfter: 9s'));
    files.after = await traced(at('changed.yaml'), 'after.trace');
    browser = await launch();
  }, 120_000);
  afterAll(() => closePages(browser));

  /** Two stages and two axes, and the difference at seven seconds as text: one controller manager has returned by then. */
  const sideBySide = async (page: Page, first: string, second: string, differs: string): Promise<void> => {
    await page.getByRole('region', { name: second, exact: true }).waitFor();
    expect(await page.getByRole('region', { name: first, exact: true }).count()).toBe(1);
    expect(await page.locator('.stage').count()).toBe(2);
    expect(await page.getByRole('slider', { name: /^Timeline/ }).count()).toBe(2);
    await page.evaluate(() => {
      const { go, state } = globalThis.orchsimPage;
      const { track } = state as unknown as { readonly track: { readonly value: Track } };
      const { length, instantAt } = track.value;
      let at = 0;
      while (at < length && instantAt(at + 1) - instantAt(0) <= 7_000) at++;
      go(at);
    });
    await drawn(page);
    expect(await page.getByRole('region', { name: 'Differences' }).innerText()).toContain(differs);
  };

  it('are side by side in a page of the command line, and a link opens the same view', async () => {
    const out = join(files.engine, '../pair.html');
    expect(await orchsim('page', files.before, files.after, '--out', out)).toContain('side by side');
    // The same page by either spelling.
    const other = join(files.engine, '../against.html');
    expect(await orchsim('page', files.before, '--against', files.after, '--out', other)).toContain('side by side');
    expect(readFileSync(other).equals(readFileSync(out))).toBe(true);
    const { page, complaints } = await opened(browser, out);
    await sideBySide(page, 'before.trace', 'after.trace', BACK_HERE);
    expect(await page.locator('.inspector').innerText()).toContain('This is a recording');
    expect(complaints).toEqual([]);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const url = await page.getByRole('textbox', { name: 'the link' }).inputValue();
    const linked = await browser.newPage();
    await linked.goto(url);
    await linked.getByRole('region', { name: 'Differences' }).getByText(BACK_HERE).waitFor();
    await linked.close();
    // Leaves the field, the dialog and the comparison.
    for (let at = 0; at < 3; at++) await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelectorAll('.stage').length === 1);
    await page.close();
  }, 120_000);

  it('may be a scenario, which this build runs, and a recording', async () => {
    const out = join(files.engine, '../now.html');
    await orchsim('page', CRASH, '--against', files.after, '--out', out, '--force');
    const { page, complaints } = await opened(browser, out);
    await sideBySide(page, '15-crash-between-writes.yaml', 'after.trace', BACK_HERE);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('are refused if they are of two scenarios, and no page is written', async () => {
    expect(await refusal('page', files.before, files.other, '--out', join(files.engine, '../never.html'))).toContain(
      'other.trace is of the scenario job-runs-to-completion',
    );
    expect(await refusal('page', files.before, files.after, '--against', files.other)).toContain('at most two runs are shown side by side');
  }, 60_000);

  it('can be opened in a page with the engine: one beside its run, or two beside each other', async () => {
    const { page, complaints } = await opened(browser, files.engine);
    const chosen = async (...paths: readonly string[]): Promise<void> => {
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.getByLabel(/with a recording/).setInputFiles([...paths]);
    };
    await chosen(files.after);
    await sideBySide(page, 'This run', 'after.trace', BACK_HERE);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelectorAll('.stage').length === 1);
    // Two dropped files.
    await page.evaluate(
      (texts) => {
        const carried = new DataTransfer();
        for (const [name, text] of texts) carried.items.add(new File([text], name));
        dispatchEvent(new DragEvent('drop', { dataTransfer: carried, bubbles: true }));
      },
      [files.after, files.before].map((path) => [path.split('/').at(-1) ?? '', readFileSync(path, 'utf8')] as const),
    );
    await sideBySide(page, 'after.trace', 'before.trace', 'controller-manager: crashed ⇢ up');
    expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
    // One of another scenario stands alone.
    await page.evaluate(
      (text) => {
        const carried = new DataTransfer();
        carried.items.add(new File([text], 'other.trace'));
        dispatchEvent(new DragEvent('drop', { dataTransfer: carried, bubbles: true }));
      },
      readFileSync(files.other, 'utf8'),
    );
    await page.waitForFunction(() => globalThis.orchsimPage.state.scenario.value?.name === 'job-runs-to-completion');
    await page.waitForFunction(() => document.querySelectorAll('.stage').length === 1);
    expect(complaints).toEqual([]);
    await page.close();
  }, 120_000);
});
