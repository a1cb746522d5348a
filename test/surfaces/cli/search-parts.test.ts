/** A search in parts in the user interface: parts with reports, their merge, a corpus, and the Job that runs parts on a cluster. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Catch } from '../../../src/lab/search/index.ts';
import { parseScenarios } from '../../../src/lab/scenario/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { vocabulary } from '../../../src/lab/vocabulary.ts';
import { readShard } from '../../../src/surfaces/cli/search/options.ts';
import { cli, folderWith, isBuilt } from './cli.ts';
import { LATE, QUIET } from './searched.ts';

/** A user's controller scales a Deployment. */
const DIALS = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: dials.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Dial, plural: dials }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, x-kubernetes-preserve-unknown-fields: true } } } }
`;
const DIAL = `import { defineConfig, defineController, idle, watch, write } from 'orchsim';

const dial = defineController({
  name: 'dial',
  reconciles: 'Dial',
  writes: ['Deployment'],
  watches: [watch('Deployment', ({ object: { metadata: { namespace } } }) => [namespace + '/x'])],
  reconcile({ self: { kind, metadata: { namespace, name, uid }, spec: { replicas } }, cache }) {
    const web = cache.get('Deployment', namespace, 'web');
    if (web === undefined || web.spec.replicas === replicas) return idle('it has its size');
    return write(
      'the size differs',
      { op: 'check', kind, namespace, name, uid },
      { op: 'patch', kind: 'Deployment', namespace, name: 'web', patchType: 'merge', subresource: 'scale', patch: { spec: { replicas } } },
    );
  },
});

export default defineConfig({ controllers: [dial] });
`;
const DIALED = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: dialed }
spec:
  cluster: { nodes: { count: 1 }, latency: { api: 10ms, watch: 10ms } }
  steps:
    - apply: { apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: 1, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Dial, metadata: { name: x }, spec: { replicas: 1 } }
    - after: 4s
      patch: { target: Dial/x, type: merge, patch: { spec: { replicas: 3 } } }
    - after: 10s
      expect: { cel: "object('Deployment/web').status.readyReplicas == 3" }
`;
/** They use up the 15 retries after which v1.24 drops the Deployment, so what is expected cannot come. */
const DROPPED = `${DIALED}  choices:
    - { at: "decide controller-manager dial default/x w2+1", cut: 60s }
    - { at: "write controller-manager deployment default/web: patch ReplicaSet #6", meddle: annotate, of: object, undo: 3s }
    - { at: "decide controller-manager node-lifecycle node-0 w4+1", cut: 60s }
`;

const searching = async (cwd: string, ...args: readonly string[]) =>
  cli(['search', 'late.yaml', '--jobs', '1', '--faults', 'hold', ...args], { cwd });

