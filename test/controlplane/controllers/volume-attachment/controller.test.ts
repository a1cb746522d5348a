import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { Outcome, Write } from '../../../../src/controlplane/runtime/index.ts';
import { attachDetach } from '../../../../src/controlplane/controllers/volume-attachment/controller.ts';
import { FORCE_MS, waitAfter, type OnNode, type VolumeRecord } from '../../../../src/controlplane/controllers/volume-attachment/steps.ts';
import { at, barePod, nodeOf } from '../../../support/objects.ts';
import { decide, enqueued, phrase } from '../../../support/reconcile.ts';
import { attachmentOf, claimOf, DRIVER, holding, mounting, nameOn, reported, volumeOf, BOUND, onNode } from './objects.ts';

const recordWith = (nodes: Readonly<Record<string, OnNode>>, refused: readonly string[] = []): VolumeRecord => ({
  driver: DRIVER,
  handle: 'h-pv',
  exclusive: true,
  nodes,
  refused,
});
const decided = (objects: readonly ApiObject[], memory?: VolumeRecord, now = at(0)): Outcome<VolumeRecord> =>
  decide(attachDetach, { objects, key: 'pv', now, memory }) as Outcome<VolumeRecord>;
const events = ({ writes }: Outcome): readonly (readonly string[])[] =>
  writes.flatMap((write) => (write.op === 'event' ? [[write.event.about.metadata.name, write.event.reason, write.event.message]] : []));
const listed = (writes: readonly Write[]): unknown =>
  writes.flatMap((write) =>
    write.op === 'patch' && write.kind === 'Node' ? [(write.patch as { status: { volumesAttached: unknown } }).status.volumesAttached] : [],
  );
const failing = { message: 'rpc error: code = Internal desc = fake attach failure' };

describe('a volume that a pod needs on a node', () => {
  it('gets an attachment whose name is the digest of handle, driver and node', () => {
    const { writes, memory, wakeAt } = decided([...BOUND, nodeOf('n'), mounting('p', 'data', 'n')]);
    expect(writes).toMatchObject([
      {
        op: 'create',
        tolerate: ['AlreadyExists'],
        object: {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'VolumeAttachment',
          metadata: { name: nameOn('pv', 'n') },
          spec: { attacher: DRIVER, nodeName: 'n', source: { persistentVolumeName: 'pv' } },
        },
      },
    ]);
    expect(nameOn('pv', 'n')).toMatch(/^csi-[0-9a-f]{64}$/);
    expect(memory?.nodes['n']).toMatchObject({ state: 'attaching' });
    expect(wakeAt).toBe(at(0.1));
  });

  it.each([
    [
      'its claim only names the volume',
      [volumeOf('pv', 'other'), claimOf('data', 'pv', 'Pending'), nodeOf('n'), mounting('p', 'data', 'n')],
    ],
    ['its pod has no node', [...BOUND, nodeOf('n'), mounting('p', 'data', undefined)]],
    ['its node does not exist', [...BOUND, mounting('p', 'data', 'n')]],
    ['its pod has succeeded', [...BOUND, nodeOf('n'), mounting('p', 'data', 'n', { phase: 'Succeeded' })]],
    ['its pod has failed', [...BOUND, nodeOf('n'), mounting('p', 'data', 'n', { phase: 'Failed' })]],
    [
      'its pod was deleted before anything of it ran',
      [...BOUND, nodeOf('n'), mounting('p', 'data', 'n', { meta: { deletionTimestamp: '2024-01-01T00:00:00Z' } })],
    ],
    [
      'its volume is none of a driver',
      [volumeOf('pv', 'data', { csi: undefined }), claimOf('data', 'pv'), nodeOf('n'), mounting('p', 'data', 'n')],
    ],
    [
      'its driver requires no attachment',
      [
        ...BOUND,
        nodeOf('n'),
        mounting('p', 'data', 'n'),
        {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'CSIDriver',
          metadata: { name: DRIVER },
          spec: { attachRequired: false },
        } as unknown as ApiObject,
      ],
    ],
  ])('gets none while %s', (_why, objects) => {
    expect(decided(objects).writes).toEqual([]);
  });

  it('does not follow another claim that only names the volume', () => {
    const intruder = claimOf('intruder', 'pv', 'Pending');
    expect(decided([...BOUND, intruder, nodeOf('n'), mounting('p', 'data', 'n')]).writes.map(phrase)).toEqual([
      `create VolumeAttachment ${nameOn('pv', 'n')}`,
    ]);
  });

  it('is kept while a container of a deleted pod runs', () => {
    const going = (state: object) =>
      mounting('p', 'data', 'n', {
        phase: 'Running',
        meta: { deletionTimestamp: '2024-01-01T00:00:00Z' },
        status: { containerStatuses: [{ name: 'c', state }] },
      });
    const memory = recordWith({ n: onNode() });
    const attached = [...BOUND, holding('n', ['pv']), attachmentOf('pv', 'n', { attached: true })];
    expect(decided([...attached, going({ running: {} })], memory).writes).toEqual([]);
    expect(decided([...attached, going({ terminated: {} })], memory).writes.map(phrase)).toEqual([
      'patch Node n',
      `delete VolumeAttachment ${nameOn('pv', 'n')}`,
    ]);
  });

  it('waits for the tick of the loop, and for its own writes', () => {
    const objects = [...BOUND, nodeOf('n'), mounting('p', 'data', 'n')];
    expect(decide(attachDetach, { objects, key: 'pv', expectationsSatisfied: false })).toMatchObject({ writes: [], wakeAt: at(0.1) });
  });
});

