/**
 * Thirty mutants of built-in controllers that matter under faults: without expectations, uids, revisions, reads from the server, or a
 * requeue. Ten are those of a review by hand; the others are of the same sort.
 */
import type { KindRegistry } from '../../../../src/apiserver/kinds/index.ts';
import type { Controller, Write } from '../../../../src/controlplane/runtime/index.ts';
import { controllers } from '../../../../src/controlplane/controllers/index.ts';
import { seeing, writing } from '../../../support/mutants.ts';

/** What the mutant does without. */
export type Lack = 'expectations' | 'uid' | 'revision' | 'live read' | 'requeue';

export interface ControllerMutant {
  readonly name: string;
  readonly controller: string;
  readonly lack: Lack;
  /** The folders and files of shipped scenarios that are asked, relative to `scenarios`. */
  readonly asks: readonly string[];
}

/** Without the version of an update, or of a deletion. */
function withoutRevision(write: Write): Write {
  if (write.op === 'update') {
    const { resourceVersion: _, ...metadata } = write.object.metadata;
    return { ...write, object: { ...write.object, metadata: { ...metadata, resourceVersion: '' } } };
  }
  if (write.op !== 'delete') return write;
  const { resourceVersion: _, ...rest } = write;
  return rest;
}

/** Without the uid of a deletion, in a patch too. */
function withoutUid(write: Write): Write {
  if (write.op === 'patch' && typeof write.patch === 'object' && write.patch !== null && 'metadata' in write.patch) {
    const { uid: _, ...metadata } = write.patch.metadata as Readonly<Record<string, unknown>>;
    return { ...write, patch: { ...write.patch, metadata } };
  }
  if (write.op !== 'delete') return write;
  const { uid: _, ...rest } = write;
  return rest;
}

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

const PLANTS: Readonly<Record<Lack, (real: Controller) => Controller>> = {
  expectations: (real) => seeing(real, (input) => ({ ...input, expectationsSatisfied: true })),
  uid: (real) => writing(real, withoutUid),
  revision: (real) => writing(real, withoutRevision),
  'live read': (real) => writing(real, (write) => (write.op === 'check' ? undefined : write)),
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
  mutant('stateful-set', 'uid', 'stateful-set'),
  mutant('stateful-set', 'revision', 'stateful-set'),
  mutant('stateful-set', 'live read', 'stateful-set'),
  mutant('stateful-set', 'requeue', 'stateful-set'),
  mutant('daemon-set', 'expectations', 'daemon-set'),
  mutant('daemon-set', 'revision', 'daemon-set'),
  mutant('daemon-set', 'uid', 'daemon-set'),
  mutant('daemon-set', 'live read', 'daemon-set'),
  mutant('garbage-collector', 'uid', 'job', 'deployment', 'lessons'),
  mutant('garbage-collector', 'live read', 'job', 'deployment', 'lessons'),
  mutant('job-ttl', 'requeue', 'job'),
  mutant('taint-eviction', 'requeue', 'node'),
  mutant('node-lifecycle', 'revision', 'node'),
  mutant('horizontal-pod-autoscaler', 'requeue', 'horizontal-pod-autoscaler'),
];

/** All registered controllers, with the mutant in place of its original. Throws if there is no such controller. */
export const planted =
  ({ controller, lack }: ControllerMutant) =>
  (kinds: KindRegistry): readonly Controller[] => {
    const all = controllers(kinds);
    if (!all.some(({ name }) => name === controller)) throw new Error(`there is no controller ${controller}`);
    return all.map((each) => (each.name === controller ? PLANTS[lack](each) : each));
  };
