/** A run as a task: its errors name it, its time is taken, and what it reaches is covered where this is asked. */
import { describe, expect, it } from 'vitest';
import { loadScenarios } from '../../../src/surfaces/cli/load.ts';
import { during, timed } from '../../../src/surfaces/cli/run/task.ts';
import { folderWith, HOLDS } from './cli.ts';

describe('a task', () => {
  const task = () => {
    const [loaded] = loadScenarios(['a.yaml'], { cwd: folderWith({ 'a.yaml': HOLDS }) });
    if (loaded === undefined) throw new Error('no scenario');
    return { ...loaded, seed: 4 };
  };

  it('has its scenario and seed in its errors, and the error as their cause', () => {
    const cause = new Error('why');
    const thrown = (error: unknown): Error => {
      try {
        return during(task(), () => {
          throw error;
        });
      } catch (caught) {
        return caught as Error;
      }
    };
    expect(thrown(cause)).toMatchObject({ message: 'in holds (a.yaml, seed 4): why', cause });
    expect(thrown('text')).toMatchObject({ message: 'in holds (a.yaml, seed 4): text', cause: 'text' });
    expect(during(task(), () => 1)).toBe(1);
  });

  it('is timed, and covers what it reaches where this is asked', () => {
    const { summary, tookMs } = timed(task());
    expect([tookMs > 0, tookMs < 60_000, 'coverage' in summary, summary.verdict, summary.seed]).toEqual([true, true, false, 'held', 4]);
    const { coverage, ...covered } = timed({ ...task(), coverage: true }).summary;
    expect(covered).toEqual(summary);
    expect(coverage).toBeDefined();
  });
});
