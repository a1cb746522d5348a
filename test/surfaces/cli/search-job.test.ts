/** `search --as-job`: the files of a Job and of a workflow that run the parts of a search, whole. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { version } from '../../../src/surfaces/cli/install.ts';
import { cli, folderWith } from './cli.ts';

const scenario = (name: string): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: "${name}" }
spec: { until: 5s, steps: [{ at: 1s, expect: { count: { of: { kind: Pod }, is: 0 } } }] }
`;
const FAULTS = ['--faults', 'hold,lose', '--seed', '4'];
const read = (cwd: string, name: string): string => readFileSync(join(cwd, name), 'utf8');
/** The documents of a file. */
const documents = (text: string): readonly unknown[] => parseAllDocuments(text).map((each) => each.toJS() as unknown);

const steps = (...more: readonly object[]): readonly object[] => [
  { uses: 'actions/checkout@v4' },
  { uses: 'actions/setup-node@v4', with: { 'node-version': 20 } },
  { run: 'npm ci' },
  ...more,
];
/** The workflow of a search by its commands. */
const workflow = (name: string, parts: readonly number[], part: string, sum: string): object => ({
  name,
  on: { workflow_dispatch: null },
  jobs: {
    part: {
      'runs-on': 'ubuntu-latest',
      strategy: { 'fail-fast': false, matrix: { part: parts } },
      steps: steps(
        { run: part },
        { uses: 'actions/upload-artifact@v4', if: 'always()', with: { name: 'report-${{ matrix.part }}', path: 'report-*.json' } },
      ),
    },
    sum: {
      needs: 'part',
      if: 'always()',
      'runs-on': 'ubuntu-latest',
      steps: steps(
        { uses: 'actions/download-artifact@v4', with: { pattern: 'report-*', path: 'reports', 'merge-multiple': true } },
        { run: sum },
        { uses: 'actions/upload-artifact@v4', if: 'always()', with: { name: 'found', path: 'found' } },
      ),
    },
  },
});
const job = (name: string, parts: number, container: object, more: object = {}): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: {
    completionMode: 'Indexed',
    completions: parts,
    parallelism: parts,
    template: {
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'search', resources: { requests: { cpu: '1', memory: '1Gi' } }, ...container }],
        ...more,
      },
    },
  },
});

describe('the files', () => {
  it('of a plain image contain the scenario, and install this version', async () => {
    const text = scenario('My_web--');
    const cwd = folderWith({ 'in/my web.yaml': text });
    const { code, out, err } = await cli(['search', 'in/my web.yaml', '--as-job', '2', '--out', 'jobs', '--budget', '90s', ...FAULTS], {
      cwd,
    });
    expect({ code, out, err }).toEqual({
      code: 0,
      out:
        '  + jobs/search-my-web.job.yaml       an Indexed Job of 2 parts; its first lines say how to start it and merge its reports\n' +
        '  + jobs/search-my-web.workflow.yaml  the same as a matrix, for .github/workflows\n',
      err: '',
    });
    const written = read(cwd, 'jobs/search-my-web.job.yaml');
    expect(written.slice(0, written.indexOf('apiVersion'))).toBe(`# Written by orchsim search --as-job
#
#   kubectl apply -f search-my-web.job.yaml
#   kubectl wait --for=condition=complete job/search-my-web --timeout=-1s
#   kubectl logs -l job-name=search-my-web --tail=-1 --max-log-requests=2 | npx orchsim search 'in/my web.yaml' --merge -
#
# Each part ends with its report in its log, whatever it has found; the last command makes small what they found, and says which are missing.
`);
    const options = '--budget 1m30s --seed 4 --faults hold,lose';
    const command = `exec npx --yes orchsim@${version()} search '/scenario/my web.yaml' ${options} --jobs 1 --out /tmp --shard "$((JOB_COMPLETION_INDEX + 1))/2" --report -`;
    expect(documents(written)).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'search-my-web' }, data: { 'my web.yaml': text } },
      job(
        'search-my-web',
        2,
        { image: 'node:20', command: ['/bin/sh', '-c', command], volumeMounts: [{ name: 'scenario', mountPath: '/scenario' }] },
        { volumes: [{ name: 'scenario', configMap: { name: 'search-my-web' } }] },
      ),
    ]);
    const flow = read(cwd, 'jobs/search-my-web.workflow.yaml');
    expect(flow).toMatch(/^# Written by orchsim search --as-job\nname: /);
    expect(parse(flow)).toEqual(
      workflow(
        'search-my-web',
        [1, 2],
        `npx orchsim search 'in/my web.yaml' ${options} --shard "\${{ matrix.part }}/2" --report "report-\${{ matrix.part }}.json"`,
        `npx orchsim search 'in/my web.yaml' --out found --merge reports/*.json`,
      ),
    );
  });

  it('of an image of the project name its files, definitions and corpus', async () => {
    const cwd = folderWith({
      'web.yaml': scenario('web'),
      'mine.ts': "import { defineConfig } from 'orchsim';\nexport default defineConfig({});\n",
      'corpus/.keep': '',
    });
    const words = ['--image', 'mine:1', '--with', 'mine.ts', '--corpus', 'corpus', '--judge', 'all', '--budget', '5 runs', ...FAULTS];
    expect(await cli(['search', './web.yaml', '--as-job', '1', ...words], { cwd })).toMatchObject({ code: 0, err: '' });
    const written = read(cwd, 'search-web.job.yaml');
    const options = "--budget '5 runs' --seed 4 --faults hold,lose --judge all --corpus corpus";
    const command = `exec npx orchsim search web.yaml --with mine.ts ${options} --jobs 1 --out /tmp --shard "$((JOB_COMPLETION_INDEX + 1))/1" --report -`;
    expect(documents(written)).toEqual([job('search-web', 1, { image: 'mine:1', command: ['/bin/sh', '-c', command] })]);
    expect(written).toContain('| npx orchsim search web.yaml --with mine.ts --judge all --merge -\n');
    expect(parse(read(cwd, 'search-web.workflow.yaml'))).toEqual(
      workflow(
        'search-web',
        [1],
        `npx orchsim search web.yaml --with mine.ts ${options} --shard "\${{ matrix.part }}/1" --report "report-\${{ matrix.part }}.json"`,
        'npx orchsim search web.yaml --with mine.ts --corpus corpus --out found --merge reports/*.json',
      ),
    );
  });

  it('have names that are valid for labels', async () => {
    const cwd = folderWith({ 'web.yaml': scenario(`${'a'.repeat(42)}.${'b'.repeat(9)}`), 'short.yaml': scenario(`${'a'.repeat(43)}-b`) });
    for (const file of ['web.yaml', 'short.yaml']) await cli(['search', file, '--as-job', '1', ...FAULTS], { cwd });
    expect(readdirSync(cwd).filter((name) => name.endsWith('job.yaml'))).toEqual([
      `search-${'a'.repeat(42)}.job.yaml`,
      `search-${'a'.repeat(43)}.job.yaml`,
    ]);
  });
});

