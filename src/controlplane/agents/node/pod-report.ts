/**
 * The agent's reports of a pod's status, and which changes of a pod matter to the agent. Also the events about its containers (pulled,
 * created, started, stopped), derived from their states before and after a sync. Models: v1.24 pkg/kubelet/status; pkg/kubelet/images
 * image_manager.go, kuberuntime kuberuntime_container.go, kuberuntime_manager.go. Pulls that take time record their own events
 * (`images/pull.ts`).
 */
import type { PodCondition, PodStatus } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { mergePatch, remove, type Write } from '../../runtime/index.ts';
import { type Run, isHeld } from './containers.ts';
import { sentenceOfPulling } from './images/pull.ts';

export const isOver = (pod: Pod): boolean => pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';

/** A conflict is retried: if a new pod has the name, the cache will show it. */
const REPORT_MAY_FAIL: readonly string[] = ['NotFound', 'Invalid'];

/** Writes a pod's status. With the uid the patch fails on a later pod with the same name. */
export const reportStatus = (pod: Pod, status: PodStatus): Write =>
  mergePatch(pod, { metadata: { uid: pod.metadata.uid }, status }, { subresource: 'status', tolerate: REPORT_MAY_FAIL });

export const finalise = (pod: Pod): Write => remove(pod, { gracePeriodSeconds: 0 });

/** The values in the last fingerprint: pods of a workload take the same steps at the same time, and share the texts. */
const last = {
  stage: 'creating' as Run['stage'],
  restarts: -1,
  backoffMs: 0,
  ready: false,
  finishedAt: undefined as number | undefined,
  failed: false,
  text: '',
};

/** Changes exactly when a report is needed; transition times alone never count. */
export function fingerprint(run: Run, now: number, failed: boolean): string {
  const { stage, restarts, backoffMs } = run;
  const ready = stage === 'running' && run.readyAt <= now;
  const finishedAt = run.last?.finishedAt;
  if (run.pulling !== undefined || run.timeouts !== undefined) return printed(run, ready, failed);
  const isLast =
    last.stage === stage &&
    last.restarts === restarts &&
    last.backoffMs === backoffMs &&
    last.ready === ready &&
    last.finishedAt === finishedAt &&
    last.failed === failed;
  if (!isLast) Object.assign(last, { stage, restarts, backoffMs, ready, finishedAt, failed, text: printed(run, ready, failed) });
  return last.text;
}

const printed = (run: Run, ready: boolean, failed: boolean): string =>
  `${run.stage}/${run.restarts}/${run.backoffMs}/${ready}/${run.last?.finishedAt ?? ''}/${failed}${run.pulling === undefined ? '' : JSON.stringify(run.pulling.reported)}${run.timeouts === undefined ? '' : '/late'}`;

/** Whether the server has this status: a report that a crashed agent did not make must be made by the next one. */
export const isKnown = ({ status: { phase, containerStatuses } }: Pod, made: PodStatus): boolean =>
  phase === made.phase && JSON.stringify(containerStatuses) === JSON.stringify(made.containerStatuses);

/** An agent gives a reason with every condition that is not ready; node-lifecycle gives none when it marks the pods of a silent node. */
const isMark = ({ type, status, reason }: PodCondition): boolean => type === 'Ready' && status === 'False' && reason === undefined;
const isUnready = ({ type, status }: PodCondition): boolean => type === 'ContainersReady' && status === 'False';

/** Whether a pod is shown as not ready yet, or no longer; an agent that looks at its containers knows whether that is so. */
export const showsLess = ({ status: { phase, conditions } }: Pod): boolean =>
  phase === 'Pending' || conditions?.some((each) => isMark(each) || isUnready(each)) === true;

/**
 * Whether the API server shows less of a ready pod than its agent reports: another client marked it unready, or a report that an earlier
 * incarnation of the agent sent arrived after newer ones. Models: v1.24 pkg/kubelet/status needsReconcile.
 */
