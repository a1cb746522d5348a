/** The forms in which tools dump a cluster: folders and streams of cluster-info dump, snapshots of kwokctl; and elections that are held. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { dumpIn, dumpReader, foreignNote, fromFlags, hooksNote, isScenarioFile } from '../../../src/surfaces/cli/dump.ts';
import { cli, folderWith, HOLDS } from './cli.ts';
import { clusterDump } from './what-if/dump.ts';

interface Item {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const { items } = JSON.parse(clusterDump({ nodes: 2, workloads: 1, replicas: 3 })) as { items: readonly Item[] };

/** As typed clients print lists: the items have neither kind nor version. */
const typed = (kind: string, apiVersion: string, of: readonly Item[]): string =>
  JSON.stringify(
    {
      kind: `${kind}List`,
      apiVersion,
      metadata: {},
      items: of.length === 0 ? null : of.map(({ kind: _, apiVersion: __, ...item }) => item),
    },
    null,
    4,
  );
const all = (kind: string): readonly Item[] => items.filter((each) => each.kind === kind);

const LISTS = [
  ['nodes.json', typed('Node', 'v1', all('Node'))],
  ['shop/events.json', typed('Event', 'v1', [])],
  ['shop/replication-controllers.json', typed('ReplicationController', 'v1', [])],
  ['shop/deployments.json', typed('Deployment', 'apps/v1', all('Deployment'))],
  ['shop/replicasets.json', typed('ReplicaSet', 'apps/v1', all('ReplicaSet'))],
  ['shop/pods.json', typed('Pod', 'v1', all('Pod'))],
] as const;

const LOGS =
  '==== START logs for container web of pod shop/web ====\n{"level":"info"}\nready {}\n==== END logs for container web of pod shop/web ====\n';

test('a folder of cluster-info dump, and its stream with logs between, begin at rest', async () => {
  const folder = folderWith({ ...Object.fromEntries(LISTS.map(([name, text]) => [`dump/${name}`, text])), 'dump/shop/web/logs.txt': LOGS });
  const { code, out } = await cli(['run', '--from', 'dump'], { cwd: folder });
  expect(out).toMatch(/note from dump: \d+ objects of \d+ kinds, 2 nodes, as of 2024-05-02/);
  expect(out).not.toContain('not at rest');
  expect(code).toBe(0);
  const stream = LISTS.map(([, text]) => text).join(`\n${LOGS}`);
  const streamed = await cli(['run', '--from', '-'], { cwd: folder, stdin: () => stream });
  expect(streamed.out).not.toContain('not at rest');
  expect(streamed.code).toBe(0);
});

test('a snapshot of kwokctl is read: documents of YAML, one for each object', async () => {
  const folder = folderWith({ 'snapshot.yaml': items.map((each) => stringify(each)).join('---\n') });
  const { code, out } = await cli(['run', '--from', 'snapshot.yaml'], { cwd: folder });
  expect(out).toContain(`note from snapshot.yaml: `);
  expect(out).toContain('2 nodes');
  expect(out).not.toContain('not at rest');
  expect(code).toBe(0);
});

test('an election is held by whoever led in the dump, until the lease expires', async () => {
  const lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: 'kube-controller-manager',
      namespace: 'kube-system',
      uid: 'lease-1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-02T09:00:00Z',
    },
    spec: {
      holderIdentity: 'master-1_0b1c',
      leaseDurationSeconds: 15,
      acquireTime: '2024-05-02T09:00:00.000000Z',
      renewTime: '2024-05-02T09:59:55.000000Z',
      leaseTransitions: 3,
    },
  };
  const scenario = {
    apiVersion: 'scenario.orch.io/v1',
    kind: 'Scenario',
    metadata: { name: 'held' },
    spec: {
      from: 'dump.json',
      until: '2m',
      cluster: { controllerManagers: 2 },
      steps: [
        {
          at: '10s',
          expect: {
            match: {
              kind: 'Lease',
              metadata: { name: lease.metadata.name, namespace: 'kube-system' },
              spec: { holderIdentity: 'master-1_0b1c' },
            },
          },
        },
        { at: '1m', expect: { cel: "object('Lease/kube-system/kube-controller-manager').spec.holderIdentity != 'master-1_0b1c'" } },
      ],
    },
  };
  const cwd = folderWith({
    'dump.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...items, lease] }),
    'held.yaml': JSON.stringify(scenario),
  });
  expect(await cli(['run', 'held.yaml'], { cwd })).toMatchObject({ code: 0, out: expect.stringMatching(/^✓ held/) });
});

test('of a cut dump a lenient reader takes every object before the cut', async () => {
  const text = clusterDump({ nodes: 2, workloads: 1, replicas: 3 });
  const cwd = folderWith({ 'cut.json': text.slice(0, text.lastIndexOf('"kind": "Pod"') + 200) });
  const { code, err } = await cli(['run', '--from', 'cut.json'], { cwd });
  expect(code).toBe(2);
  // The whole items tell nothing more.
  expect(err.trim().split('\n')).toEqual([
    expect.stringMatching(/^cut\.json:\d+:\d+: expected the end of the JSON value that begins at line 1, .*is the dump cut\?/),
    expect.stringContaining('--lenient leaves out of a dump what cannot be read'),
  ]);
  const { out } = await cli(['run', '--from', 'cut.json', '--lenient'], { cwd });
  expect(out).toContain(`2 nodes`);
  expect(out).toContain('note left out: cut.json:');
});