describe('a plain image is refused', () => {
  const said = async (text: string, ...words: readonly string[]): Promise<string> => {
    const cwd = folderWith({
      'web.yaml': text,
      'mine.ts': "import { defineConfig } from 'orchsim';\nexport default defineConfig({});\n",
      'pod.yaml': '{}',
    });
    const { code, err } = await cli(['search', 'web.yaml', '--as-job', '2', ...FAULTS, ...words], { cwd });
    return code === 0 ? '' : err;
  };

  it('where it lacks definitions, a corpus or other files', async () => {
    const lacks = 'node:20 does not have';
    const image = 'name an image of your project with --image\n';
    expect(await said(scenario('web'), '--with', 'mine.ts')).toBe(`--as-job: --with mine.ts needs files that ${lacks}; ${image}`);
    expect(await said(scenario('web'), '--corpus', 'corpus')).toBe(`--as-job: ${lacks} the folder of --corpus; ${image}`);
    const refers = scenario('web').replace('steps: [', 'steps: [{ apply: { file: mine.json } }, ');
    const cwd = folderWith({ 'web.yaml': refers, 'mine.json': '{ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a" } }' });
    const { err } = await cli(['search', 'web.yaml', '--as-job', '2', ...FAULTS], { cwd });
    expect(err).toBe(`--as-job: web.yaml reads other files, which ${lacks}; ${image}`);
    expect(await cli(['search', 'web.yaml', '--as-job', '2', '--image', 'mine:1', ...FAULTS], { cwd })).toMatchObject({ code: 0 });
  });

  it('where the scenario is too large for a ConfigMap', async () => {
    const padded = (bytes: number): string => `${scenario('web')}#${'é'.repeat((bytes - scenario('web').length - 2) / 2)}\n`;
    const even = scenario('web').length % 2 === 0 ? 900_000 : 899_999;
    expect(await said(padded(even))).toBe('');
    expect(await said(padded(even + 2))).toBe(
      '--as-job: web.yaml has more than 900000 bytes, too many for a ConfigMap; name an image that holds it with --image\n',
    );
  });

  it('files of users are kept', async () => {
    const cwd = folderWith({ 'web.yaml': scenario('web'), 'search-web.workflow.yaml': 'mine\n' });
    const words = ['search', 'web.yaml', '--as-job', '2', ...FAULTS];
    expect(await cli(words, { cwd })).toMatchObject({ code: 2, err: expect.stringContaining('--as-job: search-web.workflow.yaml exists') });
    expect(readdirSync(cwd)).toEqual(['search-web.workflow.yaml', 'web.yaml']);
    expect(await cli([...words, '--force'], { cwd })).toMatchObject({ code: 0 });
    expect(await cli(words, { cwd })).toMatchObject({ code: 0 });
  });
});
