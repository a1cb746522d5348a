/** The replay of kubectl sessions: commands beside a watch, and watches without an end. */
import { describe, expect, it } from 'vitest';
import { hasKubectl, printStories, type StoryStep } from '../kubectl/stories.ts';

const step = (of: Partial<StoryStep> & Pick<StoryStep, 'args'>): StoryStep => ({
  story: 'beside',
  step: 1,
  phase: 'step',
  files: {},
  env: {},
  exit: 0,
  ms: 1500,
  stdout: '',
  stderr: '',
  unstable: [],
  ...of,
});
const BEGIN = step({ args: ['create', 'configmap', 'x'], stdout: 'configmap/x created\n', ms: 100 });

describe.skipIf(!hasKubectl())('a story', () => {
  it('runs commands while another waits for them', async () => {
    const waiting = step({
      step: 2,
      args: ['wait', '--for=delete', 'configmap/x', '--timeout=20s'],
      stdout: 'configmap/x condition met\n',
      during: [
        { afterMs: 300, args: ['get', 'configmap', 'x', '-o', 'name'], exit: 0, stdout: 'configmap/x\n', stderr: '' },
        { afterMs: 700, args: ['delete', 'configmap', 'x'], exit: 0, stdout: 'configmap "x" deleted\n', stderr: '' },
      ],
    });
    const reported = await printStories([BEGIN, waiting], '');
    expect(reported.map(({ difference }) => difference)).toEqual([undefined, undefined]);
  });

  it('names the command with another output', async () => {
    const waiting = step({
      step: 2,
      args: ['wait', '--for=delete', 'configmap/x', '--timeout=20s'],
      stdout: 'configmap/x condition met\n',
      during: [{ afterMs: 300, args: ['delete', 'configmap', 'x'], exit: 1, stdout: '', stderr: '' }],
    });
    const [, reported] = await printStories([BEGIN, waiting], '');
    expect(reported?.difference).toContain('meanwhile, kubectl delete configmap x: exit 0, recorded 1\n');
  });

  it('ends a watch as the recorder did', async () => {
    const watching = step({
      step: 2,
      args: ['get', 'configmap', 'x', '-o', 'name', '--watch'],
      exit: 1,
      timedOut: true,
      ms: 2500,
      stdout: 'configmap/x\nconfigmap/x\n',
      during: [
        {
          afterMs: 800,
          args: ['label', 'configmap', 'x', 'a=b'],
          exit: 0,
          stdout: 'configmap/x labeled\n',
          stderr: '',
        },
      ],
    });
    const reported = await printStories([BEGIN, watching], '');
    expect(reported.map(({ difference }) => difference)).toEqual([undefined, undefined]);
  });
});
