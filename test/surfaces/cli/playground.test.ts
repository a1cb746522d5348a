/** A playground uses the scenarios that the build packed, while they match the files. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playground } from '../../../src/surfaces/cli/page/playground.ts';
import { sourcesDigest } from '../../../src/surfaces/cli/page/sources.ts';
import { unpacked } from '../../../src/surfaces/page/shipped.ts';
import type { PageData } from '../../../src/surfaces/page/protocol.ts';
import { ROOT } from './cli.ts';

const dataOf = (html: string): PageData =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}') as PageData;

it.each([false, true])('it reads no scenario (live: %s), and has the same content as after reading all', (live) => {
  let reads = 0;
  const fast = playground(live, () => {
    reads += 1;
    throw new Error('read');
  });
  expect(reads).toBe(0);
  const { scenarios, ...rest } = unpacked(dataOf(fast));
  // With another digest, `playground` reads the files.
  const slow = dataOf(playground(live, undefined, () => 'other files'));
  expect(rest).toEqual({ open: slow.open, ...(live ? { live: slow.live } : {}) });
  expect(scenarios).toEqual(slow.scenarios);
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
