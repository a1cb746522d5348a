/** The guide, `help TOPIC`: every name exists, every command runs. */
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { controllers } from '../../../src/controlplane/controllers/index.ts';
import { faults } from '../../../src/lab/faults/index.ts';
import { NO_DEFINITIONS } from '../../../src/lab/definitions/index.ts';
import { invariants } from '../../../src/lab/invariants/index.ts';
import { referencePaths, referenceSections } from '../../../src/lab/scenario/index.ts';
import { vocabulary } from '../../../src/lab/vocabulary.ts';
import * as face from '../../../src/index.ts';
import { guideTopics as topics, parseMarkdown } from '../../../src/surfaces/guide/index.ts';
import { simulatorOperations } from '../../../src/surfaces/http/index.ts';
import { commands } from '../../../src/surfaces/cli/commands/index.ts';
import { EXIT } from '../../../src/surfaces/cli/exit.ts';
import { filled, insertions } from '../../../src/surfaces/cli/help/insertions.ts';
import { projectFiles } from '../../../src/surfaces/cli/commands/init.ts';
import { WORDS } from '../../../src/surfaces/cli/walk/words.ts';
import { filesOf, withTables } from '../../readme/document.ts';
import { wordsOf } from '../../readme/shell.ts';
import { tables as documentTables } from '../../readme/tables.ts';
import { cli, folderWith, silentIo } from './cli.ts';

const COLUMNS = 100;
const ROOT = join(import.meta.dirname, '../../..');
const GUIDE = join(ROOT, 'src/guide');
const EXAMPLE_FILE = 'retry.yaml';
const sections = referenceSections(vocabulary());
const kinds = kindsFor(namesFor('orch.io'));

/** Options of every command, such as `--seed`. */
async function allOptions(): Promise<ReadonlySet<string>> {
  const options = ['--with', '--no-config', '--help', '--version'];
  for (const entry of commands) {
    const command = new Command(entry.name);
    (await entry.load()).command.define(command, { io: silentIo('/'), commands }, () => undefined);
    options.push(...command.options.flatMap(({ long }) => long ?? []));
  }
  return new Set(options);
}

/** Names that may be in backticks, with their kind. */
async function known(): Promise<ReadonlySet<string>> {
  const defined = ['controllers', 'invariants', 'faults', 'kinds'] satisfies (keyof face.Definitions)[];
  return new Set([
    ...(await allOptions()),
    ...referencePaths(sections),
    ...sections.flatMap(({ fields }) => fields.map(({ name }) => name)),
    ...commands.map(({ name }) => name),
    ...topics.map(({ name }) => `help ${name}`),
    ...Object.keys(face),
    ...defined,
    ...faults.map(({ name }) => name),
    ...invariants.map(({ name }) => name),
    ...controllers(kinds).map(({ name }) => name),
    ...kinds.list().flatMap(({ kind, plural, singular, shortNames }) => [kind, plural, singular, ...shortNames]),
    ...face
      .createCluster({
        nodes: [{ name: 'node-0', capacity: {} }],
        controlPlane: { controllerManager: { candidates: 2 }, scheduler: { candidates: 2 } },
      })
      .runtime.names(),
    ...Object.keys(projectFiles('mine')),
    EXAMPLE_FILE,
  ]);
}

/** The same for every topic. */
const there = known();

