import { describe, expect, it } from 'vitest';
import type { Node, Pod, Taint } from '../../../../src/apiserver/kinds/index.ts';
import type { Toleration } from '../../../../src/apiserver/machinery/index.ts';
import { taintEviction } from '../../../../src/controlplane/controllers/taint-eviction/controller.ts';
import { createCache, remove, type Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { barePod } from '../../../support/objects.ts';
import { recover } from '../../../support/reconcile.ts';

const NOW = Date.UTC(2024, 0, 1);
const taint = (key: string, value?: string): Taint => ({ key, effect: 'NoExecute', ...(value === undefined ? {} : { value }) });
const stays = (key: string, tolerationSeconds?: number): Toleration => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});
type Memory = { readonly at?: number } | undefined;

/** The decision about a pod with these tolerations on a node with these taints; without taints its node is unknown. */
function decide(tolerations: readonly Toleration[], taints: readonly Taint[] | undefined, memory?: Memory, now = NOW): Outcome {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'ns', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
    spec: { nodeName: 'n', tolerations, containers: [] },
    status: {},
  } as unknown as Pod;
  const cache = createCache();
  cache.open('Pod');
  cache.open('Node');
  if (taints !== undefined)
    cache.set('Node', 'n', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n', uid: 'n', resourceVersion: '1', creationTimestamp: '' },
      spec: { taints },
      status: {},
    });
  return taintEviction.reconcile({ self: pod, key: 'ns/p', cache, now, elapsed: now, memory } as unknown as Parameters<
    typeof taintEviction.reconcile
  >[0]);
}
const said = ({ writes }: Outcome): readonly string[] => writes.map((write) => (write.op === 'event' ? write.event.message : write.op));
const GOES = ['Marking for deletion Pod ns/p', 'delete'];
const CANCELLED = 'Cancelling deletion of Pod ns/p';

describe('a pod', () => {
  it.each<[string, readonly Toleration[], readonly Taint[], readonly string[], number | undefined]>([
    ['without a toleration goes at once', [], [taint('a')], GOES, undefined],
    ['that tolerates one of two goes at once', [stays('a')], [taint('a'), taint('b')], GOES, undefined],
    [
      'that tolerates another value goes at once',
      [{ key: 'a', operator: 'Equal', value: 'x', effect: 'NoExecute' }],
      [taint('a', 'y')],
      GOES,
      undefined,
    ],
    ['that tolerates it for ever stays', [stays('a')], [taint('a')], [], undefined],
    ['that tolerates it for 10 s has 10 s', [stays('a', 10)], [taint('a')], [], 10],
    ['has as long as its most impatient toleration says', [stays('a', 30), stays('b', 10)], [taint('a'), taint('b')], [], 10],
    ['that tolerates all for ever and one for a while has that while', [{ operator: 'Exists' }, stays('a', 20)], [taint('a')], [], 20],
    ['that tolerates it for zero seconds goes at once', [stays('a', 0)], [taint('a')], GOES, undefined],
    ['that tolerates it for less than that goes at once', [stays('a', -1)], [taint('a')], GOES, undefined],
    ['on a node without taints stays', [], [], [], undefined],
    ['does not mind other effects', [], [{ key: 'a', effect: 'NoSchedule' }], [], undefined],
  ])('%s', (_, tolerations, taints, writes, seconds) => {
    const outcome = decide(tolerations, taints);
    expect(said(outcome)).toEqual(writes);
    expect(outcome.wakeAt).toBe(seconds === undefined ? undefined : NOW + seconds * 1000);
  });
});

