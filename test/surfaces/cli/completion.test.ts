/** Completion in shells: the candidates, and the scripts in real shells. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Command } from 'commander';
import { describe as describeCommand } from '../../../src/surfaces/cli/command.ts';
import { commands } from '../../../src/surfaces/cli/commands/index.ts';
import { placeholderOf, takesValue } from '../../../src/surfaces/cli/completion/complete.ts';
import { completionScripts, SHELLS, keysOf, VALUES } from '../../../src/surfaces/cli/completion/values.ts';
import { builtProgram } from '../../../src/surfaces/cli/install.ts';
import { guideTopics as topics } from '../../../src/surfaces/guide/index.ts';
import { cli, folderWith, HOLDS, ROOT, silentIo } from './cli.ts';

/** Values that cannot be completed: numbers, addresses, fields. */
const FREE: ReadonlySet<string> = new Set([
  'n',
  'a..b',
  'from..to',
  'text',
  'words',
  'nodes',
  'address',
  'url',
  'image',
  'request',
  'flags',
  'when',
  'time',
  'duration',
  'speed',
  'commit',
  'command',
  '--field',
  '--webhook',
]);

/** Requests candidates like the scripts. */
async function next(words: readonly string[], cwd = ROOT): Promise<readonly string[]> {
  const { code, out, err } = await cli(['completion', 'bash', '--', ...words], { cwd });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '');
}

