/** Links: a link reproduces the view of a page; a broken one is reported. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrokenLink, linkOf, readLink, type Linked } from '../../../src/surfaces/page/model/link.ts';
import { closePages, drawn, launch, opened, ready, tidy, written } from './chromium.ts';

const CRASH = 'scenarios/job/15-crash-between-writes.yaml';

const FORK: Linked['second'] = { is: 'fork', step: 40, said: 'a & b = "c"', injectedFault: { typed: 'fault crash controller-manager' } };

describe('a link', () => {
  it.each<[string, Linked]>([
    ['of a carried scenario', { scenario: 'job/15', step: 7, marks: [] }],
    [
      'of all that is shown',
      { scenario: 'a#b/ä', seed: 3, step: 9, lens: 'agent/node-0', marks: [1, 22], second: FORK, digest: 'abcdef12' },
    ],
    [
      'of an offer that was tried',
      { scenario: 'a', step: 1, marks: [], second: { is: 'fork', step: 4, said: 's', injectedFault: { try: [3, 0] } } },
    ],
    [
      'of answers, and a theme',
      {
        scenario: 'a',
        step: 1,
        marks: [],
        answers: new Map([
          [1, 0],
          [12, undefined],
        ]),
        theme: 'dark',
      },
    ],
    ['of another seed', { scenario: 'a', step: 1, marks: [], second: { is: 'seed', seed: 8 } }],
    ['of a gate', { scenario: 'a', step: 1, marks: [], second: { is: 'gate', gate: 'G', on: true } }],
    [
      'of a scenario of its own',
      { scenario: { title: 't', file: 'f.yaml', text: 'ä: [1]\n'.repeat(500), files: { 'x.yaml': 'y' } }, step: 0, marks: [] },
    ],
  ])('%s keeps its contents', async (_, linked) => {
    expect(await readLink(await linkOf(linked))).toEqual(linked);
  });

  it('is short: a shipped scenario needs less than 2 KB', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../..', CRASH), 'utf8');
    expect((await linkOf({ scenario: { title: 't', file: 'f', text }, step: 0, marks: [] })).length).toBeLessThan(2048);
  });

  it('may be empty, and then names nothing', async () => {
    expect(await readLink('')).toBeUndefined();
  });

  it.each([
    ['nothing', 'step=1'],
    ['half a scenario', 's=AAAA'],
    ['no base64', 's=%%%'],
    ['a step that is none', 'file=a&step=-1'],
    ['a seed that is none', 'file=a&seed=1e9'],
    ['a fork that is no JSON', 'file=a&beside=%7B'],
    ['a fork that is none', 'file=a&beside={"is":"fork","step":1}'],
    ['an offer by no numbers', 'file=a&beside={"is":"fork","step":1,"said":"","deed":{"try":["__proto__",0]}}'],
  ])('that holds %s is broken', async (_, hash) => {
    await expect(readLink(hash)).rejects.toBeInstanceOf(BrokenLink);
  });

  it('that inflates beyond the limit is broken', async () => {
    const bomb = await linkOf({ scenario: { title: 't', file: 'f', text: 'a'.repeat(1 << 21) }, step: 0, marks: [] });
    expect(bomb.length).toBeLessThan(10_000);
    await expect(readLink(bomb)).rejects.toThrow('too large');
  });
});

afterAll(tidy);

describe.skipIf(!ready)('a link in a browser', () => {
  let browser: Browser;
  let file = '';
  beforeAll(async () => {
    file = await written('link', CRASH);
    browser = await launch();
  }, 120_000);
  afterAll(() => closePages(browser));

  interface Shown {
    readonly step: number;
    readonly lens: string | undefined;
    readonly seed: number;
    readonly stages: readonly string[];
    readonly notice: string | undefined;
  }

  const shown = async (page: Page): Promise<Shown> => ({
    ...(await page.evaluate(() => {
      const { state } = globalThis.orchsimPage;
      const { step, lens, model, notice } = state as unknown as Record<'step' | 'lens' | 'notice', { value: never }> & {
        model: { value: { run: { seed: number } } };
      };
      return { step: step.value, lens: lens.value, seed: model.value.run.seed, notice: notice.value };
    })),
    stages: (await page.locator('.stage').allInnerTexts()).map((text) =>
      text.replaceAll(/(?:awaits \S+ rv \d+|due in \S+|wakes in \S+|queued|\d+ to write)(?:, \d+ failed)? ?/g, '').replaceAll(/\n+/g, '\n'),
    ),
  });

  /** Returns the link to the view of a page, from its dialog. */
  async function linkIn(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    return page.getByRole('textbox', { name: 'the link' }).inputValue();
  }

  /** Opens an address in a new page, and waits until it has been followed. */
  async function follow(url: string): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(url);
    await page.waitForFunction(() => globalThis.orchsimPage.state.model.value !== undefined);
    await page.waitForTimeout(600);
    return page;
  }

  it('opens at its step, with its cache and seed', async () => {
    const { page } = await opened(browser, file);
    await page.evaluate(() => {
      globalThis.orchsimPage.go(61);
    });
    await page.keyboard.press('1');
    await page.keyboard.press('m');
    await drawn(page);
    const before = await shown(page);
    const url = await linkIn(page);
    const other = await follow(url);
    expect(await shown(other)).toEqual(before);
    expect(before).toMatchObject({ step: 61, lens: 'controller-manager', notice: undefined });
    expect(await other.getByRole('button', { name: 'Mark this step' }).getAttribute('aria-pressed')).toBe('true');
    const changed = await follow(url.replace(/digest=\w+/, 'digest=00000000'));
    expect((await shown(changed)).notice).toContain('another build');
    for (const each of [page, other, changed]) await each.close();
  }, 60_000);

  it('opens a fork', async () => {
    const { page } = await opened(browser, file);
    await page.evaluate(() => {
      globalThis.orchsimPage.go(61);
    });
    await page.getByRole('button', { name: 'What if something happened to controller-manager?' }).click();
    await page.getByRole('button', { name: /^It crashes/ }).click();
    await page.getByRole('region', { name: 'Differences' }).waitFor();
    for (let at = 0; at < 5; at++) await page.keyboard.press('ArrowRight');
    await drawn(page);
    const before = await shown(page);
    const other = await follow(await linkIn(page));
    await other.getByRole('region', { name: 'Differences' }).waitFor();
    expect(await shown(other)).toEqual(before);
    expect(before.stages.length).toBe(2);
    for (const each of [page, other]) await each.close();
  }, 60_000);

  it('that is broken shows an error, and the page anyway', async () => {
    const page = await follow(`${pathToFileURL(file).href}#s=AAAA`);
    expect((await shown(page)).notice).toContain('This link is broken');
    expect(await page.getByRole('alert').first().innerText()).toContain('truncated or changed');
    expect(await page.locator('.stage').count()).toBe(1);
    await page.close();
  }, 30_000);

  it('embeds only stage and lesson', async () => {
    const page = await follow(`${pathToFileURL(file).href}?embed`);
    expect(await page.locator('.stage, .story').count()).toBe(2);
    expect(await page.locator('.bar, .inspector, .timeline').count()).toBe(0);
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(() => globalThis.orchsimPage.state.step.value > 0);
    expect(await page.getByRole('link', { name: 'open the whole page' }).getAttribute('href')).not.toContain('embed');
    await page.close();
  }, 30_000);
});
