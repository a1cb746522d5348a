/** `drain`, `cordon`, `uncordon` and `scale` behave as in kubectl, and report what blocks them. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const DEPLOYMENT = (replicas: number) =>
  `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: ${replicas}, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }`;
const BUDGET = (least: number) =>
  `{ apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: web }, spec: { minAvailable: ${least}, selector: { matchLabels: { app: web } } } }`;
const pod = (name: string, rest = '') =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: ${name}, labels: { app: ${name} } }, spec: { nodeName: node-0, containers: [{ name: c, image: "c:1" }]${rest} } }`;
const DAEMON =
  '{ apiVersion: apps/v1, kind: DaemonSet, metadata: { name: log }, spec: { selector: { matchLabels: { app: log } }, template: { metadata: { labels: { app: log } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }';

const textOf = (steps: readonly string[]): string =>
  `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: drain }\nspec:\n  cluster: { nodes: { count: 2 }, podBehaviors: [{ readyDelay: 3s, terminationDelay: 2s }] }\n  steps:\n${steps.map((step) => `    - { ${step} }`).join('\n')}\n`;

function run(...steps: readonly string[]) {
  const read = readScenarios(textOf(steps));
  if ('problems' in read) return { problems: read.problems };
  const [scenario] = read.scenarios;
  if (scenario === undefined) throw new Error('no scenario');
  const { verdict, failures, trace } = simulate(scenario, { trace: true });
  const refused = trace?.entries
    .filter((entry) => entry.type === 'refusal' && entry.status.code === 429)
    .map(({ at }) => at - trace.startAt);
  return { verdict, failures: failures.map(({ message, detail }) => [message, ...detail]), refused };
}
const ON = (node: string) => `objects('Pod').filter(p, p.spec.nodeName == '${node}').size()`;

describe('drain', () => {
  it('cordons, and retries every five seconds what a budget refuses', () => {
    const { verdict, refused, failures } = run(
      `apply: [${DEPLOYMENT(4)}, ${BUDGET(3)}]`,
      'when: settled, drain: Node/node-0',
      `expect: [{ cel: "${ON('node-0')} == 0" }, { cel: "object('Node/node-0').spec.unschedulable" }, { count: { of: Pod, is: 4 } }]`,
    );
    expect({ verdict, failures }).toEqual({ verdict: 'held', failures: [] });
    // All are ready after 3 s. One is evicted at once, another 5 s later, when its substitute is ready.
    expect(refused).toEqual([3_000]);
  });

  it('ends at its timeout, and reports the refusals', () => {
    const { failures } = run(`apply: [${DEPLOYMENT(2)}, ${BUDGET(2)}]`, 'when: settled, drain: { target: Node/node-0, timeout: 12s }');
    expect(failures).toEqual([
      [
        'it was not drained within 12s: 1 pod is left',
        expect.stringMatching(/^ {2}Pod\/default\/web-\S+ was refused last: 429 TooManyRequests: Cannot evict pod as it would violate/),
      ],
    ]);
  });

  it('evicts nothing where a pod blocks it, and names the option', () => {
    const steps = [
      `apply: [${DAEMON}, ${pod('alone')}, ${pod('data', ', volumes: [{ name: d, emptyDir: {} }]')}]`,
      'when: settled, drain: Node/node-0',
    ];
    const { failures } = run(...steps);
    expect(failures).toEqual([
      [
        'it cannot be drained: 3 pods cannot be evicted',
        '  Pod/default/alone has no controller that would recreate it (force: true evicts it)',
        '  Pod/default/data has data in an emptyDir volume (deleteEmptyDirData: true deletes it)',
        expect.stringMatching(
          /^ {2}Pod\/default\/log-\S+ is of a DaemonSet, which would recreate it \(ignoreDaemonSets: true leaves it there\)$/,
        ),
      ],
    ]);
    const all = run(
      steps[0] ?? '',
      'when: settled, drain: { target: Node/node-0, ignoreDaemonSets: true, force: true, deleteEmptyDirData: true }',
      `expect: { cel: "${ON('node-0')} == 1 && objects('Pod').size() == 2" }`,
    );
    expect(all).toMatchObject({ verdict: 'held' });
  });

  it('evicts only pods with its labels, and ignores budgets where it deletes', () => {
    const { verdict, refused } = run(
      `apply: [${DEPLOYMENT(2)}, ${BUDGET(2)}, ${pod('alone')}]`,
      'when: settled, drain: { target: Node/node-0, podLabels: { app: web }, disableEviction: true }',
      `expect: { cel: "${ON('node-0')} == 1 && object('Pod/alone') != null" }`,
    );
    expect({ verdict, refused }).toEqual({ verdict: 'held', refused: [] });
  });
});

describe('what a drain leaves, or cannot evict', () => {
  const owned = (name: string, kind: string) =>
    pod(name).replace(
      'labels:',
      `ownerReferences: [{ apiVersion: apps/v1, kind: ${kind}, name: gone, uid: none, controller: true }], labels:`,
    );
  /** The failures of a drain in the instant in which its pods are created, before the garbage collector sees them. */
  const drained = (pods: readonly string[], options: string) =>
    run(`create: [${pods.join(', ')}]`, `drain: { target: Node/node-0, timeout: 5s${options} }`).failures;

  it('is a pod of a DaemonSet that is gone, unless that is forced', () => {
    expect(drained([owned('a', 'DaemonSet')], '')).toEqual([
      ['it cannot be drained: a pod cannot be evicted', '  Pod/default/a is of a DaemonSet that is gone (force: true evicts it)'],
    ]);
    expect(drained([owned('a', 'DaemonSet')], ', force: true')).toEqual([]);
    expect(drained([owned('a', 'ReplicaSet')], '')).toEqual([]);
  });

  it('is no pod that is over, whatever it has', () => {
    const over = pod('a', ', restartPolicy: Never, volumes: [{ name: v, emptyDir: {} }]');
    const ran = run(
      `create: ${over.replace('labels:', 'annotations: { sim.orch.io/exit-after: "1" }, labels:')}`,
      'at: 5s, drain: Node/node-0',
      `expect: { absent: Pod/a }`,
    );
    expect(ran.failures).toEqual([]);
  });

  it('is a pod of two budgets, which the server refuses to evict', () => {
    const budgets = ['one', 'two'].map((name) => BUDGET(0).replace('name: web', `name: ${name}`));
    const { failures = [] } = run(
      `create: [${[pod('web'), ...budgets].join(', ')}]`,
      'at: 10s, drain: { target: Node/node-0, force: true }',
    );
    expect(failures[0]).toEqual([
      expect.stringMatching(/^the server refused to evict Pod\/default\/web: 500 InternalError: .*more than one PodDisruptionBudget/),
    ]);
  });

  it('is what is left at the end of the run', () => {
    const { failures = [] } = run(`apply: [${DEPLOYMENT(2)}, ${BUDGET(2)}]`, 'when: settled, drain: Node/node-0');
    expect(failures[0]?.[0]).toBe('it was not drained by the end of the run: 1 pod is left');
    expect(run('drain: { kind: Node, name: none }').failures).toEqual([['nothing matches Node/none']]);
  });
});

