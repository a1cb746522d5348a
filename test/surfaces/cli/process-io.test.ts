/** The terminal of a process: whether output is coloured, how wide it is, and what is read of standard input. */
import { describe, expect, it } from 'vitest';
import { processIo } from '../../../src/surfaces/cli/process-io.ts';

const NAMES = ['NO_COLOR', 'FORCE_COLOR', 'TERM'] as const;

/** The environment of this process with these colours. */
function ioWith(environment: Partial<Record<(typeof NAMES)[number], string>>) {
  const before = NAMES.map((name) => process.env[name]);
  for (const name of NAMES) delete process.env[name];
  Object.assign(process.env, environment);
  const listeners = process.stdout.listeners('error');
  try {
    return processIo();
  } finally {
    for (const listener of process.stdout.listeners('error'))
      if (!listeners.includes(listener)) process.stdout.off('error', listener as never);
    for (const [at, name] of NAMES.entries()) {
      const value = before[at];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

describe('output', () => {
  it.each([
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: 'true' }, true],
    [{ FORCE_COLOR: '1', TERM: 'dumb' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: 'false' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '' }, true],
    [{ NO_COLOR: '1' }, false],
    [{ TERM: 'dumb' }, false],
  ])('with %j is coloured: %s', (environment, isColoured) => {
    const { good, bad, warn, accent, dim, strong } = ioWith(environment).palette;
    const codes = [
      [good, '\u001B[32ma\u001B[39m'],
      [bad, '\u001B[31ma\u001B[39m'],
      [warn, '\u001B[33ma\u001B[39m'],
      [accent, '\u001B[36ma\u001B[39m'],
      [dim, '\u001B[2ma\u001B[22m'],
      [strong, '\u001B[1ma\u001B[22m'],
    ] as const;
    for (const [paint, painted] of codes) expect(paint('a')).toBe(isColoured ? painted : 'a');
  });

  it.skipIf(process.stdout.isTTY)('to a pipe is not wrapped, and has no progress', () => {
    const { terminal, columns, cwd, ...rest } = ioWith({});
    expect({ terminal: terminal ?? false, columns, cwd }).toEqual({ terminal: false, columns: 120, cwd: process.cwd() });
    expect('rows' in rest).toBe(false);
  });
});
