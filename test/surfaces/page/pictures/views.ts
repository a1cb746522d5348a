/** The views for pictures: a page each, and the actions before the picture. */
import type { Page } from 'playwright-core';
import { choose, drawn, goTo } from '../chromium.ts';
import type { FileName } from './files.ts';

export interface View {
  readonly name: string;
  readonly of: FileName | 'live';
  /** The suffix of the address. */
  readonly address?: string;
  readonly shows: (page: Page) => Promise<void>;
  /** Presenter mode: on a projector only, with larger letters. */
  readonly presented?: true;
}

/** A scenario of the playground at an instant. */
const at = (name: string, scenario: string, ms: number, then?: View['shows']): View => ({
  name,
  of: 'play',
  shows: async (page) => {
    await choose(page, scenario);
    await pass(page);
    await goTo(page, ms);
    await then?.(page);
  },
});

/** Skips all questions of a lesson. */
async function pass(page: Page): Promise<void> {
  const shown = page.getByRole('button', { name: 'show the answer' });
  for (let guard = 0; guard < 12; guard++) {
    await page.keyboard.press('End');
    await drawn(page);
    const isAtEnd = (): boolean => globalThis.orchsimPage.state.step.value === globalThis.orchsimPage.state.model.value?.length;
    if (await page.evaluate(isAtEnd)) break;
    // The question may be rendered again meanwhile, so waiting for a stable button would wait for a removed one.
    await shown.evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click();
    });
    await drawn(page);
    await page.waitForFunction(() => !(globalThis.orchsimPage.state as unknown as { playing: { value: boolean } }).playing.value);
  }
}

/** A lesson, answered up to a narration step. */
const lesson = (file: string, narrationStep: number): View => ({
  name: `lesson-${file.slice(0, 2)}`,
  of: 'play',
  shows: async (page) => {
    await choose(page, `lessons/${file}`);
    await pass(page);
    await page.keyboard.press('Home');
    for (let step = 0; step < narrationStep; step++) await page.keyboard.press('Shift+ArrowRight');
    await drawn(page);
  },
});

/** The same moment, or the open question before it, in presenter mode. */
const presented = (file: string, narrationStep: number, question = false): View => ({
  name: `presenter-${question ? 'question-' : ''}${file.slice(0, 2)}`,
  of: 'play',
  presented: true,
  shows: async (page) => {
    if (question) {
      await choose(page, `lessons/${file}`);
      await press(page, 'End');
    } else await lesson(file, narrationStep).shows(page);
    await press(page, 'p');
    // The size of the window changes.
    await page.waitForTimeout(200);
  },
});

const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) {
    await page.keyboard.press(key);
    await drawn(page);
  }
};

const beside = (page: Page): Promise<void> => page.getByRole('region', { name: 'Differences' }).waitFor();

const CRASH = 'lessons/03-crash-between-writes';