describe('cordon, uncordon and scale', () => {
  it('do as kubectl does', () => {
    expect(
      run(
        `apply: ${DEPLOYMENT(1)}`,
        'cordon: Node/node-0, expect: { cel: "object(\'Node/node-0\').spec.unschedulable" }',
        'uncordon: Node/node-0, expect: { cel: "!has(object(\'Node/node-0\').spec.unschedulable)" }',
        'scale: { target: Deployment, replicas: 3 }',
        'when: settled, expect: { count: { of: Pod, is: 3 } }',
        'expectError: { scale: { target: Deployment/nobody, replicas: 1 }, code: 404 }',
        'scale: { target: Deployment/nobody, replicas: 1, ignoreNotFound: true }',
      ),
    ).toMatchObject({ verdict: 'held', failures: [] });
  });

  it('a kind alone is the only one there is', () => {
    expect(run('cordon: Node').failures).toEqual([
      ['Node selects one object, and there are 2', '  name one: Node/node-0, Node/node-1', '  or select all of them: { kind: Node }'],
    ]);
    expect(run('cordon: { kind: Node }', `expect: { cel: "objects('Node').all(n, n.spec.unschedulable)" }`)).toMatchObject({
      verdict: 'held',
    });
  });

  it('are refused on reading for what is no Node, with what kubectl users mean', () => {
    expect(run('drain: Pod/a').problems).toMatchObject([{ expected: 'a Node', found: '"Pod/a"' }]);
    expect(run('cordon: node-0').problems).toMatchObject([{ expected: 'a Node', found: '"node-0"', suggestion: '"Node/node-0"' }]);
  });
});
