/** A restart of the control plane of a settled cluster: each write after it, but for those that only repeat something at another time, is an error. */
import { expect, it } from 'vitest';
import { stirredByRestart } from '../../../src/lab/explore/index.ts';

/** A settled run whose control plane makes these writes when it comes back; `did` lists what was asked of its cluster. */
function settledRun(observations: readonly object[], settled = true) {
  const did: string[] = [];
  const listeners = new Set<(observation: object) => void>();
  const cluster = {
    now: 5_000,
    runUntil(at: number): void {
      did.push(`runs until ${at}`);
      cluster.now = at;
      for (const each of observations) for (const listener of listeners) listener(each);
    },
    observations: {
      subscribe(listener: (observation: object) => void) {
        listeners.add(listener);
        return { unsubscribe: () => listeners.delete(listener) };
      },
    },
    runtime: {
      names: () => ['controller-manager', 'agent/node-0', 'scheduler'],
      crash: (name: string): boolean => did.push(`crash ${name}`) > 0 && name !== 'scheduler',
      restart: (name: string, at: number) => did.push(`restart ${name} at ${at}`),
    },
  };
  const lines = stirredByRestart({ cluster, settled } as never);
  return { lines, did, listening: listeners.size };
}
const write = (type: string, kind: string, object: object, previous?: object, controller?: string) => ({
  type: 'write',
  actor: 'user',
  controller,
  change: { type, kind, key: 'default/a', object, previous },
});
const at = (status: object, resourceVersion = '1') => ({ metadata: { name: 'a', resourceVersion }, status });
const modified = (before: object, after: object) => write('MODIFIED', 'Pod', at(after, '2'), at(before), 'job');

it('the control plane restarts a minute later, and ten minutes are watched', () => {
  expect(settledRun([])).toEqual({
    lines: [],
    did: ['runs until 65000', 'crash controller-manager', 'restart controller-manager at 66000', 'crash scheduler', 'runs until 665000'],
    listening: 0,
  });
  expect(settledRun([modified({ a: 1 }, { a: 2 })], false)).toEqual({ lines: [], did: [], listening: 0 });
});

it('creations, deletions and changes are named, each once', () => {
  const created = write('ADDED', 'Pod', at({}), undefined, 'job');
  const { lines } = settledRun([created, created, write('DELETED', 'Job', at({}), at({})), modified({ a: 1 }, { a: 2 })]);
  expect(lines.map((line) => line.replace('in the settled cluster, after a restart of the control plane, ', ''))).toEqual([
    'job creates Pod default/a',
    'user deletes Job default/a',
    'job changes Pod default/a: status.a 1 → 2',
  ]);
});

it('events, leases, and what only repeats something at another time are not', () => {
  const [one, other] = ['2024-03-01T00:00:00Z', '2024-03-01T00:00:00.5Z'];
  const quiet = (...observations: readonly object[]): boolean => settledRun(observations).lines.length === 0;
  expect(quiet(write('ADDED', 'Event', at({})), write('ADDED', 'Lease', at({})), { type: 'reconcile' })).toBe(true);
  expect(quiet(modified({ a: one }, { a: other }), modified({}, { a: one }), modified({ a: one }, { a: null }), modified({}, {}))).toBe(
    true,
  );
  expect(quiet(modified({}, { a: { b: one, c: null } }))).toBe(true);
  for (const after of ['', 'x', `${one}x`, `x${one}`, 1, false, { b: one, c: 'x' }])
    expect([after, quiet(modified({ a: one }, { a: after }))]).toEqual([after, false]);
});
