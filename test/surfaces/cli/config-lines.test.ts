/** The configuration of a process as text, whole: values, listeners, gates, problems, flags, rules. */
import { describe, expect, it } from 'vitest';
import { GATES } from '../../../src/apiserver/machinery/index.ts';
import type { SettingRule } from '../../../src/controlplane/config/index.ts';
import { readConfig, type ReadConfig } from '../../../src/surfaces/cli/config/read.ts';
import { configLines, flagLines, problemLines, ruleLines, rulesOf } from '../../../src/surfaces/cli/config/render.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';
import { MARKED } from '../report/samples.ts';
import { cli, folderWith } from './cli.ts';

const READ: ReadConfig = {
  config: {},
  values: [
    { path: 'maxPods', value: 20, source: 'file', position: { line: 4, col: 1 } },
    { path: 'hairpinMode', value: 'none', source: 'file' },
    { path: '--node-ip', value: '10.0.0.1', source: 'flag', flag: '--node-ip' },
    { path: 'syncFrequency', value: '1m0s', source: 'default' },
    { path: 'a', value: '', source: 'default' },
    { path: 'b', value: ['x'], source: 'default' },
    { path: 'c', value: undefined, source: 'default' },
  ],
  warnings: [],
  errors: [],
};
const firstGate = [...GATES][0];
if (firstGate === undefined) throw new Error('there are no gates');
const [GATE, { stage, default: fallback }] = firstGate;
const onOff = (on: boolean): string => (on ? 'on' : 'off');

describe('the values', () => {
  it('have their sources; those at their defaults are dim', () => {
    expect(configLines('agent', { ...READ, file: 'a.yaml' }, false, PLAIN)).toEqual([
      'NAME            VALUE      FROM',
      'maxPods         20         a.yaml:4:1',
      'hairpinMode     none       a.yaml',
      '--node-ip       10.0.0.1   flag --node-ip',
      'syncFrequency   1m0s       default',
      'a               ""         default',
      'b               ["x"]      default',
      'c                          default',
      '',
      '7 values, 3 not at their defaults',
      '',
      'SET, WITHOUT EFFECT IN A RUN   BECAUSE',
      'hairpinMode                    no traffic flows between simulated pods, and no DNS name is resolved',
      '--node-ip                      the simulator assigns addresses',
    ]);
    expect(configLines('agent', { ...READ, values: READ.values.slice(1, 4) }, true, MARKED).slice(0, 5)).toEqual([
      '<dim>NAME</dim>   <dim>VALUE</dim>   <dim>FROM</dim>',
      'hairpinMode       none               file',
      '--node-ip         10.0.0.1           flag --node-ip',
      '',
      '3 values, 2 not at their defaults',
    ]);
    expect(configLines('agent', { ...READ, values: READ.values.slice(3, 4) }, false, MARKED)).toEqual([
      '<dim>NAME</dim>            <dim>VALUE</dim>   <dim>FROM</dim>',
      '<dim>syncFrequency</dim>   <dim>1m0s</dim>    <dim>default</dim>',
      '',
      '1 value, 0 not at their defaults',
    ]);
    // Everything of a credential provider has an effect.
    expect(configLines('credential-provider', READ, true, PLAIN).join('\n')).not.toContain('WITHOUT EFFECT');
  });

  it('are followed by listeners, and who may ask them', () => {
    const outline = {
      listeners: [
        { name: 'server', address: '0.0.0.0:10250', protocol: 'https', says: 'everything' },
        { name: 'read-only', protocol: 'http', says: 'off' },
      ],
      authentication: [{ method: 'token', is: 'alice', why: 'it is known' }],
      authorization: [{ method: 'all', is: 'forbidden', why: 'no rule' }],
    } as never;
    expect(configLines('scheduler', { ...READ, values: [], outline }, false, MARKED).slice(3)).toEqual([
      '',
      '<dim>LISTENER</dim>   <dim>AT</dim>           <dim></dim>',
      'server                https://0.0.0.0:10250   everything',
      'read-only             -                       off',
      '',
      '<dim>WHO IT IS</dim>   <dim></dim>   <dim>BECAUSE</dim>',
      'token                  alice         <dim>it is known</dim>',
      '',
      '<dim>WHAT HE MAY</dim>   <dim></dim>   <dim>BECAUSE</dim>',
      'all                      forbidden     <dim>no rule</dim>',
    ]);
  });

  it('are followed by gates: all of them, or those that differ', () => {
    const gates = Object.fromEntries([...GATES].map(([name, gate]) => [name, gate.default]));
    const lines = (changed: boolean, more: Readonly<Record<string, boolean>> = {}): readonly string[] =>
      configLines('scheduler', { ...READ, values: [], gates: { ...gates, ...more } }, changed, MARKED).slice(3);
    expect(lines(true)).toEqual(['', `${GATES.size} gates, 0 not at their defaults`]);
    expect(lines(true, { [GATE]: !fallback }).map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      '',
      '<dim>GATE</dim> <dim>STAGE</dim> <dim>DEFAULT</dim> <dim>IS</dim>',
      `${GATE} ${stage} ${onOff(fallback)} ${onOff(!fallback)}`,
      '',
      `${GATES.size} gates, 1 not at their defaults`,
    ]);
    const all = lines(false);
    expect(all).toHaveLength(GATES.size + 4);
    expect(all[2]?.replaceAll(/ +/g, ' ')).toBe(
      `<dim>${GATE}</dim> <dim>${stage}</dim> <dim>${onOff(fallback)}</dim> <dim>${onOff(fallback)}</dim>`,
    );
    // A gate that the reader does not name is as by default.
    expect(configLines('scheduler', { ...READ, values: [], gates: {} }, true, PLAIN).at(-1)).toBe(
      `${GATES.size} gates, 0 not at their defaults`,
    );
  });
});

