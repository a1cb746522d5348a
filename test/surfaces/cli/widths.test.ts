/** Lines fit the width of a terminal, and go on below with an indentation; in a pipe they are whole. */
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../../src/surfaces/report/index.ts';
import { BREAKS, cli, folderWith, HOLDS } from './cli.ts';

const LONG = 'A title that goes on and on, and says in many words what could have been said in few, so that no terminal has room for it.';
const files = () =>
  folderWith({
    'breaks.yaml': BREAKS.replace('title: A Job called breaks', `title: "${LONG}"\n  teaches: "${LONG}"`),
    'holds.yaml': HOLDS,
    'bad.yaml': HOLDS.replace('steps:', 'stes:'),
  });

const VIEWS: readonly (readonly string[])[] = [
  [],
  ['--help'],
  ['run', '--help'],
  ['search', '--help'],
  ['run', 'breaks.yaml'],
  ['run', 'breaks.yaml', '-v'],
  ['run', '.'],
  ['run', '.', '--coverage'],
  ['run', '.', '--seeds', '1..2', '--jobs', '1'],
  ['run', 'bad.yaml'],
  ['list', '.'],
  ['why', 'Job/pi', 'breaks.yaml'],
  ['why', 'not', 'Job/pi', 'breaks.yaml'],
  ['why', 'Job/ip', 'breaks.yaml'],
  ['diff', 'Job/pi', 'breaks.yaml', '--from', 'start'],
  ['diff', 'breaks.yaml', 'holds.yaml'],
  ['state', 'breaks.yaml'],
  ['walk', 'breaks.yaml', '--script', 'n; why; state; timeline; waiting; diff; help; q'],
  ['search', 'breaks.yaml', '--budget', '1'],
  ['search', 'holds.yaml', '--budget', '8 runs', '--jobs', '1'],
  ['check-determinism', 'holds.yaml'],
  ['kinds'],
  ['kinds', 'Pod'],
  ['controllers'],
  ['rules'],
  ['faults'],
  ['invariants'],
  ['config', 'scheduler'],
  ['config', 'agent', '--rules'],
  ['help', 'limits'],
];

/** A word that is longer than a line, a command to copy: it has no place to break. */
const CANNOT_BREAK = /^\s*\S+$/;

describe.each(VIEWS.map((view) => [view.join(' '), view] as const))('orchsim %s', (_, view) => {
  it.each([60, 120])('fits %d columns', async (columns) => {
    const { out, err } = await cli(view, { cwd: files(), terminal: true, columns, errorColumns: columns });
    const over = `${out}${err}`
      // What is drawn over itself.
      .replaceAll(/[^\n]*\r|\u001B\[\d*K/g, '')
      .split('\n')
      .filter((line) => widthOf(line) > columns && !CANNOT_BREAK.test(line));
    expect(over).toEqual([]);
  });
});

it('no line is broken in a pipe', async () => {
  const cwd = files();
  for (const view of [['run', 'breaks.yaml'], ['list', '.'], ['why', 'Job/pi', 'breaks.yaml'], ['run', 'bad.yaml'], ['controllers']]) {
    const narrow = await cli(view, { cwd, columns: 40 });
    const wide = await cli(view, { cwd, columns: 400 });
    expect([narrow.out, narrow.err]).toEqual([wide.out, wide.err]);
    expect(Math.max(...`${narrow.out}${narrow.err}`.split('\n').map((line) => line.length))).toBeGreaterThan(100);
  }
});
