/** Invariants of DaemonSets, write by write. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, end, keep, objectOf, ownedBy, put, readiness, remove, START, tells, tellsAtEnd, timeAt } from './history.ts';

const BY = { by: 'daemon-set' };
const node = (name: string, spec: object = {}, labels: object = {}): ApiObject =>
  objectOf('Node', name, { metadata: { namespace: undefined, labels }, spec });
const set = (
  spec: object = {},
  more: { readonly status?: object; readonly strategy?: object; readonly metadata?: object } = {},
): ApiObject =>
  objectOf('DaemonSet', 'd', {
    metadata: { generation: 1, ...more.metadata },
    spec: { updateStrategy: more.strategy ?? { type: 'RollingUpdate' }, template: { spec: { containers: [], ...spec } } },
    status: more.status ?? {},
  });
const surge = (maxSurge: unknown): { readonly strategy: object } => ({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge } } });
const pinned = (name: string): object => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', values: [name] }] }] },
    },
  },
});
const pod = (name: string, spec: object, ready = true, revision = 'r1', metadata: object = {}): ApiObject =>
  objectOf('Pod', name, {
    metadata: { ...ownedBy('DaemonSet', 'd'), labels: { 'controller-revision-hash': revision }, ...metadata },
    spec,
    status: readiness(ready),
  });
const on = (nodeName: string): object => ({ nodeName });
const taint = (key: string, effect: string): object => ({ key: `node.orch.io/${key}`, effect });
const DYING = { deletionTimestamp: timeAt(0) };

/** Specifications of a template and a node, and whether the node must have a pod, may keep one, or must have none. */
const FITS: readonly (readonly [object, ApiObject, 'runs' | 'stays' | 'leaves'])[] = [
  [{}, node('n'), 'runs'],
  [{ nodeName: 'n' }, node('n'), 'runs'],
  [{ nodeName: 'm' }, node('n'), 'leaves'],
  [{ nodeSelector: { disk: 'ssd' } }, node('n', {}, { disk: 'ssd' }), 'runs'],
  [{ nodeSelector: { disk: 'ssd' } }, node('n'), 'leaves'],
  ...['not-ready', 'unreachable'].map((key) => [{}, node('n', { taints: [taint(key, 'NoExecute')] }), 'runs'] as const),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map(
    (key) => [{}, node('n', { taints: [taint(key, 'NoSchedule')] }), 'runs'] as const,
  ),
  [{}, node('n', { taints: [taint('network-unavailable', 'NoSchedule')] }), 'stays'],
  [{ hostNetwork: true }, node('n', { taints: [taint('network-unavailable', 'NoSchedule')] }), 'runs'],
  [{}, node('n', { taints: [taint('disk-pressure', 'NoExecute')] }), 'leaves'],
  [{}, node('n', { taints: [taint('not-ready', 'NoSchedule')] }), 'stays'],
  [{}, node('n', { taints: [taint('other', 'PreferNoSchedule')] }), 'runs'],
  [{}, node('n', { taints: [taint('other', 'NoSchedule')] }), 'stays'],
  [{ tolerations: [{ key: 'node.orch.io/other', operator: 'Exists' }] }, node('n', { taints: [taint('other', 'NoSchedule')] }), 'runs'],
  [{ tolerations: [{ key: 'node.orch.io/other', operator: 'Exists' }] }, node('n', { taints: [taint('other', 'NoExecute')] }), 'runs'],
  [{ tolerations: [{ key: 'node.orch.io/none', operator: 'Exists' }] }, node('n', { taints: [taint('other', 'NoExecute')] }), 'leaves'],
];

