/**
 * The agent's decision about one pod: from the pod, from the state of its containers, and from live reads about its volumes. The machine is
 * only read; changes are listed as actions. Models: v1.24 pkg/kubelet syncPod, status manager, volume manager.
 */
import { controllerOf, type Names, type PodStatus } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { append, parseTime } from '../../../schema/values/index.ts';
import { record, type Write } from '../../runtime/index.ts';
import { requestsOf } from '../../shared/index.ts';
import { completionIndexOf, created, isHeld, killed, passed, released, type RestartPolicy, type Run } from './containers.ts';
import type { Action } from './actions.ts';
import { DEFAULT_GRACE_SECONDS, changedVolumesInUse } from './orphaned-pods.ts';
import type { MachineView } from './machine.ts';
import { finalise, fingerprint, isKnown, isOutdated, reportStatus, sentence, podEvents, timeoutEvents } from './pod-report.ts';
import { podStatus } from './pod-status.ts';
import { namesEvents } from './container-introspection.ts';
import { mountText } from './mounts.ts';
import { hasClaims, hasInlineVolumes, needsSandbox, waitsForImages } from './node-context.ts';
import type { NodeContext, PodInput, PodMemory, PodOutcome, View, Volumes } from './node-context.ts';
import { mounting, type Mounting, republishing, type Republishing } from './preparation.ts';
import { nextOfPulling, pullFor } from './images/pull.ts';

/** The retry period of mounts and sandboxes, milliseconds. */
const RETRY_MS = 10_000;
/** The poll period of claims that are not bound, milliseconds. */
const CLAIMS_MS = 2_000;

export function attemptsOf(pod: Pod, names: Names): string {
  const owner = controllerOf(pod)?.uid ?? pod.metadata.uid;
  const index = completionIndexOf(pod, names);
  return index === undefined ? owner : `${owner}/${index}`;
}

export const policyOf = ({ spec: { restartPolicy } }: Pod): RestartPolicy =>
  restartPolicy === 'Never' || restartPolicy === 'OnFailure' ? restartPolicy : 'Always';

function fresh(pod: Pod, nodeContext: NodeContext, input: PodInput, places: Run['places']): Run {
  const behavior = nodeContext.behaviorOf(pod, input.names);
  const sandboxed = needsSandbox(pod, nodeContext, input);
  return created(
    {
      asks: requestsOf(pod.spec),
      places,
      given: nodeContext.given,
      behavior: nodeContext.evicts?.limited(behavior, pod) ?? behavior,
      policy: policyOf(pod),
      attemptsOf: attemptsOf(pod, input.names),
      ip: pod.spec.hostNetwork === true ? nodeContext.machine.hostAddress : sandboxed ? '' : nodeContext.machine.nextAddress(),
      // Its volumes, its sandbox and its images must be ready first.
      held: sandboxed || hasClaims(pod) || hasInlineVolumes(pod) || waitsForImages(pod, nodeContext),
      leastStartMs: nodeContext.machine.leastStartMs,
      limitMs: nodeContext.runtimeTimeoutMs,
    },
    input.now,
  );
}

/** The pod's containers now: started if they were not, stopped if they must be. `places`: their exclusive resources at the start. */
export function viewPod(pod: Pod, nodeContext: NodeContext, input: PodInput, places?: Run['places']): View {
  const { now, wall } = input;
  const { uid, deletionTimestamp, deletionGracePeriodSeconds = DEFAULT_GRACE_SECONDS } = pod.metadata;
  const before = nodeContext.machine.run(uid);
  const begun = before ?? fresh(pod, nodeContext, input, places);
  const others = nodeContext.machine.attempts(begun.attemptsOf) - begun.attempts;
  let run = passed(begun, now, others);
  const deadline =
    pod.spec.activeDeadlineSeconds === undefined || pod.status.startTime === undefined
      ? Infinity
      : parseTime(pod.status.startTime) + pod.spec.activeDeadlineSeconds * 1000 + now - wall;
  const expired = now >= deadline && run.stage !== 'over';
  if (deletionTimestamp !== undefined) run = killed(run, now, deletionGracePeriodSeconds * 1000);
  else if (expired) run = killed(run, now, 0);
  return { pod, before, run: passed(run, now, others), others, deadline, expired };
}

export const needsVolumes = ({ pod, run }: View): boolean => hasClaims(pod) && isHeld(run) && run.mounted !== true;

/** The memory of this pod; that of an earlier pod with the same name is ignored. */
export const memoryOf = (pod: Pod, { memory }: PodInput): PodMemory | undefined => (memory?.uid === pod.metadata.uid ? memory : undefined);