describe('parts of a search', () => {
  it(
    'report, and merge to the findings of one search; a missing one is reported, and foreign ones are refused',
    { timeout: 120_000 },
    async () => {
      const cwd = folderWith({ 'late.yaml': LATE, 'quiet.yaml': QUIET });
      const whole = await searching(cwd, '--budget', '32', '--json', '--out', 'whole');
      expect(JSON.parse(whole.out)).toMatchObject({ exitCode: 1, findings: [expect.objectContaining({ claim: 'account-soon' })] });
      for (const part of ['1/2', '2/2']) {
        const { code, out } = await searching(cwd, '--budget', '32', '--shard', part);
        expect([code, out]).toEqual([0, expect.stringContaining('--merge REPORT')]);
      }
      const reports = ['search-late-1-of-2.json', 'search-late-2-of-2.json'];
      expect(readdirSync(cwd).filter((name) => name.endsWith('.json'))).toEqual(reports);
      const sum = await cli(['search', 'late.yaml', '--jobs', '1', '--json', '--out', 'whole', '--merge', ...reports], { cwd });
      expect(sum.code).toBe(1);
      const { part, ...rest } = JSON.parse(sum.out) as { readonly part: unknown };
      expect(part).toEqual({ of: 2, missing: [] });
      expect(rest).toEqual(JSON.parse(whole.out));
      const half = await cli(['search', 'late.yaml', '--jobs', '1', '--merge', 'search-late-1-of-2.json'], { cwd });
      expect(half.out).toContain('missing: 1 part of 2: 2');
      const refused = async (says: string, ...args: readonly string[]) => {
        const { code, err } = await cli(['search', ...args], { cwd });
        expect([code, err]).toEqual([2, expect.stringContaining(says)]);
      };
      await refused('part 1 of 2 comes twice', 'late.yaml', '--merge', 'search-late-1-of-2.json', 'search-late-1-of-2.json');
      await refused('reports of the scenario late, not of quiet', 'quiet.yaml', '--merge', 'search-late-1-of-2.json');
      await refused('it has no report of a search', 'late.yaml', '--merge', 'late.yaml');
      const text = readFileSync(join(cwd, 'search-late-1-of-2.json'), 'utf8');
      writeFileSync(join(cwd, 'other.json'), text.replace('"seed":1', '"seed":2').replace('"index":1', '"index":2'));
      await refused(
        'parts of two searches: the seed is 1 in part 1, 2 in part 2',
        'late.yaml',
        '--merge',
        'search-late-1-of-2.json',
        'other.json',
      );
      writeFileSync(join(cwd, 'cut.json'), text.slice(0, 200));
      await refused('cut.json:1: a report that is truncated', 'late.yaml', '--merge', 'cut.json');
      for (const [from, to, says] of [
        ['search/v3', 'search/v2', 'report.report: expected orchsim-search/v3: another version of orchsim wrote it'],
        ['"do":"hold"', '"do":"steal"', 'expected one of '],
        ['"runs":32', '"runs":-1', 'report.runs: expected a number from 0'],
        ['"reached":[[', '"reached":[["__proto__"],[', 'report.reached[0][1]: expected a whole number'],
      ] as const) {
        expect(text).toContain(from);
        writeFileSync(join(cwd, 'changed.json'), text.replace(from, to));
        await refused(says, 'late.yaml', '--merge', 'changed.json');
      }
    },
  );

  it.skipIf(!isBuilt)(
    'judge as the whole what a built-in controller has given up, and keep what was given up',
    { timeout: 120_000 },
    async () => {
      const cwd = folderWith({
        'dials.yaml': DIALS,
        'dial.ts': DIAL,
        'dialed.yaml': DIALED,
        'whole/a.yaml': DROPPED,
        'parts/a.yaml': DROPPED,
      });
      const searched = async (...args: readonly string[]) =>
        cli(['search', 'dialed.yaml', '--with', 'dials.yaml', '--with', 'dial.ts', '--jobs', '1', '--json', ...args], { cwd });
      const drawn = ['--faults', 'hold', '--budget', '32'];
      const whole = await searched(...drawn, '--corpus', 'whole', '--report', 'whole.json');
      for (const part of ['1/2', '2/2']) await searched(...drawn, '--corpus', 'parts', '--shard', part);
      const reports = ['search-dialed-1-of-2.json', 'search-dialed-2-of-2.json'];
      const merging = async (report: string) => searched('--corpus', 'parts', '--report', report, '--merge', ...reports);
      const sum = await merging('sum.json');
      const judgedIn = (out: string): unknown => {
        const { exitCode, findings, elsewhere } = JSON.parse(out) as Readonly<Record<string, unknown>>;
        return { exitCode, findings, elsewhere };
      };
      expect(judgedIn(sum.out)).toEqual(judgedIn(whole.out));
      const catchesIn = (file: string) =>
        (JSON.parse(readFileSync(join(cwd, file), 'utf8')) as { readonly catches: readonly Catch[] }).catches;
      expect(catchesIn('whole.json')).toMatchObject([{ cause: { elsewhere: true, gaveUp: 'deployment default/web' } }]);
      expect(catchesIn('sum.json')).toEqual(catchesIn('whole.json'));
      // A part is judged where it runs, so a report that does not say what was given up merges to the same judgement.
      for (const file of reports.map((name) => join(cwd, name)))
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"gaveUp":"deployment default/web",', ''));
      expect(judgedIn((await merging('silent.json')).out)).toEqual(judgedIn(whole.out));
      expect(readFileSync(join(cwd, 'silent.json'), 'utf8')).not.toContain('gaveUp');
    },
  );

  it('replays a corpus first, which finds known failures at once', { timeout: 120_000 }, async () => {
    const cwd = folderWith({ 'late.yaml': LATE });
    const first = await searching(cwd, '--budget', '32', '--corpus', 'corpus', '--out', 'corpus');
    expect(first.out).toMatch(/corpus corpus: 0 runs replayed first; \d+ of \d+ new runs were added/);
    expect(readdirSync(join(cwd, 'corpus'))).toContain('found-late-1.yaml');
    const again = await searching(cwd, '--budget', '32', '--corpus', 'corpus', '--seed', '2', '--out', 'again');
    expect(again.out).toContain('first in a run of the corpus');
    expect(again.out).toContain('1 finding');
    writeFileSync(join(cwd, 'corpus', 'bad.yaml'), 'kind: Scenario\n');
    const despite = await searching(cwd, '--budget', '32', '--corpus', 'corpus');
    expect(despite.err).toContain('note: --corpus: left out: corpus/bad.yaml:1:1: ');
    expect(despite.out).toContain('first in a run of the corpus');
  });

  it('have valid numbers, and options that they permit', async () => {
    expect(readShard('3/8')).toEqual({ index: 3, of: 8 });
    for (const text of ['0/2', '3/2', '1', '1/0', 'a/b', '1/99999999'])
      expect(() => readShard(text), text).toThrow(/--shard: expected a part and how many there are/);
    const cwd = folderWith({ 'late.yaml': LATE });
    for (const [says, ...args] of [
      ['they exclude each other', '--shard', '1/2', '--as-job', '2'],
      ['--image: the image of --as-job', '--image', 'mine:1'],
      ['does not know the findings of the others', '--shard', '1/2', '--until-found'],
    ] as const)
      expect(await searching(cwd, ...args)).toMatchObject({ code: 2, err: expect.stringContaining(says) });
  });
});

