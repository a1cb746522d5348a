/** A playground uses the scenarios that the build packed, while they match the files. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playground } from '../../../src/surfaces/cli/page/playground.ts';
import { sourcesDigest } from '../../../src/surfaces/cli/page/sources.ts';
import { unpacked } from '../../../src/surfaces/page/engine.ts';
import type { PageData } from '../../../src/surfaces/page/protocol.ts';
import { ROOT } from './cli.ts';

const dataOf = (html: string): PageData =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}') as PageData;

it('reads no scenario, and has the same content as after reading all', () => {
  let reads = 0;
  const fast = (live: boolean): string =>
    playground(live, () => {
      reads += 1;
      throw new Error('read');
    });
  // With another digest, `playground` reads the files. Reading and running all lessons takes ten seconds, so it is done once.
  const slow = dataOf(playground(false, undefined, () => 'other files'));
  const { open, scenarios: all } = slow;
  const slowLive = dataOf(
    playground(
      true,
      () => ({ open, scenarios: all }),
      () => 'other files',
    ),
  );
  for (const [live, read] of [
    [false, slow],
    [true, slowLive],
  ] as const) {
    const { scenarios, ...rest } = unpacked(dataOf(fast(live)));
    expect(rest).toEqual({ open: read.open, ...(live ? { live: read.live } : {}) });
    expect(scenarios).toEqual(read.scenarios);
  }
  expect(slowLive.live).toBe('live');
  expect(reads).toBe(0);
});

it('depends on the bytes and the names of the files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-sources-'));
  const digest = (): string => sourcesDigest(folder);
  cpSync(join(ROOT, 'scenarios/lessons'), join(folder, 'lessons'), { recursive: true });
  const first = digest();
  writeFileSync(join(folder, 'one.yaml'), 'a: b\n');
  const second = digest();
  writeFileSync(join(folder, 'one.yaml'), 'a: c\n');
  const third = digest();
  rmSync(join(folder, 'one.yaml'));
  expect(new Set([first, second, third]).size).toBe(3);
  expect(digest()).toBe(first);
  rmSync(folder, { recursive: true });
});