describe('completion', () => {
  it('completes commands, and options that are not given yet', async () => {
    expect(await next([''])).toEqual(commands.map(({ name }) => name));
    expect(await next(['che'])).toEqual(['check-determinism']);
    for (const { name } of commands) {
      const entry = commands.find((each) => each.name === name);
      const options =
        entry === undefined
          ? []
          : (await describeCommand(entry, new Command(entry.name), { io: silentIo('/'), commands })).options.map(({ long }) => long);
      expect(await next([name, '--'])).toEqual([...options, '--help']);
    }
    expect(await next(['run', '--seed', '1', '--se'])).toEqual(['--seeds']);
    expect(await next(['run', '--seed=1', '--json', '--se'])).toEqual(['--seeds']);
    expect(await next(['run', '--seed', '--se'])).toEqual([]);
    expect(await next(['run', '--with', 'a.ts', '--from', 'x', '--wi'])).toEqual(['--with', '--with-secrets']);
    expect(await next(['rehearse', 'a', 'b', '--crash', 'scheduler', '--crash', 'x', '--cra'])).toEqual(['--crash']);
    expect(await next(['run', '-v', '--verb'])).toEqual(['--verbose']);
    expect(await next(['run', '--json=', '--js'])).toEqual([]);
    expect(await next(['run', '--json='])).toEqual([]);
    expect(await next(['run', '--nothing=x'])).toEqual([]);
    expect(await next(['nothing', ''])).toEqual([]);
    expect(await next(['-'])).toEqual(['--help', '--version']);
  });

  it('has every option and argument in one of its tables: completable, or free text; and none that there is not', async () => {
    const unknown: string[] = [];
    const known = new Set<string>();
    for (const entry of commands) {
      const command = await describeCommand(entry, new Command(entry.name), { io: silentIo('/'), commands });
      const asked = [
        ...command.options.filter(takesValue).map((option) => [option.long ?? '', placeholderOf(option)] as const),
        ...command.registeredArguments.map((argument) => [argument.name(), argument.name()] as const),
      ];
      for (const [name, placeholder] of asked) {
        const key = keysOf(entry.name, name, placeholder).find((each) => Object.hasOwn(VALUES, each) || FREE.has(each));
        if (key === undefined) unknown.push(`${entry.name} ${name} <${placeholder}>`);
        else known.add(key);
      }
    }
    expect(unknown).toEqual([]);
    expect(Object.keys(VALUES).filter((key) => !known.has(key))).toEqual([]);
  });

  it('offers scenario files, folders, and shipped scenarios', async () => {
    const cwd = folderWith({
      'mine.yaml': HOLDS,
      'notes.txt': '',
      'deep/er.yaml': HOLDS,
      '.hidden.yaml': HOLDS,
      't.jsonl': '',
      'node_modules/x/y.yaml': '',
    });
    expect(await next(['run', ''], cwd)).toEqual(['deep/', 'mine.yaml', 't.jsonl', `${ROOT}/scenarios/`]);
    expect(await next(['run', 'mine.yaml', 'deep/'], cwd)).toEqual(['deep/er.yaml']);
    expect(await next(['run', '.'], cwd)).toEqual(['.hidden.yaml']);
    expect(await next(['run', 'scenarios/job/01'])).toEqual(['scenarios/job/01-runs-to-completion.yaml']);
    expect(await next(['run', '--trace', 'no'], cwd)).toEqual(['node_modules/', 'notes.txt']);
    expect(await next(['init', ''], cwd)).toEqual(['deep/']);
    expect(await next(['run', 'nowhere/'], cwd)).toEqual([]);
  });

  it('offers names where an option takes them: scenarios and processes of the file on the line, kinds, topics, choices', async () => {
    const cwd = folderWith({
      'mine.yaml': `${HOLDS}---\n${HOLDS.replace('name: holds', 'name: other').replace('cluster: {', 'cluster: { nodes: [{ name: east }],')}`,
    });
    expect(await next(['run', 'mine.yaml', '--scenario', ''], cwd)).toEqual(['holds', 'other']);
    expect(await next(['run', 'mine.yaml', '--scenario=o'], cwd)).toEqual(['--scenario=other']);
    expect(await next(['run', 'mine.yaml', '--scenario', '='], cwd)).toEqual(['holds', 'other']);
    expect(await next(['state', 'Pod', 'mine.yaml', '--as', 'agent/e'], cwd)).toEqual(['agent/east']);
    expect(await next(['state', '--as', 'agent/node-'], cwd)).toEqual(['agent/node-0', 'agent/node-1', 'agent/node-2']);
    expect(await next(['why', 'Stateful'])).toEqual(['StatefulSet/']);
    expect(await next(['diff', 'mine'], cwd)).toEqual(['mine.yaml']);
    expect(await next(['kinds', 'Cron'])).toEqual(['CronJob']);
    expect(await next(['schema', 's'])).toEqual(['scenario']);
    expect(await next(['config', ''])).toEqual(['agent', 'scheduler', 'credential-provider']);
    for (const { name } of topics) expect(await next(['help', name])).toContain(name);
    expect(await next(['completion', ''])).toEqual([...SHELLS]);
  });

  it('offers the choices that commands take', async () => {
    for (const [line, option] of [
      ['run scenarios/job/01-runs-to-completion.yaml', '--format'],
      ['run scenarios/job/01-runs-to-completion.yaml', '--rules'],
      ['run scenarios/job/01-runs-to-completion.yaml --log -', '--log-level'],
      ['serve', '--clock'],
      ['serve', '--tls'],
      ['serve', '--log-level'],
      ['kinds', '--domain'],
    ] as const) {
      const words = line.split(' ');
      const { err } = await cli([...words, option, 'bogus']);
      const said = /expected (?:one of )?(.*?), found "bogus"/.exec(err)?.[1]?.split(/, | or /) ?? [];
      expect([...(await next([...words, option, '']))].toSorted(), option).toEqual(said.toSorted());
    }
  });

  it('runs no code of the current folder', async () => {
    const cwd = folderWith({
      'orchsim.config.mjs': 'globalThis.ran = true; export default {};',
      'orchsim.config.ts': 'globalThis.ran = true; export default {};',
      'a.yaml': HOLDS,
    });
    await next(['kinds', ''], cwd);
    await next(['run', 'a.yaml', '--with', 'orchsim.config.ts', '--scenario', ''], cwd);
    expect(globalThis).not.toHaveProperty('ran');
  });

  it('refuses a shell that it has no script for', async () => {
    expect(await cli(['completion', 'zhs'])).toEqual({
      code: 2,
      out: '',
      err: 'completion: expected one of bash, zsh, fish, found "zhs"; did you mean zsh?\n',
    });
    for (const shell of SHELLS) expect((await cli(['completion', shell])).out).toBe(completionScripts[shell]);
  });
});

const installed = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;

/** Returns the path of a folder with a program called orchsim. */
function shellFolder(): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  const cwd = folderWith({ 'mine.yaml': HOLDS, 'two words.yaml': HOLDS, 'deep/er.yaml': HOLDS });
  mkdirSync(join(cwd, '.bin'));
  writeFileSync(join(cwd, '.bin/orchsim'), `#!/bin/sh\nexec '${process.execPath}' '${builtProgram('orchsim.js').pathname}' "$@"\n`);
  chmodSync(join(cwd, '.bin/orchsim'), 0o755);
  return { cwd, env: { ...process.env, HOME: cwd, PATH: `${join(cwd, '.bin')}:${process.env['PATH'] ?? ''}` } };
}

