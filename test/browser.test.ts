/** The same scenario has the same digest in Node and in a browser. Skips with a message without Chromium. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, ready } from './support/browser.ts';
import { FOLDERS, recordedDigests, root, shipped } from './support/shipped.ts';
import { closePages, launch } from './surfaces/page/chromium.ts';

const program = join(root, 'bin/orchsim.js');

/** Indexed Jobs, a process that crashes between two writes, time zones. */
const SCENARIOS = [
  'scenarios/job/02-indexed.yaml',
  'scenarios/job/15-crash-between-writes.yaml',
  'scenarios/cron-job/04-daylight-saving-spring.yaml',
];
const files = [...new Set(FOLDERS.flatMap((folder) => shipped(folder).scenarios.map(({ file }) => file)))];

interface Digest {
  readonly scenario: string;
  readonly digest: string;
  readonly verdict: string;
}

/** The output of the command, in a separate process. */
function inNode(file: string): readonly Digest[] {
  const { stdout } = spawnSync(process.execPath, [program, 'run', file, '--json'], { cwd: root, encoding: 'utf8' });
  const { runs } = JSON.parse(stdout) as { runs: readonly Digest[] };
  return runs.map(({ scenario, digest, verdict }) => ({ scenario, digest, verdict }));
}

describe.skipIf(!ready)('digests in a browser', () => {
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const script = request.url === '/browser.js';
      response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
      response.end(script ? readFileSync(bundle) : '<!doctype html>');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    browser = await launch();
  });
  afterAll(async () => {
    await closePages(browser);
    server.close();
  });

  it('are the recorded ones, of every shipped scenario: in the opposite order, if every change triggers every controller', async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const found = new Map<string, string>();
    for (const file of files.toReversed()) {
      // What-ifs of a lesson are not part of its digest.
      const run = `import('/browser.js').then(({ readScenarios, simulate }) =>
        readScenarios(${JSON.stringify(readFileSync(join(root, file), 'utf8'))}).scenarios.map((each) => [each.name, simulate(each, { tries: false, broadcast: true }).digest]))`;
      for (const [name, digest] of await page.evaluate<readonly [string, string][]>(run)) found.set(name, digest);
    }
    await page.close();
    expect(new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))).toEqual(recordedDigests());
  }, 240_000);

  it.each(SCENARIOS)('%s', async (file) => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // As text, because the test runner would rewrite the import in a function.
    const found: readonly Digest[] = await page.evaluate(
      `import('/browser.js').then(({ digestsOf }) => digestsOf(${JSON.stringify(readFileSync(join(root, file), 'utf8'))}))`,
    );
    await page.close();
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(inNode(file));
  });
});