/** Texts in backticks that are not names but parts of a file or a line, with the test that covers them. */
const PIECES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(simulatorOperations().map(({ request }) => [request, 'test/surfaces/http/worlds.test.ts'])),
  ...Object.fromEntries(['b', '.', '[', ']', 'i', 'o', 'e', '?embed'].map((key) => [key, 'test/surfaces/page'])),
  'play --from': 'test/surfaces/cli/dump-forms.test.ts',
  'kubectl auth whoami': 'test/surfaces/http/worlds.test.ts',
  'serve --compat': 'test/surfaces/http/reviews.test.ts',
  ...Object.fromEntries(
    ['kubectl logs', '-f', '-p', '--since', '--tail', 'sim.orch.io/log'].map((text) => [text, 'test/surfaces/http/pod-log.test.ts']),
  ),
  sendInitialEvents: 'test/surfaces/http/watch.test.ts',
  ...Object.fromEntries(
    [
      'kubectl certificate approve',
      'deny',
      'kubernetes.io/kube-apiserver-client',
      '-kubelet',
      'kubernetes.io/kubelet-serving',
      'serve --auth',
    ].map((text) => [text, 'test/surfaces/http/certificates.test.ts']),
  ),
  'ca.crt': 'test/surfaces/drive/connection.test.ts',
  '/var/run/secrets/kubernetes.io/serviceaccount': 'test/surfaces/drive/connection.test.ts',
  '{serviceaccount}': 'test/surfaces/drive/connection.test.ts',
  reset: 'test/surfaces/http/worlds.test.ts',
  '/worlds/NAME': 'test/surfaces/http/worlds.test.ts',
  '/sim/v1': 'test/surfaces/http/worlds.test.ts',
  '/sim/v1/openapi.json': 'test/surfaces/http/worlds.test.ts',
  '{ file: path }': 'test/lab/scenario/parse.test.ts',
  'when: settled': 'the example',
  'domain: k8s.io': 'the reference',
  'serve --clock': 'test/surfaces/cli/serve.test.ts',
  'schema --reference': 'test/surfaces/cli/reference.test.ts',
  'run --help': 'this file',
  '--faults +hang': 'test/surfaces/cli/search.test.ts',
  '--faults -relist': 'test/surfaces/cli/search.test.ts',
  'found-NAME-1.yaml': 'test/surfaces/cli/search.test.ts',
  'rules: specification': 'test/surfaces/cli/rules.test.ts',
  'rules: recorded': 'test/surfaces/cli/rules.test.ts',
  expectationsSatisfied: 'the controllers that the guide shows',
  'cache.controlledBy': 'the controllers that the guide shows',
  tolerate: 'the controllers that the guide shows',
  generateName: 'the controllers that the guide shows',
  get: 'test/controlplane/controllers/live-reads.test.ts',
  list: 'test/controlplane/controllers/live-reads.test.ts',
  check: 'test/controlplane/controllers/live-reads.test.ts',
  resume: 'test/controlplane/controllers/live-reads.test.ts',
  'schema --install': 'test/surfaces/cli/schema-install.test.ts',
  without: 'test/surfaces/plugins/plugins.test.ts',
  orchsim: 'test/package.test.ts',
  'orchsim/internals': 'test/package.test.ts',
  'orchsim/testing': 'test/package.test.ts',
  'orchsim/vitest': 'test/package.test.ts',
  'orchsim/fast-check': 'test/package.test.ts',
  checkScenarios: 'test/surfaces/testing',
  toFindNothing: 'test/surfaces/testing-matchers.test.ts',
  cause: 'test/surfaces/api/refusals.test.ts',
  'trace: true': 'test/surfaces/api/refusals.test.ts',
  'toLocaleString()': 'test/lab/sandbox/sandbox.test.ts',
  'localeCompare()': 'test/lab/sandbox/sandbox.test.ts',
  'getHours()': 'test/lab/sandbox/sandbox.test.ts',
  Intl: 'test/lab/sandbox/sandbox.test.ts',
  '{kubeconfig}': 'test/surfaces/drive',
  '--and': 'test/surfaces/drive',
  '/sim/v1/faults': 'test/surfaces/http/client-faults.test.ts',
  '/sim/v1/trace': 'test/surfaces/http/session.test.ts',
  '?showSecrets=true': 'test/surfaces/http/session.test.ts',
  waiting: 'test/surfaces/cli/walk.test.ts',
  'fork first 2': 'test/surfaces/cli/walk.test.ts',
  'fork later 2 10s': 'test/surfaces/cli/walk.test.ts',
  p: 'test/surfaces/page/course.test.ts',
  'kubectl get -o yaml': 'test/lab/snapshot',
  '-o json': 'test/lab/snapshot',
  'kubectl cluster-info dump': 'test/lab/snapshot',
  'kwokctl snapshot save --format k8s': 'test/lab/snapshot',
  'run --from': 'test/surfaces/cli/what-if',
  'init --from': 'test/surfaces/cli/init-from-dump.test.ts',
  'run --page': 'test/surfaces/cli/run-page.test.ts',
  'rehearse OLD NEW': 'test/surfaces/cli/rehearse.test.ts',
  'helm template': 'test/surfaces/cli/rehearse.test.ts',
  'kustomize build': 'test/surfaces/cli/rehearse.test.ts',
  'budgets-kept': 'test/surfaces/cli/rehearse.test.ts',
  'claims-kept': 'test/surfaces/cli/rehearse.test.ts',
  'available/KIND/NAMESPACE/NAME': 'test/surfaces/cli/rehearse.test.ts',
  'helm.sh/hook': 'test/surfaces/cli/rehearse.test.ts',
  'helm.sh/hook-delete-policy': 'test/surfaces/cli/rehearse.test.ts',
  'helm.sh/resource-policy: keep': 'test/surfaces/cli/rehearse.test.ts',
  '--format json': 'test/surfaces/cli/what-if',
  '--format junit': 'test/surfaces/cli/what-if',
  'cluster.nodes': 'the reference',
  'cluster.storageDrivers': 'the reference',
  'cluster.podBehaviors': 'the reference',
  'cluster.usage': 'the reference',
  'k8s.io': 'the reference',
  'fault: { nodeUp: NAME }': 'the reference',
  'secrets: true': 'the reference',
  'lenient: true': 'the reference',
  'kubectl apply -f': 'test/surfaces/http/clients.test.ts',
  'count/backups.example.com': 'test/apiserver/custom',
  '@every': 'test/schema/schedule',
  self: 'test/lab/scenario/cel.test.ts',
  old: 'test/lab/scenario/cel.test.ts',
  '*': 'test/lab/scenario/parts.test.ts',
  '!': 'test/lab/scenario/parts.test.ts',
};

