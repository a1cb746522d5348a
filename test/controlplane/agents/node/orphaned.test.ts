/** Pods whose objects were removed before their containers ended, and the volumes that a node has in use until then. */
import { describe, expect, it } from 'vitest';
import { created, type Run } from '../../../../src/controlplane/agents/node/containers.ts';
import { createWorld } from '../../../../src/controlplane/agents/node/machine.ts';
import {
  changedVolumesInUse,
  endOrphan,
  graceAfterRemoval,
  writeVolumesInUse,
} from '../../../../src/controlplane/agents/node/orphaned-pods.ts';
import { requestsOf } from '../../../../src/controlplane/shared/index.ts';
import { at, barePod } from '../../../support/objects.ts';
import { holding, reported } from '../../controllers/volume-attachment/objects.ts';

const behavior = {
  startDelayMs: 0,
  readyDelayMs: 0,
  runForMs: undefined,
  exitCodes: [0],
  terminationDelayMs: 60_000,
  terminationExitCode: 143,
};
const run = (more: Partial<Run> = {}): Run => ({
  ...created(
    { behavior, policy: 'Always', attemptsOf: 'p', ip: '', asks: requestsOf({ containers: [] }), held: false, leastStartMs: 0 },
    at(0),
  ),
  stage: 'running',
  startedAt: at(0),
  readyAt: at(0),
  until: Infinity,
  ...more,
});

it('the grace period of a removed pod is that of its deletion, of its spec, or 30 seconds', () => {
  const of = (deletionGracePeriodSeconds: number | undefined, terminationGracePeriodSeconds: number | undefined): number =>
    graceAfterRemoval(barePod('p', 'Running', { meta: { deletionGracePeriodSeconds }, spec: { terminationGracePeriodSeconds } }));
  expect([of(5, 9), of(1, 9), of(0, 9), of(undefined, 9), of(undefined, 0), of(0, undefined)]).toEqual([5, 1, 9, 9, 0, 30]);
});

describe('the containers of an orphaned pod', () => {
  const ended = (graceMs: number | undefined, now: number, stored: Run | undefined = run()): unknown => {
    const world = createWorld();
    const machine = world.machine('n');
    if (stored !== undefined) machine.put('u', stored);
    return endOrphan(machine, 'u', graceMs, 'n', now);
  };
  const stopping = (until: number, signalled = 137) => ({
    why: 'its pod is gone: its containers are being stopped',
    writes: [],
    actions: [{ does: 'put', uid: 'u', run: run({ killed: true, until, signalled }) }],
    wakeAt: until,
  });

  it('get their grace period, 30 seconds at most', () => {
    expect(ended(5_000, at(1))).toEqual(stopping(at(6)));
    expect(ended(undefined, at(1))).toEqual(stopping(at(31)));
    expect(ended(90_000, at(1))).toMatchObject({ wakeAt: at(31) });
  });

  it('are not stopped again', () => {
    const dying = run({ killed: true, until: at(9), signalled: 137 });
    expect(ended(undefined, at(1), dying)).toEqual({
      why: 'its pod is gone: its containers are being stopped',
      writes: [],
      actions: [],
      wakeAt: at(9),
    });
  });

  it('are forgotten when they have stopped', () => {
    const over = {
      ...run({ killed: true, until: Infinity, signalled: 137 }),
      stage: 'over',
      last: { code: 137, startedAt: at(0), finishedAt: at(9), restart: 0 },
    };
    expect(ended(undefined, at(9), run({ killed: true, until: at(9), signalled: 137 }))).toEqual({
      why: 'its pod is gone, and its containers have stopped',
      writes: [],
      actions: [
        { does: 'put', uid: 'u', run: over },
        { does: 'forget', uid: 'u', at: at(9) },
      ],
      enqueue: ['n'],
    });
    expect(ended(undefined, at(9), over as Run)).toMatchObject({ actions: [{ does: 'forget' }] });
  });

  it('may be gone already', () => {
    expect(ended(5_000, at(1), undefined as never)).toMatchObject({ why: 'its pod is gone: its containers are being stopped' });
    expect(endOrphan(createWorld().machine('n'), 'u', 5_000, 'n', at(1))).toEqual({ why: 'it has no containers left', writes: [] });
  });
});

describe('the volumes in use on a node', () => {
  const using = (...pods: readonly (readonly string[])[]) => new Map(pods.map((volumes, at) => [`u${at}`, volumes.map(reported)]));

  it('are those of all its pods, each once, by name', () => {
    const two = using(['b', 'a'], ['b']);
    expect(changedVolumesInUse(two, undefined)).toEqual(['a', 'b'].map(reported));
    expect(
      [['a', 'b'], ['b', 'a'], ['a'], ['a', 'b', 'c'], ['a', 'c']].map(
        (said) => changedVolumesInUse(two, holding('n', [], said)) === undefined,
      ),
    ).toEqual([true, false, false, false, false]);
    expect([changedVolumesInUse(using(), undefined), changedVolumesInUse(using([]), holding('n', []))]).toEqual([undefined, undefined]);
  });

  it('are written to its status when they have changed', () => {
    const patch = (used: readonly string[]) => [
      {
        op: 'patch',
        kind: 'Node',
        name: 'n',
        patchType: 'merge',
        subresource: 'status',
        patch: { status: { volumesInUse: used.map(reported) } },
        tolerate: ['NotFound'],
      },
    ];
    expect(writeVolumesInUse(using(['a']), undefined, 'n')).toEqual({ why: '1 volume is in use on the node', writes: patch(['a']) });
    expect(writeVolumesInUse(using(['a', 'b']), holding('n', [], ['a']), 'n')).toEqual({
      why: '2 volumes are in use on the node',
      writes: patch(['a', 'b']),
    });
    expect(writeVolumesInUse(using(), holding('n', [], ['a']), 'n')).toEqual({
      why: '0 volumes are in use on the node',
      writes: patch([]),
    });
    expect(writeVolumesInUse(using(), undefined, 'n')).toEqual({ why: 'status.volumesInUse of the node is up to date', writes: [] });
  });
});
