import { describe, expect, it } from 'vitest';
import { closingLine, count } from './reporter.ts';

type Modules = Parameters<typeof count>[0];
const module = (state: string, ...tests: string[]): unknown => ({
  state: () => state,
  children: { allTests: () => tests.map((each) => ({ result: () => ({ state: each }) })) },
});
const counted = (...modules: unknown[]): ReturnType<typeof count> => count(modules as Modules);

describe('the closing line', () => {
  it('counts tests, and neither skipped ones nor todos', () => {
    expect(counted(module('passed', 'passed', 'skipped'), module('failed', 'passed', 'failed', 'failed', 'pending'))).toEqual({
      passed: 2,
      failed: 2,
    });
  });

  it('counts a file that could not be loaded, or whose hooks failed, as one failure', () => {
    expect(counted(module('failed'), module('failed', 'passed', 'skipped'))).toEqual({ passed: 1, failed: 2 });
  });

  it('reads as expected', () => {
    expect(closingLine({ passed: 12, failed: 0 })).toBe('12 passed, 0 failed\n');
  });
});
