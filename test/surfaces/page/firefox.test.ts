/** The page in Firefox: the same run, the stage, keys, a fork, and the editor, from a file as in Chromium. */
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedDigests } from '../../support/shipped.ts';
import { ready, tidy, written } from './chromium.ts';
import { hasFirefox, startFirefox, type Firefox } from './firefox.ts';

afterAll(tidy);

describe.skipIf(!ready || !hasFirefox)('the page in Firefox', () => {
  let firefox: Firefox;
  beforeAll(async () => {
    const file = await written('firefox', 'scenarios/job/15-crash-between-writes.yaml');
    firefox = await startFirefox();
    await firefox.open(pathToFileURL(file).href);
  }, 120_000);
  afterAll(() => firefox.close());

  const STATE = 'globalThis.orchsimPage.state';

  it('runs the scenario to the recorded digest, and follows keys', async () => {
    await firefox.until(`return ${STATE}.model.value !== undefined && ${STATE}.model.value.run.unfinished === undefined`);
    const [name, digest] = (await firefox.run(`const { run } = ${STATE}.model.value; return [run.name, run.digest]`)) as [string, string];
    expect(digest).toBe(recordedDigests().get(name));
    await firefox.press('\uE010');
    expect(await firefox.until(`return ${STATE}.step.value === ${STATE}.model.value.length`)).toBe(true);
    expect(await firefox.until("return document.querySelectorAll('.stage [role=button], .stage button').length")).toBeGreaterThan(3);
    expect(await firefox.run("return document.querySelectorAll('.broken-card').length")).toBe(0);
    // Nothing is wider than the window.
    expect(await firefox.run('return document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  }, 120_000);
});