describe('daemon-set/only-where-it-fits', () => {
  const NAME = 'daemon-set/only-where-it-fits';
  const wrong = (name: string, node: string): string =>
    `pod default/${name} was created for ${node}, which DaemonSet default/d does not match`;

  it.each(FITS)('of %j on %j: %s', (spec, there, fit) => {
    tells(NAME, [
      [put(there), '-'],
      [put(set(spec)), '-'],
      [put(pod('p', on('n')), BY), fit === 'runs' ? 'holds' : wrong('p', 'n')],
    ]);
  });

  it('reads the node from the affinity of a pod that is not scheduled', () => {
    const other = {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: 'other', values: ['n'] }] }] },
        },
      },
    };
    tells(NAME, [
      [put(node('n')), '-'],
      [put(set()), '-'],
      [put(pod('a', pinned('n')), BY), 'holds'],
      [put(pod('b', { nodeName: '', ...pinned('m') }), BY), 'pod default/b was created for m, which does not exist'],
      [put(pod('c', { nodeName: 'm', ...pinned('n') }), BY), 'pod default/c was created for m, which does not exist'],
      [put(pod('d', {}), BY), 'pod default/d was created for no particular node'],
      [put(pod('e', other), BY), 'pod default/e was created for no particular node'],
      [put(pod('f', { affinity: { nodeAffinity: {} } }), BY), 'pod default/f was created for no particular node'],
      [put(pod('g', {})), '-'],
      [put(pod('h', {}, true, 'r1', { ownerReferences: [] }), BY), '-'],
      [edit('Pod', 'default/d', { status: {} }, BY), '-'],
    ]);
  });

  it('lets an earlier version of the node or the set count for half a minute', () => {
    const tainted = { spec: { taints: [taint('other', 'NoSchedule')] } };
    tells(NAME, [
      [put(node('n')), '-'],
      [put(set()), '-'],
      [edit('Node', 'n', tainted, { at: 10 }), '-'],
      [edit('Node', 'n', { status: {} }, { at: 20 }), '-'],
      [put(pod('a', on('n')), { at: 40, ...BY }), 'holds'],
      [remove('Pod', 'default/a'), '-'],
      [put(pod('b', on('n')), { at: 40.001, ...BY }), wrong('b', 'n')],
      [remove('Pod', 'default/b'), '-'],
      [edit('Node', 'n', { spec: { taints: [] } }, { at: 50 }), '-'],
      [edit('DaemonSet', 'default/d', { spec: { template: { spec: { nodeName: 'm' } } } }, { at: 60 }), '-'],
      [put(pod('c', on('n')), { at: 90, ...BY }), 'holds'],
      [remove('Pod', 'default/c'), '-'],
      [put(pod('d', on('n')), { at: 90.001, ...BY }), wrong('d', 'n')],
      [remove('Node', 'n', { at: 91 }), '-'],
      [put(pod('e', on('n')), { at: 121, ...BY }), 'holds'],
      [put(pod('f', on('n')), { at: 121.001, ...BY }), 'pod default/f was created for n, which does not exist'],
    ]);
  });

  it('lets a node that does not match have a pod beside another one', () => {
    tells(NAME, [
      [put(node('n')), '-'],
      [put(set({ nodeName: 'm' })), '-'],
      [put(pod('a', on('n'), true, 'r1', DYING), BY), wrong('a', 'n')],
      [put(pod('b', on('n')), BY), wrong('b', 'n')],
      [put(pod('c', on('n')), BY), 'holds'],
    ]);
  });

  it('describes what was replaced', () => {
    const labelled = edit('Node', 'n', { metadata: { labels: { a: 'b' } } }, { at: 3 });
    tells(NAME, [
      [put(node('n')), '-'],
      [labelled, '-'],
      [
        described,
        new Map([['n', [{ object: { ...node('n'), metadata: { ...node('n').metadata, resourceVersion: '2' } }, until: START + 3000 }]]]),
      ],
      [edit('Node', 'n', { status: {} }, { at: 33 }), '-'],
      [edit('Node', 'n', { metadata: { labels: {} } }, { at: 33.001 }), '-'],
      [
        described,
        new Map([
          [
            'n',
            [
              {
                object: { ...node('n'), status: {}, metadata: { ...node('n').metadata, labels: { a: 'b' }, resourceVersion: '4' } },
                until: START + 33_001,
              },
            ],
          ],
        ]),
      ],
    ]);
  });
});

