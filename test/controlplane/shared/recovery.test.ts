/** What is done after a refused write: batches of creates, and the single retry of a status. */
import { describe, expect, it } from 'vitest';
import type { Write } from '../../../src/controlplane/runtime/index.ts';
import {
  endOfBatch,
  mergePatch,
  namespaceTerminates,
  readForStatus,
  refusedPod,
  type StatusRetry,
  writeAgain,
} from '../../../src/controlplane/shared/index.ts';
import { barePod, jobOf, nodeOf } from '../../support/objects.ts';

const job = jobOf('j');
const refusal = { code: 403, reason: 'Forbidden', message: 'no' } as never;
const created = (name: string): Write => ({ op: 'create', object: barePod(name) });
const deleted: Write = { op: 'delete', kind: 'Pod', name: 'p', namespace: 'default' };

it('batches of creates double', () => {
  expect([0, 1, 2, 3, 6, 7, 14, 15].map(endOfBatch)).toEqual([0, 2, 2, 6, 6, 14, 14, 30]);
});

it('a merge patch addresses its object', () => {
  expect(mergePatch(job, { a: 1 })).toEqual({
    op: 'patch',
    kind: 'Job',
    namespace: 'default',
    name: 'j',
    patchType: 'merge',
    patch: { a: 1 },
  });
  expect(mergePatch(nodeOf('n'), {}, { tolerate: ['NotFound'] })).toEqual({
    op: 'patch',
    kind: 'Node',
    name: 'n',
    patchType: 'merge',
    patch: {},
    tolerate: ['NotFound'],
  });
});

it('a namespace that is being deleted is a cause of a refusal', () => {
  const because = (...reasons: readonly string[]) =>
    namespaceTerminates({ details: { causes: reasons.map((reason) => ({ reason })) } } as never);
  expect([because('Other', 'NamespaceTerminating'), because('Other'), because()]).toEqual([true, false, false]);
  expect([namespaceTerminates({} as never), namespaceTerminates({ details: {} } as never)]).toEqual([false, false]);
});

describe('a pod that could not be created', () => {
  const refused = (dropped: readonly Write[], planned?: number, write = created('first'), status = refusal) =>
    refusedPod(job, { write, status, dropped }, planned);
  const event = { op: 'event', event: { about: job, type: 'Warning', reason: 'FailedCreate', message: 'Error creating: no' } };

  it('leaves no larger batch, and the rest of its own', () => {
    const left = ['b', 'c', 'd', 'e'].map(created);
    // The third of seven: its batch is the second and the third.
    expect(refused([deleted, ...left], 7)).toEqual({
      why: 'a pod could not be created (Forbidden), so no larger batch is tried',
      reason: 'FailedCreate',
      event,
      batchMates: [],
      creates: 3,
    });
    expect(refused(left, 6)).toMatchObject({ batchMates: left.slice(0, 1), creates: 3 });
    expect(refused(left)).toMatchObject({ batchMates: [], creates: 1 });
    expect(refused([], undefined)).toMatchObject({ batchMates: [], creates: 1 });
    expect(refused([], 1, created('p'), {} as never)).toMatchObject({
      why: 'a pod could not be created (error), so no larger batch is tried',
      event: { event: { message: 'Error creating: ' } },
    });
  });

  it('differs from one that could not be deleted', () => {
    expect(refused([created('b'), created('c')], 3, deleted)).toEqual({
      why: 'a pod could not be deleted (Forbidden)',
      reason: 'FailedDelete',
      event: { op: 'event', event: { about: job, type: 'Warning', reason: 'FailedDelete', message: 'Error deleting: no' } },
      batchMates: [],
      creates: 1,
    });
  });
});

describe('a refused status', () => {
  const status = { active: 1 };
  const write: Write = { op: 'update', subresource: 'status', object: { ...job, status } };
  const failed = (memory: StatusRetry, of: Write = write) => readForStatus(memory, { write: of, status: refusal, dropped: [deleted] });

  it('is written again after a live read, once', () => {
    expect(failed({ other: 1 } as StatusRetry)).toEqual({
      why: 'its status update was refused: read it from the API server',
      writes: [deleted, { op: 'get', kind: 'Job', namespace: 'default', name: 'j', resume: true }],
      memory: { other: 1, retried: status },
    });
    expect(failed({ retried: status })).toBeUndefined();
    expect(failed({ retried: { ...status } })).toBeDefined();
    expect([failed({}, deleted), failed({}, { op: 'update', object: job })]).toEqual([undefined, undefined]);
  });

  it('goes to the object that the read returned', () => {
    const get: Write = { op: 'get', kind: 'Job', namespace: 'default', name: 'j' };
    const live = jobOf('j', {}, { succeeded: 1 });
    expect(writeAgain({ retried: status }, { write: get, object: live })).toEqual({
      why: 'its status update is retried on the latest version',
      writes: [{ op: 'update', subresource: 'status', object: { ...live, status } }],
    });
    expect([
      writeAgain({}, { write: get, object: live }),
      writeAgain({ retried: status }, { write: deleted, object: live }),
      writeAgain({ retried: status }, { write: get, object: undefined }),
      writeAgain({ retried: status }, { write: get, object: nodeOf('n') }),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