/** Lines of the guide that have run. */
const ran = new Set<string>();
const onlyReads = (line: string): boolean => /^npx orchsim (?:run|why|search) (?:\S+ )?retry\.yaml(?! .*--(?:page|trace|save))/.test(line);
/** A search whose result the guide does not show: that it runs and holds needs few runs. Those of the reader's own code stay as they are. */
const fewerRuns = (line: string): string => (/ retry\.yaml /.test(line) ? line.replace("'32 runs'", "'8 runs'") : line);

describe('help', () => {
  it('lists commands and topics, in every form of the request', async () => {
    const { out, code } = await cli(['help']);
    expect(code).toBe(0);
    expect(out).toBe((await cli(['--help'])).out);
    for (const { name, summary } of [...commands, ...topics])
      expect(out).toMatch(new RegExp(`^  ${name} .*${summary.slice(0, 20).replaceAll(/[[\](){}.*+?^$|\\]/g, String.raw`\$&`)}`, 'm'));
    for (const name of Object.keys(EXIT)) expect(out).toContain(String(EXIT[name as keyof typeof EXIT]));
  });

  it('finds every topic, in one word or two', async () => {
    const wanted = [
      'scenarios',
      'faults',
      'combining-faults',
      'invariants',
      'lessons',
      'searching',
      'staleness',
      'controllers',
      'children',
    ];
    wanted.push('kinds', 'custom-kinds', 'webhooks', 'time', 'determinism', 'specification', 'limits', 'exit-codes');
    expect(topics.map(({ name }) => name)).toEqual(expect.arrayContaining(wanted));
    expect(await cli(['help', 'exit', 'codes'])).toEqual(await cli(['help', 'exit-codes']));
    expect((await cli(['help', 'Fault'])).out).toBe((await cli(['help', 'faults'])).out);
  });

  it('offers the nearest name, with exit code 2', async () => {
    expect(await cli(['help', 'determinsm'])).toEqual({
      code: 2,
      out: '',
      err: 'help: there is no topic "determinsm"; did you mean "determinism"? (orchsim help lists them)\n',
    });
    expect((await cli(['help', 'wlak'])).err).toContain('did you mean "walk"?');
  });

  it('shows the options of a command, and refers from a topic to the command of its name', async () => {
    expect((await cli(['help', 'run'])).out).toBe((await cli(['run', '--help'])).out);
    expect((await cli(['help', 'faults'])).out).toContain('(the command of that name: orchsim faults --help)');
  });

  it('is of the word help alone: after another word, the name of a command is an argument', async () => {
    expect(await cli(['hlep', 'run'])).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^unknown command "hlep"/) });
    expect(await cli(['run', 'walk'])).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^walk: no such file or folder/) });
  });
});

