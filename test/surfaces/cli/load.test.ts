/** Which files a command reads, which of them are scenarios, and what it says of the rest. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadOne, loadRunnable, readScenarios, underRules, Unreadable } from '../../../src/surfaces/cli/load.ts';
import { expand, missing, nameMatcher, shownAs } from '../../../src/surfaces/cli/paths.ts';
import { isMeantAsScenario, nameOf } from '../../../src/surfaces/cli/plain.ts';
import { BREAKS, folderWith, HOLDS } from './cli.ts';

const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m }\n';
const TREE = {
  'b.yaml': HOLDS,
  'a.yml': HOLDS,
  'c.json': '{}',
  'notes.txt': '',
  'x.yaml.bak': '',
  'sub/d.yaml': BREAKS,
  'sub/deep/e.yaml': HOLDS,
  'sub/manifests/m.yaml': MAP,
  'broken/f.yaml': BREAKS,
  'node_modules/g.yaml': HOLDS,
  '.hidden/h.yaml': HOLDS,
};

describe('a path', () => {
  it.each<[string, readonly string[]]>([
    ['.', ['a.yml', 'b.yaml', 'c.json', 'sub/d.yaml', 'sub/deep/e.yaml']],
    ['sub', ['sub/d.yaml', 'sub/deep/e.yaml']],
    ['broken', ['broken/f.yaml']],
    ['sub/manifests', ['sub/manifests/m.yaml']],
    ['.hidden', ['.hidden/h.yaml']],
    ['*.yaml', ['b.yaml']],
    ['[ab].y*ml', ['a.yml', 'b.yaml']],
    ['*', ['a.yml', 'b.yaml', 'c.json', 'sub/d.yaml', 'sub/deep/e.yaml']],
    ['s*', ['sub/d.yaml', 'sub/deep/e.yaml']],
    ['sub/*', ['sub/d.yaml', 'sub/deep/e.yaml']],
    ['**/*.yaml', ['b.yaml', 'sub/d.yaml', 'sub/deep/e.yaml']],
    ['sub/**', ['sub/d.yaml', 'sub/deep/e.yaml']],
    ['broken/*', ['broken/f.yaml']],
    ['*/manifests/*.yaml', ['sub/manifests/m.yaml']],
    ['.hidden/*', ['.hidden/h.yaml']],
    ['./sub/d*', ['sub/d.yaml', 'sub/deep/e.yaml']],
    ['./*.yaml', ['b.yaml']],
    ['sub/../*.yaml', ['b.yaml']],
    ['sub//d*', ['sub/d.yaml', 'sub/deep/e.yaml']],
  ])('%s is the files %j', (path, files) => {
    const cwd = folderWith(TREE);
    const found = expand(path, cwd);
    expect({ ...found, files: found.files.map((full) => shownAs(full, cwd)) }).toEqual({ files, inFolder: true, problems: [] });
  });

  it('may be a file, whatever its name', () => {
    const cwd = folderWith({ 'a[1].txt': '' });
    expect(expand('a[1].txt', cwd)).toEqual({ files: [join(cwd, 'a[1].txt')], inFolder: false, problems: [] });
  });

  it.each([
    ['none', 'none: no such file or folder'],
    ['sub/d.yml', 'sub/d.yml: no such file or folder; did you mean sub/d.yaml?'],
    ['elsewhere/d.yml', 'elsewhere/d.yml: no such file or folder'],
    ['*.toml', '*.toml: no scenario file (.yaml, .yml, .json) has a name like that'],
    ['*.txt', '*.txt: no scenario file (.yaml, .yml, .json) has a name like that'],
    ['elsewhere/*', 'elsewhere/*: no scenario file (.yaml, .yml, .json) has a name like that'],
    ['empty', 'empty: no scenario files (.yaml, .yml, .json) in this folder'],
  ])('%s is refused', (path, said) => {
    const cwd = folderWith({ ...TREE, 'empty/readme.md': '' });
    expect(() => expand(path, cwd)).toThrow(said);
    if (said.includes('no such')) expect(missing(path, cwd)).toBe(said);
  });

  it('is shown as it is below this folder, and whole outside', () => {
    expect([shownAs('/a/b/c', '/a'), shownAs('/a', '/a'), shownAs('/b', '/a')]).toEqual(['b/c', '/a', '/b']);
  });

  it('of names matches slashes, and itself', () => {
    const matching = (pattern: string) => ['job', 'job-1', 'job/a/b', 'job[1]'].filter(nameMatcher(pattern));
    expect(matching('job')).toEqual(['job']);
    expect(matching('job*')).toEqual(['job', 'job-1', 'job/a/b', 'job[1]']);
    expect(matching('job[1]')).toEqual(['job[1]']);
  });
});