export const isOutdated = (pod: Pod, run: Run | undefined, now: number): boolean =>
  run === undefined
    ? pod.status.conditions?.some(isMark) === true
    : run.stage === 'running' && run.readyAt <= now && !run.killed && showsLess(pod);

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
  return status.reason !== old.status.reason || (pod.spec.activeDeadlineSeconds !== undefined && status.startTime !== old.status.startTime);
}

export function sentence(run: Run, now: number): string {
  switch (run.stage) {
    case 'creating':
      if (run.pulling !== undefined) return sentenceOfPulling(run.pulling);
      if (run.timeouts !== undefined) return 'its containers were not created within the runtimeRequestTimeout: it tries again';
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
  }
}

/** Reasons of events that are recorded only with the option `podEvents`. */
export const POD_EVENTS: ReadonlySet<string> = new Set(['Pulling', 'Pulled', 'Created', 'Started', 'Killing', 'BackOff']);

interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
}

const starts = ({ startedAt, restarts }: Run): number => (startedAt === 0 ? 0 : restarts + 1);

const hasBegun = (run: Run | undefined): boolean => run !== undefined && !isHeld(run);

/** The events between two states, in order. `pulled`: those of its images have been recorded. */
export function podEvents(pod: Pod, before: Run | undefined, after: Run, pulled = false): readonly Write[] {
  if (before === after) return NO_EVENTS;
  const events: Write[] = [];
  const containers = pod.spec.containers;
  const begins = !hasBegun(before) && hasBegun(after) && (starts(after) > 0 || !after.killed);
  if (begins)
    for (const container of pod.spec.initContainers ?? [])
      events.push(...(pulled ? [] : pulling(pod, 'initContainers', container)), ...started(pod, 'initContainers', container));
  if (begins && !pulled) events.push(...containers.flatMap((container) => pulling(pod, 'containers', container)));
  const first = before === undefined ? 0 : starts(before);
  for (let start = first + 1; start <= starts(after); start++)
    for (const container of containers)
      events.push(...(start === 1 ? [] : pulling(pod, 'containers', container)), ...started(pod, 'containers', container));
  if (after.killed && before?.killed !== true && after.startedAt > 0 && before?.stage !== 'waiting')
    for (const container of containers) events.push(event(pod, 'containers', container, 'Killing', `Stopping container ${container.name}`));
  // The first restart is immediate.
  if (after.stage === 'waiting' && after.restarts > 0 && (before?.stage !== 'waiting' || before.restarts !== after.restarts))
    for (const container of containers)
      events.push(event(pod, 'containers', container, 'BackOff', 'Back-off restarting failed container', 'Warning'));
  return events;
}

type Field = 'containers' | 'initContainers';

const event = (
  pod: Pod,
  field: Field,
  { name }: Container,
  reason: string,
  message: string,
  type: 'Normal' | 'Warning' = 'Normal',
): Write => ({
  op: 'event',
  event: { about: pod, fieldPath: `spec.${field}{${name}}`, type, reason, message },
});

/** Tells of containers whose creation took the runtime too long, since the last look. */
export const timeoutEvents = (pod: Pod, before: Run | undefined, { timeouts = 0 }: Run): readonly Write[] =>
  timeouts > (before?.timeouts ?? 0)
    ? pod.spec.containers.map((container) => event(pod, 'containers', container, 'Failed', 'Error: context deadline exceeded', 'Warning'))
    : NO_EVENTS;
const NO_EVENTS: readonly Write[] = [];

function pulling(pod: Pod, field: Field, container: Container): readonly Write[] {
  const { image = '', imagePullPolicy } = container;
  if (imagePullPolicy !== 'Always')
    return [event(pod, field, container, 'Pulled', `Container image ${JSON.stringify(image)} already present on machine`)];
  return [
    event(pod, field, container, 'Pulling', `Pulling image ${JSON.stringify(image)}`),
    event(pod, field, container, 'Pulled', `Successfully pulled image ${JSON.stringify(image)} in 0s`),
  ];
}

const started = (pod: Pod, field: Field, container: Container): readonly Write[] => [
  event(pod, field, container, 'Created', `Created container ${container.name}`),
  event(pod, field, container, 'Started', `Started container ${container.name}`),
];