describe('an attach under way', () => {
  const objects = (status: object) => [
    ...BOUND,
    nodeOf('n'),
    mounting('p', 'data', 'n'),
    mounting('q', 'data', 'n'),
    attachmentOf('pv', 'n', status),
  ];
  const memory = recordWith({ n: onNode({ state: 'attaching' }) });

  it('is polled after half a second, then with slightly longer delays', () => {
    expect(decided([...BOUND, nodeOf('n'), mounting('p', 'data', 'n')]).memory?.nodes['n']).toMatchObject({
      begunAt: at(0),
      pollAt: at(0.525),
    });
    expect(decided(objects({}), memory)).toMatchObject({
      writes: [],
      memory: { nodes: { n: { state: 'attaching', pollAt: at(0.551) } } },
      wakeAt: at(0.6),
    });
    expect(decided(objects({}), recordWith({ n: onNode({ state: 'attaching', pollMs: 551 }) })).memory?.nodes['n']).toMatchObject({
      pollMs: 579,
    });
    expect(decided(objects({ attached: true }), recordWith({ n: onNode({ state: 'attaching', pollAt: at(0.525) }) }))).toMatchObject({
      writes: [],
      wakeAt: at(0.6),
    });
  });

  it('is reported to every waiting pod, and the node lists the volume', () => {
    const outcome = decided(objects({ attached: true }), memory);
    expect(events(outcome)).toEqual(
      ['p', 'q'].map((pod) => [pod, 'SuccessfulAttachVolume', 'AttachVolume.Attach succeeded for volume "pv" ']),
    );
    expect(listed(outcome.writes)).toEqual([[{ name: reported('pv'), devicePath: '' }]]);
    expect(outcome.memory?.nodes['n']).toMatchObject({ state: 'attached', failed: 0 });
  });

  it('reports an error, with a back-off that doubles', () => {
    const first = decided(objects({ attachError: failing }), memory);
    expect(events(first)).toEqual(
      ['p', 'q'].map((pod) => [pod, 'FailedAttachVolume', `AttachVolume.Attach failed for volume "pv" : ${failing.message}`]),
    );
    expect(first.memory?.nodes['n']).toMatchObject({ state: 'uncertain', failed: 1, notBefore: at(0.5) });
    expect(first.wakeAt).toBe(at(0.5));
    const again = decided(objects({ attachError: failing }), first.memory ?? undefined, at(0.5));
    expect(again).toMatchObject({
      writes: [],
      memory: { nodes: { n: { state: 'attaching', failed: 1, begunAt: at(0.5), pollAt: at(1.025) } } },
    });
    const fourth = decided(objects({ attachError: failing }), recordWith({ n: onNode({ state: 'attaching', failed: 3 }) }));
    expect(fourth.memory?.nodes['n']).toMatchObject({ failed: 4, notBefore: at(4) });
    expect([1, 2, 3, 4, 8, 9, 30].map(waitAfter)).toEqual([500, 1000, 2000, 4000, 64_000, 122_000, 122_000]);
  });

  it('that fails is followed by a detach when no pod needs the volume', () => {
    const left = attachmentOf('pv', 'n', { attachError: failing });
    const failed = decided([...BOUND, nodeOf('n'), left], memory);
    expect(failed).toMatchObject({ writes: [], memory: { nodes: { n: { state: 'uncertain' } } }, wakeAt: at(0.5) });
    // A cache may not show yet that the node uses it: the server refuses the write where the node has changed.
    const node = nodeOf('n');
    const { writes } = decided([...BOUND, node, left], failed.memory ?? undefined, at(0.5));
    expect(writes).toMatchObject([
      { op: 'patch', kind: 'Node', patch: { metadata: { resourceVersion: node.metadata.resourceVersion } } },
      { op: 'delete' },
    ]);
    expect(writes.map(phrase)).toEqual(['patch Node n', `delete VolumeAttachment ${nameOn('pv', 'n')}`]);
    expect(decided([...BOUND, holding('n', [], ['pv']), left], failed.memory ?? undefined, at(0.5))).toMatchObject({
      writes: [],
      memory: { nodes: { n: { state: 'uncertain', unwantedSince: at(0.5) } } },
      wakeAt: at(360.5),
    });
  });

  const anew = (state: OnNode['state'], attachment: readonly ApiObject[], now: number) =>
    decided([...BOUND, nodeOf('n'), mounting('p', 'data', 'n'), ...attachment], recordWith({ n: onNode({ state }) }), now);
  it.each([
    ['is not seen yet, or gone', [], undefined],
    [
      'is being deleted',
      [attachmentOf('pv', 'n', { attached: true }, { deletionTimestamp: '2024-01-01T00:00:00Z' })],
      'volume attachment is being deleted',
    ],
  ])('whose attachment %s', (_what, attachment, failure) => {
    const outcome = anew('attaching', attachment, at(0));
    expect(events(outcome).map(([, , message]) => message)).toEqual(
      failure === undefined ? [] : [`AttachVolume.Attach failed for volume "pv" : ${failure}`],
    );
    expect(outcome.memory?.nodes['n']?.state).toBe(failure === undefined ? 'attaching' : 'uncertain');
  });

  it('is given up after two minutes, and retried', () => {
    expect(events(anew('attaching', [attachmentOf('pv', 'n', {})], at(119.9)))).toEqual([]);
    expect(events(anew('attaching', [], at(120)))).toEqual([
      [
        'p',
        'FailedAttachVolume',
        `AttachVolume.Attach failed for volume "pv" : timed out waiting for external-attacher of ${DRIVER} CSI driver to attach volume h-pv`,
      ],
    ]);
    expect(anew('uncertain', [], at(1)).writes.map(phrase)).toEqual([`create VolumeAttachment ${nameOn('pv', 'n')}`]);
  });
});