describe('a planned eviction', () => {
  const planned: Memory = { at: NOW + 30_000 };
  it.each<[string, readonly Toleration[], readonly Taint[] | undefined, readonly string[], Memory | null]>([
    ['stays planned', [stays('a', 30)], [taint('a')], [], undefined],
    ['is not hastened by a taint that is tolerated for less', [stays('a', 30), stays('b', 5)], [taint('a'), taint('b')], [], undefined],
    ['is not delayed by a toleration that lasts longer', [stays('a', 300)], [taint('a')], [], undefined],
    ['is called off when the taints go', [stays('a', 30)], [], [CANCELLED], null],
    ['is called off when the pod tolerates them for ever', [stays('a')], [taint('a')], [CANCELLED], null],
    ['is overtaken by a taint that is not tolerated', [stays('a', 30)], [taint('a'), taint('b')], [CANCELLED, ...GOES], {}],
    ['stays planned when the node goes', [stays('a', 30)], undefined, [], undefined],
  ])('%s', (_, tolerations, taints, writes, memory) => {
    const outcome = decide(tolerations, taints, planned);
    expect(said(outcome)).toEqual(writes);
    expect(outcome.memory).toEqual(memory);
    if (memory === undefined) expect(outcome.wakeAt).toBe(NOW + 30_000);
  });

  it('is executed at its time, whatever happened to the node', () => {
    for (const taints of [[taint('a')], undefined]) expect(said(decide([stays('a', 30)], taints, planned, NOW + 30_000))).toEqual(GOES);
  });

  it('is retried where the server refused the deletion', () => {
    const pod = barePod('p', 'Running', { spec: { nodeName: 'n', tolerations: [stays('a', 30)] } });
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'InternalError', code: 500 } as const;
    const rescue = recover(taintEviction, { objects: [pod], now: NOW }, { write: remove(pod), status, dropped: [] });
    expect(rescue).toMatchObject({ writes: [], backoff: 'retry' });
    expect(said(decide([stays('a', 30)], [taint('a')], rescue?.memory as Memory, NOW + 5))).toEqual(GOES);
  });

  it('is executed once', () => {
    expect(said(decide([stays('a', 30)], [taint('a')], {}))).toEqual([]);
  });

  it('is cancelled, with an event that names only the pod, when the pod is deleted', () => {
    const outcome = taintEviction.reconcileAbsent?.({ key: 'ns/p', memory: planned } as unknown as Parameters<
      NonNullable<typeof taintEviction.reconcileAbsent>
    >[0]);
    expect(outcome?.writes).toEqual([
      {
        op: 'event',
        event: {
          about: { kind: 'Pod', metadata: { namespace: 'ns', name: 'p' } },
          type: 'Normal',
          reason: 'TaintManagerEviction',
          message: CANCELLED,
        },
      },
    ]);
  });
});

describe('changes that matter', () => {
  const pod = (spec: object, status = {}): Pod =>
    ({ kind: 'Pod', metadata: { name: 'p', namespace: 'ns' }, spec: { containers: [], ...spec }, status }) as unknown as Pod;
  const cacheWith = (taints: readonly Taint[]) => {
    const cache = createCache();
    cache.open('Node');
    cache.set('Node', 'n', { kind: 'Node', metadata: { name: 'n', uid: 'n' }, spec: { taints } } as unknown as Node);
    return { cache } as never;
  };
  const enqueued = (object: Pod, old: Pod | undefined, taints: readonly Taint[]): unknown =>
    taintEviction.self?.enqueue?.(
      { type: old === undefined ? 'ADDED' : 'MODIFIED', kind: 'Pod', key: 'ns/p', object, old },
      cacheWith(taints),
    );

  it.each<[string, Pod, Pod | undefined, readonly Taint[], boolean]>([
    ['a pod gets a tainted node', pod({ nodeName: 'n' }), pod({}), [taint('a')], true],
    ['a pod gets a node that is not tainted', pod({ nodeName: 'n' }), pod({}), [], false],
    ['a pod without a node', pod({}), undefined, [taint('a')], false],
    ['a pod tolerates something else', pod({ nodeName: 'n', tolerations: [stays('a')] }), pod({ nodeName: 'n' }), [taint('a')], true],
    [
      'a pod is written again as it was',
      pod({ nodeName: 'n', tolerations: [] }),
      pod({ nodeName: 'n', tolerations: [] }),
      [taint('a')],
      false,
    ],
  ])('%s', (_, object, old, taints, matters) => {
    expect(enqueued(object, old, taints)).toBe(matters ? 'ns/p' : undefined);
  });
});
