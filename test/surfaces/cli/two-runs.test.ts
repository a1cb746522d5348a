/** `diff RUN RUN`: two seeds, a run and its fork, a run and its trace. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith, HOLDS } from './cli.ts';

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
