/** Two runs side by side: the alignment of steps to moments, the divergence, the differences, and the fork as a file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepAtPlace } from '../../../src/surfaces/page/model/axis.ts';
import { differencesAt } from '../../../src/surfaces/page/model/differences.ts';
import { modelOf } from '../../../src/surfaces/page/model/index.ts';
import { swimlanesOf } from '../../../src/surfaces/page/model/swimlanes.ts';
import { pairOf, type Pair } from '../../../src/surfaces/page/model/pair.ts';
import type { Second } from '../../../src/surfaces/page/protocol.ts';
import { createBench } from '../../../src/surfaces/page/worker/bench.ts';
import { closePages, drawn, launch, opened, orchsim, ready, textOf, tidy, written } from './chromium.ts';

const root = join(import.meta.dirname, '../../..');
const CRASH = 'scenarios/lessons/03-crash-between-writes.yaml';

/** A shipped scenario with another run beside it. */
function beside(file: string, how: (length: number) => Second): { readonly pair: Pair; readonly text: string } {
  const bench = createBench();
  const answer = bench.answer({ ask: 'run', scenario: { file, text: readFileSync(join(root, file), 'utf8') } });
  if (answer.is !== 'run') throw new Error(JSON.stringify(answer));
  const first = modelOf(answer.run);
  const second = bench.answer({ ask: 'second', how: how(first.length) });
  if (second.is !== 'second') throw new Error(JSON.stringify(second));
  return { pair: pairOf(first, modelOf(second.run)), text: second.text };
}

const crashAt = (step: number): Second => ({
  is: 'fork',
  step,
  said: 'it crashes',
  injectedFault: { typed: 'fault crash controller-manager restartAfter=5s' },
});
const forked = beside(CRASH, (length) => crashAt(Math.round(length / 2)));
const seeds = beside('scenarios/job/15-crash-between-writes.yaml', () => ({ is: 'seed', seed: 7 }));
const gate = beside('scenarios/job/15-crash-between-writes.yaml', () => ({ is: 'gate', gate: 'JobTrackingWithFinalizers', on: true }));

describe.each([
  ['a fork', forked.pair],
  ['another seed', seeds.pair],
  ['a gate turned over', gate.pair],
])('the moments of %s', (_, { first, second, firstAt, secondAt, track, axis, places }) => {
  it('contain every step of both once, in order, at one instant', () => {
    expect([firstAt[0], secondAt[0]]).toEqual([0, 0]);
    expect([firstAt.at(-1), secondAt.at(-1)]).toEqual([first.length, second.length]);
    for (let at = 1; at <= track.length; at++) {
      const steps = [(firstAt[at] ?? 0) - (firstAt[at - 1] ?? 0), (secondAt[at] ?? 0) - (secondAt[at - 1] ?? 0)];
      expect([0, 1]).toContain(steps[0]);
      expect([0, 1]).toContain(steps[1]);
      expect((steps[0] ?? 0) + (steps[1] ?? 0)).toBeGreaterThan(0);
      expect(track.instantAt(at)).toBeGreaterThanOrEqual(track.instantAt(at - 1));
      for (const [model, step] of [
        [first, firstAt[at]],
        [second, secondAt[at]],
      ] as const)
        expect(model.trace.entries[(step ?? 0) - 1]?.at ?? model.trace.startAt).toBeLessThanOrEqual(track.instantAt(at));
    }
  });

  it('have one axis, for both timelines', () => {
    for (let at = 1; at <= track.length; at++) expect(axis.folded[at] ?? 0).toBeGreaterThanOrEqual(axis.folded[at - 1] ?? 0);
    expect(stepAtPlace(axis.folded, 1)).toBe(track.length);
    const at = Math.round(track.length / 2);
    for (const [places_, step] of [
      [places.first, firstAt[at]],
      [places.second, secondAt[at]],
    ] as const)
      expect(places_.folded[step ?? 0]).toBeLessThanOrEqual(axis.folded[at] ?? 0);
  });
});

