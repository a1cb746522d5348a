/** A scenario that begins with a dump: what is read, how its cluster is composed, what is said, and what is wrong with the paths. */
import { describe, expect, it } from 'vitest';
import { formatProblem, formatScenario, vocabularyBeside, type Scenario } from '../../../src/lab/scenario/index.ts';
import { readScenarios, vocabulary, type ReadOptions } from '../../../src/lab/vocabulary.ts';

const TIME = '2024-05-02T10:00:00Z';
const selector = { matchLabels: { app: 'web' } };
const meta = (name: string, more: object = {}) => ({
  name,
  namespace: 'shop',
  uid: `uid-${name}`,
  resourceVersion: '5',
  creationTimestamp: TIME,
  ...more,
});
const NODE = { apiVersion: 'v1', kind: 'Node', metadata: { ...meta('n1'), namespace: undefined }, status: { capacity: { cpu: '2' } } };
const SILENT = {
  ...NODE,
  metadata: { ...meta('n2'), namespace: undefined },
  status: { conditions: [{ type: 'Ready', status: 'Unknown' }] },
};
const CLASS = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { ...meta('fast'), namespace: undefined },
  provisioner: 'disk.io',
};
const POLICY = { apiVersion: 'x.io/v1', kind: 'Policy', metadata: meta('p'), spec: { deep: 1 } };
const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: meta('web'),
  spec: { replicas: 1, selector, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
};
const SCALER = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: meta('auto'),
  spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, metrics: [] },
  status: {
    currentReplicas: 2,
    desiredReplicas: 2,
    conditions: [],
    currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageValue: '100m' } } }],
  },
};
const dump = (...items: readonly object[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
const BEHAVIORS = '# as seen\npodBehaviors:\n- runFor: 9s\nusage:\n- selector: { matchLabels: { app: db } }\n  cpu: 1\nmetrics:\n';

const FILES: Readonly<Record<string, string>> = {
  'dir/dump.json': dump(NODE, SILENT, CLASS, POLICY, WEB, SCALER),
  'dir/more.json': dump({ ...POLICY, metadata: meta('q') }),
  'dir/how.yaml': BEHAVIORS,
  'dir/measured.yaml': 'metrics: [{ name: queue, external: true, value: 2 }]\n',
  'dir/none.yaml': '# nothing\n',
};
const options: ReadOptions = {
  file: 'dir/a.yaml',
  readFile: (path) => FILES[path],
  readDump: (path) => (path === 'dir/empty' ? [] : FILES[path] === undefined ? undefined : [{ file: path, text: FILES[path] }]),
};
const fileOf = (spec: string): string => `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec: { ${spec} }\n`;
const read = (spec: string, more: ReadOptions = {}) => readScenarios(fileOf(spec), { ...options, ...more });
function scenarioOf(spec: string, more: ReadOptions = {}): Scenario {
  const found = read(spec, more);
  if ('problems' in found) throw new Error(found.problems.map(formatProblem).join('\n'));
  return found.scenarios[0] as Scenario;
}
const problems = (spec: string, more: ReadOptions = {}) => {
  const found = read(spec, more);
  return 'problems' in found ? found.problems.map(formatProblem) : [];
};
const of = (spec: string, more?: ReadOptions) => {
  const { from, cluster, domain, startAt } = scenarioOf(spec, more);
  return {
    paths: from?.paths,
    objects: from?.snapshot.objects.filter(({ kind }) => kind === 'Policy').map(({ metadata }) => metadata.name),
    cluster,
    domain,
    startAt,
  };
};

describe('a dump', () => {
  it('is named by a path, by several, or with how it is read', () => {
    expect([of('from: dump.json').paths, of('from: dump.json').objects]).toEqual([['dir/dump.json'], ['p']]);
    expect([of('from: [dump.json, more.json]').paths, of('from: [dump.json, more.json]').objects]).toEqual([
      ['dir/dump.json', 'dir/more.json'],
      ['p', 'q'],
    ]);
    const { from } = scenarioOf('from: { paths: dump.json, secrets: true, lenient: true, behaviors: how.yaml }');
    const { snapshot: _, ...stated } = from ?? {};
    expect(stated).toEqual({
      paths: ['dir/dump.json'],
      secrets: true,
      lenient: true,
      behaviors: 'dir/how.yaml',
      behavior: {
        podBehaviors: [{ runForMs: 9_000 }],
        usage: [{ selector: { matchLabels: { app: 'db' } }, cpu: { shape: 'constant', is: 1_000 } }],
      },
    });
    const plain = scenarioOf('from: { paths: [dump.json], secrets: false }').from;
    expect([plain && 'secrets' in plain, plain && 'behavior' in plain]).toEqual([false, false]);
    expect(scenarioOf('from: { paths: dump.json, behaviors: none.yaml }').from?.behavior).toBeUndefined();
  });

  it('gives the scenario its names and its start, unless that states others', () => {
    const { domain, startAt } = of('from: dump.json');
    expect([domain, startAt]).toEqual(['k8s.io', Date.parse(TIME)]);
    expect(of('from: dump.json, startTime: 2025-01-01T00:00:00Z').startAt).toBe(Date.UTC(2025, 0, 1));
  });

  it('of the command line stands in place of that of the file', () => {
    expect(of('from: more.json', { from: { paths: ['dir/dump.json'] } }).objects).toEqual(['p']);
    expect(problems('', { from: { paths: ['none.json'] } })).toEqual([
      'none.json:1:1: expected a file or folder that can be read, found none',
    ]);
  });

  it('is said in the warnings of every run', () => {
    expect(scenarioOf('from: dump.json').lintWarnings?.[0]).toMatch(
      /^from dir\/dump\.json: \d+ objects of \d+ kinds \(1 foreign\), 2 nodes \(1 silent\), as of 2024-05-02T10:00:00Z$/,
    );
    expect(scenarioOf('from: more.json').lintWarnings?.[0]).toMatch(
      /^from dir\/more\.json: \d+ objects of \d+ kinds \(1 foreign\), 0 nodes, as of 2024-05-02T10:00:00Z$/,
    );
  });
});

describe('the cluster', () => {
  const names = (spec: string) => of(spec).cluster.nodes.map(({ name, restored }) => [name, restored]);
  it('has the machines of the dump, then those of the file', () => {
    expect(names('from: dump.json')).toEqual([
      ['n1', 'up'],
      ['n2', 'down'],
    ]);
    expect(names('from: dump.json, cluster: { nodes: [{ name: extra }] }')).toEqual([
      ['n1', 'up'],
      ['n2', 'down'],
      ['extra', undefined],
    ]);
    expect(names('from: dump.json, cluster: { nodes: { count: 0 } }')).toHaveLength(2);
  });

  it('has the drivers of which the dump speaks, unless the file states one', () => {
    const drivers = (spec: string) => of(spec).cluster.storageDrivers.map(({ name, attachDelayMs }) => [name, attachDelayMs]);
    expect(drivers('from: dump.json')).toEqual([['disk.io', 1_000]]);
    expect(drivers('from: dump.json, cluster: { storageDrivers: [{ name: disk.io, attachDelay: 7s }, { name: other.io }] }')).toEqual([
      ['disk.io', 7_000],
      ['other.io', 0],
    ]);
  });

  it('behaves as the file says first, then as the file of behaviours, then as was measured', () => {
    const { podBehaviors, usage, metrics } = of(
      'from: { paths: dump.json, behaviors: how.yaml }, cluster: { podBehaviors: [{ runFor: 1s }], usage: [{ cpu: 2m }] }',
    ).cluster;
    expect(podBehaviors).toEqual([{ runForMs: 1_000 }, { runForMs: 9_000 }]);
    expect(usage).toEqual([
      { cpu: { shape: 'constant', is: 2 } },
      { selector: { matchLabels: { app: 'db' } }, cpu: { shape: 'constant', is: 1_000 } },
      { selector, namespace: 'shop', shared: true, cpu: { shape: 'constant', is: 200 } },
    ]);
    expect(metrics).toBeUndefined();
    const measured = (cluster: string) =>
      of(`from: { paths: dump.json, behaviors: measured.yaml }, cluster: { ${cluster} }`).cluster.metrics;
    expect(measured('')?.map(({ name }) => name)).toEqual(['queue']);
    expect(measured('metrics: [{ name: load, external: true, value: 1 }]')?.map(({ name }) => name)).toEqual(['load', 'queue']);
    expect(of('from: more.json').cluster).not.toHaveProperty('usage');
  });

  it('is written without what is of the dump', () => {
    const again = (spec: string) => formatScenario(scenarioOf(spec)).replace(/^[^]*?spec:/, '');
    const alone = again('from: dump.json');
    expect(alone).toContain('from: dir/dump.json\n');
    for (const part of ['nodes', 'usage', 'podBehaviors', 'metrics']) expect(alone).not.toContain(part);
    const whole = again(
      'from: { paths: dump.json, behaviors: how.yaml }, cluster: { nodes: [{ name: extra }], podBehaviors: [{ runFor: 1s }], usage: [{ cpu: 2m }] }',
    );
    expect(whole).toContain('from: { paths: [ dir/dump.json ], behaviors: dir/how.yaml }');
    expect(whole).toContain('nodes: [ { name: extra } ]');
    expect(whole).toContain('podBehaviors: [ { runFor: 1s } ]');
    expect(whole).toContain('usage: [ { cpu: 2m } ]');
    expect(again('from: [dump.json, more.json]')).toContain('from: [ dir/dump.json, dir/more.json ]');
  });
});

describe('the kinds of a dump', () => {
  it('may be used in the scenario', () => {
    expect(
      problems(
        'from: dump.json, steps: [{ at: 1s, delete: Policy/shop/p }, { patch: { target: Policy/p, patch: { spec: { deep: 2 } } } }]',
      ),
    ).toEqual([]);
    expect(problems('from: dump.json, steps: [{ at: 1s, delete: Polcy/shop/p }]')).toEqual([
      expect.stringContaining('did you mean "Policy/shop/p"?'),
    ]);
    expect(problems('steps: [{ at: 1s, delete: Policy/shop/p }]')).toHaveLength(1);
  });

  it('are in the vocabulary beside it', () => {
    const names = vocabulary();
    const { from } = scenarioOf('from: dump.json');
    const beside = vocabularyBeside(names, from);
    expect(beside.kinds).toEqual([...names.kinds, 'Policy']);
    expect([
      beside.kindsOf?.('k8s.io').byKind('Policy')?.plural,
      beside.schemaOf?.('Policy', 'k8s.io')?.type,
      beside.schemaOf?.('Pod', 'k8s.io'),
    ]).toEqual(['policies', 'object', names.schemaOf?.('Pod', 'k8s.io')]);
    expect(vocabularyBeside(names, undefined)).toBe(names);
    const { kindsOf: _, ...without } = names;
    expect(vocabularyBeside(without, from)).toBe(without);
    expect(vocabularyBeside(names, from && { ...from, snapshot: { ...from.snapshot, foreign: [], objects: [] } })).toBe(names);
  });
});

describe('a path', () => {
  const AT = 'dir/a.yaml:4:15: spec.from: expected';
  it.each<[string, ReadOptions, readonly string[]]>([
    ['from: none.json', {}, [`${AT} a file or folder that can be read, found "dir/none.json"`]],
    ['from: empty', {}, [`${AT} a folder with files of objects (.yaml, .yml, .json), found "dir/empty"`]],
    [
      'from: dump.json',
      { readDump: undefined } as never,
      [`${AT} everything in one file (a dump cannot be read here), found "dir/dump.json"`],
    ],
    ['from: ""', {}, [`${AT} a path, found ""`]],
    ['from: [dump.json, ""]', {}, ['dir/a.yaml:4:27: spec.from: expected a path, found ""']],
    ['from: []', {}, ['dir/a.yaml:4:15: spec.from: expected at least one item, found an empty list']],
    [
      'from: { paths: dump.json, behaviors: nope.yaml }',
      {},
      ['dir/a.yaml:4:46: spec.from.behaviors: expected a file that can be read, found "dir/nope.yaml"'],
    ],
  ])('%s', (spec, more, found) => {
    expect(problems(spec, more)).toEqual(found);
  });

  it('of a file of behaviours that is wrong has its own problems', () => {
    expect(
      problems('from: { paths: dump.json, behaviors: bad.yaml }', { readFile: () => 'podBehaviors: [{ runFor: 9 }]\nx: 1\n' }),
    ).toEqual([
      'dir/bad.yaml:1:26: podBehaviors[0].runFor: expected a duration such as 500ms or 1h30m, found 9; did you mean 9s?',
      'dir/bad.yaml:2:1: x: expected one of podBehaviors, usage, metrics, found the unknown key "x"',
    ]);
    expect(problems('', { from: { paths: ['dir/dump.json'], behaviors: 'nope.yaml' } })).toEqual([
      'nope.yaml:1:1: expected a file that can be read, found "nope.yaml"',
    ]);
  });
});