describe('daemon-set/two-only-within-surge', () => {
  const NAME = 'daemon-set/two-only-within-surge';
  const start = (more: object, nodes = 2) => [
    ...Array.from({ length: nodes }, (_, at) => [put(node(`n${at}`)), '-'] as const),
    [put(set({}, more)), '-'] as const,
  ];

  it('lets a node have one pod that has not failed and is not being deleted', () => {
    tells(NAME, [
      ...start({}),
      [put(pod('a', on('n0')), BY), 'holds'],
      [put(pod('b', on('n1')), BY), 'holds'],
      [put(pod('c', on('n0')), BY), 'pod default/c is the second on n0 beside a, and DaemonSet default/d has no maxSurge'],
      [edit('Pod', 'default/a', { metadata: DYING }), '-'],
      [edit('Pod', 'default/c', { status: { phase: 'Failed' } }), '-'],
      [put(pod('d', pinned('n0')), BY), 'holds'],
    ]);
  });

  it('lets as many nodes as maxSurge have two, one pod of each template', () => {
    tells(NAME, [
      ...start(surge(1)),
      [put(pod('a', on('n0')), BY), 'holds'],
      [put(pod('b', on('n1')), BY), 'holds'],
      [put(pod('c', on('n0')), BY), 'pod default/c is the second of its template on n0, beside a'],
      [remove('Pod', 'default/c'), '-'],
      [put(pod('d', on('n0'), false, 'r2'), BY), 'holds'],
      [put(pod('e', on('n0'), false, 'r2'), BY), 'pod default/e is the third on n0'],
      [remove('Pod', 'default/e'), '-'],
      [put(pod('f', on('n1'), false, 'r2'), BY), 'pod default/f is the second on n1: 2 nodes have two, and maxSurge allows 1'],
      [remove('Pod', 'default/f'), '-'],
      [edit('Pod', 'default/d', { status: readiness(true) }), '-'],
      [put(pod('g', on('n1'), false, 'r2'), BY), 'holds'],
      [remove('Pod', 'default/g'), '-'],
      [edit('Pod', 'default/d', { status: readiness(false) }), '-'],
      [edit('Pod', 'default/a', { status: readiness(false) }), '-'],
      [put(pod('h', on('n1'), false, 'r2'), BY), 'holds'],
    ]);
  });

  it.each([
    ['26%', 4, 'holds'],
    ['0%', 4, 'no'],
    ['many', 4, 'no'],
    [1, 4, 'holds'],
    [0, 4, 'no'],
  ])('with maxSurge %s on %i nodes', (maxSurge, nodes, verdict) => {
    tells(NAME, [
      ...start(surge(maxSurge), nodes),
      [put(pod('a', on('n0')), BY), 'holds'],
      [
        put(pod('b', on('n0'), false, 'r2'), BY),
        verdict === 'no' ? 'pod default/b is the second on n0 beside a, and DaemonSet default/d has no maxSurge' : verdict,
      ],
    ]);
  });

  it('knows no surge without a rolling update, except in an earlier version of the set', () => {
    const onDelete = { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: { maxSurge: 1 } } } };
    const second = 'pod default/b is the second on n0 beside a, and DaemonSet default/d has no maxSurge';
    const story = (at: number, verdict: string): void =>
      tells(NAME, [
        ...start(surge(1)),
        [put(pod('a', on('n0')), BY), 'holds'],
        [edit('DaemonSet', 'default/d', onDelete), '-'],
        [put(pod('b', on('n0'), false, 'r2'), { at, ...BY }), verdict],
      ]);
    story(30, 'holds');
    story(30.001, second);
  });
});

