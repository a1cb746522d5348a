/** Repeated causes are folded into one line. */
import { describe, expect, it } from 'vitest';
import type { LineParts } from '../../../src/lab/trace/index.ts';
import { whyLines } from '../../../src/surfaces/cli/commands/why.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';

const line = (step: number, what: string): LineParts => ({
  time: `${step}.000s`,
  step: `#${step}`,
  who: 'elector',
  about: 'lock',
  what,
  revision: '',
  why: '',
  tone: 'decided',
});

describe('why', () => {
  it('folds a cause with more than two repetitions into its latest, with their number and start', () => {
    const causes = [9, 8, 7, 6, 5, 4, 3].map((step) => ({
      step,
      depth: 1,
      line: line(step, step === 7 || step === 4 ? `once ${step % 3}` : 'looks who holds the lease'),
    }));
    const lines = whyLines(
      { step: 10, line: line(10, 'update Lease'), because: '', decidedBy: undefined, cacheView: undefined, causes },
      'Lease lock',
      0,
      PLAIN,
    );
    expect(lines.slice(3).map((each) => each.trim())).toEqual([
      '7 causes, the latest first:',
      expect.stringMatching(/^9\.000s {2}#9 .* looks who holds the lease$/),
      'and 4 times before it, first at 3.000s, #3',
      expect.stringMatching(/^7\.000s {2}#7 .* once 1$/),
      expect.stringMatching(/^4\.000s {2}#4 .* once 1$/),
    ]);
  });
});
