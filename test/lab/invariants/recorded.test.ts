/** The comparison of a run with recorded writes: what is met, what is overdue, what the record does not have. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { classOf, createComparison, describeDifference, type Difference, recordedInvariant } from '../../../src/lab/invariants/index.ts';
import type { Recorded, RecordedWrite } from '../../../src/lab/scenario/index.ts';
import { objectOf, ownedBy, START } from './history.ts';

const pi = objectOf('Job', 'pi');
const wrote = (atMs: number, did: string, of = 'Job default/pi'): RecordedWrite => ({ atMs, of, did });

interface Seen {
  readonly type?: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly previous?: ApiObject;
  readonly controller?: string | undefined;
  readonly actor?: string;
}

const changeOf = (object: ApiObject, { type = 'ADDED', previous }: Seen = {}) =>
  ({ revision: 1, type, kind: object.kind, key: `default/${object.metadata.name}`, object, previous, entry: 0 }) as never;

/** A comparison with withinMs: 5000 in which a run's write is one line. */
function compared(recorded: Partial<Recorded>) {
  const comparison = createComparison({ withinMs: 5_000, writes: [], ...recorded });
  const lineOf = ({ atMs, run, log, lacks }: Difference): string => {
    const side = (write: RecordedWrite | undefined) => (write === undefined ? 'nothing' : `${write.of}: ${write.did} at ${write.atMs}`);
    return `${atMs}: the ${lacks} lacks it: run ${side(run)}, log ${side(log)}`;
  };
  return {
    saw: (object: ApiObject, atMs: number, seen: Seen = {}) =>
      comparison
        .saw(changeOf(object, seen), atMs, 'controller' in seen ? seen.controller : 'cron-job', seen.actor ?? 'controller-manager')
        .map(lineOf),
    overdue: (nowMs: number) => comparison.overdue(nowMs).map(lineOf),
    due: () => comparison.nextDue(),
    met: () => comparison.met,
  };
}

describe('a recorded write', () => {
  it('is overdue once so much time has passed since it, and is reported once', () => {
    const { due, overdue } = compared({ writes: [wrote(30_000, 'created')] });
    expect(due()).toBe(35_000);
    expect(overdue(34_999)).toEqual([]);
    expect(overdue(35_000)).toEqual(['30000: the run lacks it: run nothing, log Job default/pi: created at 30000']);
    expect(overdue(35_000)).toEqual([]);
    expect(due()).toBe(undefined);
  });

  it('is overdue after ten seconds where nothing else is said, in the order of the times', () => {
    const comparison = createComparison({ writes: [wrote(30_000, 'deleted'), wrote(20_000, 'created')] });
    expect(comparison.nextDue()).toBe(30_000);
    expect(comparison.overdue(40_000).map(({ log }) => log?.did)).toEqual(['created', 'deleted']);
  });

  it('is reported with what the run did to the same object, if that was near', () => {
    const lastDone = (atMs: number) => {
      const { saw, overdue } = compared({ untilMs: 60_000, writes: [wrote(30_000, 'deleted')] });
      saw(pi, atMs);
      return overdue(35_000)[0]?.includes('run Job default/pi: created');
    };
    expect([24_999, 25_000, 35_000, 35_001].map(lastDone)).toEqual([false, true, true, false]);
  });

  it('is met by one write of the run, early by as much as it may be late', () => {
    const { saw, met, due } = compared({
      covers: ['Job created'],
      untilMs: 90_000,
      writes: [wrote(30_000, 'created'), wrote(40_000, 'created')],
    });
    expect(saw(pi, 24_999)).toEqual([
      '24999: the log lacks it: run Job default/pi: created at 24999, log Job default/pi: created at 30000',
    ]);
    expect([met(), due()]).toEqual([0, 35_000]);
    expect(saw(pi, 25_000)).toEqual([]);
    expect([met(), due()]).toEqual([1, 45_000]);
    expect(saw(pi, 60_000)).toEqual([]);
    expect([met(), due()]).toEqual([2, undefined]);
    expect(saw(pi, 60_000)).toEqual(['60000: the log lacks it: run Job default/pi: created at 60000, log nothing']);
    expect(met()).toBe(2);
  });

  it('that was reported is not met later', () => {
    const { saw, overdue, met } = compared({ writes: [wrote(10_000, 'created'), wrote(70_000, 'created')] });
    overdue(15_000);
    expect(saw(pi, 66_000)).toEqual([]);
    expect(overdue(80_000)).toEqual([]);
    expect(met()).toBe(1);
  });
});

