/** Commands that list what there is, whole: scenarios, a kind, its plan; rows of faults, invariants, rules and controllers. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { faults } from '../../../src/lab/faults/index.ts';
import { invariants } from '../../../src/lab/invariants/index.ts';
import { cli, folderWith } from './cli.ts';

const parsed = async (words: readonly string[]): Promise<unknown> => JSON.parse((await cli(words)).out) as unknown;

const scenario = (name: string, more = ''): string =>
  `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: ${name} }
spec:
  ${more}
  steps:
    - at: 1s
      apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: web }, data: { a: "1" } }
      assert: { count: { of: { kind: Pod }, is: 0 } }
      note: It begins.
    - waitFor: { match: { kind: ConfigMap, metadata: { name: web } }, within: 1s }
    - expect:
      - { match: { kind: ConfigMap, metadata: { name: web } } }
      - { count: { of: { kind: Pod }, is: 0 } }
    - { expectError: { code: 404, delete: { target: ConfigMap/none } } }
`;
const FIRST = scenario('one', 'title: The first\n  teaches: |\n    Something\n\n    long.');
const SECOND = `${scenario('two', 'seed: 7')}---\n${scenario('three', 'invariants: [{ name: x, always: "true" }]')}`;
const FILES = { 'a.yaml': FIRST, 'in/b.yaml': SECOND };

describe('list', () => {
  const list = (words: readonly string[], files: Readonly<Record<string, string>> = FILES) =>
    cli(['list', ...words], { cwd: folderWith(files) });

  it('has the scenarios by folder, with what each expects', async () => {
    expect(await list([])).toEqual({
      code: 0,
      out: `.
  one    a.yaml  seed 1  5 expectations  The first
    Something long.

in
  two    b.yaml  seed 7  5 expectations
  three  b.yaml  seed 1  5 expectations

3 scenarios in 2 files
`,
      err: '',
    });
    expect((await list(['--grep', 'first'])).out).toMatch(/^\.\n {2}one .*\n.*\n\n1 scenario in 1 file\n$/);
  });

  it('is of the folder scenarios where there is one', async () => {
    expect((await list([], { 'scenarios/a.yaml': FIRST, 'b.yaml': SECOND })).out).toMatch(/^scenarios\n {2}one /);
    expect((await list([], { scenarios: '', 'b.yaml': SECOND })).out).toMatch(/^\.\n {2}two /);
  });

  it('is a document', async () => {
    const row = (name: string, file: string, more: object) => ({ name, file, seed: 1, steps: 4, expectations: 5, invariants: 0, ...more });
    expect(JSON.parse((await list(['--json'])).out)).toEqual([
      row('one', 'a.yaml', { title: 'The first', teaches: 'Something\n\nlong.\n' }),
      row('two', 'in/b.yaml', { seed: 7 }),
      row('three', 'in/b.yaml', { invariants: 1 }),
    ]);
  });

  it('names what could not be read', async () => {
    const { code, err, out } = await list(['.'], { 'a.yaml': FIRST, 'c.yaml': 'kind: Scenario\n' });
    expect([code, err.startsWith('c.yaml:1:1: '), out.startsWith('.\n  one')]).toEqual([2, true, true]);
  });
});

describe('kinds', () => {
  it('has everything about one', async () => {
    expect((await cli(['kinds', 'lease'])).out).toBe(`Lease  coordination.orch.io/v1
  A time-limited lock, for leader election and node heartbeats.
  Complete. Upstream: pkg/registry/coordination/lease, pkg/apis/coordination/validation.

  names          leases, lease
  scope          in a namespace
  sub-resources  none
  columns        Name, Holder, Age

  fields (orchsim schema Lease has them as JSON Schema)
    spec                       LeaseSpec  The desired state.
    spec.holderIdentity        string     The holder; empty: none.
    spec.leaseDurationSeconds  int32      Seconds that candidates wait after the last observed renewal before they acquire it.
    spec.acquireTime           microTime  When the holder acquired it.
    spec.renewTime             microTime  When the holder last renewed it.
    spec.leaseTransitions      int32      The number of changes of the holder.
`);
    const { out } = await cli(['kinds', 'ns']);
    expect(out).toContain('\n  scope          of the whole cluster\n  sub-resources  status, finalize\n');
    expect((await cli(['kinds', 'cm'])).out).toMatch(
      /^ {4}immutable {3}boolean {8}Whether.*\n {4}data {8}map of string {2}Texts\.\n {4}binaryData {2}map of bytes {3}/m,
    );
    expect((await cli(['kinds', 'sts'])).out).toMatch(/^ {2}columns .*Age, Containers \(wide\), Images \(wide\)$/m);
  });

  it('as JSON', async () => {
    expect(JSON.parse((await cli(['kinds', 'cm', '--json'])).out)).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      plural: 'configmaps',
      singular: 'configmap',
      shortNames: ['cm'],
      categories: [],
      namespaced: true,
      subresources: [],
      columns: ['Name', 'Data', 'Age'].map((name) => ({ name, priority: 0 })),
      models: 'Complete. Upstream: pkg/registry/core/configmap, pkg/apis/core/validation.',
    });
    const all = JSON.parse((await cli(['kinds', '--json'])).out) as readonly { readonly kind: string }[];
    expect(all).toContainEqual(JSON.parse((await cli(['kinds', 'cm', '--json'])).out));
  });

  it('in a table, with their names', async () => {
    const lines = (await cli(['kinds'])).out.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
    expect(lines[0]).toBe('KIND APIVERSION NAMES NAMESPACED MODELS');
    expect(lines).toContain('ConfigMap v1 configmaps, cm yes Complete. Upstream: pkg/registry/core/configmap, pkg/apis/core/validation.');
    expect(lines.find((line) => line.startsWith('Namespace '))).toMatch(/^Namespace v1 namespaces, ns no /);
  });

  it('have a plan of their writes: its stages, and what each reads', async () => {
    const { out } = await cli(['kinds', 'quota', '--plan']);
    const head = '  a stage is skipped where a write changes nothing that it reads';
    expect(out.split('\n\n').map((part) => part.split('\n')[0])).toEqual([`create${head}`, `update${head}`, `update of the status${head}`]);
    expect(out).toContain('\n  name                           identity\n  admission: NamespaceLifecycle  spec\n');
    const plan = JSON.parse((await cli(['kinds', 'quota', '--plan', '--json'])).out) as Readonly<Record<string, readonly unknown[]>>;
    expect(Object.keys(plan)).toEqual(['create', 'update', 'update of the status']);
    expect(await cli(['kinds', '--plan'])).toEqual({ code: 2, out: '', err: '--plan is about one kind: orchsim kinds Job --plan\n' });
  });
});

describe('listings', () => {
  /** The cells of a row by its name. */
  const rowOf = async (command: string, name: string): Promise<readonly string[] | undefined> =>
    (await cli([command])).out
      .split('\n')
      .map((line) => line.split(/ {3,}/))
      .find(([first]) => first === name);
  const itemOf = async (command: string, name: string): Promise<unknown> =>
    (JSON.parse((await cli([command, '--json'])).out) as readonly { readonly name: string }[]).find((each) => each.name === name);

  it('of faults have how they are written', async () => {
    expect((await cli(['faults'])).out).toMatch(/^FAULT +WRITTEN +DOES\n/);
    expect(await rowOf('faults', 'stop')).toEqual([
      'stop',
      '{ stop: …, [restartAfter], [ifPossible] }',
      'Stops a process gracefully: a leading scheduler releases its lease first.',
    ]);
    expect((await rowOf('faults', 'lag'))?.[1]).toMatch(/^\{ lag: …, by/);
    expect(await itemOf('faults', 'stop')).toMatchObject({
      subject: { type: 'string', names: 'process' },
      parameters: { restartAfter: { type: 'duration' } },
    });
  });

  it('of invariants say which are checked on request', async () => {
    expect(await rowOf('invariants', 'job/complete-means-done')).toHaveLength(3);
    expect((await rowOf('invariants', 'job/no-success-is-lost'))?.[2]).toBe(
      'A success that a Job has counted stays counted, however its pods are tracked. Checked only where a scenario names it: without finalizer tracking a Job counts the pods that exist, so deleting a finished one lowers the count.',
    );
    expect(await itemOf('invariants', 'job/counts-never-shrink')).toEqual({
      name: 'job/counts-never-shrink',
      temporal: 'always',
      description: 'With finalizer tracking, the succeeded and failed counts of a Job never decrease.',
      kinds: ['Job'],
    });
    expect(await itemOf('invariants', 'job/no-success-is-lost')).toMatchObject({ onRequest: expect.stringMatching(/^without/) as unknown });
  });

  it('of rules have what breaking one does', async () => {
    expect(await itemOf('rules', 'job/deadline-is-positive')).toMatchObject({
      kind: 'Job',
      field: 'spec.activeDeadlineSeconds',
      statement: 'activeDeadlineSeconds is positive.',
      place: 'resource-api.md: Job, spec.activeDeadlineSeconds',
      effect: 'a write that breaks it is refused',
    });
    expect(await itemOf('rules', 'api/collection-deletion-answers-status')).toMatchObject({
      effect: 'the server answers a Status with the kind in its details',
    });
    expect((await rowOf('rules', 'job/deadline-is-positive'))?.slice(1, 5)).toEqual([
      'spec.activeDeadlineSeconds',
      'activeDeadlineSeconds is positive.',
      'resource-api.md: Job, spec.activeDeadlineSeconds',
      'a write that breaks it is refused',
    ]);
  });

  it('of controllers have their process, and at most three kinds that they write', async () => {
    expect((await rowOf('controllers', 'job'))?.slice(0, 4)).toEqual(['job', 'controller-manager', 'Job', 'Job, Pod']);
    expect((await rowOf('controllers', 'stateful-set'))?.[3]).toBe('StatefulSet, Pod, PersistentVolumeClaim and 1 more');
    expect((await rowOf('controllers', 'leader-election'))?.slice(1, 3)).toEqual(['controller-manager', 'Lease, Endpoints, ConfigMap']);
    expect(await itemOf('controllers', 'leader-election')).toEqual({
      name: 'leader-election',
      process: 'controller-manager',
      writes: ['Lease', 'Endpoints', 'ConfigMap'],
      models: 'v1.24 client-go tools/leaderelection with its three locks. Omits: health checks of the holder.',
    });
    expect(await itemOf('controllers', 'job')).toMatchObject({ reconciles: 'Job' });
    expect((await cli(['controllers'])).out).toMatch(/^\S+ +agent\/<node>/m);
    expect((await cli(['controllers'])).out).toMatch(/^\S+ +storage-driver\/<driver> /m);
  });
});

