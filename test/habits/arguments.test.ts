/** Developer commands explain wrong arguments: the usage, exit code 2, the nearest name. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readArguments, readOptions } from '../../bench/arguments.ts';

const OPTIONS = { seed: { type: 'string' }, all: { type: 'boolean' } } as const;
const USAGE = 'usage: npm run it -- [--seed N] [--all]';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns the result and the output. */
function asked(read: typeof readOptions | typeof readArguments, ...args: readonly string[]) {
  const said: unknown[] = [];
  for (const where of ['log', 'error'] as const) vi.spyOn(console, where).mockImplementation((text) => said.push(text));
  return [read(args, OPTIONS, USAGE), ...said];
}

describe('options', () => {
  it('are read, with or without an equals sign', () => {
    expect(asked(readOptions, '--seed=3', '--all')).toEqual([{ seed: '3', all: true }]);
    expect(asked(readOptions, '--seed', '3')).toEqual([{ seed: '3' }]);
    expect(asked(readOptions)).toEqual([{}]);
  });

  it('are listed on request', () => {
    expect(asked(readOptions, '--seed', '3', '--help')).toEqual([0, USAGE]);
  });

  it.each([
    ['--sed', 'there is no option --sed; did you mean "--seed"?'],
    ['--hepl', 'there is no option --hepl; did you mean "--help"?'],
    ['--sed=3', 'there is no option --sed; did you mean "--seed"?'],
    ['--__proto__=1', 'there is no option --__proto__'],
    ['3', 'expected options only, found "3"'],
  ])('are not guessed: %s', (word, says) => {
    expect(asked(readOptions, word)).toEqual([2, `${says}\n${USAGE}`]);
  });

  it('have a value where they need one', () => {
    expect(asked(readOptions, '--seed')).toEqual([2, expect.stringMatching(/--seed[^]*\nusage: /)]);
    expect(asked(readOptions, '--all=yes')).toEqual([2, expect.stringMatching(/--all[^]*\nusage: /)]);
  });
});

it('are accepted beside paths by commands with paths', () => {
  expect(asked(readArguments, 'a', '--all', 'b')).toEqual([expect.objectContaining({ values: { all: true }, positionals: ['a', 'b'] })]);
});