describe('--as-job', () => {
  interface Env {
    readonly name: string;
    readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
  }
  interface Pod {
    readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
    readonly spec: { readonly containers: readonly { readonly command: readonly string[]; readonly env: readonly Env[] }[] };
  }

  it('writes a Job whose simulated pods run parts that merge to the whole search', { timeout: 240_000 }, async () => {
    const cwd = folderWith({ 'late.yaml': LATE });
    const { code, out } = await searching(cwd, '--budget', '32', '--as-job', '3');
    expect([code, out]).toEqual([0, expect.stringContaining('search-late.job.yaml')]);
    const text = readFileSync(join(cwd, 'search-late.job.yaml'), 'utf8');
    // The cluster is simulated, with the real names, like after kubectl apply.
    const parsed = parseScenarios(
      `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: searched }\nspec:\n  domain: k8s.io\n  cluster: { podBehaviors: [{ runFor: 60s }] }\n  steps:\n    - when: settled\n      expect:\n        - { match: { kind: Job, metadata: { name: search-late }, status: { succeeded: 3, completedIndexes: "0-2" } } }\n---\n${text}`,
      { ...vocabulary(), file: 'job.yaml' },
    );
    if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
    const pods: Pod[] = [];
    const files = new Map<string, string>();
    const run = simulate(parsed.scenarios[0] as never, {
      onEntry: (entry) => {
        if (entry.type !== 'write' || entry.change.type !== 'ADDED') return;
        const object = entry.change.object as unknown as Pod & { readonly kind: string; readonly data: Readonly<Record<string, string>> };
        if (object.kind === 'Pod') pods.push(object);
        if (object.kind === 'ConfigMap') for (const [name, data] of Object.entries(object.data)) files.set(`/scenario/${name}`, data);
      },
    });
    expect(run.failures).toEqual([]);
    expect(pods).toHaveLength(3);
    const logs: string[] = [];
    for (const pod of pods) {
      const [container] = pod.spec.containers;
      const [, , script = ''] = container?.command ?? [];
      const path = container?.env.find(({ name }) => name === 'JOB_COMPLETION_INDEX')?.valueFrom?.fieldRef.fieldPath ?? '';
      const index = pod.metadata.annotations[/\['(.*)'\]/.exec(path)?.[1] ?? ''];
      const words = script
        .replace(/^exec npx --yes orchsim@\S+ /, '')
        .replace('$((JOB_COMPLETION_INDEX + 1))', String(Number(index) + 1))
        .replaceAll(/["']/g, '')
        .replaceAll('32 runs', '32')
        .split(' ')
        // The data of the ConfigMap is at the mount path of the container.
        .map((word) => (files.get(word) === LATE ? 'late.yaml' : word));
      const part = await cli(words, { cwd });
      expect(part).toMatchObject({ code: 0, err: '' });
      logs.push(part.out);
    }
    writeFileSync(join(cwd, 'logs'), logs.join(''));
    const sum = await cli(['search', 'late.yaml', '--jobs', '1', '--merge', 'logs'], { cwd });
    expect(sum).toMatchObject({ code: 1, out: expect.stringContaining('32 runs · seed 1 · 3 parts of 3') });
    expect(sum.out).toContain('account-soon');
    const workflow = parseAllDocuments(readFileSync(join(cwd, 'search-late.workflow.yaml'), 'utf8'))[0]?.toJS() as {
      readonly jobs: { readonly part: { readonly strategy: unknown }; readonly sum: { readonly needs: string } };
    };
    expect(workflow.jobs).toMatchObject({ part: { strategy: { matrix: { part: [1, 2, 3] } } }, sum: { needs: 'part' } });
  });

  it('reports what a plain image lacks, and overwrites no files of users', async () => {
    const cwd = folderWith({
      'late.yaml': LATE,
      'mine.ts': "import { defineConfig } from 'orchsim';\nexport default defineConfig({});\n",
      'taken/search-late.job.yaml': 'mine\n',
    });
    expect(await searching(cwd, '--as-job', '2', '--with', 'mine.ts')).toMatchObject({ code: 2, err: expect.stringContaining('--image') });
    expect(await searching(cwd, '--as-job', '2', '--out', 'taken')).toMatchObject({
      code: 2,
      err: expect.stringContaining('has other contents'),
    });
    expect(await searching(cwd, '--as-job', '2', '--with', 'mine.ts', '--image', 'mine:1', '--out', 'out')).toMatchObject({ code: 0 });
    const text = readFileSync(join(cwd, 'out/search-late.job.yaml'), 'utf8');
    expect(text).toContain('image: mine:1');
    expect(text).toContain('npx orchsim search late.yaml --with mine.ts');
    expect(text).not.toContain('ConfigMap');
  });
});
