/** The agent's reports of a pod's status, and which changes of a pod matter to the agent. Models: v1.24 pkg/kubelet/status. */
import type { PodStatus } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Write } from '../../runtime/index.ts';
import type { Run } from './containers.ts';
import { sentenceOfPulling } from './images/index.ts';

/** Whether a pod is in a terminal phase. */
export const isOver = (pod: Pod): boolean => pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';

/** A conflict is retried: if a new pod has the name, the cache will show it. */
const REPORT_MAY_FAIL: readonly string[] = ['NotFound', 'Invalid'];

/** Writes a pod's status. */
export const reportStatus = (pod: Pod, status: PodStatus): Write => ({
  op: 'patch',
  kind: 'Pod',
  namespace: pod.metadata.namespace ?? 'default',
  name: pod.metadata.name,
  subresource: 'status',
  patchType: 'merge',
  // With the uid the patch fails on a later pod with the same name.
  patch: { metadata: { uid: pod.metadata.uid }, status },
  tolerate: REPORT_MAY_FAIL,
});

/** Completes the deletion of a pod whose containers have stopped. */
export const finalise = (pod: Pod): Write => ({
  op: 'delete',
  kind: 'Pod',
  namespace: pod.metadata.namespace ?? 'default',
  name: pod.metadata.name,
  uid: pod.metadata.uid,
  gracePeriodSeconds: 0,
  tolerate: ['NotFound'],
});

/** Changes exactly when a report is needed; transition times alone never count. */
export const fingerprint = (run: Run, now: number, failed: boolean): string =>
  `${run.stage}/${run.restarts}/${run.backoffMs}/${run.stage === 'running' && run.readyAt <= now}/${run.last?.finishedAt ?? ''}/${failed}${run.pulling === undefined ? '' : JSON.stringify(run.pulling.reported)}`;

/** Whether the server has this status: a report that a crashed agent did not make must be made by the next one. */
export const isKnown = ({ status: { phase, containerStatuses } }: Pod, made: PodStatus): boolean =>
  phase === made.phase && JSON.stringify(containerStatuses) === JSON.stringify(made.containerStatuses);

/** An agent gives a reason with every condition that is not ready; node-lifecycle gives none when it marks the pods of a silent node. */
export const wasMarkedUnready = ({ status }: Pod): boolean =>
  status.conditions?.some(({ type, status: is, reason }) => type === 'Ready' && is === 'False' && reason === undefined) === true;

/** Whether a change of a pod can matter to its agent; the agent's own reports do not. */
export function concerns(pod: Pod, old: Pod | undefined): boolean {
  if (old === undefined || pod.spec !== old.spec || isOver(pod) !== isOver(old)) return true;
  const { metadata: is, status } = pod;
  const { metadata: was } = old;
  if (
    is.uid !== was.uid ||
    is.deletionTimestamp !== was.deletionTimestamp ||
    is.deletionGracePeriodSeconds !== was.deletionGracePeriodSeconds
  )
    return true;
  return (
    status.reason !== old.status.reason ||
    (status !== old.status && wasMarkedUnready(pod)) ||
    (pod.spec.activeDeadlineSeconds !== undefined && status.startTime !== old.status.startTime)
  );
}

/** The state of the containers in words. */
export function sentence(run: Run, now: number): string {
  switch (run.stage) {
    case 'creating':
      if (run.pulling !== undefined) return sentenceOfPulling(run.pulling);
      return run.until === Infinity ? 'waiting for its volumes to be attached' : 'its containers are being created';
    case 'running':
      if (run.killed) return 'its containers are being stopped';
      return run.readyAt <= now ? 'its containers run and are ready' : 'its containers run but are not ready yet';
    case 'waiting':
      return `its containers exited with ${run.last?.code ?? 0}; they restart after ${run.backoffMs / 1000} s`;
    case 'over':
      if (run.last === undefined) return 'its containers never ran';
      return run.killed
        ? `its containers were stopped (exit code ${run.last.code})`
        : `its containers exited with ${run.last.code} and are not restarted`;
    default: {
      const never: never = run.stage;
      return never;
    }
  }
}
