import { expect, it } from 'vitest';
import { endOfBatch } from '../../../src/controlplane/shared/index.ts';

it('batches of creates double', () => {
  expect([0, 1, 2, 3, 6, 7, 14, 15].map(endOfBatch)).toEqual([0, 2, 2, 6, 6, 14, 14, 30]);
});