function fetching({ pod, others }: View, run: Run, nodeContext: NodeContext, input: PodInput, last: boolean) {
  const { pulls } = nodeContext;
  if (pulls === undefined || !isHeld(run) || run.mounted !== true) return undefined;
  const { pulling, actions, events } = pullFor(pod, run.pulling, pulls, input);
  if (pulling !== undefined) return { run: pulling === run.pulling ? run : { ...run, pulling }, actions, events };
  const { pulling: _, ...rest } = run;
  return { run: passed(released(rest, input.now, last ? 0 : nodeContext.machine.leastStartMs), input.now, others), actions, events };
}

/** The report of the pod, and when to sync again because the API server shows an outdated one. */
function report(
  { pod, expired }: View,
  run: Run,
  last: string | undefined,
  { machine, syncMs }: NodeContext,
  input: PodInput,
): { readonly status: PodStatus | undefined; readonly fingerprint: string; readonly syncAt: number } {
  const { now, state } = input;
  const failure =
    expired || pod.status.reason === 'DeadlineExceeded'
      ? { reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' }
      : run.stage === 'over'
        ? run.failure
        : undefined;
  const present = fingerprint(run, now, failure !== undefined);
  const syncAt = last === present && isOutdated(pod, run, now) ? (memoryOf(pod, input)?.syncAt ?? now + syncMs) : Infinity;
  const isReported = last === present && syncAt > now;
  if (isReported && (run.isAdopted === true || state.reported.has(pod.metadata.uid)))
    return { status: undefined, fingerprint: present, syncAt };
  const status = podStatus(pod, run, machine, input, failure);
  return isReported && isKnown(pod, status)
    ? { status: undefined, fingerprint: present, syncAt }
    : { status, fingerprint: present, syncAt: Infinity };
}

const NO_WAKE: Pick<PodOutcome, 'wakeAt' | 'background'> = Object.freeze({});
const AS_BEFORE: Pick<PodOutcome, 'memory'> = Object.freeze({});

function wakeOf(
  { deadline }: View,
  run: Run,
  volumes: Volumes,
  syncAt: number,
  now: number,
  failed: boolean,
): Pick<PodOutcome, 'wakeAt' | 'background'> {
  const nextAt = Math.min(
    run.until,
    run.stage === 'running' && run.readyAt > now ? run.readyAt : Infinity,
    run.stage === 'over' ? Infinity : deadline,
    syncAt > now ? syncAt : Infinity,
  );
  const pulledAt = run.stage === 'creating' && run.pulling !== undefined ? nextOfPulling(run.pulling) : Infinity;
  // A retry that can only repeat counts as background.
  if (pulledAt < nextAt) return { wakeAt: pulledAt, ...(run.pulling?.againAt === undefined ? {} : { background: true }) };
  if (run.stage === 'creating' && run.timeouts !== undefined && nextAt === run.until) return { wakeAt: nextAt, background: true };
  if (failed) return { wakeAt: Math.min(nextAt, now + RETRY_MS), background: true };
  const again = now + CLAIMS_MS;
  if ((volumes === 'unbound' || volumes === 'no answer') && again < nextAt)
    return volumes === 'unbound' ? { wakeAt: again, background: true } : { wakeAt: again };
  return nextAt < Infinity && nextAt > now ? { wakeAt: nextAt } : NO_WAKE;
}

/** Publishing volumes again counts as background. */
const sooner = (
  wake: Pick<PodOutcome, 'wakeAt' | 'background'>,
  anew: Republishing | undefined,
): Pick<PodOutcome, 'wakeAt' | 'background'> =>
  anew === undefined || (wake.wakeAt ?? Infinity) <= anew.nextAt ? wake : { wakeAt: anew.nextAt, background: true };

function usedAfter({ volumesOf }: MachineView, uid: string, uses: Mounting['uses']): MachineView['volumesOf'] {
  if (uses === undefined) return volumesOf;
  const after = new Map(volumesOf);
  if (uses.volumes === undefined) after.delete(uid);
  else after.set(uid, uses.volumes);
  return after;
}

/** `first`: actions that come before the others. */
function actionsOf(
  { pod, before }: View,
  run: Run,
  { uses, waits, mounts }: Mounting,
  { key, state }: PodInput,
  first: readonly Action[],
): readonly Action[] {
  const { uid } = pod.metadata;
  const puts = run === before ? NO_ACTIONS : [{ does: 'put', uid, run } as const];
  const isPlain =
    first.length === 0 && uses === undefined && mounts === undefined && (waits === undefined || waits === state.waiting.has(key));
  if (isPlain && state.reported.has(uid)) return puts;
  if (isPlain) return puts === NO_ACTIONS ? [{ does: 'note', uid } as const] : [...puts, { does: 'note', uid } as const];
  const actions: Action[] = [...first, ...puts];
  if (uses !== undefined) actions.push({ does: 'use', uid, volumes: uses.volumes });
  if (mounts !== undefined) actions.push({ does: 'mount', uid, mounts });
  if (waits !== undefined && waits !== state.waiting.has(key)) actions.push({ does: 'wait', key, waits });
  if (!state.reported.has(uid)) actions.push({ does: 'note', uid });
  return actions;
}

function memoryAfter(view: View, run: Run, volumes: Volumes, syncAt: number, input: PodInput): Pick<PodOutcome, 'memory'> {
  const found = typeof volumes === 'object' ? volumes.found : memoryOf(view.pod, input)?.volumes;
  const due = syncAt > input.now && syncAt < Infinity;
  const holds = found !== undefined && isHeld(run);
  if (!due && !holds) return input.memory === undefined ? AS_BEFORE : { memory: null };
  return { memory: { uid: view.pod.metadata.uid, ...(due ? { syncAt } : {}), ...(holds ? { volumes: found } : {}) } };
}

function whyOf(run: Run, { failure, mounts }: Mounting, volumes: Volumes, now: number): string {
  if (volumes === 'no answer') return 'waiting for volumes: its reads about them failed';
  if (failure !== undefined) return `${failure.message}; retry in ${RETRY_MS / 1_000} s`;
  const text = sentence(run, now);
  return mounts === undefined ? text : [text, ...mounts.flatMap((mount) => mountText(mount) ?? [])].join('; ');
}

const begins = (before: Run | undefined, run: Run): boolean => (before === undefined || isHeld(before)) && !isHeld(run) && !run.killed;

const NO_WRITES: readonly Write[] = [];
const NO_ACTIONS: readonly Action[] = [];

function eventsOf(
  { pod, before }: View,
  run: Run,
  nodeContext: NodeContext,
  input: PodInput,
  ofImages: readonly Write[],
  failure: Mounting['failure'],
): readonly Write[] {
  const timeouts = timeoutEvents(pod, before, run);
  const { given, recordsEvents } = nodeContext;
  if (timeouts.length === 0 && given === undefined && !recordsEvents && failure === undefined) return NO_WRITES;
  const writes: Write[] = [];
  if (given !== undefined && begins(before, run))
    for (const [reason, message] of namesEvents(pod, given, input.names)) writes.push(record(pod, 'Warning', reason, message));
  append(writes, timeouts);
  if (recordsEvents) append(writes, ofImages, podEvents(pod, before, run, waitsForImages(pod, nodeContext)));
  if (failure !== undefined) writes.push(record(pod, 'Warning', failure.reason, failure.message));
  return writes;
}

/** The decision: actions on the containers, reports, and the next wake-up. */
export function conclude(view: View, nodeContext: NodeContext, input: PodInput, volumes: Volumes): PodOutcome {
  const { pod } = view;
  const { now, cache, failures } = input;
  // A report that failed is made again at the next attempt.
  const last = failures > 0 ? undefined : view.run.reported;
  // Most pods have nothing to wait for, and no volumes.
  const first: Mounting =
    isHeld(view.run) || hasClaims(pod) ? mounting(view, nodeContext, input, volumes, last !== undefined) : { run: view.run };
  const anew = pod.spec.volumes === undefined ? undefined : republishing(view, first, nodeContext, input);
  const mounted = anew === undefined ? first : { ...first, ...anew };
  const fetched = fetching(view, mounted.run, nodeContext, input, last !== undefined);
  const is = fetched?.run ?? mounted.run;
  const { status, fingerprint: reported, syncAt } = report(view, is, last, nodeContext, input);
  const run = is.reported === reported ? is : { ...(is.isAdopted === true ? withoutMark(is) : is), reported };
  const events = eventsOf(view, run, nodeContext, input, fetched?.events ?? NO_WRITES, mounted.failure);
  const reports = status === undefined ? NO_WRITES : [reportStatus(pod, status)];
  const ends = run.stage === 'over' && pod.metadata.deletionTimestamp !== undefined;
  const writes = events.length === 0 && !ends ? reports : [...events, ...reports, ...(ends ? [finalise(pod)] : [])];
  const notified =
    !hasClaims(pod) ||
    changedVolumesInUse(
      usedAfter(nodeContext.machine, pod.metadata.uid, mounted.uses),
      cache.get('Node', undefined, nodeContext.nodeName),
    ) === undefined;
  const why = anew?.failure === undefined ? whyOf(run, mounted, volumes, now) : `${anew.failure.message}; the pod keeps running`;
  const actions = actionsOf(view, run, mounted, input, fetched?.actions ?? NO_ACTIONS);
  const wake = sooner(wakeOf(view, run, volumes, syncAt, now, first.failure !== undefined), anew);
  const memory = memoryAfter(view, run, volumes, syncAt, input);
  // Literals, because spreading an object copies it field by field.
  if (notified && memory === AS_BEFORE && wake.background === undefined)
    return wake.wakeAt === undefined ? { why, writes, actions } : { why, writes, actions, wakeAt: wake.wakeAt };
  return { why, writes, actions, ...wake, ...(notified ? {} : { enqueue: [nodeContext.nodeName] }), ...memory };
}

const withoutMark = ({ isAdopted: _, ...run }: Run): Run => run;