it('what is about scenario files alone is refused for a kind', async () => {
  for (const option of ['--install', '--reference'])
    expect(await cli(['schema', 'job', option])).toEqual({
      code: 2,
      out: '',
      err: `${option}: it is about scenario files, found "job" (orchsim kinds job shows the fields of a kind)\n`,
    });
  expect(JSON.parse((await cli(['schema', 'Scenario'])).out)).toMatchObject({ title: 'Scenario' });
});

describe('of everything that there is', () => {
  it.each([
    ['faults', faults],
    ['invariants', invariants],
  ] as const)('%s lists the registry', async (command, registry) => {
    const { code, out } = await cli([command]);
    expect(code).toBe(0);
    for (const { name, description } of registry) {
      expect(out).toContain(name);
      expect(out).toContain(description);
    }
    expect(((await parsed([command, '--json'])) as { name: string }[]).map(({ name }) => name)).toEqual(registry.map(({ name }) => name));
  });

  it("controllers says of a user's controller that it is user-defined, unless it says what it models", async () => {
    const controller = (name: string, more: string) =>
      `defineController({ name: '${name}', reconciles: 'ConfigMap', writes: [], ${more}reconcile: () => idle('nothing') })`;
    const cwd = folderWith({
      'mine.ts': `import { defineController, defineConfig, idle } from 'orchsim';
export default defineConfig({ controllers: [${controller('plain', '')}, ${controller('stated', "models: 'A quiet one.', ")}] });
`,
    });
    const { code, out } = await cli(['controllers', '--with', 'mine.ts'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^plain +controller-manager +ConfigMap +User-defined\.$/m);
    expect(out).toMatch(/^stated +controller-manager +ConfigMap +A quiet one\.$/m);
  });

  it('kinds lists them, and describes one by any of its names', async () => {
    const { out } = await cli(['kinds']);
    for (const { kind } of kindsFor(namesFor('orch.io')).list()) expect(out).toContain(kind);
    expect((await cli(['kinds', 'po'])).out).toMatch(/^Pod {2}v1\n/);
    expect((await cli(['kinds', 'jobs'])).out).toMatch(/spec\.backoffLimit +int32, default 6 +The number of failures/);
    expect((await cli(['kinds', 'cj'])).out).toMatch(/spec\.timeZone +string, gate CronJobTimeZone +A name of/);
    expect((await cli(['kinds', 'Jop'])).err).toContain('did you mean Job?');
    expect((await cli(['kinds', 'Lease', '--domain', 'k8s.io'])).out).toContain('coordination.k8s.io/v1');
  });

  it('schema prints JSON Schema of scenarios and of every kind, definitions complete', async () => {
    expect(await parsed(['schema', 'scenario'])).toMatchObject({
      title: 'Scenario',
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
    for (const { kind } of kindsFor(namesFor('orch.io')).list()) {
      const { out } = await cli(['schema', kind]);
      const document = JSON.parse(out) as { title: string; $defs: Record<string, unknown> };
      expect(document.title).toBe(kind);
      for (const [, name = ''] of out.matchAll(/"\$ref": "#\/\$defs\/([^"]+)"/g))
        expect(document.$defs, `${kind}: ${name}`).toHaveProperty([name]);
    }
  });
});
