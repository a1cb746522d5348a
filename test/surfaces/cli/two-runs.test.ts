/** `diff RUN RUN`: two seeds, a run and its fork, a run and its trace. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith, HOLDS } from './cli.ts';
import { QUIET } from './searched.ts';

const JITTERS = HOLDS.replace(
  'podBehaviors: [{ runFor: 1s }]',
  'podBehaviors: [{ runFor: 1s }], latency: { api: { min: 0ms, max: 40ms } }',
);

describe('diff of two runs', () => {
  it('shows the first different entry of each, with its reason and commands that show more', async () => {
    const cwd = folderWith({ 'jitters.yaml': JITTERS });
    const { code, out } = await cli(['diff', 'jitters.yaml#1', 'jitters.yaml#3'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^holds seed 1 and holds seed 3 diverge at \d+\.\d{3}s, after \d+ common entries$/m);
    expect(out.match(/^ {2}npx orchsim why '#\d+' jitters\.yaml --seed [13]$/gm)).toHaveLength(2);
    expect(out).toMatch(/^ {2}because {2}\S/m);
    const { partings, alike } = JSON.parse((await cli(['diff', 'jitters.yaml#1', 'jitters.yaml#3', '--json'], { cwd })).out) as {
      readonly alike: number;
      readonly partings: readonly {
        readonly run: string;
        readonly line: string;
        readonly causes: readonly string[];
        readonly more: string;
      }[];
    };
    expect(alike).toBeGreaterThan(0);
    expect(partings.map(({ run }) => run)).toEqual(['holds seed 1', 'holds seed 3']);
    for (const { causes, more } of partings) {
      expect(causes.length).toBeGreaterThan(0);
      expect((await cli(more.replace('npx orchsim ', '').replaceAll("'", '').split(' '), { cwd })).code).toBe(0);
    }
  });

  it('of a fork starts at its step', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    expect((await cli(['walk', 'a.yaml', '--script', 'goto 1s; fork delete Job/pi; save'], { cwd })).code).toBe(0);
    const { out } = await cli(['diff', 'a.yaml', 'holds-fork-1.yaml'], { cwd });
    expect(out).toMatch(/^ {2}holds-fork-1 seed 1\n.*scenario +.*delete Job\/pi$/m);
    expect(out).toMatch(/^ {4}1 Job and 0 Jobs$/m);
  });

  it('reports identical runs, also of a trace', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    await cli(['run', 'a.yaml', '--trace', 'a.jsonl'], { cwd });
    for (const other of ['a.yaml', 'a.yaml#1'])
      expect((await cli(['diff', 'a.yaml', other], { cwd })).out).toBe('holds seed 1 and holds seed 1 are identical\n');
    for (const other of ['a.jsonl', join(cwd, 'a.yaml')])
      expect((await cli(['diff', 'a.yaml', other], { cwd })).out).toBe(`holds seed 1 (a.yaml) and holds seed 1 (${other}) are identical\n`);
  });

  it('is whole: who had ended, what the other did, and what is left', async () => {
    const head = (name: string): string => QUIET.slice(0, QUIET.indexOf('    - at: 4s')).replace('name: quiet', `name: ${name}`);
    const shop = (at: string): string => `    - { at: ${at}, apply: { apiVersion: v1, kind: Namespace, metadata: { name: shop } } }\n`;
    const cwd = folderWith({
      'a.yaml': head('small'),
      'noted.yaml': `${head('noted')}    - { at: 4s, note: It goes on. }\n`,
      'my c.yaml': head('other') + shop('2s'),
      'late.yaml': head('late') + shop('3s'),
    });
    await cli(['run', 'my c.yaml', '--trace', 'c.jsonl'], { cwd });
    const diff = async (...words: readonly string[]): Promise<string> => (await cli(['diff', ...words], { cwd })).out;
    const line = '#4     scenario                              apply Namespace/shop';
    const after = ['    4 Namespaces and 5 Namespaces', '    5 ConfigMaps and 6 ConfigMaps', '    4 ServiceAccounts and 5 ServiceAccounts'];
    expect((await diff('a.yaml', 'my c.yaml')).split('\n')).toEqual([
      'small seed 1 and other seed 1 diverge at 2.000s, after 2 common entries',
      '',
      '  small seed 1 had ended',
      '',
      '  other seed 1',
      `   2.000s  ${line}`,
      "  npx orchsim why '#4' 'my c.yaml' --seed 1",
      '',
      '  at the end:',
      ...after,
      '',
    ]);
    expect(JSON.parse(await diff('c.jsonl', 'a.yaml', '--json'))).toEqual({
      runs: ['other seed 1', 'small seed 1'],
      identical: false,
      alike: 2,
      sinceStartMs: 2_000,
      left: [
        { kind: 'Namespace', first: 5, second: 4 },
        { kind: 'ConfigMap', first: 6, second: 5 },
        { kind: 'ServiceAccount', first: 5, second: 4 },
      ],
      partings: [
        {
          run: 'other seed 1',
          step: 4,
          line: `2.000s  ${line.replace('                              apply', '                            apply')}`,
          because: '',
          causes: [],
          more: "npx orchsim why '#4' c.jsonl",
        },
        { run: 'small seed 1', ended: true },
      ],
    });
    const same = 'do the same in the same order; times, notes or checks differ\n';
    expect(await diff('my c.yaml', 'late.yaml')).toBe(`other seed 1 and late seed 1 ${same}`);
    expect(await diff('a.yaml', 'noted.yaml')).toBe(`small seed 1 and noted seed 1 ${same}`);
    expect(JSON.parse(await diff('a.yaml', 'a.yaml', '--json'))).toEqual({
      runs: ['small seed 1', 'small seed 1'],
      identical: true,
      alike: 0,
      left: [],
      partings: [],
    });
  });

  it('distinguishes a wrong file from a target', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    expect(await cli(['diff', 'a.yaml', 'b.yaml#2'], { cwd })).toMatchObject({
      code: 2,
      err: 'b.yaml: no such file or folder; did you mean a.yaml?\n',
    });
    expect(await cli(['diff', 'b.yaml#2', 'a.yaml'], { cwd })).toMatchObject({
      code: 2,
      err: 'b.yaml: no such file or folder; did you mean a.yaml?\n',
    });
    expect((await cli(['diff', 'Job/pi', 'a.yaml'], { cwd })).out).toContain('Job pi');
    expect((await cli(['diff', 'a.yaml', 'a.yaml', '--from', '1s'], { cwd })).code).toBe(2);
  });
});