describe('a write of the run', () => {
  const covers = ['Job created', 'Job deleted', 'Pod created'];
  const beyond = { covers, untilMs: 100_000 };

  it.each<readonly [string, ApiObject, Seen, readonly string[]]>([
    ['of a controller', pi, {}, ['created']],
    ['of a node or scheduler', pi, { controller: 'agent', actor: 'agent/node-1' }, ['created']],
    ['of a user', pi, { controller: undefined }, []],
    ['of a storage driver', pi, { actor: 'storage-driver/disk' }, []],
    ['to an object of a kind that only repeats others', objectOf('Event', 'e'), {}, []],
    ['that removes an object at once', pi, { type: 'DELETED' }, ['deleted']],
    [
      'that removes an object whose deletion was seen',
      { ...pi, metadata: { ...pi.metadata, deletionTimestamp: 'now' } },
      { type: 'DELETED' },
      [],
    ],
    ['that changes nothing', pi, { type: 'MODIFIED', previous: pi }, []],
    [
      'that begins a deletion',
      { ...pi, metadata: { ...pi.metadata, deletionTimestamp: 'now' } },
      { type: 'MODIFIED', previous: pi },
      ['deleted'],
    ],
    ['of a sort that the log does not cover', objectOf('Secret', 's'), {}, []],
    ['to an object without a name', { ...pi, metadata: { ...pi.metadata, name: '' } }, {}, []],
  ])('%s is compared by what it made true', (_what, object, seen, did) => {
    const lines = compared({ ...beyond, covers: [...covers, 'Event created'] }).saw(object, 1_000, seen);
    expect(lines).toEqual(did.map((what) => `1000: the log lacks it: run Job default/pi: ${what} at 1000, log nothing`));
  });

  it('is not reported near the end of the record', () => {
    const near = compared({ covers, untilMs: 100_000 });
    expect(near.saw(pi, 95_000)).toHaveLength(1);
    expect(near.saw(pi, 95_001)).toEqual([]);
    const last = compared({ covers, writes: [wrote(50_000, 'created', 'Job default/e'), wrote(40_000, 'created', 'Job default/e')] });
    expect(last.saw(pi, 45_000)).toHaveLength(1);
    expect(last.saw(pi, 45_001)).toEqual([]);
    expect(compared({ covers }).saw(pi, 0)).toEqual([]);
  });

  it('names the owner of its object without what was drawn', () => {
    const { saw } = compared(beyond);
    const cron = objectOf('CronJob', 'cron-abc', { metadata: { generateName: 'cron-' } });
    saw(cron, 1_000, { controller: undefined });
    expect(saw(objectOf('Pod', 'p', { metadata: ownedBy('CronJob', 'cron-abc') }), 1_000)).toEqual([
      '1000: the log lacks it: run Pod of CronJob default/cron-*: created at 1000, log nothing',
    ]);
  });

  it('is reported beside what the log has of the same object near it, the same sort of fact first', () => {
    const pod = objectOf('Pod', 'web');
    const bound = { ...pod, spec: { nodeName: 'n-1' } };
    const beside = (...writes: readonly RecordedWrite[]) =>
      compared({ covers: ['Pod bound'], untilMs: 100_000, writes })
        .saw(bound, 20_000, { type: 'MODIFIED', previous: pod })
        .map((line) => line.replace(/^.*, log (?:Pod default\/web: )?/, ''));
    const of = 'Pod default/web';
    expect(beside()).toEqual(['nothing']);
    expect(beside(wrote(20_000, 'bound to n-2', 'Pod default/other'))).toEqual(['nothing']);
    expect(beside(wrote(20_000, 'deleted', of), wrote(21_000, 'bound to n-2', of), wrote(22_000, 'bound to n-3', of))).toEqual([
      'bound to n-2 at 21000',
    ]);
    expect(beside(wrote(20_000, 'deleted', of), wrote(21_000, 'phase Failed', of))).toEqual(['deleted at 20000']);
    expect(beside(wrote(25_000, 'bound to n-2', of))).toEqual(['bound to n-2 at 25000']);
    expect(beside(wrote(25_001, 'bound to n-2', of))).toEqual(['nothing']);
    expect(beside(wrote(25_001, 'bound to n-1', of))).toEqual(['bound to n-1 at 25001']);
  });

  it('is not reported beside what the log has, once that is met', () => {
    const writes = [wrote(9_000, 'phase Failed', 'Pod default/other'), wrote(10_000, 'created', 'Pod default/web')];
    const { saw } = compared({ covers: ['Pod created', 'Pod bound'], untilMs: 100_000, writes });
    const pod = objectOf('Pod', 'web');
    expect(saw(pod, 10_000)).toEqual([]);
    expect(saw({ ...pod, spec: { nodeName: 'n-1' } }, 11_000, { type: 'MODIFIED', previous: pod })).toEqual([
      '11000: the log lacks it: run Pod default/web: bound to n-1 at 11000, log nothing',
    ]);
  });
});