describe('a volume whose attachment another client deleted', () => {
  const objects = [...BOUND, holding('n', ['pv'], ['pv']), mounting('p', 'data', 'n')];

  it('counts as attached until the next verification', () => {
    const before = decide(attachDetach, {
      objects,
      key: 'pv',
      now: at(30),
      memory: recordWith({ n: onNode() }),
      startedAt: at(0),
    }) as Outcome<VolumeRecord>;
    expect(before).toMatchObject({ writes: [], wakeAt: at(60.1) });
    const check = decide(attachDetach, {
      objects,
      key: 'pv',
      now: at(60.1),
      memory: recordWith({ n: onNode() }),
      startedAt: at(0),
    }) as Outcome<VolumeRecord>;
    expect(listed(check.writes)).toEqual([[]]);
    expect(check).toMatchObject({ memory: { nodes: {} }, wakeAt: at(60.2) });
  });
});

describe('a volume for one node only', () => {
  const elsewhere = [...BOUND, holding('a', ['pv'], ['pv']), nodeOf('b'), nodeOf('c'), attachmentOf('pv', 'a', { attached: true })];
  const memory = recordWith({ a: onNode() });
  const refusal = (text: string) => `Multi-Attach error for volume "pv" ${text}`;

  it('is refused on other nodes, with the pods that use it', () => {
    const outcome = decided([...elsewhere, mounting('p1', 'data', 'a'), mounting('p2', 'data', 'b')], memory);
    expect(events(outcome)).toEqual([['p2', 'FailedAttachVolume', refusal('Volume is already used by pod(s) p1')]]);
    expect(outcome.memory).toMatchObject({ refused: ['b'] });
  });

  it('is refused with the pods that use it, not with those that wait', () => {
    const outcome = decided([...elsewhere, mounting('p1', 'data', 'a'), mounting('p2', 'data', 'b'), mounting('p3', 'data', 'c')], memory);
    expect(events(outcome)).toEqual(['p2', 'p3'].map((pod) => [pod, 'FailedAttachVolume', refusal('Volume is already used by pod(s) p1')]));
  });

  it('is refused without names when no pod uses it there', () => {
    expect(events(decided([...elsewhere, mounting('p2', 'data', 'b')], memory))).toEqual([
      ['p2', 'FailedAttachVolume', refusal("Volume is already exclusively attached to one node and can't be attached to another")],
    ]);
  });

  it('is refused once, and again for a later pod', () => {
    const wanted = [...elsewhere, mounting('p1', 'data', 'a'), mounting('p2', 'data', 'b')];
    expect(events(decided(wanted, recordWith({ a: onNode() }, ['b'])))).toEqual([]);
    const left = decided([...elsewhere, mounting('p1', 'data', 'a')], recordWith({ a: onNode() }, ['b']));
    expect(left.memory).toMatchObject({ refused: [] });
  });

  it('waits without an event while an operation is in progress on another node', () => {
    const outcome = decided(
      [...BOUND, nodeOf('a'), nodeOf('b'), attachmentOf('pv', 'a', {}), mounting('p1', 'data', 'a'), mounting('p2', 'data', 'b')],
      recordWith({ a: onNode({ state: 'attaching' }) }),
    );
    expect(outcome.writes).toEqual([]);
    expect(Object.keys(outcome.memory?.nodes ?? {})).toEqual(['a']);
  });

  it('is attached on several nodes where its access mode allows it', () => {
    const shared = [
      volumeOf('pv', 'data', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] }),
      claimOf('data', 'pv'),
      holding('a', ['pv']),
      nodeOf('b'),
      attachmentOf('pv', 'a', { attached: true }),
    ];
    expect(
      decided([...shared, mounting('p1', 'data', 'a'), mounting('p2', 'data', 'b')], { ...memory, exclusive: false }).writes.map(phrase),
    ).toEqual([`create VolumeAttachment ${nameOn('pv', 'b')}`]);
    const unsaid = [volumeOf('pv', 'data', { accessModes: [] }), ...shared.slice(1)];
    expect(decided([...unsaid, mounting('p2', 'data', 'b')], { ...memory, exclusive: false }).writes.map(phrase)).toContain(
      `create VolumeAttachment ${nameOn('pv', 'b')}`,
    );
  });
});

