/** What a Job does after a refused create or delete of a pod. */
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../../src/apiserver/kinds/index.ts';
import { job } from '../../../../src/controlplane/controllers/job/controller.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { at, AT, barePod, jobOf } from '../../../support/objects.ts';
import { linesOf, recover } from '../../../support/reconcile.ts';

const created = (name: string): Write => ({ op: 'create', object: barePod(name) });
const deleted = (name: string): Write => ({ op: 'delete', kind: 'Pod', name, namespace: 'default' });
const patched: Write = { op: 'patch', kind: 'Pod', name: 'p', namespace: 'default', patchType: 'merge', patch: {} };
const now = { active: 2, startTime: AT, ready: 0 };
const planned = (status: object, of: Job): Write => ({ op: 'update', subresource: 'status', object: { ...of, status } });
const FAILED = { conditions: [{ type: 'Failed', status: 'True' }] };

interface Case {
  readonly write?: Write;
  readonly status?: object;
  /** The writes that were dropped, and the status that would have been written after them. */
  readonly dropped?: readonly Write[];
  readonly plan?: object;
  readonly memory?: object;
  readonly spec?: object;
  readonly gone?: true;
}
function lines({
  write = created('a'),
  status = { reason: 'Forbidden', message: 'no' },
  dropped = [],
  plan,
  memory,
  spec = {},
  gone,
}: Case) {
  const self = jobOf('j', spec, now);
  const all = plan === undefined ? dropped : [...dropped, planned(plan, self)];
  const objects = gone === undefined ? [self] : [];
  return linesOf(recover(job, { objects, key: 'default/j', now: at(60), memory }, { write, status: status as never, dropped: all }));
}

describe('a Job whose pod could not be created', () => {
  it.each<[string, Case, readonly string[]]>([
    [
      'reports it',
      {},
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    [
      'reports it without a reason',
      { status: {} },
      [
        'a pod could not be created (error), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: ',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    [
      'writes the rest of the batch, and the pods that there are then',
      { dropped: ['b', 'c', 'd', 'e'].map(created), plan: { ...now, active: 8 }, memory: { creating: 6 } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'create Pod b {spec:{nodeName:node-0,restartPolicy:Never,containers:[{name:c,image:sim:1}]}}',
        'update Job/status j {status:{startTime:00:00:00,ready:0,active:4}}',
        'memory: {creating:3}',
        'backoff: retry',
      ],
    ],
    [
      'writes no status where that is as before',
      { dropped: [created('b')], plan: { ...now, active: 4 }, memory: { creating: 2 } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    [
      'writes no negative number of pods',
      { plan: { startTime: AT, ready: 0 } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'update Job/status j {status:{startTime:00:00:00,ready:0}}',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    [
      'writes a status that differs in its ready pods',
      { plan: { ...now, active: 3, ready: 1 } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'update Job/status j {status:{startTime:00:00:00,ready:1,active:2}}',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    [
      'writes a status that differs in its counts',
      { plan: { ...now, active: 3, succeeded: 1 } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'update Job/status j {status:{startTime:00:00:00,ready:0,succeeded:1,active:2}}',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    [
      'writes a status that differs in its failures',
      { plan: { ...now, active: 3, failed: 1 } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'update Job/status j {status:{startTime:00:00:00,ready:0,failed:1,active:2}}',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    [
      'writes a status that differs in its indexes',
      { plan: { ...now, active: 3, completedIndexes: '1' } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'update Job/status j {status:{startTime:00:00:00,ready:0,completedIndexes:1,active:2}}',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    [
      'writes a status that differs in its conditions',
      { plan: { ...now, active: 3, conditions: [] } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'update Job/status j {status:{startTime:00:00:00,ready:0,conditions:[],active:2}}',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    [
      'writes a status that differs in what is not counted yet',
      { plan: { ...now, active: 3, uncountedTerminatedPods: {} } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'update Job/status j {status:{startTime:00:00:00,ready:0,uncountedTerminatedPods:{},active:2}}',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    [
      'writes no status that differs in its start',
      { plan: { ...now, active: 3, startTime: '2024-01-01T00:00:30Z' } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    [
      'in a namespace that is being deleted waits',
      { status: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } },
      ['its namespace is being deleted, so no pod can be created', 'backoff: keep'],
    ],
    [
      'wakes at its deadline',
      { spec: { activeDeadlineSeconds: 100 } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of Job j: Error creating: no',
        'wakeAt: @100',
        'memory: {creating:1}',
        'backoff: retry',
      ],
    ],
    ['does nothing where it is gone', { gone: true }, []],
    ['does nothing for another write', { write: patched }, []],
  ])('%s', (_, given, expected) => {
    expect(lines(given)).toEqual(expected);
  });
});

describe('a Job whose pod could not be deleted', () => {
  const refused = { write: deleted('a') };
  it.each<[string, Case, readonly string[]]>([
    [
      'reports it, and writes the rest with one pod more',
      { ...refused, dropped: [deleted('b'), patched], plan: { ...now, active: 2 } },
      [
        'a pod could not be deleted (Forbidden)',
        'event Warning FailedDelete of Job j: Error deleting: no',
        'delete Pod b',
        'patch Pod p {patchType:merge}',
        'update Job/status j {status:{startTime:00:00:00,ready:0,active:3}}',
        'backoff: retry',
      ],
    ],
    [
      'writes no status where that is as before',
      { ...refused, plan: { ...now, active: 1 } },
      ['a pod could not be deleted (Forbidden)', 'event Warning FailedDelete of Job j: Error deleting: no', 'backoff: retry'],
    ],
    [
      'writes the rest without a status',
      { ...refused, dropped: [deleted('b')] },
      [
        'a pod could not be deleted (Forbidden)',
        'event Warning FailedDelete of Job j: Error deleting: no',
        'delete Pod b',
        'backoff: retry',
      ],
    ],
    [
      'does not end while it runs',
      { ...refused, dropped: [deleted('b')], plan: { ...now, ...FAILED } },
      ['a pod could not be deleted (Forbidden)', 'event Warning FailedDelete of Job j: Error deleting: no', 'backoff: retry'],
    ],
    [
      'goes on where a former failure is not its end',
      { ...refused, dropped: [deleted('b')], plan: { ...now, conditions: [{ type: 'Failed', status: 'False' }] } },
      [
        'a pod could not be deleted (Forbidden)',
        'event Warning FailedDelete of Job j: Error deleting: no',
        'delete Pod b',
        'update Job/status j {status:{startTime:00:00:00,ready:0,conditions:["Failed=False"],active:3}}',
        'backoff: retry',
      ],
    ],
    [
      'goes on where it is suspended',
      { ...refused, dropped: [deleted('b')], plan: { ...now, conditions: [{ type: 'Suspended', status: 'True' }] } },
      [
        'a pod could not be deleted (Forbidden)',
        'event Warning FailedDelete of Job j: Error deleting: no',
        'delete Pod b',
        'update Job/status j {status:{startTime:00:00:00,ready:0,conditions:["Suspended=True"],active:3}}',
        'backoff: retry',
      ],
    ],
    [
      'does not end while its pods are counted',
      { ...refused, dropped: [deleted('b')], memory: { failing: {} } },
      ['a pod could not be deleted (Forbidden)', 'event Warning FailedDelete of Job j: Error deleting: no', 'backoff: retry'],
    ],
  ])('%s', (_, given, expected) => {
    expect(lines(given)).toEqual(expected);
  });
});