test('play --from writes a page that begins with the dump, without the values of its Secrets', async () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'shop' }, data: { key: 'aGlkZGVu' } };
  const cwd = folderWith({ 'dump/all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...items, secret] }) });
  const pageOf = async (file: string, ...more: readonly string[]): Promise<string> => {
    const { code, err } = await cli(['play', '--from', 'dump', '--no-open', '--out', file, ...more], { cwd });
    expect([code, err]).toEqual([0, expect.stringContaining('note: from dump: ')]);
    return readFileSync(join(cwd, file), 'utf8');
  };
  const html = await pageOf('page.html');
  expect(html).toContain('dump/all.json');
  expect(html).not.toContain('aGlkZGVu');
  expect(await pageOf('whole.html', '--with-secrets')).toContain('aGlkZGVu');
  expect(await cli(['play', '--from', '-', '--no-open'], { cwd, stdin: () => '' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('a page has no standard input'),
  });
});

test('options name a dump, and say what they need; the same options read it again', () => {
  const none = { from: [], withSecrets: false, lenient: false };
  const from = ['a', 'b c'];
  for (const [given, source, flags] of [
    [{ ...none, from }, { paths: from }, ['--from', 'a', '--from', 'b c']],
    [{ ...none, from, withSecrets: true }, { paths: from, secrets: true }, ['--from', 'a', '--from', 'b c', '--with-secrets']],
    [{ ...none, from, lenient: true }, { paths: from, lenient: true }, ['--from', 'a', '--from', 'b c', '--lenient']],
    [{ ...none, from, behaviors: 'x' }, { paths: from, behaviors: 'x' }, ['--from', 'a', '--from', 'b c', '--behaviors', 'x']],
    [none, undefined, []],
  ] as const) {
    expect(dumpIn(given)).toEqual(source);
    expect(fromFlags(source)).toEqual(flags);
  }
  expect(() => dumpIn({ ...none, behaviors: '' })).toThrow('--behaviors: it needs --from PATH');
  expect(() => dumpIn({ ...none, withSecrets: true, lenient: true })).toThrow('--with-secrets: it needs --from PATH');
  expect(() => dumpIn({ ...none, lenient: true })).toThrow('--lenient: it needs --from PATH');
});

test('a dump is a file, the files of objects below a folder in order, or the input; a scenario is none', () => {
  const deep = Array.from({ length: 17 }, (_, at) => `d${at}`).join('/');
  const cwd = folderWith({
    'd/b.yaml': 'b',
    'd/a.yml': 'a',
    'd/in/c.json': 'c',
    'd/notes.txt': '',
    [`d/${deep}/far.yaml`]: '',
    'one.txt': 'x',
    'e/x.md': '',
    's.yaml': HOLDS,
  });
  const read: string[] = [];
  const reader = dumpReader({ cwd, stdin: () => 'typed' }, read);
  expect(reader('d')).toEqual([
    { file: 'd/a.yml', text: 'a' },
    { file: 'd/b.yaml', text: 'b' },
    { file: 'd/in/c.json', text: 'c' },
  ]);
  expect(read).toEqual(['d/a.yml', 'd/b.yaml', 'd/in/c.json'].map((name) => join(cwd, name)));
  expect([reader('one.txt'), reader('e'), reader('none'), reader('-')]).toEqual([
    [{ file: 'one.txt', text: 'x' }],
    [],
    undefined,
    [{ file: '<stdin>', text: 'typed' }],
  ]);
  expect(dumpReader({ cwd }, [])('-')).toBeUndefined();
  expect(['s.yaml', 'd/a.yml', 'd', 'none', '-'].map((path) => isScenarioFile(path, cwd))).toEqual([true, false, false, false, false]);
});

test('what is left out is said with its number', () => {
  const hook = (name: string, event: string) =>
    ({ object: { kind: 'Job', metadata: { name, annotations: { 'helm.sh/hook': event } } } }) as never;
  expect(foreignNote(new Map())).toEqual([]);
  expect(
    foreignNote(
      new Map([
        ['A', 1],
        ['B', 2],
      ]),
    ),
  ).toEqual(['left out, because the server lacks the kinds: 1 A, 2 B']);
  expect(hooksNote([], [])).toEqual([]);
  expect(hooksNote([hook('a', 'test')], [hook('a', 'test')])).toEqual(['left out: 1 hook of tests and deletions (Job a: test)']);
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => hook(name, 'post-delete'));
  const five = many.slice(0, 5);
  const named = ['a', 'b', 'c', 'd', 'e'].map((name) => `Job ${name}: post-delete`).join('; ');
  expect(hooksNote(five)).toEqual([`left out: 5 hooks of tests and deletions (${named})`]);
  expect(hooksNote(five, many)).toEqual([`left out: 6 hooks of tests and deletions (${named}; …)`]);
});
