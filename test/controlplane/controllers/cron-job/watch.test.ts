import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../../../../src/schema/shape/index.ts';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { type FeatureGates, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import type { CronJob } from '../../../../src/apiserver/kinds/index.ts';
import { cronJob } from '../../../../src/controlplane/controllers/cron-job/controller.ts';
import { afterChange } from '../../../../src/controlplane/controllers/cron-job/due.ts';
import { createCache } from '../../../../src/controlplane/runtime/index.ts';
import { at } from '../../../support/objects.ts';
import { enqueued } from '../../../support/reconcile.ts';
import { runOf, tick } from './objects.ts';

const KEY = 'default/tick';
const changed = (before: CronJob, after: CronJob, gates: FeatureGates = {}) =>
  afterChange(
    { type: 'MODIFIED', kind: 'CronJob', key: KEY, object: deepFreeze(after), old: deepFreeze(before) },
    {
      names: namesFor('k8s.io'),
      kinds: kindsFor(namesFor('k8s.io')),
      gates,
      cache: createCache(),
      now: at(10),
      elapsed: at(10),
      state: { zone: undefined },
      process: 'test',
      failures: () => 0,
    },
  );

describe('a change of a Job', () => {
  it('enqueues the CronJob that controls it', () => {
    for (const type of ['ADDED', 'MODIFIED', 'DELETED'] as const)
      expect(enqueued(cronJob, { objects: [tick()] }, { type, object: runOf(1) })).toEqual([KEY]);
  });

  it('enqueues the one that did before, too', () => {
    const free = runOf(1, undefined, { ownerReferences: [] });
    expect(enqueued(cronJob, { objects: [tick()] }, { type: 'MODIFIED', object: free, old: runOf(1) })).toEqual([KEY]);
  });

  it('enqueues nothing when its owner has another uid, another kind, or does not exist', () => {
    const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', uid: 'another', controller: true };
    for (const ownerReferences of [
      [owner],
      [{ ...owner, uid: 'uid-tick', kind: 'ConfigMap' }],
      [{ ...owner, uid: 'uid-tick', controller: false }],
      [],
    ]) {
      expect(enqueued(cronJob, { objects: [tick()] }, { type: 'ADDED', object: runOf(1, undefined, { ownerReferences }) })).toEqual([]);
    }
  });
});

describe('a change of the CronJob itself', () => {
  it('enqueues it at once', () => expect(changed(tick(), tick({ suspend: true }))).toBe(KEY));
  it('enqueues it at the first run of a new schedule', () =>
    expect(changed(tick(), tick({ schedule: '*/5 * * * *' }))).toEqual({ key: KEY, afterMs: 290_100 }));
  it('enqueues it at once if the schedule has no run', () =>
    expect(changed(tick(), tick({ schedule: '0 0 30 2 *' }))).toEqual({ key: KEY, afterMs: 0 }));
  it('a new zone counts behind its gate', () => {
    const noon = tick({ schedule: '0 12 * * *' });
    const tokyo = tick({ schedule: '0 12 * * *', timeZone: 'Asia/Tokyo' });
    expect(changed(noon, tokyo, { CronJobTimeZone: true })).toEqual({ key: KEY, afterMs: 3 * 3_600_000 - 10_000 + 100 });
    expect(changed(noon, tokyo)).toBe(KEY);
  });
});
