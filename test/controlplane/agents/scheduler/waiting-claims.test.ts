/** A pod that has a node waits until its claims are bound: what is written for them, and how the wait ends. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { lookAtVolumes, recover } from '../../../../src/controlplane/agents/scheduler/attempt.ts';
import type { Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { BOUND, claim, claims, onNode, storageClass, using, volume, WAIT } from './volume-objects.ts';
import { decided, nodeWith, NOW, type World, world } from './world.ts';

const seconds = (at: number): number => NOW + at * 1_000;
const SELECTED = 'volume.kubernetes.io/selected-node';
const NONE = storageClass('none', 'WaitForFirstConsumer', 'kubernetes.io/no-provisioner');
const found = (meta: object = {}, spec: object = {}) =>
  claim('found', { storageClassName: 'none', ...spec }, { resourceVersion: '7', ...meta });
const made = (meta: object = {}, spec: object = {}) =>
  claim('made', { storageClassName: 'wait', ...spec }, { resourceVersion: '8', ...meta });
const pv = (spec: object = {}) => volume('pv', { storageClassName: 'none', ...onNode('a'), ...spec }, { resourceVersion: '9' });
const pod = using('p', claims('found', 'made'));

function waitingWorld(...objects: readonly ApiObject[]): { readonly made: World; readonly first: Outcome } {
  const one = world();
  one.set(NONE, WAIT, pv(), found(), made(), nodeWith('a'), ...objects, pod);
  const first = decided(one, 'p');
  one.state.takeMoved(NOW);
  return { made: one, first };
}
const look = ({ state }: World, at: number, self: Pod = pod): Outcome => {
  const waiting = state.volumes.waiting.get('x/p');
  if (waiting === undefined) throw new Error('it does not wait');
  return lookAtVolumes(state, waiting, self, seconds(at));
};
const timeout = { wakeAt: seconds(600), background: true };
const isBound = [
  found({ resourceVersion: '17', annotations: BOUND }, { volumeName: 'pv' }),
  made({ resourceVersion: '18', annotations: { ...BOUND, [SELECTED]: 'a' } }, { volumeName: 'new' }),
  volume('new'),
];

describe('for the claims of a placed pod', () => {
  it('a volume is reserved, and the node is selected where one must be provisioned', () => {
    const patch = (kind: string, metadata: object, body: object) => ({
      op: 'patch',
      kind,
      ...metadata,
      patchType: 'merge',
      patch: body,
      tolerate: [],
    });
    expect(waitingWorld().first).toEqual({
      why: 'a is the only feasible node of 1 visited node; bind its claims first',
      writes: [
        patch(
          'PersistentVolume',
          { name: 'pv' },
          {
            metadata: { resourceVersion: '9', annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
            spec: {
              claimRef: {
                kind: 'PersistentVolumeClaim',
                namespace: 'x',
                name: 'found',
                uid: 'uid-found',
                apiVersion: 'v1',
                resourceVersion: '7',
              },
            },
          },
        ),
        patch(
          'PersistentVolumeClaim',
          { namespace: 'x', name: 'made' },
          { metadata: { resourceVersion: '8', annotations: { [SELECTED]: 'a' } } },
        ),
      ],
      ...timeout,
    });
  });

  it('a volume that is reserved already is not written again', () => {
    const reserved = pv({ claimRef: { name: 'found', namespace: 'x', uid: 'uid-found' } });
    expect(waitingWorld(reserved).first.writes).toMatchObject([{ kind: 'PersistentVolumeClaim' }]);
    const named = pv({ claimRef: { name: 'found', namespace: 'x' } });
    expect(waitingWorld(named).first.writes).toMatchObject([{ kind: 'PersistentVolume' }, { kind: 'PersistentVolumeClaim' }]);
  });

  it('volumes and nodes are assumed, for other pods', () => {
    const { state } = waitingWorld().made;
    expect([state.volumes.claimOf('pv'), state.volumes.nodeOf('x/made'), state.volumes.nodeOf('x/found')]).toEqual([
      'x/found',
      'a',
      undefined,
    ]);
    expect([...state.volumes.waitingFor('x/made')].map(({ info, node }) => [info.key, node])).toEqual([['x/p', 'a']]);
    expect([...state.volumes.waitingFor('x/other')]).toEqual([]);
    const plan = { bindings: [{ volume: 'pv', claim: 'x/found' }], provisions: ['x/made'] };
    expect(state.volumes.describe()).toEqual([new Map([['uid-p', ['a', plan]]]), state.volumes.waiting]);
    state.volumes.release('uid-p');
    expect([
      state.volumes.claimOf('pv'),
      state.volumes.nodeOf('x/made'),
      [...state.volumes.waitingFor('x/made')],
      state.volumes.waiting.size,
    ]).toEqual([undefined, undefined, [], 0]);
  });
});

describe('the wait', () => {
  it('is looked at once a second, and ends when all claims are bound', () => {
    const { made: one } = waitingWorld();
    expect(look(one, 0.999)).toEqual({ why: 'its claims are being bound', writes: [], ...timeout });
    expect(look(one, 1)).toEqual({ why: 'its claims are not bound yet', writes: [], ...timeout });
    const [first, second, third] = isBound;
    one.set(first as ApiObject);
    expect(look(one, 2).why).toBe('its claims are not bound yet');
    one.set(second as ApiObject);
    expect(look(one, 3).why).toBe('its claims are not bound yet');
    one.set(third as ApiObject);
    expect(look(one, 4)).toEqual({
      why: 'its claims are bound: bind it to a',
      writes: [expect.objectContaining({ op: 'post', subresource: 'binding', name: 'p' })],
    });
    expect([one.state.volumes.waiting.size, one.state.volumes.claimOf('pv')]).toEqual([0, 'x/found']);
  });

  it('is woken by a change of its claims and volumes, at the next second', () => {
    const { made: one } = waitingWorld();
    one.setAt(1_500, isBound[0] as ApiObject);
    expect(one.state.takeMoved(seconds(1.5))).toEqual([{ key: 'x/p', afterMs: 500 }]);
    one.setAt(2_000, pv({ claimRef: { name: 'found', namespace: 'x', uid: 'uid-found' } }));
    expect(one.state.takeMoved(seconds(2))).toEqual([{ key: 'x/p', afterMs: 0 }]);
    one.setAt(2_500, claim('other'), volume('free'), volume('else', { claimRef: { name: 'other', namespace: 'x' } }));
    expect(one.state.takeMoved(seconds(2.5))).toEqual([]);
  });

  const why = (text: string): string => `found no node: running PreBind plugin "VolumeBinding": binding volumes: ${text}`;
  it.each<readonly [string, (one: World) => void, number, string]>([
    ['the time is over', () => undefined, 600, 'timed out waiting for the condition'],
    [
      'a claim is gone',
      (one) => one.drop('PersistentVolumeClaim', 'x/made'),
      2,
      'failed to get PVC "x/made" from cache: persistentvolumeclaim "made" not found',
    ],
    ['no volume can be provisioned there', (one) => one.set(made({ resourceVersion: '18' })), 2, 'provisioning failed for PVC "made"'],
    [
      'another node was selected',
      (one) => one.set(made({ resourceVersion: '18', annotations: { [SELECTED]: 'b' } })),
      2,
      'provisioning failed for PVC "made"',
    ],
    [
      'the volume cannot be reached',
      (one) => one.set(...isBound, volume('new', onNode('b'))),
      2,
      'pv "new" node affinity doesn\'t match node "a": no matching NodeSelectorTerms',
    ],
  ])('is given up when %s', (_name, change, at, text) => {
    const { made: one } = waitingWorld();
    change(one);
    one.state.takeMoved(NOW);
    expect(look(one, at)).toMatchObject({ why: why(text), background: false });
    expect([one.state.volumes.waiting.size, one.state.volumes.claimOf('pv'), one.state.model.placed('uid-p')]).toEqual([
      0,
      undefined,
      undefined,
    ]);
  });

  it('goes on until then', () => {
    const { made: one } = waitingWorld();
    expect(look(one, 599.999).why).toBe('its claims are not bound yet');
    one.set(made({ resourceVersion: '18', annotations: { [SELECTED]: 'a' } }), found({ resourceVersion: '99' }));
    expect(look(one, 2).why).toBe('its claims are not bound yet');
  });

  it('is given up when a write for its claims fails, and not for other writes', () => {
    const { made: one, first } = waitingWorld();
    const failure = (write: unknown): never => ({ write, status: { message: 'no' }, dropped: [] }) as never;
    expect(recover(one.state, 'x/p', pod, failure({ op: 'patch', kind: 'Pod', name: 'p' }), seconds(1)).why).toBe(
      'a write failed (no); the other writes are made',
    );
    expect(recover(one.state, 'x/q', pod, failure(first.writes[0]), seconds(1)).why).toBe('a write failed (no); the other writes are made');
    expect(recover(one.state, 'x/p', pod, failure(first.writes[0]), seconds(1))).toMatchObject({ why: why('no'), wakeAt: seconds(2) });
  });
});
