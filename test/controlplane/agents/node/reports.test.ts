/** Which changes of a pod matter to its agent, how it says what containers do, and the events about them. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { created, type Run } from '../../../../src/controlplane/agents/node/containers.ts';
import {
  concerns,
  fingerprint,
  isKnown,
  isOutdated,
  podEvents,
  sentence,
  showsLess,
  timeoutEvents,
} from '../../../../src/controlplane/agents/node/pod-report.ts';
import { requestsOf } from '../../../../src/controlplane/shared/index.ts';
import { at, barePod } from '../../../support/objects.ts';

const behavior = { startDelayMs: 0, readyDelayMs: 0, runForMs: undefined, exitCodes: [0], terminationDelayMs: 0, terminationExitCode: 143 };
const run = (more: Partial<Run> = {}): Run => ({
  ...created(
    { behavior, policy: 'Always', attemptsOf: 'p', ip: '', asks: requestsOf({ containers: [] }), held: false, leastStartMs: 0 },
    at(0),
  ),
  ...more,
});
const running = (more: Partial<Run> = {}): Run => run({ stage: 'running', startedAt: at(1), readyAt: at(5), until: Infinity, ...more });
const exit = (code: number) => ({ code, startedAt: at(1), finishedAt: at(2), restart: 0 });
const withConditions = (phase: string, ...conditions: readonly (readonly [string, string, string?])[]): Pod =>
  barePod('p', phase, { status: { conditions: conditions.map(([type, status, reason]) => ({ type, status, reason })) } });

describe('a change of a pod', () => {
  const pod = barePod('p');
  const changed = (meta: object, status: object = {}): Pod => ({
    ...pod,
    metadata: { ...pod.metadata, ...meta },
    status: { ...pod.status, ...status },
  });

  it.each<readonly [string, Pod, Pod | undefined, boolean]>([
    ['a new pod', pod, undefined, true],
    ['nothing', pod, changed({}), false],
    ['labels', changed({ labels: { a: 'b' } }), pod, false],
    ['conditions', changed({}, { conditions: [] }), pod, false],
    ['the spec', { ...pod, spec: { ...pod.spec } }, pod, true],
    ['the end', changed({}, { phase: 'Failed' }), pod, true],
    ['another phase', changed({}, { phase: 'Pending' }), pod, false],
    ['the uid', changed({ uid: 'other' }), pod, true],
    ['a deletion', changed({ deletionTimestamp: 'x' }), pod, true],
    ['a grace period', changed({ deletionGracePeriodSeconds: 3 }), pod, true],
    ['the reason', changed({}, { reason: 'Evicted' }), pod, true],
    ['the start without a deadline', changed({}, { startTime: 'x' }), pod, false],
  ])('matters or not: %s', (_name, now, before, matters) => {
    expect(concerns(now, before)).toBe(matters);
  });

  it('of its start matters with a deadline', () => {
    const limited = barePod('p', 'Running', { spec: { activeDeadlineSeconds: 5 } });
    expect(concerns({ ...limited, status: { ...limited.status, startTime: '2024-01-01T00:00:01Z' } }, limited)).toBe(true);
    expect(concerns({ ...limited, status: { ...limited.status } }, limited)).toBe(false);
  });
});

describe('the API server', () => {
  const mark = withConditions('Running', ['Ready', 'False'], ['ContainersReady', 'True']);
  const table: readonly (readonly [string, Pod, boolean, boolean])[] = [
    ['pending', withConditions('Pending'), true, false],
    ['marked by another client', mark, true, true],
    ['unready with a reason', withConditions('Running', ['Ready', 'False', 'ContainersNotReady']), false, false],
    ['with unready containers', withConditions('Running', ['Ready', 'True'], ['ContainersReady', 'False', 'x']), true, false],
    ['ready', withConditions('Running', ['Ready', 'True'], ['ContainersReady', 'True']), false, false],
    ['without conditions', barePod('p', 'Running', { status: { conditions: undefined } }), false, false],
  ];

  it.each(table)('shows less of a pod or not: %s', (_name, pod, less, marked) => {
    expect([showsLess(pod), isOutdated(pod, undefined, at(9)), isOutdated(pod, running(), at(9))]).toEqual([less, marked, less]);
  });

  it('shows an outdated state only of containers that are ready and stay so', () => {
    const states = [
      running({ readyAt: at(9) }),
      running({ readyAt: at(9) + 1 }),
      running({ killed: true }),
      run({ stage: 'waiting', readyAt: at(1) }),
    ];
    expect(states.map((each) => isOutdated(mark, each, at(9)))).toEqual([true, false, false, false]);
  });

  it('knows a report by its phase and its containers', () => {
    const containerStatuses = [{ name: 'c', ready: true }] as never;
    const pod = barePod('p', 'Running', { status: { containerStatuses } });
    expect([
      isKnown(pod, { phase: 'Running', containerStatuses }),
      isKnown(pod, { phase: 'Failed', containerStatuses }),
      isKnown(pod, { phase: 'Running', containerStatuses: [] }),
    ]).toEqual([true, false, false]);
  });
});

it('a report is due when one of these differs', () => {
  const base = running();
  const ready = 'running/0/0/true//false';
  const others: readonly (readonly [Run, number, boolean, string])[] = [
    [base, 5, false, ready],
    [base, 4, false, 'running/0/0/false//false'],
    [base, 9, true, 'running/0/0/true//true'],
    [running({ restarts: 1 }), 9, false, 'running/1/0/true//false'],
    [running({ backoffMs: 500 }), 9, false, 'running/0/500/true//false'],
    [running({ last: exit(0) }), 9, false, `running/0/0/true/${at(2)}/false`],
    [run({ readyAt: at(1) }), 9, false, 'creating/0/0/false//false'],
    [running({ timeouts: 1 }), 9, false, 'running/0/0/true//false/late'],
  ];
  for (const [other, seconds, failed, text] of others)
    expect([fingerprint(base, at(9), false), fingerprint(other, at(seconds), failed)]).toEqual([ready, text]);
  expect([fingerprint(run(), at(9), false), fingerprint(run({ stage: 'waiting' }), at(9), false)]).toEqual([
    'creating/0/0/false//false',
    'waiting/0/0/false//false',
  ]);
});

it.each<readonly [Partial<Run>, string]>([
  [{ until: at(9) }, 'its containers are being created'],
  [{ until: Infinity }, 'waiting for its volumes to be attached'],
  [{ timeouts: 1 }, 'its containers were not created within the runtimeRequestTimeout: it tries again'],
  [{ stage: 'running', readyAt: at(9) }, 'its containers run and are ready'],
  [{ stage: 'running', readyAt: at(9) + 1 }, 'its containers run but are not ready yet'],
  [{ stage: 'running', readyAt: at(9), killed: true }, 'its containers are being stopped'],
  [{ stage: 'waiting', last: exit(3), backoffMs: 10_000 }, 'its containers exited with 3; they restart after 10 s'],
  [{ stage: 'waiting', backoffMs: 500 }, 'its containers exited with 0; they restart after 0.5 s'],
  [{ stage: 'over' }, 'its containers never ran'],
  [{ stage: 'over', last: exit(143), killed: true }, 'its containers were stopped (exit code 143)'],
  [{ stage: 'over', last: exit(2) }, 'its containers exited with 2 and are not restarted'],
])('of %j the agent says: %s', (state, text) => {
  expect(sentence(run(state), at(9))).toBe(text);
});

describe('events about containers', () => {
  const pod = barePod('p', 'Pending', {
    spec: {
      initContainers: [{ name: 'i', image: 'i:1' }],
      containers: [
        { name: 'c', image: 'c:1', imagePullPolicy: 'Always' },
        { name: 'd', image: 'd:1' },
      ],
    },
  });
  const said = (before: Run | undefined, after: Run, pulled = false): readonly string[] =>
    podEvents(pod, before, after, pulled).map((write) =>
      write.op === 'event' ? `${write.event.type} ${write.event.fieldPath} ${write.event.reason} ${write.event.message}` : write.op,
    );
  const begun = (field: string, name: string) => [
    `Normal spec.${field}{${name}} Created Created container ${name}`,
    `Normal spec.${field}{${name}} Started Started container ${name}`,
  ];
  const present = (field: string, name: string) =>
    `Normal spec.${field}{${name}} Pulled Container image "${name}:1" already present on machine`;
  const pulls = [
    'Normal spec.containers{c} Pulling Pulling image "c:1"',
    'Normal spec.containers{c} Pulled Successfully pulled image "c:1" in 0s',
  ];
  const first = running();

  it('tell of the images, and of every container that is created and started', () => {
    const images = [...pulls, present('containers', 'd')];
    const starts = [...begun('containers', 'c'), ...begun('containers', 'd')];
    const init = [present('initContainers', 'i'), ...begun('initContainers', 'i')];
    expect(said(undefined, first)).toEqual([...init, ...images, ...starts]);
    expect(said(run({ until: Infinity }), first)).toEqual([...init, ...images, ...starts]);
    expect(said(undefined, run())).toEqual([...init, ...images]);
    expect(said(run(), first)).toEqual(starts);
    expect(said(undefined, first, true)).toEqual([...begun('initContainers', 'i'), ...starts]);
    expect([said(first, first), said(undefined, run({ until: Infinity })), said(undefined, run({ killed: true }))]).toEqual([[], [], []]);
  });

  it('tell of restarts with their images', () => {
    const again = [...pulls, ...begun('containers', 'c'), present('containers', 'd'), ...begun('containers', 'd')];
    expect(said(first, running({ restarts: 1 }))).toEqual(again);
    expect(said(first, running({ restarts: 2 }))).toEqual([...again, ...again]);
  });

  it('tell of back-offs after the first restart, and of stops', () => {
    const backOff = ['c', 'd'].map((name) => `Warning spec.containers{${name}} BackOff Back-off restarting failed container`);
    const waiting = run({ stage: 'waiting', startedAt: at(1), restarts: 1, last: exit(1) });
    const stops = ['c', 'd'].map((name) => `Normal spec.containers{${name}} Killing Stopping container ${name}`);
    expect(said(running({ restarts: 1 }), waiting)).toEqual(backOff);
    expect(said(first, { ...waiting, restarts: 0 })).toEqual([]);
    expect(said({ ...waiting }, { ...waiting, backoffMs: 1 })).toEqual([]);
    expect(said(first, running({ killed: true }))).toEqual(stops);
    expect(said(running({ killed: true }), running({ killed: true, until: at(9) }))).toEqual([]);
    expect(said({ ...waiting }, { ...waiting, killed: true })).toEqual([]);
    expect(said(run(), run({ killed: true }))).toEqual([]);
  });

  it('tell of a runtime that took too long', () => {
    const late = (before: Run | undefined, timeouts: number | undefined): readonly unknown[] =>
      timeoutEvents(pod, before, run(timeouts === undefined ? {} : { timeouts })).map((write) =>
        write.op === 'event' ? [write.event.fieldPath, write.event.type, write.event.reason, write.event.message] : [],
      );
    const expected = ['c', 'd'].map((name) => [`spec.containers{${name}}`, 'Warning', 'Failed', 'Error: context deadline exceeded']);
    expect([late(undefined, 1), late(run({ timeouts: 1 }), 2)]).toEqual([expected, expected]);
    expect([late(undefined, undefined), late(run({ timeouts: 1 }), 1)]).toEqual([[], []]);
  });
});