describe('a volume that no pod needs', () => {
  const attached = attachmentOf('pv', 'n', { attached: true });
  const used = [...BOUND, holding('n', ['pv'], ['pv']), attached];
  const free = [...BOUND, holding('n', ['pv']), attached];

  it('is detached once the node does not use it: first removed from the list, then detached', () => {
    const outcome = decided(free, recordWith({ n: onNode() }));
    expect(outcome.writes.map(phrase)).toEqual(['patch Node n', `delete VolumeAttachment ${nameOn('pv', 'n')}`]);
    expect(listed(outcome.writes)).toEqual([[]]);
    expect(outcome.memory?.nodes['n']).toMatchObject({ state: 'detaching', pollAt: at(0.525) });
  });

  it('stays while the node uses it, and is force-detached after exactly six minutes', () => {
    const waiting = decided(used, recordWith({ n: onNode({ inUse: true }) }));
    expect(waiting).toMatchObject({ writes: [], wakeAt: at(360), memory: { nodes: { n: { unwantedSince: at(0) } } } });
    const since = (ms: number) => recordWith({ n: onNode({ inUse: true, unwantedSince: at(0) - ms }) });
    expect(decided(used, since(FORCE_MS - 100)).writes).toEqual([]);
    expect(decided(used, since(FORCE_MS)).writes.map(phrase)).toEqual(['patch Node n', `delete VolumeAttachment ${nameOn('pv', 'n')}`]);
  });

  it('restarts its six minutes after another pod used it', () => {
    expect(
      decided([...used, mounting('p', 'data', 'n')], recordWith({ n: onNode({ inUse: true, unwantedSince: at(-100) }) })).memory?.nodes['n']
        ?.unwantedSince,
    ).toBeUndefined();
  });

  it('of a deleted node keeps the last reported use', () => {
    expect(decided([...BOUND, attached], recordWith({ n: onNode({ inUse: true }) })).writes).toEqual([]);
    expect(decided([...BOUND, attached], recordWith({ n: onNode({ inUse: false }) })).writes.map(phrase)).toEqual([
      `delete VolumeAttachment ${nameOn('pv', 'n')}`,
    ]);
  });

  it('is listed again after a failed detach and tried again later', () => {
    const going = attachmentOf(
      'pv',
      'n',
      { attached: true, detachError: { message: 'no' } },
      { deletionTimestamp: '2024-01-01T00:00:00Z' },
    );
    const outcome = decided([...BOUND, holding('n', []), going], recordWith({ n: onNode({ state: 'detaching', failed: 1 }) }));
    expect(listed(outcome.writes)).toEqual([[{ name: reported('pv'), devicePath: '' }]]);
    expect(outcome.memory?.nodes['n']).toMatchObject({ state: 'attached', failed: 2, notBefore: at(1) });
    expect(decided([...BOUND, holding('n', ['pv']), going], recordWith({ n: onNode({ failed: 2, notBefore: at(1) }) }))).toMatchObject({
      writes: [],
      wakeAt: at(1),
    });
  });

  it('is listed again after two minutes without a response of the driver', () => {
    const going = attachmentOf('pv', 'n', { attached: true }, { deletionTimestamp: '2024-01-01T00:00:00Z' });
    const after = (seconds: number) =>
      decided([...BOUND, holding('n', []), going], recordWith({ n: onNode({ state: 'detaching' }) }), at(seconds));
    expect(after(119.9)).toMatchObject({ writes: [], memory: { nodes: { n: { state: 'detaching' } } } });
    expect(after(120).memory?.nodes['n']).toMatchObject({ state: 'attached', failed: 1, notBefore: at(120.5) });
    expect(listed(after(120).writes)).toEqual([[{ name: reported('pv'), devicePath: '' }]]);
  });

  it('is dropped when its attachment is gone', () => {
    expect(decided([...BOUND, holding('n', [])], recordWith({ n: onNode({ state: 'detaching' }) }))).toMatchObject({
      writes: [],
      memory: null,
    });
  });

  it('is detached though its PersistentVolume is gone', () => {
    expect(decided([holding('n', ['pv']), attached], recordWith({ n: onNode() })).writes.map(phrase)).toEqual([
      'patch Node n',
      `delete VolumeAttachment ${nameOn('pv', 'n')}`,
    ]);
  });
});

