import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { shared } from './shared.ts';

it('what several ask for at once is made once', async () => {
  let made = 0;
  const make = async (path: string): Promise<void> => {
    await setTimeout(10);
    writeFileSync(path, `made ${++made}`);
  };
  const paths = await Promise.all([shared('once', make), shared('once', make), shared('once', make)]);
  expect(new Set(paths).size).toBe(1);
  expect(readFileSync(await shared('once', make), 'utf8')).toBe('made 1');
});

it('what could not be made is tried again by the next, and leaves nothing half done', async () => {
  const failing = (path: string): never => {
    writeFileSync(path, 'half');
    throw new Error('no space');
  };
  await expect(shared('twice', failing)).rejects.toThrow('no space');
  const path = await shared('twice', (path) => {
    writeFileSync(path, 'whole');
  });
  expect(readFileSync(path, 'utf8')).toBe('whole');
  expect(existsSync(`${path}.taken`)).toBe(false);
});
