/** What a decision had not seen, and why: from made histories. */
import { describe, expect, it } from 'vitest';
import { cacheViewOf } from '../../../src/lab/trace/index.ts';
import { became, decided, delivered, fault, lists, objectOf, other, START, traceOf, wrote } from './made.ts';

const OWNER = { ownerReferences: [{ kind: 'Job', name: 'pi', uid: 'uid-pi', controller: true }] };
const job = objectOf('Job', 'pi', 1, { spec: {} });
const pod = (revision: number, phase: string, more: object = {}) =>
  objectOf('Pod', 'pi-a', revision, { spec: { nodeName: 'n', ...more }, status: { phase } }, OWNER);
const stranger = objectOf('Pod', 'other', 3);
const node = (revision: number) => objectOf('Node', 'n', revision, {}, { namespace: undefined });

const MANAGER = 'manager';
const started = became(0, MANAGER, 'started', lists(0, ['Job', 'Pod', 'Node', 'PersistentVolumeClaim', 'Event'], ['job:Job', 'collector']));
const decision = (sinceMs: number, key = 'default/pi', controller = 'job') => decided(sinceMs, MANAGER, controller, key);

/** The view of a decision at the end of a history. */
function viewOf(...entries: Parameters<typeof traceOf>[0]) {
  const trace = traceOf([started, wrote(1, job), delivered(1, MANAGER, job, 'ADDED'), ...entries]);
  return cacheViewOf(trace, trace.entries.length);
}
const placesOf = (view: ReturnType<typeof viewOf>) =>
  view?.unseen.map(({ kind, key, how, revision, since }) => `${how} ${kind} ${key} rv ${revision} at ${since - START}`);

