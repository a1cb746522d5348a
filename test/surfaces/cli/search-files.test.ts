/** Files of a search: findings under the next free number, and the corpus. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PointChoice } from '../../../src/lab/scenario/index.ts';
import { loadScenarios } from '../../../src/surfaces/cli/load.ts';
import { addToCorpus, rawOne, readCorpus, smallOne, spareOut, writeFound } from '../../../src/surfaces/cli/search/files.ts';
import { folderWith, silentIo } from './cli.ts';
import { QUIET } from './searched.ts';

const HOLD: PointChoice = { at: 'see scheduler Pod a', injectedFault: { do: 'hold', ms: 5_000 } };
const LOSE: PointChoice = { at: 'write controller-manager job default/a: create Pod #1', injectedFault: { do: 'lose' } };

function world(files: Readonly<Record<string, string>> = {}) {
  const cwd = folderWith({ 'quiet.yaml': QUIET, ...files });
  const [loaded] = loadScenarios(['quiet.yaml'], { cwd });
  if (loaded === undefined) throw new Error('no scenario');
  const noted: string[] = [];
  return { cwd, loaded, noted, io: { ...silentIo(cwd), err: (text: string) => noted.push(text) } };
}

describe('findings', () => {
  const found = (claim: string, choices: readonly PointChoice[]) => ({ claim, choices, words: ['it broke', 'late'] });

  it('are written under the next free number, and the same ones into the same files', () => {
    const { cwd, loaded } = world({ 'out/found-quiet-2.yaml': 'mine' });
    const { scenario } = loaded;
    const all = [
      { ...found('job/x', [HOLD]), scenario },
      { ...found('job/y', [LOSE]), scenario },
    ];
    const names = ['out/found-quiet-1.yaml', 'out/found-quiet-3.yaml'];
    expect(writeFound(all, loaded, 7, 'out', cwd)).toEqual(names);
    const texts = names.map((name) => readFileSync(join(cwd, name), 'utf8'));
    expect(texts[0]?.split('\n').slice(0, 8)).toEqual([
      '# Found by orchsim search (seed 7) from quiet.yaml. What broke:',
      '#   it broke',
      '#   late',
      'apiVersion: scenario.orch.io/v1',
      'kind: Scenario',
      'metadata: { name: found-quiet-1 }',
      'spec:',
      '  title: job/x breaks in quiet',
    ]);
    expect(texts[0]).toContain('\n  choices: [ { at: see scheduler Pod a, hold: 5s } ]\n');
    expect(writeFound(all, loaded, 7, 'out', cwd)).toEqual(names);
    expect(names.map((name) => readFileSync(join(cwd, name), 'utf8'))).toEqual(texts);
    expect(writeFound(all.slice(1), loaded, 7, 'out', cwd)).toEqual(['out/found-quiet-3.yaml']);
    mkdirSync(join(cwd, 'out/found-quiet-5.yaml'));
    expect(writeFound([...all, ...all], loaded, 8, 'out', cwd)).toEqual([4, 6, 7, 8].map((nth) => `out/found-quiet-${nth}.yaml`));
    expect(writeFound([], loaded, 7, 'out', cwd)).toEqual([]);
  });

  it('outside of this folder have a whole path', () => {
    const { cwd, loaded } = world({ 'here/.keep': '' });
    const all = [{ ...found('job/x', [HOLD]), scenario: loaded.scenario }];
    expect(writeFound(all, loaded, 1, '../there', join(cwd, 'here'))).toEqual([join(cwd, 'there/found-quiet-1.yaml')]);
    expect(writeFound(all, loaded, 1, '..', join(cwd, 'here'))).toEqual([join(cwd, 'found-quiet-1.yaml')]);
  });

  it('need a folder, which may not be below a file', () => {
    const { cwd } = world({ 'in/a.yaml': '' });
    expect(() => spareOut('in', cwd)).not.toThrow();
    expect(() => spareOut('in/new/deep', cwd)).not.toThrow();
    expect(() => spareOut('in/a.yaml', cwd)).toThrow('--out: in/a.yaml cannot be written: in/a.yaml is a file');
    expect(() => spareOut('in/a.yaml/b/c', cwd)).toThrow('--out: in/a.yaml/b/c cannot be written: in/a.yaml is a file');
  });

  it('are reported with what their reduction has shown, or as they were found', () => {
    const { loaded } = world();
    const { scenario } = loaded;
    const cause = { claim: 'job/x', message: 'late\nmore' };
    const counts = { seen: 3, firstRun: 2 };
    const told = { story: [], decider: undefined, hint: undefined, also: ['job/y'] };
    expect(smallOne({ cause, scenario, choices: [HOLD], words: ['w'], ...counts, shrinks: 4, ...told } as never)).toEqual({
      claim: 'job/x',
      scenario,
      choices: [HOLD],
      words: ['w'],
      ...counts,
      shrinks: 4,
      told,
    });
    expect(rawOne({ cause, choices: [HOLD, LOSE], run: 5, ...counts }, { scenario } as never)).toEqual({
      claim: 'job/x',
      scenario,
      choices: [HOLD, LOSE],
      words: ['late', 'more', '(2 choices, of which some may not be needed)'],
      ...counts,
    });
  });
});

describe('a corpus', () => {
  it('keeps runs once, under a name of their choices, and is read by name', () => {
    const { cwd, loaded, noted, io } = world();
    expect(readCorpus('corpus', io)).toEqual([]);
    expect(addToCorpus('corpus', [[HOLD], [LOSE, HOLD]], loaded, cwd)).toBe(2);
    const names = readdirSync(join(cwd, 'corpus')).toSorted();
    expect(names).toEqual([
      expect.stringMatching(/^kept-quiet-[0-9a-f]{12}\.yaml$/),
      expect.stringMatching(/^kept-quiet-[0-9a-f]{12}\.yaml$/),
    ]);
    const text = readFileSync(join(cwd, 'corpus', names[0] ?? ''), 'utf8');
    expect(text).toMatch(
      /^# Kept by orchsim search from quiet\.yaml: a controller gave a reason that no run before it had\.\napiVersion: /,
    );
    expect(addToCorpus('corpus', [[LOSE, HOLD], [LOSE]], loaded, cwd)).toBe(1);
    expect(readCorpus('corpus', io)).toHaveLength(3);
    // What is no file of choices is skipped; choices have only their point and their fault.
    const chosen = (choices: string): string => `${QUIET}  choices:\n${choices}`;
    const files = {
      'c/b.yml': chosen(
        '    - { at: see scheduler Pod a, hold: 5s }\n    - { at: "write controller-manager job default/a: create Pod #1", lose: true }\n',
      ),
      'c/a.yaml': chosen('    - { at: see scheduler Pod a, hold: 1s }\n'),
      'c/none.yaml': QUIET,
      'c/x.yaml.txt': 'no scenario',
      'c/bad.yaml': 'kind: Scenario\n',
    };
    const other = world(files);
    expect(readCorpus('c', other.io)).toEqual([[{ ...HOLD, injectedFault: { do: 'hold', ms: 1_000 } }], [HOLD, LOSE]]);
    expect(other.noted).toEqual(
      [
        'apiVersion: expected scenario.orch.io/v1, found nothing',
        'metadata: expected a mapping, found nothing',
        'spec: expected a mapping, found nothing',
      ].map((said) => `note: --corpus: left out: c/bad.yaml:1:1: ${said}\n`),
    );
    expect(noted).toEqual([]);
  });

  it('is a folder, which may be empty', () => {
    const { cwd, io, noted } = world({ 'empty/readme.md': '' });
    expect([readCorpus('empty', io), noted]).toEqual([[], []]);
    writeFileSync(join(cwd, 'file'), '');
    expect(() => readCorpus('file', io)).toThrow('--corpus: file is a file; a folder of scenario files is expected');
  });
});