describe('a settled DaemonSet', () => {
  const ONE = 'daemon-set/one-on-each-fitting-node';
  const stuck = (clause: string): string => `DaemonSet default/d ${clause}, and nothing will happen any more`;

  it.each(FITS)('of %j has on %j what must be there: %s', (spec, there, fit) => {
    const without = fit === 'runs' ? stuck('has no pod on n, which it matches') : 'holds';
    const withOne = fit === 'leaves' ? stuck('has pod p on n, which it does not match') : 'holds';
    tellsAtEnd(ONE, [set(spec), there], without);
    tellsAtEnd(ONE, [set(spec), there, pod('p', on('n'))], withOne);
    tellsAtEnd(ONE, [set(spec), there, pod('p', on('n'), true, 'r1', DYING)], without);
  });

  it('has one pod on a node, two while an update that surges is stuck', () => {
    const pods = ['a', 'b', 'c'].map((name) => pod(name, on('n')));
    tellsAtEnd(ONE, [set(), node('n'), ...pods.slice(0, 2)], stuck('has 2 pods on n'));
    tellsAtEnd(ONE, [set({}, surge(1)), node('n'), ...pods.slice(0, 2)], 'holds');
    tellsAtEnd(ONE, [set({}, surge(1)), node('n'), ...pods], stuck('has 3 pods on n'));
    tellsAtEnd(ONE, [set({}, { metadata: DYING }), node('n')], '-');
  });

  it('is judged if its controller has written since the last deletion of a node', () => {
    const settled = stuck('has no pod on n, which it matches');
    tells(ONE, [
      [keep(set()), '-'],
      [keep(node('n')), '-'],
      [put(node('m'), { at: 1 }), '-'],
      [put(objectOf('Pod', 'x', { status: {} }), { at: 1, ...BY }), '-'],
      [end(false), '-'],
      [remove('Node', 'm', { at: 2 }), '-'],
      [end(), '-'],
      [put(objectOf('Pod', 'y', { status: {} }), { at: 2, by: 'other' }), '-'],
      [end(), '-'],
      [put(objectOf('Pod', 'z', { status: {} }), { at: 2, ...BY }), '-'],
      [remove('Pod', 'default/z', { at: 3 }), '-'],
      [described, [START + 2000, START + 2000]],
      [end(), settled],
    ]);
  });

  const nodes = [
    node('n0'),
    node('n1'),
    node('n2', { taints: [taint('other', 'NoSchedule')] }),
    node('n3', { taints: [taint('other', 'NoSchedule')] }),
  ];
  const pods = [pod('a', on('n0')), pod('c', on('n2'))];
  const counts = { observedGeneration: 1, desiredNumberScheduled: 2, currentNumberScheduled: 1, numberMisscheduled: 1, numberReady: 1 };
  it.each<readonly [object, string]>([
    [{}, 'holds'],
    [{ observedGeneration: 0 }, 'observedGeneration 0, and it is 1'],
    [{ desiredNumberScheduled: 4 }, 'desiredNumberScheduled 4, and it is 2'],
    [{ currentNumberScheduled: 2 }, 'currentNumberScheduled 2, and it is 1'],
    [{ numberMisscheduled: 2 }, 'numberMisscheduled 2, and it is 1'],
    [{ numberReady: undefined }, 'numberReady 0, and it is 1'],
    [{ numberReady: 2 }, 'numberReady 2, and it is 1'],
  ])('counts its nodes: with %j', (changed, verdict) => {
    tellsAtEnd(
      'daemon-set/status-tells-the-truth',
      [set({}, { status: { ...counts, ...changed } }), ...nodes, ...pods],
      verdict === 'holds' ? verdict : `DaemonSet default/d has ${verdict}`,
    );
  });

  it.each([
    [0, 'DaemonSet default/d has numberReady 0, and it is 1'],
    [1, 'holds'],
    [2, 'holds'],
    [3, 'DaemonSet default/d has numberReady 3, and it is 1'],
  ])('may count one of two pods on a node: with %i ready', (numberReady, verdict) => {
    const two = [pod('a', on('n0')), pod('b', on('n1')), pod('c', on('n1'), false), pod('d', on('n4'), false)];
    const status = { ...counts, desiredNumberScheduled: 4, currentNumberScheduled: 3, numberMisscheduled: 0, numberReady };
    tellsAtEnd('daemon-set/status-tells-the-truth', [set({}, { status }), ...nodes.slice(0, 2), node('n4'), node('n5'), ...two], verdict);
  });
});
