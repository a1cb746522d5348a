/** Selection of scenarios by patterns and words, the list, and suggestions for wrong names. */
import { describe, expect, it } from 'vitest';
import { BREAKS, cli, folderWith, HOLDS } from './cli.ts';

const named = (name: string): string => HOLDS.replace('name: holds', `name: ${name}`).replace('A Job called holds', `About ${name}`);
const tree = (): string =>
  folderWith({
    'scenarios/job/01-one.yaml': named('job-one'),
    'scenarios/job/02-two.yaml': named('job-two'),
    'scenarios/node/01-gone.yaml': named('node-gone'),
    'scenarios/broken/bad.yaml': BREAKS,
    'scenarios/manifests/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n',
  });
const ran = (out: string): readonly string[] => [...out.matchAll(/^[✓✗] (\S+)/gm)].map(([, name = '']) => name);

describe('patterns', () => {
  it('stand for files and folders, without scenarios that are broken on purpose and files that scenarios refer to', async () => {
    const cwd = tree();
    const files = async (...words: string[]): Promise<readonly string[]> => ran((await cli(['run', ...words], { cwd })).out);
    expect(await files('scenarios/*/01-*')).toEqual(['job-one', 'node-gone']);
    expect(await files('scenarios/**/*.yaml')).toEqual(['job-one', 'job-two', 'node-gone']);
    expect(await files('scenarios/{job,node}')).toEqual(['job-one', 'job-two', 'node-gone']);
    expect(await files('scenarios/broken/*')).toEqual(['breaks']);
    expect(await cli(['run', 'scenarios/x*'], { cwd })).toEqual({
      code: 2,
      out: '',
      err: 'scenarios/x*: no scenario file (.yaml, .yml, .json) has a name like that\n',
    });
  });

  it('choose by name, and words by title or file, in sweeps and lists too', async () => {
    const cwd = tree();
    for (const [words, names] of [
      [
        ['--scenario', 'job-*'],
        ['job-one', 'job-two'],
      ],
      [['--grep', 'ABOUT node'], ['node-gone']],
      [['--grep', '/02-'], ['job-two']],
      [['--scenario', 'job-*', '--grep', 'one$'], ['job-one']],
    ] as const) {
      expect(ran((await cli(['run', 'scenarios', ...words], { cwd })).out)).toEqual(names);
      expect(ran((await cli(['run', 'scenarios', '--seeds', '1..2', ...words], { cwd })).out)).toEqual(names);
      const { out } = await cli(['list', '--json', ...words], { cwd });
      expect((JSON.parse(out) as { name: string }[]).map(({ name }) => name)).toEqual(names);
    }
    expect((await cli(['run', 'scenarios', '--grep', 'job-onne'], { cwd })).err).toContain('; did you mean "job-one"?');
    expect((await cli(['run', 'scenarios', '--grep', '('], { cwd })).err).toContain('--grep: expected a regular expression');
    expect((await cli(['run', 'scenarios', '--scenario', 'jb-one'], { cwd })).err).toContain('did you mean "job-one"?');
  });
});

describe('list', () => {
  it('has name, title, lesson and expectations of each scenario, and runs nothing', async () => {
    const cwd = folderWith({
      'a.yaml': HOLDS.replace('  title:', '  teaches: Counting.\n  title:').replace(
        '      expect:',
        '      assert: { cel: "true" }\n      expect:',
      ),
    });
    const { code, out } = await cli(['list', '.'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^ {2}holds {2}a\.yaml {2}seed 1 {2}2 expectations {2}A Job called holds\n {4}Counting\.\n\n1 scenario in 1 file\n$/m,
    );
    expect(JSON.parse((await cli(['list', '--json'], { cwd })).out)).toEqual([
      {
        name: 'holds',
        file: 'a.yaml',
        title: 'A Job called holds',
        teaches: 'Counting.',
        seed: 1,
        steps: 3,
        expectations: 2,
        invariants: 0,
      },
    ]);
  });
});

describe('a wrong name', () => {
  it.each([
    [['why', 'pi', 'a.yaml'], 'did you mean Job/pi?'],
    [['why', 'Pod/pi', 'a.yaml'], 'did you mean Job/pi?'],
    [['state', 'Job/pii', 'a.yaml'], 'did you mean Job/pi?'],
    [['state', 'pdos', 'a.yaml'], 'did you mean Pod?'],
    [['state', '--as', 'controler-manager', 'a.yaml'], 'did you mean controller-manager?'],
    [['why', 'Job/pi', 'a.yaml', '--field', 'status.suceeded'], 'did you mean "status.succeeded"?'],
    [['why', 'Job/pi', 'a.yaml', '--field', 'status.zzz'], ' (status has active, completionTime, conditions'],
    [['why', 'Job/pi', 'a.yaml', '--field', 'succeeded'], 'did you mean "status.succeeded"?'],
    [['kinds', 'cronjbos'], 'did you mean CronJob?'],
    [['kinds', 'Job', '--domain', 'k8s'], 'did you mean "k8s.io"?'],
    [['run', 'a.yaml', '--format', 'jnit'], 'did you mean "junit"?'],
    [['run', 'a.yaml', '--rules', 'recordet'], 'did you mean "recorded"?'],
    [['run', 'a.yaml', '--with', 'mime.ts'], 'did you mean mine.ts?'],
    [['run', 'b.yaml'], 'did you mean a.yaml?'],
    [['serve', '--clock', 'manul'], 'did you mean "manual"?'],
  ])('of %j: %s', async (words, hint) => {
    const cwd = folderWith({ 'a.yaml': HOLDS, 'mine.ts': '' });
    const { code, err, out } = await cli(words, { cwd });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(hint);
  });
});