describe('a difference in words', () => {
  it('has a sentence, and a line for each side', () => {
    const run = { ...wrote(1_500, 'created'), object: pi, by: 'cron-job' };
    const log = { ...wrote(12_345, 'deleted'), log: 'audit.log:7' };
    expect(describeDifference({ atMs: 1_500, run, log, lacks: 'log' })).toEqual({
      message: 'the run and the log part at 1.500s: only the run has Job default/pi: created',
      detail: ['  log  12.345s  ?: Job default/pi: deleted  (audit.log:7)', '  run  1.500s  cron-job: Job default/pi: created'],
    });
    expect(describeDifference({ atMs: 12_345, log, lacks: 'run' }, 60_000)).toEqual({
      message: 'the run and the log part at 12.345s: only the log has Job default/pi: deleted',
      detail: ['  log  12.345s  ?: Job default/pi: deleted  (audit.log:7)', '  run  nothing of the kind within 1m'],
    });
    expect(describeDifference({ atMs: 0, run, lacks: 'log' }).detail[0]).toBe('  log  nothing of the kind within 10s');
  });

  it('is about a write of a class: a kind and what was done', () => {
    expect(classOf({ of: 'Pod of Job default/pi', did: 'bound to node-1' })).toBe('Pod bound');
  });
});

describe('the invariant', () => {
  const facts = (nowMs: number) => ({ now: START + nowMs, startAt: START }) as never;
  const check = (recorded: Partial<Recorded>) => recordedInvariant({ withinMs: 5_000, writes: [], ...recorded }).check();

  it('is about all kinds, and has the place of the record in its scenario', () => {
    const source = { file: 'log.yaml', line: 3, col: 5 };
    const { check: _, ...described } = recordedInvariant({ writes: [], source });
    expect(described).toEqual({
      name: 'recorded-writes',
      temporal: 'always',
      description: 'The controllers, scheduler and nodes write what those of the recorded cluster wrote.',
      kinds: ['*'],
      source,
    });
    expect(recordedInvariant({ writes: [] })).not.toHaveProperty('source');
  });

  it('is broken by what the log does not have, with the object', () => {
    const checker = check({ covers: ['Job created'], untilMs: 90_000 });
    expect(checker.onChange?.(changeOf(pi), facts(-1), 'cron-job', 'controller-manager')).toBe(undefined);
    expect(checker.onChange?.(changeOf(pi), facts(0), undefined, 'user')).toBe(undefined);
    expect(check({ covers: ['Job created'], untilMs: 90_000 }).onChange?.(changeOf(pi), facts(0), 'cron-job', 'm')?.message).toBe(
      'the run and the log part at 0.000s: only the run has Job default/pi: created',
    );
    expect(checker.onChange?.(changeOf(pi), facts(1_500), 'cron-job', 'controller-manager')).toEqual({
      message: 'the run and the log part at 1.500s: only the run has Job default/pi: created',
      detail: ['  log  nothing of the kind within 5s', '  run  1.500s  cron-job: Job default/pi: created'],
      object: pi,
    });
  });

  it('is broken by what the run has not done in time, or at its end', () => {
    const checker = check({ writes: [wrote(10_000, 'created'), wrote(20_000, 'created')] });
    expect(checker.deadline?.()).toBe(undefined);
    checker.onChange?.(changeOf(pi), facts(8_000), 'cron-job', 'controller-manager');
    expect(checker.exercised).toBe(1);
    expect(checker.deadline?.()).toBe(START + 25_000);
    expect(checker.onTime?.(facts(24_999))).toBe(undefined);
    expect(checker.onTime?.(facts(25_000))?.message).toBe('the run and the log part at 20.000s: only the log has Job default/pi: created');
    expect(checker.deadline?.()).toBe(undefined);
    const ends = check({ writes: [wrote(10_000, 'created')] });
    expect(ends.onEnd?.(facts(14_999), true)).toBe(undefined);
    expect(ends.onEnd?.(facts(15_000), true)).toEqual({
      message: 'the run and the log part at 10.000s: only the log has Job default/pi: created',
      detail: ['  log  10.000s  ?: Job default/pi: created', '  run  nothing of the kind within 5s'],
    });
  });
});
