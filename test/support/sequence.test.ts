import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONGEST } from './sequence.ts';

it('the files that are put first are there', () => {
  expect(LONGEST.filter((path) => !existsSync(join(import.meta.dirname, '../..', path)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});