describe('a fork', () => {
  const { first, second, firstAt, secondAt, parted = 0, track } = forked.pair;

  it('has the same entries by number up to the divergence', () => {
    expect(parted).toBeGreaterThan(20);
    const idsOf = (model: typeof first, until: number): readonly number[] =>
      model.trace.entries.slice(0, until).flatMap(({ id, type }) => (type === 'note' || type === 'check' ? [] : [id]));
    expect(idsOf(second, secondAt[parted] ?? 0)).toEqual(idsOf(first, firstAt[parted] ?? 0));
    for (let at = 0; at <= parted; at++) expect(differencesAt(first, firstAt[at] ?? 0, second, secondAt[at] ?? 0)).toEqual([]);
  });

  it('shows the differences, and leaves out equal swimlanes', () => {
    const found = Array.from({ length: track.length - parted }, (_, at) => parted + 1 + at).flatMap((at) =>
      differencesAt(first, firstAt[at] ?? 0, second, secondAt[at] ?? 0),
    );
    expect(found).toContainEqual({ what: 'controller-manager', first: 'up', second: 'crashed' });
    expect(swimlanesOf(first, forked.pair).swimlanes.length).toBeLessThan(swimlanesOf(first).swimlanes.length);
  });

  it('refuses a malformed step, with the reason', () => {
    const bench = createBench();
    bench.answer({ ask: 'run', scenario: { file: CRASH, text: readFileSync(join(root, CRASH), 'utf8') } });
    const answer = bench.answer({ ask: 'second', how: { ...crashAt(40), injectedFault: { typed: 'fault explode scheduler' } } as Second });
    expect(answer).toMatchObject({ is: 'refused' });
    expect(JSON.stringify(answer)).toContain('explode');
    expect(bench.answer({ ask: 'second', how: { ...crashAt(40), injectedFault: { try: [99, 0] } } as Second })).toMatchObject({
      is: 'refused',
    });
  });
});

describe('another order', () => {
  const bench = createBench();
  bench.answer({ ask: 'run', scenario: { file: CRASH, text: readFileSync(join(root, CRASH), 'utf8') } });
  const waits = bench.answer({ ask: 'waiting', step: 60 });
  const ordered = (typed: string): ReturnType<typeof bench.answer> =>
    bench.answer({ ask: 'second', how: { is: 'fork', step: 60, said: 'it goes first', injectedFault: { typed } } });

  it('of pending events is a fork by choices', () => {
    if (waits.is !== 'waiting') throw new Error(JSON.stringify(waits));
    expect(waits.waiting.map(({ what, first }) => [what, first])).toEqual([
      ['root-certificate decides about orch-system', ''],
      ['job writes for trio: create Pod', 'choices: [{ at: "decide controller-manager root-certificate orch-system w0+1", hold: 0s }]'],
      ['job decides about trio', expect.stringContaining('late: 1001ms')],
    ]);
    const answer = ordered(waits.waiting[2]?.first ?? '');
    if (answer.is !== 'second') throw new Error(JSON.stringify(answer));
    expect(answer.lintWarnings).toEqual([]);
    expect(answer.text).toContain('choices:');
    expect(answer.run.trace.entries.filter(({ type }) => type === 'fault').length).toBeGreaterThan(1);
  });

  it('that is impossible is refused, or reports unused choices', () => {
    expect(ordered('choices: [{ at: "see nobody Pod x #1", hold: 5s }]')).toMatchObject({
      is: 'refused',
      problems: ['not reached: the run has no point see nobody Pod x #1'],
    });
    const half = ordered(
      'choices: [{ at: "see nobody Pod x #1", hold: 5s }, { at: "write controller-manager job default/trio: create Pod #2", late: 1s }]',
    );
    expect(half).toMatchObject({ is: 'second', lintWarnings: ['not reached: the run has no point see nobody Pod x #1'] });
  });
});

it('shows what a feature gate changes', () => {
  expect(gate.pair.parted).toBeDefined();
  expect(gate.text).toContain('JobTrackingWithFinalizers: true');
  expect(seeds.pair.second.run.seed).toBe(7);
});

afterAll(tidy);

