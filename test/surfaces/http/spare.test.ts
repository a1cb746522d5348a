import { expect, it } from 'vitest';
import { createSpare } from '../../../src/surfaces/http/sim/spare.ts';

const pause = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms));

it('a world is made in advance after the first reset, and not while requests come', async () => {
  let made = 0;
  const spare = createSpare(() => ++made);
  expect(spare.take()).toBe(1);
  await pause(60);
  // A session that is never reset makes no second world.
  expect(made).toBe(1);
  expect(spare.take()).toBe(2);
  for (let nth = 0; nth < 6; nth++) {
    await pause(5);
    spare.noted();
  }
  expect(made).toBe(2);
  await pause(80);
  expect(made).toBe(3);
  expect(spare.take()).toBe(3);
  spare.stop();
});

it('a world that cannot be made in advance is made when it is taken', async () => {
  let isBroken = false;
  const spare = createSpare(() => {
    if (isBroken) throw new Error('no world');
  });
  spare.take();
  spare.take();
  isBroken = true;
  await pause(60);
  expect(() => spare.take()).toThrow('no world');
});
