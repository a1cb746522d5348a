/** `play` of a scenario: what its page holds, and where it is written. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { PageData } from '../../../src/surfaces/page/protocol.ts';
import { cli, folderWith, HOLDS, ROOT } from './cli.ts';

function dataIn(file: string): PageData {
  const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(readFileSync(file, 'utf8')) ?? [];
  return JSON.parse(json) as PageData;
}
const PAGE = { scenarios: [{ name: 'holds', title: 'A Job called holds', file: 'holds.yaml', text: HOLDS }], open: 'holds' };

describe.skipIf(!existsSync(join(ROOT, 'dist/page.html')))('play', () => {
  it('writes the page where it is asked for', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    const file = join(cwd, 'p.html');
    expect(await cli(['play', 'holds.yaml', '--out', 'p.html'], { cwd })).toEqual({
      code: 0,
      out: `${pathToFileURL(file).href}\n`,
      err: '',
    });
    expect(dataIn(file)).toEqual(PAGE);
  });

  it('writes it into a new temporary folder, and opens no browser where there is no terminal', async () => {
    const { out } = await cli(['play', 'holds.yaml'], { cwd: folderWith({ 'holds.yaml': HOLDS }) });
    expect(out).toMatch(/^file:\/\/\/.*\/orchsim-\w+\/orchsim\.html\n$/);
    const file = fileURLToPath(out.trim());
    expect(dataIn(file)).toEqual(PAGE);
    rmSync(dirname(file), { recursive: true });
  });
});
