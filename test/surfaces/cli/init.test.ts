/** What `init` leaves alone. What it writes is used in `test/package.test.ts`, where the package is. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cli, folderWith } from './cli.ts';

describe('init', () => {
  it('touches nothing that is there', async () => {
    const cwd = folderWith({ 'greeter.ts': 'mine', 'package.json': '{}' });
    const { code, err } = await cli(['init'], { cwd });
    expect(code).toBe(2);
    expect(err.split('\n').filter((line) => line !== '')).toEqual([
      'package.json: it is there already; init writes into a folder without it',
      'greeter.ts: it is there already; init writes into a folder without it',
    ]);
    expect(readdirSync(cwd).toSorted()).toEqual(['greeter.ts', 'package.json']);
  });
});
