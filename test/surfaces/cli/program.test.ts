import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/surfaces/cli/commands/index.ts';
import { BREAKS, cli, folderWith, HOLDS } from './cli.ts';

describe('the command line', () => {
  it('lists its commands with their arguments', async () => {
    const { code, out } = await cli(['--help']);
    expect(code).toBe(0);
    for (const { name, summary } of commands) expect(out).toContain(summary === '' ? name : summary);
    for (const { name } of commands) {
      const help = await cli([name, '--help']);
      expect(help.code, name).toBe(0);
      expect(help.out).toContain(`orchsim ${name}`);
    }
  });

  it('prints its version', async () => {
    const version = await cli(['--version']);
    expect(version).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' });
    expect(await cli(['-V'])).toEqual(version);
    expect(await cli(['-h'])).toEqual(await cli([]));
  });

  it.each([
    ['rnu x', 'unknown command "rnu"; did you mean "run"? (orchsim --help lists the commands)'],
    ['nothing', 'unknown command "nothing" (orchsim --help lists the commands)'],
    ['--hepl', 'unknown option "--hepl"; did you mean "--help"? (orchsim --help lists the commands)'],
    ['-x', 'unknown option "-x" (orchsim --help lists the commands)'],
    ['run --sed 1 x', "error: unknown option '--sed'\n(Did you mean --seed?)\n(orchsim run --help shows what it takes)"],
    ['list --scenario', "error: option '--scenario <name>' argument missing\n(orchsim list --help shows what it takes)"],
    ['run', 'expected a scenario: PATH…, or the dump of a cluster: --from PATH'],
    ['rehearse', "error: missing required argument 'old'\n(orchsim rehearse --help shows what it takes)"],
    ['diff a b c', 'error: expected TARGET PATH alone, found "c" too\n(orchsim diff --help shows what it takes)'],
    ['faults json', 'error: expected no argument, found "json" too; did you mean --json?\n(orchsim faults --help shows what it takes)'],
    ['faults crash x', 'error: expected no argument, found "crash" too\n(orchsim faults --help shows what it takes)'],
  ])('refuses %s, with the nearest name', async (line, said) => {
    expect(await cli(line.split(' '))).toEqual({ code: 2, out: '', err: `${said}\n` });
  });

  it('names every problem of every file with its place, and runs nothing', async () => {
    const cwd = folderWith({
      'a.yaml': HOLDS.replace('title:', 'titel:').replace('kind: Job,', 'kind: Jb,'),
      'b.yaml': BREAKS.replace('completions: 1', 'completions: ['),
    });
    const { code, out, err } = await cli(['run', 'a.yaml', 'b.yaml', 'holsd.yaml'], { cwd });
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(/^a\.yaml:5:3: spec\.titel: .*did you mean "title"\?$/m);
    expect(err).toMatch(/^a\.yaml:8:\d+: spec\.steps\[0\]\.apply\.kind: expected a kind, found "Jb"; did you mean "Job"\?$/m);
    expect(err).toMatch(/^b\.yaml:8:\d+: expected a value before the comma, found none$/m);
    expect(err).toMatch(/^holsd\.yaml: no such file or folder/m);
  });

  it.each([
    ['--seed x', '--seed: expected a whole number from 0, found "x"'],
    ['--seeds 5..1', '--seeds: expected the smaller number first, found "5..1"'],
    ['--seeds 1..2 --seed 3', '--seed and --seeds exclude one another'],
    ['--jobs 0', '--jobs: expected a whole number from 1 to 256, found "0"'],
    ['--format xml', '--format: expected one of text, json, junit, found "xml"'],
    ['--scenario hold', 'no scenario is named "hold"; did you mean "holds"?'],
    ['--log - --log-level loud', '--log-level: expected one of trace, debug, info, warn, error, found "loud"'],
  ])('refuses %s', async (options, message) => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    const { code, out, err } = await cli(['run', 'a.yaml', ...options.split(' ')], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});