describe('files', () => {
  const loadedFrom = (paths: readonly string[], cwd: string) => {
    const { scenarios, files, ...said } = readScenarios(paths, { cwd });
    return {
      ...said,
      files: files.map((full) => shownAs(full, cwd)),
      scenarios: scenarios.map(({ scenario, file }) => `${file} ${scenario.name}`),
    };
  };
  const NOTHING = { notes: [], problems: [], skipped: [], unread: [], refused: [] };

  it('of a folder that hold no scenario are skipped with a note, and those that cannot be read are listed', () => {
    const cwd = folderWith({ ...TREE, 'bad.yaml': 'kind: Scenario\n', 'm.yaml': MAP });
    symlinkSync('nowhere.yaml', join(cwd, 'z.yaml'));
    const bad = [
      'bad.yaml:1:1: apiVersion: expected scenario.orch.io/v1, found nothing',
      'bad.yaml:1:1: metadata: expected a mapping, found nothing',
      'bad.yaml:1:1: spec: expected a mapping, found nothing',
    ];
    const gone = ['z.yaml: cannot be read: no such file or folder'];
    expect(loadedFrom(['.', 'b.yaml'], cwd)).toEqual({
      ...NOTHING,
      scenarios: ['a.yml holds', 'b.yaml holds', 'sub/d.yaml breaks', 'sub/deep/e.yaml holds'],
      files: ['a.yml', 'b.yaml', 'bad.yaml', 'c.json', 'm.yaml', 'sub/d.yaml', 'sub/deep/e.yaml', 'z.yaml'],
      notes: ['b.yaml: named twice, read once', '2 files without a scenario were skipped: c.json, m.yaml'],
      skipped: [...bad, ...gone],
      unread: [
        { file: 'bad.yaml', messages: bad },
        { file: 'z.yaml', messages: gone },
      ],
    });
  });

  it('without a scenario are named up to five, or refused where there is nothing else', () => {
    const many = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`in/m${at}.yaml`, MAP]));
    const cwd = folderWith({ ...many, 'a.yaml': HOLDS, 'one/m.yaml': MAP, 'six/m.yaml': MAP });
    expect(loadedFrom(['in', 'a.yaml'], cwd).notes).toEqual([
      '7 files without a scenario were skipped: in/m0.yaml, in/m1.yaml, in/m2.yaml, in/m3.yaml, in/m4.yaml and 2 more',
    ]);
    expect(loadedFrom(['one', 'a.yaml'], cwd).notes).toEqual(['1 file without a scenario was skipped: one/m.yaml']);
    expect(loadedFrom(['one'], cwd)).toMatchObject({
      notes: [],
      problems: [
        '1 file without a scenario was skipped: one/m.yaml; there is nothing to run (a file of manifests runs when it is named by itself)',
      ],
    });
    expect(loadedFrom(['one', 'none'], cwd).problems).toEqual(['none: no such file or folder; did you mean one?']);
    // Named by itself, it runs.
    expect(loadedFrom(['one/m.yaml'], cwd)).toMatchObject({
      scenarios: ['one/m.yaml m'],
      notes: [expect.stringContaining('one/m.yaml holds manifests')],
    });
  });

  it('that are named are refused with all that is wrong, up to fifty problems', () => {
    const wrong = `${HOLDS.slice(0, HOLDS.indexOf('  steps:'))}  steps:\n${'    - { at: soon, note: x }\n'.repeat(52)}`;
    const cwd = folderWith({
      'a.yaml': HOLDS,
      'w.yaml': wrong,
      'file.yaml': HOLDS.replace('steps:', 'steps:\n    - apply: { file: none.yaml }'),
    });
    const { problems, refused, scenarios } = loadedFrom(['a.yaml', 'w.yaml', 'none.yaml'], cwd);
    expect([scenarios, problems.length, problems[50], problems[51]]).toEqual([
      ['a.yaml holds'],
      52,
      'w.yaml: and 2 more problems',
      'none.yaml: no such file or folder; did you mean file.yaml?',
    ]);
    expect(refused.map(({ file, messages }) => [file, messages.length])).toEqual([
      ['w.yaml', 51],
      ['none.yaml', 1],
    ]);
    // What a scenario refers to is a file of it, there or not.
    expect(loadedFrom(['file.yaml'], cwd)).toMatchObject({
      files: ['file.yaml', 'none.yaml', 'none.yaml'],
      problems: ['file.yaml:8:22: spec.steps[0].apply.file: expected a file that can be read, found "none.yaml"'],
    });
  });

  it('run if one is left, and else are refused with what could be read', () => {
    const cwd = folderWith({ 'in/a.yaml': HOLDS, 'in/bad.yaml': 'kind: Scenario\n', 'alone/bad.yaml': 'kind: Scenario\n' });
    const notes: string[] = [];
    const note = (text: string): void => void notes.push(text);
    const { scenarios, skipped, unread } = loadRunnable(['in', 'in'], { cwd }, note);
    expect([scenarios.length, skipped.length, unread.length]).toEqual([1, 3, 1]);
    expect(notes).toEqual(['in/a.yaml: named twice, read once', 'in/bad.yaml: named twice, read once']);
    for (const [paths, lines, runnable] of [
      [['alone'], 3, 0],
      [['in', 'in/none.yaml'], 4, 1],
    ] as const) {
      const refused = (() => {
        try {
          return loadRunnable(paths, { cwd }, note);
        } catch (error) {
          return error;
        }
      })();
      expect(refused).toBeInstanceOf(Unreadable);
      const { unread: all, scenarios: read, lines: said } = refused as Unreadable;
      expect([said.length, all.flatMap(({ messages }) => messages).length, read.length]).toEqual([lines, lines, runnable]);
    }
  });

  it('of one scenario may have several, of which one is chosen', () => {
    const cwd = folderWith({ 'a.yaml': `${HOLDS}---\n${BREAKS}` });
    expect(() => loadOne('a.yaml', { cwd })).toThrow('a.yaml: expected one scenario, found 2 (holds, breaks); choose with --scenario NAME');
    expect(() => loadOne('a.yaml', { cwd }, 'hold')).toThrow('no scenario is named "hold"; did you mean "holds"?');
    const one = loadOne('a.yaml', { cwd }, 'breaks');
    expect([one.scenario.name, one.flags]).toEqual(['breaks', '--no-config']);
    expect(underRules(one, undefined)).toBe(one);
    const recorded = underRules(one, 'recorded');
    expect([recorded.scenario.rules, recorded.flags]).toEqual(['recorded', '--rules recorded --no-config']);
    expect(underRules({ ...one, flags: undefined } as never, 'specification').flags).toBe('--rules specification');
  });
});