describe('the objects of a decision', () => {
  it('are missing from the cache where no event of them has come', () => {
    const made = pod(2, 'Pending');
    expect(viewOf(wrote(10, made), wrote(11, stranger), decision(20))).toEqual({
      step: 6,
      process: MANAGER,
      controller: 'job',
      unseen: [{ kind: 'Pod', key: 'default/pi-a', how: 'missing', was: made, since: START + 10, revision: 2 }],
      reasons: [],
    });
  });

  it('are older where a later revision has not come; the first of those counts', () => {
    const [one, two, three] = [pod(2, 'Pending'), pod(4, 'Running'), pod(5, 'Failed')];
    const view = viewOf(
      wrote(10, one),
      delivered(11, MANAGER, one, 'ADDED'),
      wrote(12, two, { previous: one }),
      wrote(13, three, { previous: two }),
      decision(20),
    );
    expect(view?.unseen).toEqual([
      { kind: 'Pod', key: 'default/pi-a', how: 'older', saw: one, was: three, since: START + 12, revision: 4 },
    ]);
  });

  it('are gone where their deletion has not come', () => {
    const [one, two] = [pod(2, 'Pending'), pod(4, 'Pending')];
    const view = viewOf(
      wrote(10, one),
      delivered(11, MANAGER, one, 'ADDED'),
      wrote(12, two, { previous: one, deleted: true }),
      decision(20),
    );
    expect(view?.unseen).toEqual([{ kind: 'Pod', key: 'default/pi-a', how: 'gone', saw: one, since: START + 12, revision: 4 }]);
  });

  it('that were made again count from their last creation', () => {
    const view = viewOf(
      wrote(10, pod(2, 'Pending')),
      wrote(11, pod(3, 'Pending'), { previous: pod(2, 'Pending'), deleted: true }),
      wrote(12, pod(4, 'Pending')),
      decision(20),
    );
    expect(placesOf(view)).toEqual(['missing Pod default/pi-a rv 4 at 12']);
  });

  it('that changed since they were made count from when they were made', () => {
    const [one, two] = [pod(2, 'Pending'), pod(3, 'Running')];
    expect(placesOf(viewOf(wrote(10, one), wrote(12, two, { previous: one }), decision(20)))).toEqual([
      'missing Pod default/pi-a rv 2 at 10',
    ]);
  });

  it('are none that the process does not watch', () => {
    const trace = traceOf([
      became(0, MANAGER, 'started', lists(0, ['Job', { kind: 'Pod', only: { index: 'nodeName', value: 'm' } }], ['job:Job'])),
      wrote(1, job),
      delivered(1, MANAGER, job, 'ADDED'),
      wrote(10, pod(2, 'Pending')),
      decision(20),
    ]);
    expect(cacheViewOf(trace, 5)?.unseen).toEqual([]);
  });

  it('are up to date where everything has come, or was written at the same instant', () => {
    const made = pod(2, 'Pending');
    expect(viewOf(wrote(10, made), delivered(11, MANAGER, made, 'ADDED'), decision(20))?.unseen).toEqual([]);
    expect(viewOf(wrote(20, made), decision(20))?.unseen).toEqual([]);
    expect(viewOf(wrote(10, made), wrote(11, pod(3, 'Pending'), { previous: made, deleted: true }), decision(20))?.unseen).toEqual([]);
  });

  it('are also those that they name: nodes, claims, volumes, and the lease of a node', () => {
    const claimed = pod(2, 'Pending', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }, { name: 'w' }] });
    const claim = objectOf('PersistentVolumeClaim', 'data', 6, { spec: {} });
    const about = (of: ReturnType<typeof objectOf>, controller: string, key: string) =>
      placesOf(
        cacheViewOf(
          traceOf([
            became(
              0,
              MANAGER,
              'started',
              lists(0, [of.kind, 'Node', 'PersistentVolumeClaim', 'PersistentVolume', 'Lease'], [`${controller}:${of.kind}`]),
            ),
            wrote(1, of),
            delivered(2, MANAGER, of, 'ADDED'),
            wrote(3, node(5)),
            wrote(4, claim),
            wrote(5, objectOf('PersistentVolume', 'pv', 7, {}, { namespace: undefined })),
            wrote(6, objectOf('Lease', 'n', 8, {}, { namespace: 'leases' })),
            wrote(6, objectOf('Lease', of.metadata.name === 'n' ? 'm' : of.metadata.name, 10, {}, { namespace: 'leases' })),
            wrote(7, objectOf('PersistentVolumeClaim', 'else', 9, { spec: { volumeName: 'none' } })),
            decided(20, MANAGER, controller, key),
          ]),
          10,
        ),
      );
    expect(about(claimed, 'runner', 'default/pi-a')).toEqual([
      'missing Node n rv 5 at 3',
      'missing PersistentVolumeClaim default/data rv 6 at 4',
    ]);
    expect(about(objectOf('PersistentVolumeClaim', 'mine', 2, { spec: { volumeName: 'pv' } }), 'binder', 'default/mine')).toEqual([
      'missing PersistentVolume pv rv 7 at 5',
    ]);
    expect(about(objectOf('Node', 'n', 2, {}, { namespace: undefined }), 'lifecycle', 'n')).toEqual([
      'older Node n rv 5 at 3',
      'missing Lease leases/n rv 8 at 6',
    ]);
  });

  it('are those that name it', () => {
    const trace = traceOf([
      became(0, MANAGER, 'started', lists(0, ['Node', 'Pod'], ['lifecycle:Node'])),
      wrote(1, pod(2, 'Pending')),
      wrote(2, objectOf('Pod', 'else', 3, { spec: { nodeName: 'm' } })),
      wrote(2, objectOf('Pod', 'none', 4, { spec: { nodeName: '' } })),
      decided(9, MANAGER, 'lifecycle', 'n'),
    ]);
    expect(placesOf(cacheViewOf(trace, 5))).toEqual(['missing Pod default/pi-a rv 2 at 1']);
  });

  it('are those that the decision writes then', () => {
    const [known, changed] = [
      objectOf('Node', 'm', 4, {}, { namespace: undefined }),
      objectOf('Node', 'm', 9, {}, { namespace: undefined }),
    ];
    const trace = traceOf([
      started,
      wrote(1, job),
      delivered(1, MANAGER, job, 'ADDED'),
      wrote(5, known),
      decision(20),
      wrote(21, changed, { previous: known, causes: [5] }),
      wrote(22, objectOf('Node', 'k', 10, {}, { namespace: undefined }), { causes: [4] }),
    ]);
    expect(placesOf(cacheViewOf(trace, 5))).toEqual(['missing Node m rv 4 at 5']);
    // A write, and a refusal, stand for the decision behind them.
    expect(cacheViewOf(trace, 6)).toEqual(cacheViewOf(trace, 5));
    expect(cacheViewOf(traceOf([started, decision(3), other(4, { type: 'refusal', causes: [9, 1, 2] })]), 3)).toMatchObject({
      step: 2,
      controller: 'job',
    });
  });

  it('are all but Events for a controller without a kind of its own', () => {
    const view = viewOf(
      wrote(10, stranger),
      wrote(11, node(4)),
      wrote(12, objectOf('Event', 'e', 5)),
      decision(20, 'anything', 'collector'),
    );
    expect(placesOf(view)).toEqual(['missing Pod default/other rv 3 at 10', 'missing Node n rv 4 at 11']);
  });
});

