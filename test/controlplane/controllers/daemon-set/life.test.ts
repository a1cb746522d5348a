/** What the controller writes, and what it knows of a set, while nodes and pods come and go. */
import { expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { daemonSet } from '../../../../src/controlplane/controllers/daemon-set/controller.ts';
import { living } from '../lives.ts';

const labels = { app: 'd' };
const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } } };
const ON_A = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] };
const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [ON_A] } } };
const READY_AT = '2024-03-01T00:00:02Z';

function world() {
  const { cluster, make, patch, drop, pass, writes } = living([daemonSet]);
  /** Pods, numbered by their creation. */
  const pods: string[] = [];
  cluster.store.onChange(({ object, type }) => {
    if (type === 'ADDED' && object.kind === 'Pod') pods.push(object.metadata.name);
  });
  const numbered = (text: string): string => pods.reduce((before, name, at) => before.replace(name, `#${at}`), text);
  const stateOf = () => daemonSet.describe?.(cluster.runtime.process('controller-manager')?.running.get('daemon-set')?.state as never);
  return {
    make,
    patch,
    drop,
    pod: (at: number): string => pods[at] ?? '',
    /** The writes of the seconds that pass. */
    after(seconds: number): readonly string[] {
      pass(seconds * 1000);
      return writes().map((line) => numbered(line.slice(line.indexOf(' ') + 1)));
    },
    /** What is known of each set: as plain data, with the numbers of pods, and without its template and uid. */
    known: (): unknown =>
      JSON.parse(
        numbered(
          JSON.stringify(
            (stateOf() as readonly (readonly [string, unknown])[]).map(([, view]) => view),
            (key, member: unknown) => {
              if (key === 'template' || key === 'state') return undefined;
              if (member instanceof Map || member instanceof Set) return [...(member as Iterable<unknown>)];
              return (member as Partial<Pod> | undefined)?.metadata?.name ?? member;
            },
          ),
        ),
      ),
  };
}

const STATUS = 'daemon-set: update DaemonSet/status default/d';
const CREATES = ['daemon-set: create Pod default/d-*', 'daemonset-controller: SuccessfulCreate', STATUS, STATUS];
const hash = '75495c56b6';
const at2 = [[Date.parse(READY_AT), ['a']]];
const NONE = [[], []];

it('a set follows its nodes and its pods', () => {
  const { make, patch, drop, after, pod, known } = world();
  for (const name of ['a', 'b']) make('Node', name, {});
  make('DaemonSet', 'd', { apiVersion: 'apps/v1', spec: { ...spec, minReadySeconds: 5 } }, 'default');
  expect(after(1)).toEqual([`daemon-set: create ControllerRevision default/d-${hash}`, STATUS]);
  // A new node is not ready, and is no longer tainted then.
  patch('Node', 'a', { spec: { taints: null } });
  expect(after(1)).toEqual(CREATES);
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: READY_AT }];
  patch('Pod', pod(0), { status: { phase: 'Running', conditions } }, 'status', 'default');
  expect([after(1), after(4.999), after(5)]).toEqual([[STATUS], [], [STATUS]]);
  patch('Node', 'b', { metadata: { labels: { x: 'y' } } });
  expect(after(1)).toEqual([]);
  patch('Node', 'b', { spec: { taints: null } });
  expect(after(1)).toEqual(CREATES);
  const counts = { desired: 2, current: 2, misplaced: 0, updated: 2, calls: [] };
  const entries = ['#0', '#1'].map((name, place) => [['a', 'b'][place], { fit: 'runs', pods: [name] }]);
  const stages = ['none', 'new', 'old', 'both', 'odd'];
  expect(known()).toEqual([
    [
      { wanted: { hash, surges: false }, entries, ...counts, hashes: [[hash, 2]] },
      [['b'], at2],
      [[], { view: 1, turns: 0 }],
      stages.map((stage) => [stage, stage === 'new' ? [['b'], at2] : NONE]),
    ],
  ]);

  make('Pod', 'orphan', { metadata: { labels }, spec: { ...spec.template.spec, affinity } }, 'default');
  const deletes = (at: number) => [
    ...Array<string>(2).fill(`daemon-set: delete Pod default/#${at}`),
    'daemonset-controller: SuccessfulDelete',
  ];
  expect(after(1)).toEqual(['daemon-set: patch Pod default/#2', ...deletes(2)]);
  patch('Pod', pod(1), { metadata: { labels: { app: 'x' } } }, undefined, 'default');
  expect(after(1)).toEqual(['daemon-set: patch Pod default/#1', ...CREATES]);
  patch('Pod', pod(0), { status: { phase: 'Failed' } }, 'status', 'default');
  expect(after(1)).toEqual(['daemonset-controller: FailedDaemonPod', ...deletes(0), ...CREATES]);
  drop('Node', 'b');
  expect(after(1)).toEqual([]);
  expect(known()).toEqual([
    [
      {
        wanted: { hash, surges: false },
        entries: [
          ['a', { fit: 'runs', pods: ['#4'] }],
          ['b', { pods: ['#3'] }],
        ],
        desired: 1,
        current: 1,
        misplaced: 0,
        updated: 1,
        calls: ['b'],
        hashes: [[hash, 2]],
      },
      [['a'], []],
      [[], { view: 1, turns: 2 }],
      stages.map((stage) => [stage, stage === 'new' ? [['a', 'b'], []] : NONE]),
    ],
  ]);
  drop('DaemonSet', 'd', 'default');
  expect([after(1), known()]).toEqual([[], []]);
});
