import { expect, it } from 'vitest';
import { Nominator } from '../../../../src/controlplane/agents/scheduler/queue.ts';
import { podInfo } from '../../../../src/controlplane/agents/scheduler/node-info.ts';
import { barePod } from '../../../support/objects.ts';

it('a pod has one nomination, which can be removed', () => {
  const nominator = new Nominator();
  const pod = podInfo(barePod('p'));
  const on = (node: string): number => [...nominator.on(node)].length;
  nominator.set(pod, 'a');
  nominator.set(pod, 'b');
  expect([on('a'), on('b'), nominator.nodeOf('uid-p'), nominator.size]).toEqual([0, 1, 'b', 1]);
  nominator.set(pod, '');
  expect([on('b'), on(''), nominator.nodeOf('uid-p'), nominator.size]).toEqual([0, 0, undefined, 0]);
});
