/** How a command line of `drive` names its programs: by their scripts, each name once. */
import { describe, expect, it } from 'vitest';
import { readCommands } from '../../../src/surfaces/cli/drive/options.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { folderWith } from './cli.ts';

const SCENARIO = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: named }
spec: { steps: [{ at: 1s, expect: { count: { of: { kind: Pod }, is: 0 } } }] }
`);

const names = (line: string, replicas = 1, cwd = '.'): readonly string[] =>
  readCommands(line.split(' '), SCENARIO, replicas, cwd).map(({ name }) => name);

describe('a program', () => {
  it.each([
    ['node src/my-operator.mjs --verbose', 'my-operator'],
    ['node My_Operator.TS', 'my-operator'],
    ['env A=b node', 'node'],
    ['sh run.v2.sh', 'run-v2'],
    ['node notes.markdown', 'notes-markdown'],
    ['node --inspect', 'node'],
    [process.execPath, 'node'],
  ])('of %s is %s', (line, name) => {
    expect(names(line)).toEqual([name]);
  });

  it.each([
    ['./python3.12 op.py', 'op'],
    ['./python op.py', 'op'],
    ['./pythonx op.py', 'pythonx'],
    ['./mynode op.js', 'mynode'],
    ['./nodejs op.js', 'nodejs'],
    ['./bun --watch A=b op.ts', 'op'],
  ])('of %s is a script where the program runs scripts', (line, name) => {
    const cwd = folderWith(Object.fromEntries(['python3.12', 'python', 'pythonx', 'mynode', 'nodejs', 'bun'].map((file) => [file, ''])));
    expect(names(line, 1, cwd)).toEqual([name]);
  });

  it('has a name of its own, and its replicas have it with a number', () => {
    expect(names('node a.mjs --and node b.js --and node a.ts')).toEqual(['a', 'b', 'a-2']);
    expect(names('node a.mjs --and node a.mjs', 2)).toEqual(['a', 'a-1', 'a-2', 'a-2-1']);
  });
});