describe.each(topics.map((topic) => [topic.name, topic] as const))('help %s', (name, topic) => {
  const text = filled(topic.text, NO_DEFINITIONS);
  const blocks = parseMarkdown(text);
  const code = blocks.flatMap((block) => (block.is === 'code' ? [block] : []));
  const prose = text.replaceAll(/^```[^]*?^```$/gm, '');

  it('is the file of its name, and fits a terminal', async () => {
    expect(existsSync(join(GUIDE, `${name}.md`))).toBe(true);
    const { out, code } = await cli(['help', name], { columns: COLUMNS });
    expect(code).toBe(0);
    expect(out).toContain(topic.summary);
    expect(out.split('\n').filter((line) => line.length > COLUMNS && !line.startsWith('    '))).toEqual([]);
  });

  it('is the same on a code host', () => {
    const path = join(GUIDE, `${name}.md`);
    const { rules: _, ...here } = insertions;
    const tables = Object.fromEntries(Object.entries({ ...here }).map(([title, make]) => [title, () => make(NO_DEFINITIONS)]));
    // A code host has space for all columns of the rules.
    const wanted = withTables(readFileSync(path, 'utf8'), {
      ...tables,
      rules: documentTables['rules'] ?? (() => ''),
      'known-bugs': documentTables['known-bugs'] ?? (() => ''),
    }).replaceAll(ROOT, 'node_modules/orchsim');
    if (process.env['UPDATE_README'] !== undefined) writeFileSync(path, wanted);
    expect(readFileSync(path, 'utf8'), 'npm run update-readme fills the tables').toBe(wanted);
  });

  it('names only what exists', async () => {
    const names = await there;
    const unknown = [...prose.matchAll(/`([^`\n]+)`/g)]
      .map(([, each = '']) => each)
      .filter((each) => !names.has(each) && !(each in PIECES));
    expect(unknown).toEqual([]);
    // Field paths outside of backticks are not names.
    expect([...prose.matchAll(/(?<!`)\bspec\.[\w.[\]]+/g)].map(([each]) => each)).toEqual([]);
  });

  it('shows YAML that is valid', () => {
    const shown = code.filter(({ language }) => language === 'yaml').map((block) => block.text);
    for (const part of shown.filter((each) => !each.includes('apiVersion:'))) {
      const head = 'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: part }\nspec:\n';
      const member = part.startsWith('- ') ? `steps:\n${part}` : part;
      expect(face.readScenarios(head + member.replaceAll(/^/gm, '  '), { file: 'part.yaml' })).not.toHaveProperty('problems');
    }
    for (const file of shown.filter((each) => each.includes('apiVersion:'))) expect(file).toMatch(/^# \S+\.yaml\n/);
  });

  it('shows only commands that run', { timeout: 60_000 }, async () => {
    const files = Object.fromEntries(
      [topic, ...topics].flatMap((each) => filesOf(each.text)).map((file) => [file.name, file.text] as const),
    );
    const cwd = folderWith(files);
    symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'));
    const shown = code
      .filter(({ language }) => language === 'sh')
      .flatMap((block) => block.text.split('\n').map((line) => line.replace(/ +# .*$/, '')));
    for (const line of shown) {
      expect(line).toMatch(/^npx orchsim /);
      // Several topics show it, and all of them have the same file.
      if (onlyReads(line) && ran.has(line)) continue;
      ran.add(line);
      const { code, err } = await cli(wordsOf(fewerRuns(line)).slice(2), { cwd });
      expect({ line, code, err }).toEqual({ line, code: 0, err: '' });
    }
  });
});

it('every file of the guide is a topic', () => {
  expect(readdirSync(GUIDE).sort()).toEqual(topics.map(({ name }) => `${name}.md`).sort());
});

it('shows only commands that walks have', () => {
  for (const word of ['next', 'why', 'state', 'diff', 'fork', 'help']) expect(WORDS.map(({ name }) => name)).toContain(word);
});
