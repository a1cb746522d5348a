import { expect, it } from 'vitest';
import { Kernel } from '../../../src/engine/index.ts';
import { Operations, type ClusterEvent } from '../../../src/controlplane/runtime/pending.ts';

it('an operation runs once, at its time, and is forgotten', () => {
  const ran: string[] = [];
  const due: number[] = [];
  const there: { operations?: Operations } = {};
  const kernel = new Kernel<ClusterEvent>({
    startAt: 0,
    describe: ({ type }) => type,
    handle(event) {
      if (event.type !== 'operation') return;
      due.push(event.id);
      there.operations?.run(event.id, []);
    },
  });
  const operations = (there.operations = new Operations(kernel));
  const told = (): readonly unknown[] => {
    const parts: unknown[] = [];
    operations.describe((name, value) => parts.push([name, value]));
    return parts;
  };
  operations.plan(20, 'second', () => ran.push('second'), { is: 2 });
  operations.plan(10, 'first', () => ran.push('first'), { is: 1 });
  expect(told()).toEqual([
    ['operation 1', [10, 'first', { is: 1 }]],
    ['operation 2', [20, 'second', { is: 2 }]],
  ]);
  kernel.runUntil(10);
  expect([ran, told()]).toEqual([['first'], [['operation 1', [20, 'second', { is: 2 }]]]]);
  kernel.runUntil(30);
  expect([ran, told()]).toEqual([['first', 'second'], []]);
  // What has run is no longer there, so that a long run keeps nothing.
  for (const id of due) operations.run(id, []);
  expect(ran).toEqual(['first', 'second']);
});
