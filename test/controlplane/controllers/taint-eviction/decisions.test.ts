/** Whole decisions about a pod on a tainted node, and which changes concern it. */
import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { taintEviction } from '../../../../src/controlplane/controllers/taint-eviction/controller.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { at, barePod, nodeOf } from '../../../support/objects.ts';
import { decide, enqueued, linesOf, recover } from '../../../support/reconcile.ts';

const taint = (key: string, effect = 'NoExecute') => ({ key, effect });
const node = (...taints: readonly object[]): Node => ({ ...nodeOf('node-0'), spec: { taints } }) as unknown as Node;
const tolerates = (key: string, tolerationSeconds?: number) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});
const pod = (tolerations?: readonly object[], spec: object = {}): Pod =>
  barePod('p', 'Running', { spec: { ...(tolerations === undefined ? {} : { tolerations }), ...spec } });
const lines = (self: Pod, on: Node | undefined, memory?: object) =>
  linesOf(decide(taintEviction, { objects: on === undefined ? [self] : [self, on], now: at(60), memory }));

describe('a pod', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    ['without a node waits', () => lines(pod(undefined, { nodeName: undefined }), undefined), ['it has no node yet']],
    ['on an unknown node waits', () => lines(pod(), undefined), ['its node is not known']],
    [
      'on a node that is gone keeps its time',
      () => lines(pod(), undefined, { at: at(90) }),
      ['its node is gone; the planned eviction stays', 'wakeAt: @90'],
    ],
    [
      'on a node without such taints stays',
      () => lines(pod(), node(taint('a', 'NoSchedule'))),
      ['its node has no NoExecute taint', 'memory: null'],
    ],
    [
      'on a node without them any more is not evicted',
      () => lines(pod(), node(), { at: at(90) }),
      [
        'its node has no NoExecute taint',
        'event Normal TaintManagerEviction of Pod p: Cancelling deletion of Pod default/p',
        'memory: null',
      ],
    ],
    [
      'that tolerates them all stays',
      () => lines(pod([tolerates('a')]), node(taint('a'))),
      ['it tolerates all NoExecute taints of its node', 'memory: null'],
    ],
    [
      'that does not tolerate one is evicted',
      () => lines(pod([tolerates('a')]), node(taint('a'), taint('b'))),
      [
        'it does not tolerate a taint of its node',
        'event Normal TaintManagerEviction of Pod p: Marking for deletion Pod default/p',
        'delete Pod p {uid:uid-p,tolerate:[NotFound]}',
        'memory: {}',
      ],
    ],
    [
      'that tolerated it for a time and does not any more is evicted',
      () => lines(pod(), node(taint('b')), { at: at(90) }),
      [
        'it does not tolerate a taint of its node',
        'event Normal TaintManagerEviction of Pod p: Cancelling deletion of Pod default/p',
        'event Normal TaintManagerEviction of Pod p: Marking for deletion Pod default/p',
        'delete Pod p {uid:uid-p,tolerate:[NotFound]}',
        'memory: {}',
      ],
    ],
    [
      'that tolerates it for a time is evicted then',
      () => lines(pod([tolerates('a', 30)]), node(taint('a'))),
      ['it tolerates the taint of its node for 30 s', 'wakeAt: @90', 'memory: {at:@90}'],
    ],
    [
      'that waits for its time goes on',
      () => lines(pod([tolerates('a', 30)]), node(taint('a')), { at: at(61) }),
      ['its tolerationSeconds are running', 'wakeAt: @61'],
    ],
    [
      'whose time has come is evicted',
      () => lines(pod([tolerates('a', 30)]), node(taint('a')), { at: at(60) }),
      [
        'its tolerationSeconds have passed',
        'event Normal TaintManagerEviction of Pod p: Marking for deletion Pod default/p',
        'delete Pod p {uid:uid-p,tolerate:[NotFound]}',
        'memory: {}',
      ],
    ],
    [
      'that tolerates it for no time is evicted',
      () => lines(pod([tolerates('a', 0)]), node(taint('a'))),
      [
        'it tolerates the taint of its node for 0 s',
        'event Normal TaintManagerEviction of Pod p: Marking for deletion Pod default/p',
        'delete Pod p {uid:uid-p,tolerate:[NotFound]}',
        'memory: {}',
      ],
    ],
    ['that was evicted waits', () => lines(pod([tolerates('a', 30)]), node(taint('a')), {}), ['its deletion was requested']],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });

  const gone = (memory?: object) =>
    linesOf(decide({ ...taintEviction, reconcile: taintEviction.reconcileAbsent }, { objects: [], key: 'default/p', now: at(60), memory }));
  const refused = (write: Write, reason?: string) =>
    linesOf(recover(taintEviction, { objects: [pod()], now: at(60) }, { write, status: { reason } as never, dropped: [] }));
  it.each<[string, () => readonly string[], readonly string[]]>([
    ['that is gone is forgotten', () => gone(), ['it is gone', 'memory: null']],
    ['that is gone after its eviction is forgotten', () => gone({}), ['it is gone', 'memory: null']],
    [
      'that is gone before its time is not evicted',
      () => gone({ at: at(90) }),
      [
        'it was deleted before its tolerationSeconds had passed',
        'event Normal TaintManagerEviction of Pod p: Cancelling deletion of Pod default/p',
        'memory: null',
      ],
    ],
    [
      'that could not be deleted is tried again',
      () => refused({ op: 'delete', kind: 'Pod', name: 'p' }, 'Forbidden'),
      ['it could not be deleted: Forbidden', 'memory: {at:@60}', 'backoff: retry'],
    ],
    [
      'that could not be deleted for no reason is tried again',
      () => refused({ op: 'delete', kind: 'Pod', name: 'p' }),
      ['it could not be deleted: an error', 'memory: {at:@60}', 'backoff: retry'],
    ],
    [
      'whose event was refused is left to the back-off',
      () => refused({ op: 'patch', kind: 'Pod', name: 'p', patchType: 'merge', patch: {} }),
      [],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

describe('a change', () => {
  const self = { ...taintEviction, watches: [...(taintEviction.watches ?? []), { kind: 'Pod', ...taintEviction.self }] };
  const keys = (objects: readonly (Pod | Node)[], type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Pod | Node, old?: Pod | Node) =>
    enqueued(self, { objects }, { type, object, ...(old === undefined ? {} : { old }) });
  const tainted = [node(taint('a'))];

  it('of a pod concerns it where its node has such taints, or is unknown', () => {
    expect([
      keys(tainted, 'ADDED', pod()),
      keys([], 'ADDED', pod()),
      keys([node()], 'ADDED', pod()),
      keys(tainted, 'ADDED', pod(undefined, { nodeName: undefined })),
    ]).toEqual([['default/p'], ['default/p'], [], []]);
    expect(keys(tainted, 'DELETED', pod(), pod())).toEqual(['default/p']);
  });

  it('of a pod concerns it once it is bound, or tolerates something else', () => {
    const modified = (now: Pod, old: Pod) => keys(tainted, 'MODIFIED', now, old);
    const same = pod([tolerates('a')]);
    expect([modified({ ...same, status: {} } as Pod, same), modified(pod([tolerates('a')]), same)]).toEqual([[], []]);
    expect([modified(pod([tolerates('b')]), same), modified(same, pod([tolerates('a')], { nodeName: undefined }))]).toEqual([
      ['default/p'],
      ['default/p'],
    ]);
  });

  it('of the taints of a node concerns its pods', () => {
    const all = [pod(), ...tainted];
    expect([
      keys(all, 'ADDED', node(taint('a'))),
      keys(all, 'ADDED', node()),
      keys(all, 'DELETED', node(taint('a')), node(taint('a'))),
    ]).toEqual([['default/p'], [], []]);
    expect([
      keys(all, 'MODIFIED', node(taint('a')), node()),
      keys(all, 'MODIFIED', node(), node(taint('a'))),
      keys(all, 'MODIFIED', node(taint('a')), node(taint('a'))),
    ]).toEqual([['default/p'], ['default/p'], []]);
  });
});
