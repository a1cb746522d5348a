/**
 * Mutants of built-in controllers that matter under faults: without expectations, uids, revisions, reads from the server, or a requeue. Ten
 * are those of a review by hand; the others are of the same sort.
 */
import type { KindRegistry } from '../../../../src/apiserver/kinds/index.ts';
import type { Controller, Write } from '../../../../src/controlplane/runtime/index.ts';
import { controllers, type ControllerOptions } from '../../../../src/controlplane/controllers/index.ts';
import { seeing, writing } from '../../../support/mutants.ts';

/** What the mutant does without. */
export type Lack = 'expectations' | 'uid' | 'uid of deletion' | 'uid of adoption' | 'revision' | 'live read' | 'requeue';

export interface ControllerMutant {
  readonly name: string;
  readonly controller: string;
  readonly lack: Lack;
  /** The folders and files of shipped scenarios that are asked, relative to `scenarios`. */
  readonly asks: readonly string[];
}

/** The write without these members of its metadata, in an update (where they are empty) and in a patch. */
function withoutMetadata(write: Write, name: 'uid' | 'resourceVersion'): Write {
  if (write.op === 'update') return { ...write, object: { ...write.object, metadata: { ...write.object.metadata, [name]: '' } } };
  if (write.op !== 'patch' || typeof write.patch !== 'object' || write.patch === null || !('metadata' in write.patch)) return write;
  const { [name]: _, ...metadata } = write.patch.metadata as Readonly<Record<string, unknown>>;
  return { ...write, patch: { ...write.patch, metadata } };
}

/** Without the version of an update, of a patch, or of a deletion. */
function withoutRevision(write: Write): Write {
  if (write.op !== 'delete') return withoutMetadata(write, 'resourceVersion');
  const { resourceVersion: _, ...rest } = write;
  return rest;
}

function withoutUidOfDeletion(write: Write): Write {
  if (write.op !== 'delete') return write;
  const { uid: _, ...rest } = write;
  return rest;
}

/** Patches adopt and release. */
const withoutUidOfAdoption = (write: Write): Write => (write.op === 'patch' ? withoutMetadata(write, 'uid') : write);

/** Drops the wake-ups of a controller. */
function withoutRequeue(real: Controller): Controller {
  return {
    ...real,
    reconcile(input) {
      const { wakeAt: _, ...outcome } = real.reconcile(input);
      return outcome;
    },
  };
}

/** More than any decision asks. */
const MOST_READS = 16;

/** Without checks of the server before a write, and with the cache's answers to what is read from the server. */
function withoutLiveReads(real: Controller): Controller {
  const unchecked = writing(real, (write) => (write.op === 'check' ? undefined : write));
  return {
    ...unchecked,
    reconcile(input) {
      let outcome = unchecked.reconcile(input);
      for (let reads = 0; reads < MOST_READS; reads++) {
        const [read] = outcome.writes;
        if (read?.op !== 'get' || read.resume !== true || outcome.writes.length > 1) break;
        const { memory = undefined } = outcome;
        const object = input.cache.get(read.kind, read.namespace, read.name);
        outcome = unchecked.resume?.({ ...input, ...(memory === null ? {} : { memory }) }, { write: read, object }) ?? outcome;
      }
      return outcome;
    },
  };
}

const PLANTS: Readonly<Record<Lack, (real: Controller) => Controller>> = {
  expectations: (real) => seeing(real, (input) => ({ ...input, expectationsSatisfied: true })),
  uid: (real) => writing(real, (write) => withoutUidOfAdoption(withoutUidOfDeletion(write))),
  'uid of deletion': (real) => writing(real, withoutUidOfDeletion),
  'uid of adoption': (real) => writing(real, withoutUidOfAdoption),
  revision: (real) => writing(real, withoutRevision),
  'live read': withoutLiveReads,
  requeue: withoutRequeue,
};

const mutant = (controller: string, lack: Lack, ...asks: readonly string[]): ControllerMutant => ({
  name: `${controller} without ${lack}`,
  controller,
  lack,
  asks,
});

export const CONTROLLER_MUTANTS: readonly ControllerMutant[] = [
  mutant('replica-set', 'expectations', 'replica-set', 'deployment'),
  mutant('replica-set', 'revision', 'replica-set', 'deployment'),
  mutant('replica-set', 'uid', 'replica-set', 'deployment'),
  mutant('replica-set', 'live read', 'replica-set', 'deployment'),
  mutant('deployment', 'expectations', 'deployment'),
  mutant('deployment', 'revision', 'deployment'),
  mutant('deployment', 'uid', 'deployment'),
  mutant('deployment', 'requeue', 'deployment'),
  mutant('job', 'expectations', 'job', 'incidents'),
  mutant('job', 'revision', 'job', 'incidents'),
  mutant('job', 'uid', 'job', 'incidents'),
  mutant('job', 'requeue', 'job'),
  mutant('job', 'live read', 'job'),
  mutant('cron-job', 'requeue', 'cron-job'),
  mutant('cron-job', 'revision', 'cron-job'),
  mutant('cron-job', 'uid', 'cron-job'),
  mutant('stateful-set', 'uid of deletion', 'stateful-set', 'incidents'),
  mutant('stateful-set', 'uid of adoption', 'stateful-set', 'incidents'),
  mutant('stateful-set', 'revision', 'stateful-set'),
  mutant('stateful-set', 'live read', 'stateful-set'),
  mutant('stateful-set', 'requeue', 'stateful-set'),
  mutant('daemon-set', 'expectations', 'daemon-set'),
  mutant('daemon-set', 'revision', 'daemon-set'),
  mutant('daemon-set', 'uid', 'daemon-set'),
  mutant('daemon-set', 'live read', 'daemon-set'),
  // Without the uid of its deletions it is equivalent: these carry the revision that was read, too.
  mutant('garbage-collector', 'live read', 'regressions', 'lessons'),
  mutant('job-ttl', 'requeue', 'job'),
  mutant('taint-eviction', 'requeue', 'node'),
  mutant('node-lifecycle', 'revision', 'node'),
  mutant('horizontal-pod-autoscaler', 'requeue', 'horizontal-pod-autoscaler'),
  mutant('claim-protection', 'revision', 'storage', 'stateful-set', 'incidents'),
];

/** All registered controllers, with the mutant in place of its original. Throws if there is no such controller. */
export const planted =
  ({ controller, lack }: ControllerMutant) =>
  (kinds: KindRegistry, options?: ControllerOptions): readonly Controller[] => {
    const all = controllers(kinds, options);
    if (!all.some(({ name }) => name === controller)) throw new Error(`there is no controller ${controller}`);
    return all.map((each) => (each.name === controller ? PLANTS[lack](each) : each));
  };