describe('a text of a folder', () => {
  it.each([
    [HOLDS, true],
    ['{"apiVersion": "scenario.orch.io/v1"}', true],
    ['{ apiVersion: scenario.orch.io/v1 }', true],
    ['"kind": "Scenario"', true],
    ["'kind' : Scenario", true],
    ['kind: scenario', true],
    ['apiversion: scenario.orch.io/v2', true],
    ['apiVersoin: scenario.orch.io/v1', true],
    ['kind: Scenarios', false],
    ['spec: Scenario', false],
    ['  kind: Scenario', false],
    [`${MAP}---\nkind: Scenario`, true],
    ['{"kind":"Scenario"}', true],
    ['{"kind":"ScenarioReport"}', false],
    ['{"kind":"MyScenario"}', false],
    ['{"kind":["Scenario"]}', false],
    ['{"of":{"kind":"Scenario"}}', false],
    ['{"name":"scenario"}', false],
    [MAP, false],
    ['', false],
  ])('%j is meant as a scenario: %s', (text, isMeant) => {
    expect(isMeantAsScenario(text)).toBe(isMeant);
  });

  it('has a name of its file', () => {
    expect(['a/my job.v1.yaml', '/b.yml', '_x.json', '.yaml', 'é.yaml', 'plain'].map(nameOf)).toEqual([
      'my-job.v1',
      'b',
      'x',
      'manifests',
      'manifests',
      'plain',
    ]);
  });
});