describe.skipIf(!ready)('two futures in a browser', () => {
  let browser: Browser;
  let file = '';
  beforeAll(async () => {
    file = await written('futures', CRASH);
    browser = await launch();
  }, 120_000);
  afterAll(() => closePages(browser));

  const shownFork = (page: Page): Promise<{ readonly digest: string; readonly text: string }> =>
    page.evaluate(() => {
      const { value } = (
        globalThis.orchsimPage.state as unknown as {
          other: { value: { text: string; pair: { second: { run: { digest: string } } } } };
        }
      ).other;
      return { digest: value.pair.second.run.digest, text: value.text };
    });
  const digestOf = async (text: string): Promise<string | undefined> => {
    const saved = join(file, '../fork.yaml');
    writeFileSync(saved, text);
    const { runs } = JSON.parse(await orchsim('run', saved, '--json')) as { readonly runs: readonly { readonly digest: string }[] };
    return runs[0]?.digest;
  };

  it('forks with a what-if of the lesson, and the file of the fork has the shown digest', async () => {
    const { page, complaints } = await opened(browser, file, { reducedMotion: 'reduce' });
    for (const key of ['End', 'c', 'b']) await page.keyboard.press(key);
    await drawn(page);
    const before = await page.evaluate(() => globalThis.orchsimPage.state.step.value);
    await page.getByRole('button', { name: 'Crash it again' }).click();
    await page.getByRole('region', { name: 'Differences' }).waitFor();
    expect(await page.locator('.stage').count()).toBe(2);
    expect(await page.getByRole('slider').count()).toBe(2);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await drawn(page);
    expect(await page.getByRole('region', { name: 'Differences' }).innerText()).toMatch(/controller-manager: (up|leads) ⇢ crashed/);
    expect(await page.getByRole('region', { name: /^What if: Crash it again/ }).innerText()).toContain('cache, queue and memory are lost');
    expect(await page.getByRole('region', { name: 'Original run' }).innerText()).not.toContain('cache, queue and memory are lost');
    const { digest, text } = await shownFork(page);
    expect(await digestOf(text)).toBe(digest);
    await page.keyboard.press('Escape');
    await drawn(page);
    expect(await page.locator('.stage').count()).toBe(1);
    expect(await page.evaluate(() => globalThis.orchsimPage.state.step.value)).toBe(before);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  // The engine of the page does not run it from the start, as it does the forks of lessons with questions.
  it('forks a run at one moment after the other, and the files of the forks have the shown digests', async () => {
    const { page, complaints } = await opened(browser, await written('stale', 'scenarios/job/16-stale-cache.yaml'));
    for (const step of [120, 40]) {
      await page.evaluate((to) => {
        globalThis.orchsimPage.go(to);
      }, step);
      await page.getByRole('button', { name: 'What if something happened to controller-manager?' }).click();
      await page.getByRole('button', { name: /^It crashes/ }).click();
      await page.getByRole('region', { name: 'Differences' }).waitFor();
      const { digest, text } = await shownFork(page);
      expect(await digestOf(text)).toBe(digest);
      await page.keyboard.press('Escape');
      await drawn(page);
    }
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('puts a pending event first, only by keyboard, and a link contains that', async () => {
    const { page, complaints } = await opened(browser, file, { reducedMotion: 'reduce' });
    for (const key of ['End', 'c', 'b']) await page.keyboard.press(key);
    await page.evaluate(() => {
      globalThis.orchsimPage.go(60);
    });
    await page.keyboard.press('o');
    await page.getByRole('region', { name: 'In another order' }).waitFor();
    expect(await page.locator('.order').innerText()).toMatch(/root-certificate decides about orch-system\s+is first already/);
    const wanted = 'First: job decides about trio';
    const focused = (): Promise<string | null> => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
    for (let guard = 0; guard < 8 && (await focused()) !== wanted; guard++) await page.keyboard.press('Tab');
    expect(await focused()).toBe(wanted);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Differences' }).waitFor();
    expect(await page.getByRole('region', { name: 'What if: job decides about trio first' }).count()).toBe(1);
    expect(await page.locator('.stage').count()).toBe(2);
    for (const key of ['w', 'w']) await page.keyboard.press(key);
    await drawn(page);
    expect(await page.getByRole('region', { name: 'Differences' }).innerText()).toMatch(/Pod trio-1-\w+: absent here/);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const url = await page.getByRole('textbox', { name: 'the link' }).inputValue();
    await page.goto('about:blank');
    await page.goto(url);
    await page.getByRole('region', { name: 'What if: job decides about trio first' }).waitFor();
    await page.getByRole('button', { name: 'Open as a scenario' }).click();
    await page.waitForFunction(() => globalThis.orchsimPage.state.scenario.value?.name.endsWith('*'));
    await drawn(page);
    expect(await textOf(page)).toContain('late: 1001ms');
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('opens a fork as a scenario, and compares with another seed', async () => {
    const { page, complaints } = await opened(browser, file, { reducedMotion: 'reduce' });
    for (const key of ['End', 'c']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'What if something happened to node-0?' }).click();
    await page.getByRole('button', { name: 'It stops responding' }).click();
    await page.getByRole('button', { name: 'Open as a scenario' }).click();
    await page.waitForFunction(() => globalThis.orchsimPage.state.scenario.value?.name.endsWith('*'));
    await drawn(page);
    expect(await textOf(page)).toContain('nodeDown: node-0');
    expect(await page.locator('.stage').count()).toBe(1);
    await page.keyboard.press('x');
    await page.getByRole('spinbutton', { name: 'with another seed' }).fill('9');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Differences' }).waitFor();
    expect(await page.getByRole('region', { name: 'What if: seed 9' }).count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);
});