/** Lines typed in each shell, and the expected candidates. */
const TYPED: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['che'], ['check-determinism']],
  [
    ['run', '--see'],
    ['--seed', '--seeds'],
  ],
  [['run', 'de'], ['deep/']],
  [['run', 'mine.yaml', '--scenario', ''], ['holds']],
  [['help', 'exit'], ['exit-codes']],
  [['why', 'Cron'], ['CronJob/']],
];

describe.each(SHELLS)('the script for %s', (shell) => {
  it('completes in the shell itself', { timeout: 60_000 }, ({ skip }) => {
    if (!installed(shell)) return skip(`${shell} is not installed`);
    const { cwd, env } = shellFolder();
    const typed: typeof TYPED = [
      ...TYPED,
      ...(shell === 'fish' ? [] : [[['run', 'two'], [shell === 'bash' ? String.raw`two\ words.yaml` : 'two words.yaml']] as const]),
    ];
    // All in one shell, because each has the program write the script first.
    const script = [SOURCE[shell], ...typed.flatMap(([words]) => ["echo ' '", ASK[shell](words)])].join('\n');
    const options = shell === 'bash' ? ['--norc', '--noprofile'] : shell === 'zsh' ? ['-f'] : ['--no-config'];
    const answers = execFileSync(shell, [...options, '-c', script], { cwd, env, encoding: 'utf8' }).split('\n');
    const offered: string[][] = [];
    for (const line of answers)
      if (line === ' ') offered.push([]);
      else if (line !== '') offered.at(-1)?.push(line);
    expect(offered.map((all, at) => [typed[at]?.[0], all])).toEqual(typed);
  });
});

it('completes in an interactive zsh', { timeout: 60_000 }, ({ skip }) => {
  if (!installed('zsh')) return skip('zsh is not installed');
  const { cwd, env } = shellFolder();
  const typed = spawnSync('zsh', ['-f', '-c', TYPE_INTO_ZSH], { cwd, env, encoding: 'utf8', timeout: 50_000 });
  if (typed.stderr.includes('zsh/zpty')) return skip('this zsh has no terminals to play with');
  expect(typed.stdout).toContain('orchsim check-determinism');
});

/** A separate zsh in a terminal: the script is sourced, a line begun, a key pressed. */
const TYPE_INTO_ZSH = String.raw`
zmodload zsh/zpty || exit
zpty -b inner zsh -f -i
zpty -w inner "PS1='%% '; autoload -Uz compinit; compinit -u -D; source <(orchsim completion zsh); print RE""ADY"
local out='' chunk
repeat 300 { zpty -r -t inner chunk && out+=$chunk; [[ $out == *READY* ]] && break; sleep 0.1 }
zpty -w -n inner $'orchsim che\t'
out=''
repeat 300 { zpty -r -t inner chunk && out+=$chunk; [[ $out == *check-determinism* ]] && break; sleep 0.1 }
print -r -- "$out"
zpty -d inner`;

const quoted = (words: readonly string[]): string => ['orchsim', ...words].map((word) => `'${word}'`).join(' ');

/** How to read the script in each shell. */
const SOURCE: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: 'source <(orchsim completion bash); complete -p orchsim >/dev/null || exit 1',
  // Completion functions only work while a line is edited, so the calls that would receive the candidates are replaced by prints.
  zsh: `compdef() { registered=$2 }; compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@" }; _describe() { print -rl -- "\${(@)told%%:*}" }
source <(orchsim completion zsh)`,
  fish: 'orchsim completion fish | source',
};

/** How to get the candidates of a line in each shell. */
const ASK: Readonly<Record<(typeof SHELLS)[number], (words: readonly string[]) => string>> = {
  bash: (words) => `COMPREPLY=(); COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length}; _orchsim; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words) => `words=(${quoted(words)}); CURRENT=${words.length + 1}; [[ $registered == orchsim ]] && _orchsim`,
  fish: (words) => `complete -C "orchsim ${words.join(' ')}" | string replace -r '\\t.*' ''; true`,
};