it('problems have their places in the file, where they have some', () => {
  const warnings = [{ path: 'a', message: 'old', position: { line: 2, col: 3 } }];
  const errors = [
    { path: 'a', message: 'wrong' },
    { path: '--max-pods', message: 'no number' },
  ];
  expect(problemLines({ ...READ, warnings, errors, file: 'a.yaml' }, MARKED)).toEqual([
    '<warn>warning</warn>: a.yaml:2:3: old',
    '<bad>error</bad>: a.yaml: wrong',
    '<bad>error</bad>: no number',
  ]);
  expect(problemLines({ ...READ, warnings, errors }, PLAIN)).toEqual(['warning: old', 'error: wrong', 'error: no number']);
});

describe('the flags', () => {
  it('of each process are listed by name, with type, fate and default', () => {
    expect(flagLines('credential-provider', PLAIN)).toEqual([
      'Usage: orchsim config credential-provider [flags]',
      '',
      'FLAG                                 TYPE        DEFAULT',
      '--image-credential-provider-config   string',
      '',
      "orchsim's own options beside them: --changed, --json, --rules (npx orchsim config --help)",
    ]);
    const squeezed = (process: 'agent' | 'scheduler'): readonly string[] =>
      flagLines(process, MARKED).map((line) => line.replaceAll(/ +/g, ' '));
    expect(squeezed('agent')).toEqual(
      expect.arrayContaining([
        '--authorization-mode AlwaysAllow|Webhook <dim>deprecated: a field of the file</dim> AlwaysAllow',
        '--cloud-provider string <dim>deprecated, removed in 1.24 or later</dim>',
        '--allowed-unsafe-sysctls strings <dim>deprecated: a field of the file</dim>',
        '--config string <dim></dim>',
      ]),
    );
    expect(squeezed('scheduler')).toEqual(
      expect.arrayContaining([
        '--authorization-always-allow-paths strings <dim></dim> ["/healthz","/readyz","/livez"]',
        '--allow-metric-labels stringMap <dim></dim> {}',
        '--orch-api-qps float <dim>deprecated, ignored beside --config</dim> 50',
      ]),
    );
    for (const process of ['agent', 'scheduler'] as const) {
      const names = squeezed(process).filter((line) => line.startsWith('--'));
      expect(names.length).toBeGreaterThan(40);
      expect(names).toEqual(names.toSorted((a, b) => ((a.split(' ')[0] ?? '') < (b.split(' ')[0] ?? '') ? -1 : 1)));
    }
  });
});

describe('the rules', () => {
  const rule = (section: string, name: string, more: Partial<SettingRule> = {}): SettingRule => ({
    section,
    name,
    says: 'so',
    acts: { holds: true, does: 'it' },
    ...more,
  });

  it('are listed, and counted by section', () => {
    const rules = [
      rule('A', 'one', { parsed: true, defaulted: true }),
      rule('A', 'two', { parsed: true, acts: { holds: false, because: 'no traffic flows' } }),
      rule('B', 'three', { defaulted: true }),
    ];
    expect(ruleLines(rules, MARKED).map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      '<dim>SECTION</dim> <dim>RULE</dim> <dim>SAYS</dim> <dim>PARSED</dim> <dim>DEFAULTED</dim> <dim>ACTS</dim>',
      'A one so yes yes yes',
      'A two so yes - no: no traffic flows',
      'B three so - yes yes',
      '',
      '<dim>SECTION</dim> <dim>RULES</dim> <dim>PARSED</dim> <dim>DEFAULTED</dim> <dim>ACT</dim>',
      'A 2 2 1 1',
      'B 1 0 1 1',
      'all 3 2 2 2',
    ]);
    expect(ruleLines(rules.slice(2), PLAIN).at(-1)).toMatch(/^B /);
  });

  it('are those of one process, or of all', () => {
    const sections = (process: Parameters<typeof rulesOf>[0]): readonly string[] => [
      ...new Set(rulesOf(process).map(({ section }) => section)),
    ];
    expect(sections('agent')).toEqual(['AgentConfiguration', 'Node agent command-line flags']);
    expect(sections('scheduler')).toEqual(['Scheduler command-line flags']);
    expect(sections('credential-provider')).toEqual(['CredentialProviderConfig']);
    expect(sections(undefined).length).toBeGreaterThan(4);
  });
});

