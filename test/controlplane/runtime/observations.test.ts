/** What observers of a cluster receive: whole records, counts, and the digest of what happens most. */
import { describe, expect, it } from 'vitest';
import { createDigest } from '../../../src/engine/index.ts';
import type { Change } from '../../../src/apiserver/store/index.ts';
import type { Envelope } from '../../../src/apiserver/request/index.ts';
import type { Observation } from '../../../src/controlplane/runtime/index.ts';
import { ObserverBus } from '../../../src/controlplane/runtime/observer-bus.ts';
import type { Process } from '../../../src/controlplane/runtime/process.ts';

const process = { number: 4, spec: { name: 'manager' } } as unknown as Process;
const object = (resourceVersion: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', uid: 'u', resourceVersion, creationTimestamp: '' },
});
const change = (parts: Partial<Change> = {}): Change => ({
  type: 'ADDED',
  kind: 'Pod',
  key: 'n/p',
  object: object('5'),
  at: 9,
  revision: 5,
  entry: 77,
  ...parts,
});
const envelope = (by: Envelope['by']): Envelope => ({
  request: { verb: 'create', kind: 'Pod', namespace: 'n', body: object('') },
  by,
  causes: [1],
});
const MANAGER = { process: 'manager', incarnation: 0 };
const JOB = { ...MANAGER, controller: 'job', key: 'n/j' };
const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' } as const;

/** A bus at second 9 with everything that it passes on. */
function busOf(listening = true, isQuiet = true) {
  const heard: Observation[] = [];
  const quiet: unknown[] = [];
  const digest = createDigest();
  const bus = new ObserverBus({
    now: () => 9,
    digest,
    listening: () => listening,
    publish: (observation) => void heard.push(observation),
    quiet: isQuiet
      ? {
          onCounted: (id, at) => void quiet.push([id, at]),
          onChange: (made, by) => void quiet.push([made, by]),
          onOther: (observation) => void quiet.push(observation),
        }
      : undefined,
  });
  return { bus, heard, quiet, text: () => digest.text() };
}

function everything(bus: ObserverBus): readonly number[] {
  const ids = [
    bus.delivered(process, 'MODIFIED', 'Pod', 'n/p', 5, [1]),
    bus.reconciled('manager', 'job', 'n/j', { why: 'it waits', writes: [{ op: 'list', kind: 'Pod' }] }, undefined, 2, [2]),
    bus.reconciled('manager', 'job', 'n/j', { why: 'it waits', writes: [] }, 50, 0, [2]),
    bus.woken('manager', 'job', 'n/j', 'backoff', [3]),
    bus.draw(),
    bus.observe({ type: 'refusal', causes: [4], actor: 'manager', request: 'get Pod p', status }),
    bus.observe({ type: 'operation', causes: [], label: 'step 1' }),
  ];
  bus.written(change(), envelope(MANAGER));
  bus.written(change({ entry: 78 }), envelope(JOB));
  bus.observeUnsequenced({ type: 'process', causes: [], process: 'manager', what: 'retires' });
  return ids;
}

const write = { at: 9, type: 'write', actor: 'manager', request: 'create Pod n/p', causes: [1] };
const OTHERS = [
  { id: 6, at: 9, type: 'refusal', causes: [4], actor: 'manager', request: 'get Pod p', status },
  { id: 7, at: 9, type: 'operation', causes: [], label: 'step 1' },
  { id: 7, at: 9, type: 'process', causes: [], process: 'manager', what: 'retires' },
];

describe('an observer', () => {
  it('receives a record of everything', () => {
    const { bus, heard } = busOf(true, false);
    expect(everything(bus)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const decision = { at: 9, type: 'reconcile', causes: [2], process: 'manager', controller: 'job', key: 'n/j', why: 'it waits' };
    expect(heard).toEqual([
      { id: 1, at: 9, type: 'delivery', causes: [1], process: 'manager', delta: 'MODIFIED', kind: 'Pod', key: 'n/p', revision: 5 },
      { id: 2, ...decision, writes: 1, failures: 2 },
      { id: 3, ...decision, writes: 0, failures: 0, wakeAt: 50 },
      { id: 4, at: 9, type: 'timer', causes: [3], process: 'manager', controller: 'job', key: 'n/j', because: 'backoff' },
      ...OTHERS.slice(0, 2),
      { id: 77, ...write, change: change() },
      { id: 78, ...write, change: change({ entry: 78 }), controller: 'job', key: 'n/j' },
      ...OTHERS.slice(2),
    ]);
    expect(heard.filter((one) => 'wakeAt' in one)).toHaveLength(1);
    expect(bus.counters).toEqual({ commits: 2, deliveries: 1, reconciles: 2, refusals: 1 });
  });

  it('that is quiet receives no record of what happens most', () => {
    const { bus, heard, quiet } = busOf(false);
    expect(everything(bus)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(heard).toEqual([]);
    expect(quiet).toEqual([
      ...[1, 2, 3, 4].map((id) => [id, 9]),
      ...OTHERS.slice(0, 2),
      [change(), MANAGER],
      [change({ entry: 78 }), JOB],
      ...OTHERS.slice(2),
    ]);
    expect(busOf(false, false).heard).toEqual([]);
  });

  it('changes neither the counters nor the digest', () => {
    const texts = [busOf(true, true), busOf(true, false), busOf(false, true), busOf(false, false)].map(({ bus, text, heard }) => {
      everything(bus);
      return [text(), bus.counters, heard.length > 0];
    });
    const [[digest, counters] = []] = texts;
    expect(texts).toEqual([true, true, false, false].map((hears) => [digest, counters, hears]));
  });
});

it('a run without a digest counts the same', () => {
  const bus = new ObserverBus({ now: () => 9, digest: undefined, listening: () => false, publish: () => undefined });
  everything(bus);
  expect(bus.counters).toEqual({ commits: 2, deliveries: 1, reconciles: 2, refusals: 1 });
});

describe('the digest of what happens most', () => {
  const digestOf = (act: (bus: ObserverBus) => unknown): string => {
    const { bus, text } = busOf(false, false);
    act(bus);
    return text();
  };
  const delivered = (number: number, revision: number) => (bus: ObserverBus) =>
    bus.delivered({ number, spec: { name: 'm' } } as unknown as Process, 'ADDED', 'Pod', 'p', revision, []);
  const reconciled = (key: string, why: string) => (bus: ObserverBus) =>
    bus.reconciled('m', 'c', key, { why, writes: [] }, undefined, 0, []);
  const written = (parts: Partial<Change>) => (bus: ObserverBus) => bus.written(change(parts), envelope(MANAGER));
  const woken = (key: string) => (bus: ObserverBus) => bus.woken('m', 'c', key, 'wake', []);

  it('has each of these', () => {
    const digests = [
      delivered(1, 1),
      delivered(2, 1),
      delivered(1, 2),
      reconciled('a', 'x'),
      reconciled('b', 'x'),
      reconciled('a', 'y'),
      written({}),
      written({ type: 'DELETED' }),
      written({ key: 'q' }),
      written({ object: { ...object('5'), a: 1 } }),
      written({ previous: { ...object('4'), a: 1 } }),
      woken('a'),
      woken('b'),
      () => undefined,
    ].map(digestOf);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('has a timer as any other observation', () => {
    const timer = { type: 'timer', causes: [], process: 'm', controller: 'c', key: 'a', because: 'wake' } as const;
    expect(digestOf(woken('a'))).toBe(digestOf((bus) => bus.observe(timer)));
  });
});
