/** What a rehearsal finds out: what each phase took, what failed, and how the end differs from the beginning. */
import { expect, it } from 'vitest';
import { rehearse } from '../../../src/lab/rehearsal/index.ts';
import { deployment, type Members, planOf } from './charts.ts';

const found = (old: readonly Members[], next: readonly Members[], options: Parameters<typeof planOf>[2] = { drain: ['node-0'] }) => {
  const { phases, differences } = rehearse(planOf(old, next, options));
  return {
    phases: phases.map(({ name, effects, failures }) => [
      name,
      effects !== undefined,
      failures.map(({ kind, said, sinceStartMs }) => `${kind} at ${sinceStartMs}${said === undefined ? '' : `: ${said}`}`),
    ]),
    differences,
  };
};
const config = (name: string, metadata: Members = {}, data: Members = {}): Members => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const KEEP = { annotations: { 'helm.sh/resource-policy': 'keep' } };

it('a release that rolls and returns differs in nothing', () => {
  const web = (image: string) => deployment('web', { replicas: 2 }, image);
  expect(found([web('i:1'), config('a', {}, { x: '1' })], [web('i:2'), config('b')])).toEqual({
    phases: [
      ['install', true, []],
      ['roll', true, []],
      ['drain node-0', true, []],
      ['roll back', true, []],
    ],
    differences: [],
  });
});

it('what is kept is left over, and what was taken is gone', () => {
  expect(found([config('a', {}, { x: '1' })], [config('b', KEEP), config('a', {}, { x: '2', y: '3' })], { drain: [] })).toEqual({
    phases: [
      ['install', true, []],
      ['roll', true, []],
      ['roll back', true, []],
    ],
    differences: ['ConfigMap default/b is left over'],
  });
});

it('a roll that does not end is named, and no phase after it is reached', () => {
  const huge = {
    ...deployment('web', {}),
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i:2' }] } },
    },
  };
  expect(found([deployment('web', { replicas: 2 })], [huge])).toEqual({
    phases: [
      ['install', true, []],
      ['roll', true, ['expectation at 1740000']],
      ['drain node-0', false, []],
      ['roll back', false, []],
    ],
  });
});

it('a budget that a roll breaks is said in a sentence', () => {
  const web = (maxUnavailable: number, image: string) =>
    deployment('web', { replicas: 4, strategy: { rollingUpdate: { maxUnavailable, maxSurge: 1 } } }, image);
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 4, selector: { matchLabels: { app: 'web' } } },
  };
  expect(found([web(0, 'i:1'), budget], [web(2, 'i:2'), budget], { drain: [] })).toEqual({
    phases: [
      ['install', true, []],
      ['roll', true, ['invariant at 900000: PodDisruptionBudget default/web: 3 pods are healthy, and it asks for 4']],
      ['roll back', true, []],
    ],
    differences: [],
  });
});