describe('the file of an agent', () => {
  const head = 'apiVersion: agent.config.orch.io/v1beta1\nkind: AgentConfiguration\n';
  const said = async (text: string, ...words: readonly string[]) => {
    const { code, out, err } = await cli(['config', 'agent', ...words, '--changed'], {
      cwd: folderWith({ 'a.yaml': text, 'a.yml': text, 'a.json': text, 'a.txt': text, 'a.yaml.txt': text }),
    });
    return { code, out: out.split('\n').slice(1, -1), err: err.split('\n').slice(0, -1) };
  };

  it('is read alone, or as the flag names it, whatever its name', async () => {
    const row = (file: string): unknown => expect.stringMatching(new RegExp(`^maxPods +20 +${file}:3:1$`));
    for (const words of [['a.yaml'], ['--config=a.yaml'], ['--config', 'a.yaml']])
      expect((await said(`${head}maxPods: 20\n`, ...words)).out).toContainEqual(row('a.yaml'));
    for (const name of ['a.yml', 'a.json']) expect((await said(`${head}maxPods: 20\n`, name)).out).toContainEqual(row(name));
    expect(await said(head, 'a.yaml.txt')).toMatchObject({ code: 2, err: [expect.stringContaining('unknown')] });
    expect(await said(head, '--config=')).toMatchObject({ code: 0, err: [] });
    expect((await said(`${head}maxPods: 20\n`, '--config', 'a.txt')).out).toContainEqual(row('a.txt'));
    expect(await said(head, 'a.txt')).toMatchObject({ code: 2 });
  });

  it('has the places of values in mappings and under keys with dots', async () => {
    const text = `${head}evictionHard:\n  memory.available: 1x\n  nodefs.available: "-5%"\nenableServer: true\n`;
    const { code, err } = await said(text, 'a.yaml');
    expect([code, err]).toEqual([
      2,
      [
        expect.stringMatching(/^error: a\.yaml:4:3: invalid configuration: "1x" is neither a percentage nor a quantity/),
        'error: a.yaml:5:3: invalid configuration: eviction percentage thresholds must be >= 0%: -5%',
      ],
    ]);
  });

  it('has one document', async () => {
    expect((await said(`${head}---\n${head}`, 'a.yaml')).err).toEqual(['error: a.yaml: expected one document, found 2']);
    expect((await said('', 'a.yaml')).err).toEqual([
      'error: a.yaml: apiVersion: expected agent.config.orch.io/v1beta1, found nothing',
      'error: a.yaml: kind: expected AgentConfiguration, found nothing',
    ]);
  });
});

describe('the file of credential providers', () => {
  const FILE = `apiVersion: agent.config.orch.io/v1beta1
kind: CredentialProviderConfig
providers:
  - { name: one, apiVersion: credentialprovider.agent.orch.io/v1beta1, matchImages: ["*.example.com"], defaultCacheDuration: 12h }
  - name: two
    apiVersion: credentialprovider.agent.orch.io/v1beta1
    matchImages: [a, "b c"]
    defaultCacheDuration: 12h
`;
  const FLAG = '--image-credential-provider-config';
  const read = (...words: readonly string[]) => readConfig('credential-provider', words, folderWith({ 'p.yaml': FILE, empty: '' }));
  const one = 'config credential-provider: expected one file (or --image-credential-provider-config FILE), found';

  it('is one, with its flag or alone; its problems have the places of items', () => {
    const alone = read('p.yaml');
    const path = 'providers[1].matchImages[1]';
    const message = `${path}: Invalid value: "b c": match image is invalid: parse "https://b c": invalid character in host name`;
    expect([alone.file, alone.errors]).toEqual(['p.yaml', [{ path, message, position: { line: 7, col: 22 } }]]);
    expect(read(`${FLAG}=p.yaml`)).toEqual(alone);
    expect(read(FLAG, 'p.yaml')).toEqual(alone);
    expect(() => read()).toThrow(`${one} nothing`);
    expect(() => read('p.yaml', 'q.yaml')).toThrow(`${one} p.yaml q.yaml`);
    expect(() => read('--other')).toThrow(`${one} --other`);
  });

  it('that cannot be read leaves no providers', () => {
    const message = 'missing.txt: no such file or folder';
    expect(read('missing.txt')).toEqual({ config: { providers: [] }, values: [], warnings: [], errors: [{ path: FLAG, message }] });
    expect(read('empty').errors).toEqual([{ path: '', message: 'expected a mapping with apiVersion, kind and providers, found null' }]);
  });
});

describe('the file of a scheduler', () => {
  it('exists and is well-formed, where a flag names one', () => {
    const read = (...words: readonly string[]) =>
      readConfig('scheduler', words, folderWith({ 'good.yaml': 'a: 1\n', 'bad.yaml': 'a: [\n' }));
    expect(read().errors).toEqual([]);
    expect(read('--config=').errors).toEqual([]);
    expect(read('--config', 'good.yaml').errors).toEqual([]);
    expect(read('--config', 'bad.yaml').errors).toEqual([
      { path: '--config', message: 'bad.yaml:1:4: expected a ] that closes this [, found none' },
    ]);
  });
});