describe('no view', () => {
  it('is there of what no controller decided, and of a process whose lists are not known', () => {
    const trace = traceOf([
      wrote(1, job),
      decided(2, 'unknown', 'job', 'default/pi'),
      other(3, { type: 'note', text: '' }),
      other(4, { type: 'refusal', causes: [1] }),
    ]);
    const busy = traceOf([started, wrote(1, job, { actor: MANAGER }), wrote(2, stranger, { actor: MANAGER, causes: [9, 2] })]);
    expect([cacheViewOf(busy, 2), cacheViewOf(busy, 3)]).toEqual([undefined, undefined]);
    expect([1, 2, 3, 4, 5].map((step) => cacheViewOf(trace, step))).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});

describe('a client outside', () => {
  const made = pod(2, 'Pending');
  const set = objectOf('ConfigMap', 'pi-out', 9, {}, OWNER);
  const shared = objectOf(
    'ConfigMap',
    'shared',
    13,
    {},
    { ownerReferences: [{ kind: 'Secret', name: 's', uid: 's' }, ...OWNER.ownerReferences] },
  );
  const lone = objectOf('ConfigMap', 'lone', 10, { data: { a: '1' } });
  const trace = traceOf([
    wrote(1, job),
    became(2, 'client', 'lists', lists(1, ['Job', 'Pod', 'ConfigMap'])),
    wrote(5, made),
    wrote(6, set, { actor: 'client' }),
    wrote(7, lone),
    wrote(8, objectOf('ConfigMap', 'lone', 11, { data: { a: '2' } }), { previous: lone, actor: 'client' }),
    wrote(9, objectOf('ConfigMap', 'second', 12, {}, { ownerReferences: [{ kind: 'Pod', name: 'pi-a', uid: 'uid-pi-a' }] }), {
      actor: 'client',
    }),
    wrote(10, shared, { actor: 'client' }),
  ]);

  it('has decided what it writes, about the owner or about that itself', () => {
    expect(placesOf(cacheViewOf(trace, 4))).toEqual(['missing Pod default/pi-a rv 2 at 5']);
    expect(placesOf(cacheViewOf(trace, 6))).toEqual(['missing ConfigMap default/lone rv 10 at 7']);
    expect(placesOf(cacheViewOf(trace, 7))).toEqual(['missing Pod default/pi-a rv 2 at 5']);
    expect(placesOf(cacheViewOf(trace, 8))).toEqual(['missing Pod default/pi-a rv 2 at 5', 'missing ConfigMap default/pi-out rv 9 at 6']);
    expect(cacheViewOf(trace, 4)).toMatchObject({ step: 4, process: 'client', controller: 'client' });
    expect(cacheViewOf(trace, 5)).toBeUndefined();
  });

  it('has nothing unseen where its lists have it', () => {
    expect(
      cacheViewOf(traceOf([wrote(1, job), became(2, 'client', 'lists', lists(1, ['Job'])), wrote(3, set, { actor: 'client' })]), 3),
    ).toEqual({
      step: 3,
      process: 'client',
      controller: 'client',
      unseen: [],
      reasons: [],
    });
  });
});

it('a fault on the process is the reason', () => {
  const view = viewOf(fault(5, 'lag', MANAGER, { by: 60_000 }, 'by: 1m'), wrote(10, pod(2, 'Pending')), decision(20));
  expect(view?.reasons).toEqual([{ step: 4, text: 'suffers lag since 0.005s (by: 1m)' }]);
});
