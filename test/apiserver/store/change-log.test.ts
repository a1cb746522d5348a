/** The log of changes: the configured number of recent ones, a few old ones, and at most the allowed size. */
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/apiserver/store/index.ts';
import { createChangeLog } from '../../../src/apiserver/store/change-log.ts';
import { barePod } from '../../support/objects.ts';

const object = barePod('p');
const HOUR = 3_600_000;
const change = (revision: number, at: number): Change => ({
  type: 'MODIFIED',
  kind: 'Pod',
  key: 'default/p',
  object,
  previous: object,
  revision,
  at,
  entry: 0,
});
/** Returns a log of changes at these instants, with the revisions 1, 2, 3, …. */
function logOf(instants: readonly number[], keep = 1_000) {
  const log = createChangeLog(keep);
  for (const [at, instant] of instants.entries()) log.append(change(at + 1, instant));
  return log;
}
const revisionsAfter = (log: ReturnType<typeof logOf>, revision: number): readonly number[] | undefined =>
  log.after(revision)?.map((each) => each.revision);

describe('a log of changes', () => {
  it('returns the changes after a revision, back to the last dropped one', () => {
    const log = logOf([0, 0, 0, 0]);
    log.forget(2);
    expect([1, 2, 3, 4].map((revision) => revisionsAfter(log, revision))).toEqual([undefined, [3, 4], [4], []]);
  });

  it('returns the last change at or before an instant', () => {
    const log = logOf([10, 20, 20, 30]);
    expect([9, 10, 19, 20, 30, 99].map(log.lastBefore)).toEqual([0, 1, 1, 3, 4, 4]);
  });

  it('keeps a few hundred old changes', () => {
    const log = logOf([...Array.from({ length: 511 }, () => 0), 2 * HOUR]);
    expect(log.after(255)).toBeUndefined();
    expect(log.after(256)).toHaveLength(256);
  });

  it('keeps the configured number of recent changes', () => {
    const log = logOf(Array.from({ length: 2_000 }, () => 0));
    expect(log.after(999)).toBeUndefined();
    expect(log.after(1_000)).toHaveLength(1_000);
  });

  it('drops the oldest changes until its size is small enough', () => {
    const log = logOf([0, 0, 0, 0]);
    const { bytes } = log;
    log.trim(bytes);
    expect([log.bytes, revisionsAfter(log, 0)]).toEqual([bytes, [1, 2, 3, 4]]);
    log.trim(bytes / 2);
    expect([log.bytes, log.after(1), revisionsAfter(log, 2)]).toEqual([bytes / 2, undefined, [3, 4]]);
    log.trim(0);
    expect([log.bytes, revisionsAfter(log, 4)]).toEqual([0, []]);
  });
});