describe('after a restart', () => {
  const left = (listedThere: readonly string[], status: object) =>
    decided([...BOUND, holding('n', listedThere, ['pv']), attachmentOf('pv', 'n', status), mounting('p', 'data', 'n')]);

  it('a listed volume counts as attached', () => {
    expect(left(['pv'], { attached: true }).memory?.nodes['n']?.state).toBe('attached');
    expect(decided([...BOUND, holding('n', ['pv'])]).memory).toEqual(null);
    expect(listed(decided([...BOUND, holding('n', ['pv'])]).writes)).toEqual([[]]);
  });

  it.each([
    ['attached', { attached: true }],
    ['not attached', {}],
  ])('an attachment that is %s and not listed is awaited again', (_what, status) => {
    const { writes, memory } = left([], status);
    expect(writes).toEqual([]);
    expect(memory?.nodes['n']).toMatchObject({ state: 'attaching', pollAt: at(0.525) });
  });

  it('a volume that no pod needs has six minutes from then on', () => {
    expect(decided([...BOUND, holding('n', ['pv'], ['pv']), attachmentOf('pv', 'n', { attached: true })])).toMatchObject({
      writes: [],
      wakeAt: at(360),
    });
  });
});

describe('the volumes that a change enqueues', () => {
  it('of a pod: the volumes of its claims', () => {
    const pod = mounting('p', 'data', 'n');
    expect(enqueued(attachDetach, { objects: BOUND }, { type: 'ADDED', object: pod })).toEqual(['pv']);
    expect(enqueued(attachDetach, { objects: BOUND }, { type: 'ADDED', object: barePod('q') })).toEqual([]);
  });

  it('of a node: the listed volumes, when the used ones change', () => {
    const objects = [...BOUND, attachmentOf('pv', 'n', { attached: true })];
    const node = holding('n', ['pv']);
    expect(enqueued(attachDetach, { objects }, { type: 'MODIFIED', object: node, old: holding('n', ['pv'], ['pv']) })).toEqual(['pv']);
    expect(enqueued(attachDetach, { objects }, { type: 'MODIFIED', object: node, old: node })).toEqual([]);
    expect(enqueued(attachDetach, { objects }, { type: 'DELETED', object: node, old: node })).toEqual(['pv']);
  });

  it('of a new node: the volumes of its pods', () => {
    expect(enqueued(attachDetach, { objects: [...BOUND, mounting('p', 'data', 'n')] }, { type: 'ADDED', object: nodeOf('n') })).toEqual([
      'pv',
    ]);
  });
});