export const VIEWS: readonly View[] = [
  { name: 'course', of: 'play', shows: drawn },
  at('stage-job', 'job/05-failed#job-backs-off', 12_000),
  at('stage-stateful-set', 'stateful-set/03-rolling-update', 11_000),
  at('stage-cron-job', 'cron-job/01-schedule-fires-allow', 125_000),
  at('stage-lease', 'lease/05-leader-cut-off', 14_000),
  at('stage-eyes', 'lease/05-leader-cut-off', 19_000, (page) => press(page, '1')),
  at('stage-volume', 'volume-attachment/03-volume-on-a-dead-node', 60_000),
  at('stage-service', 'decisions/03-endpoints-follow-readiness', 6_000),
  at('stage-budget', 'node/06-evictions-keep-a-budget', 12_000),
  at('stage-namespace', 'incidents/04-namespace-stuck', 60_000),
  at('stage-breach', 'broken/job-forgets-a-success', 60_000),
  at('stage-silent-node', 'node/02-silent-and-back', 50_000),
  { name: 'stage-long-names', of: 'long', shows: (page) => goTo(page, 21_000) },
  { name: 'stage-crowd', of: 'crowd', shows: (page) => goTo(page, 8_000) },
  {
    name: 'stage-crowd-node',
    of: 'crowd',
    shows: async (page) => {
      await goTo(page, 8_000);
      await page.getByRole('button', { name: 'Zoom into node-1' }).click();
      await drawn(page);
    },
  },
  at('timeline-search', 'stateful-set/03-rolling-update', 11_000, async (page) => {
    await page.getByRole('searchbox').fill('kind:Pod by:stateful-set');
    await press(page, 'Enter', 'Escape', 'm');
  }),
  at('timeline-true-time', 'cron-job/07-forbid-starts-late', 125_000, async (page) => {
    await page.getByRole('button', { name: 'Fold quiet time' }).click();
    await drawn(page);
  }),
  at('inspector', 'job/16-stale-cache', 9_000, async (page) => {
    await press(page, 'w', 'w');
    // As a sheet, it is open.
    await page.evaluate(() => {
      (globalThis.orchsimPage.state as unknown as { sheet: { value: boolean } }).sheet.value = true;
    });
  }),
  { name: 'question-open', of: 'play', shows: async (page) => (await choose(page, CRASH), await press(page, 'End')) },
  {
    name: 'question-answered',
    of: 'play',
    shows: async (page) => (await choose(page, CRASH), await press(page, 'End', 'a')),
  },
  {
    name: 'two-futures',
    of: 'play',
    shows: async (page) => {
      await choose(page, CRASH);
      await pass(page);
      await page.locator('.tries button').first().click({ force: true });
      await beside(page);
      await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    },
  },
  at('two-seeds', 'stateful-set/03-rolling-update', 11_000, async (page) => {
    await press(page, 'x');
    await page.getByRole('spinbutton', { name: 'with another seed' }).press('Enter');
    await beside(page);
    await press(page, 'End');
  }),
  at('what-if', 'job/15-crash-between-writes', 7_000, async (page) => {
    await page.getByRole('button', { name: 'What if something happened to controller-manager?' }).click();
    await drawn(page);
  }),
  at('order', 'lessons/03-crash-between-writes', 0, async (page) => {
    await page.evaluate(() => {
      globalThis.orchsimPage.go(60);
    });
    await press(page, 'o');
    await page.getByRole('region', { name: 'In another order' }).waitFor();
  }),
  at('link', 'job/15-crash-between-writes', 3_000, async (page) => {
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('dialog', { name: 'Share' }).waitFor();
  }),
  at('keys', 'job/15-crash-between-writes', 3_000, (page) => press(page, '?')),
  at('editor', 'job/15-crash-between-writes', 3_000, async (page) => {
    await press(page, 'e');
    await page.locator('.cm-line', { hasText: 'completions:' }).first().click();
    await press(page, 'Home');
    await page.keyboard.type('x');
    await page.locator('.cm-lintRange-error').first().waitFor();
  }),
  { name: 'recorded', of: 'recorded', shows: (page) => goTo(page, 11_000) },
  { name: 'failure', of: 'failure', shows: drawn },
  { name: 'sweep', of: 'sweep', shows: drawn },
  { name: 'live', of: 'live', shows: drawn },
  { name: 'embed', of: 'play', address: '?embed', shows: async (page) => press(page, 'End') },
  lesson('01-wanted-and-found', 3),
  lesson('02-retries', 3),
  lesson('03-crash-between-writes', 2),
  lesson('04-stale-cache', 3),
  lesson('05-conflict', 3),
  lesson('06-owners-and-deletion', 3),
  lesson('07-identity', 3),
  lesson('08-schedules', 3),
  lesson('09-leaders', 3),
  lesson('10-silent-node', 3),
  lesson('11-volume', 3),
  lesson('12-invariant', 3),
  lesson('13-rolling-update', 3),
  lesson('14-stuck-rollout', 3),
  lesson('15-daemon-on-a-new-node', 3),
  lesson('16-autoscaler', 3),
  presented('07-identity', 3, true),
  presented('16-autoscaler', 3, true),
  presented('01-wanted-and-found', 3),
  presented('02-retries', 3),
  presented('03-crash-between-writes', 2),
  presented('04-stale-cache', 3),
  presented('05-conflict', 3),
  presented('06-owners-and-deletion', 3),
  presented('07-identity', 3),
  presented('08-schedules', 3),
  presented('09-leaders', 3),
  presented('10-silent-node', 3),
  presented('11-volume', 3),
  presented('12-invariant', 3),
  presented('13-rolling-update', 3),
  presented('14-stuck-rollout', 3),
  presented('15-daemon-on-a-new-node', 3),
  presented('16-autoscaler', 3),
];
