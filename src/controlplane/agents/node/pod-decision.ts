/**
 * What an agent decides about one pod: from the pod, from what its containers do by now, and from what the server said of its volumes. The
 * machine is only looked at; what is to be done there is listed as actions. Models: v1.24 pkg/kubelet syncPod, status manager, volume
 * manager.
 */
import { controllerOf, type Names, type PodStatus } from '../../../apiserver/vocabulary/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { append, parseTime } from '../../../grammar/values/index.ts';
import { record, type Write } from '../../runtime/index.ts';
import { requestsOf } from '../../shared/index.ts';
import { completionIndexOf } from './behavior.ts';
import { created, isHeld, killed, passed, released, type RestartPolicy, type Run } from './containers.ts';
import type { Action } from './actions.ts';
import { DEFAULT_GRACE_SECONDS, predicateOfVolumes } from './orphaned-pods.ts';
import type { MachineView } from './machine.ts';
import { finalise, fingerprint, isKnown, reportStatus, sentence, wasMarkedUnready } from './pod-report.ts';
import { nextOfPulling, type PullAction, pullFor } from './images/index.ts';
import { podEvents, timeoutEvents } from './pod-events.ts';
import { podStatus } from './pod-status.ts';
import { namesEvents } from './container-introspection.ts';
import { hasInlineVolumes, mountText } from './mounts.ts';
import {
  type NodeContext,
  type PodInput,
  type PodMemory,
  type PodOutcome,
  sandboxOffer,
  type View,
  type Volumes,
  waitsForImages,
} from './pod-view.ts';
import { mounting, type Mounting, republishing, type Republishing } from './preparation.ts';
import { needsSandbox } from './sandbox.ts';
import { askNode, attachable, hasClaims, mayMount, nextAttachment, type PodVolume } from './volumes.ts';

/** What could not be mounted or set up is tried again so often. */
const RETRY_MS = 10_000;
/** Claims that are not bound yet are asked for this often. */
const CLAIMS_MS = 2_000;

function attemptsOf(pod: Pod, names: Names): string {
  const owner = controllerOf(pod)?.uid ?? pod.metadata.uid;
  const index = completionIndexOf(pod, names);
  return index === undefined ? owner : `${owner}/${index}`;
}

const policyOf = ({ spec: { restartPolicy } }: Pod): RestartPolicy =>
  restartPolicy === 'Never' || restartPolicy === 'OnFailure' ? restartPolicy : 'Always';

function fresh(pod: Pod, nodeContext: NodeContext, input: PodInput, places: Run['places']): Run {
  const behavior = nodeContext.behaviorOf(pod, input.names);
  const sandboxed = needsSandbox(pod, sandboxOffer(nodeContext, input));
  return created(
    {
      asks: requestsOf(pod.spec),
      places,
      given: nodeContext.given,
      behavior: nodeContext.evicts?.limited(behavior, pod) ?? behavior,
      policy: policyOf(pod),
      attemptsOf: attemptsOf(pod, input.names),
      ip: sandboxed ? '' : nodeContext.machine.nextAddress(),
      // Its volumes, its sandbox, its images have to be there first.
      held: sandboxed || hasClaims(pod) || hasInlineVolumes(pod) || waitsForImages(pod, nodeContext),
      leastStartMs: nodeContext.machine.leastStartMs,
      limitMs: nodeContext.runtimeTimeoutMs,
    },
    input.now,
  );
}

/**
 * The pod's containers now: started if they were not, stopped if they must be. `places`: what they are given for themselves when they
 * start.
 */
export function lookAt(pod: Pod, nodeContext: NodeContext, input: PodInput, places?: Run['places']): View {
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

/** Whether its containers wait for volumes. */
export const needsVolumes = ({ pod, run }: View): boolean => hasClaims(pod) && isHeld(run) && run.mounted !== true;

/** What is remembered of this pod, and not of a namesake. */
export const memoryOf = (pod: Pod, { memory }: PodInput): PodMemory | undefined => (memory?.uid === pod.metadata.uid ? memory : undefined);

const putAction = ({ pod, before }: View, run: Run): readonly Action[] =>
  run === before ? [] : [{ does: 'put', uid: pod.metadata.uid, run }];

/** Asks the server one thing about the pod's volumes; `resume` goes on with the answer. */
export const ask = (view: View, input: PodInput, question: Write, why: string, learned: Partial<PodMemory>): PodOutcome => {
  const { syncAt } = memoryOf(view.pod, input) ?? {};
  return {
    why,
    writes: [question],
    actions: putAction(view, view.run),
    memory: { uid: view.pod.metadata.uid, ...(syncAt === undefined ? {} : { syncAt }), ...learned },
  };
};

/** With all volumes found: the node is asked where something must be attached, else the decision falls. */
export const withVolumes = (view: View, nodeContext: NodeContext, input: PodInput, found: readonly PodVolume[]): PodOutcome =>
  nodeContext.attachesItself || attachable(found).length === 0
    ? conclude(view, nodeContext, input, { found, node: undefined })
    : ask(view, input, askNode(nodeContext.nodeName), 'read from the API server what is attached to its node', { volumes: found });

/** With the node seen: where attachments bring something, the server is asked for it, one after the other; then the decision falls. */
export function withNode(
  view: View,
  nodeContext: NodeContext,
  input: PodInput,
  found: readonly PodVolume[],
  attached: NonNullable<PodMemory['attached']>,
): PodOutcome {
  const { node, brought } = attached;
  const next = mayMount(found, node) ? nextAttachment(found, brought, nodeContext.nodeName) : undefined;
  if (next === undefined) return conclude(view, nodeContext, input, { found, node, brought });
  return ask(view, input, next.question, 'read the VolumeAttachment from the API server', { volumes: found, attached });
}

/** What becomes of a pod that waits for images alone. */
interface Fetched {
  readonly run: Run;
  readonly actions: readonly PullAction[];
  readonly events: readonly Write[];
}

function fetching({ pod, others }: View, run: Run, nodeContext: NodeContext, input: PodInput, said: boolean): Fetched | undefined {
  const { pulls } = nodeContext;
  if (pulls === undefined || !isHeld(run) || run.mounted !== true) return undefined;
  const { pulling, actions, events } = pullFor(pod, run.pulling, pulls.context(input));
  if (pulling !== undefined) return { run: pulling === run.pulling ? run : { ...run, pulling }, actions, events };
  const { pulling: _, ...rest } = run;
  return { run: passed(released(rest, input.now, said ? 0 : nodeContext.machine.leastStartMs), input.now, others), actions, events };
}

/** What the agent has to say of the pod, and when it looks again because somebody marked it. */
function report(
  { pod, expired }: View,
  run: Run,
  said: string | undefined,
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
  const says = fingerprint(run, now, failure !== undefined);
  const isMarked = said === says && run.stage === 'running' && run.readyAt <= now && !run.killed && wasMarkedUnready(pod);
  const syncAt = isMarked ? (memoryOf(pod, input)?.syncAt ?? now + syncMs) : Infinity;
  const isSaid = said === says && syncAt > now;
  if (isSaid && state.reported.has(pod.metadata.uid)) return { status: undefined, fingerprint: says, syncAt };
  const status = podStatus(pod, run, machine, input, failure);
  return { status: isSaid && isKnown(pod, status) ? undefined : status, fingerprint: says, syncAt };
}

/** It does not look again by itself; it remembers what it did. */
const NO_WAKE: Pick<PodOutcome, 'wakeAt' | 'background'> = Object.freeze({});
const AS_BEFORE: Pick<PodOutcome, 'memory'> = Object.freeze({});

/** When to look again. Claims are bound, or the server answers, without a word to the agent. */
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
  // A retry that only repeats itself keeps nobody waiting.
  if (pulledAt < nextAt) return { wakeAt: pulledAt, ...(run.pulling?.againAt === undefined ? {} : { background: true }) };
  if (run.stage === 'creating' && run.timeouts !== undefined && nextAt === run.until) return { wakeAt: nextAt, background: true };
  if (failed) return { wakeAt: Math.min(nextAt, now + RETRY_MS), background: true };
  const again = now + CLAIMS_MS;
  if ((volumes === 'unbound' || volumes === 'no answer') && again < nextAt)
    return volumes === 'unbound' ? { wakeAt: again, background: true } : { wakeAt: again };
  return nextAt < Infinity && nextAt > now ? { wakeAt: nextAt } : NO_WAKE;
}

/** To publish volumes anew keeps nobody waiting. */
const sooner = (
  wake: Pick<PodOutcome, 'wakeAt' | 'background'>,
  anew: Republishing | undefined,
): Pick<PodOutcome, 'wakeAt' | 'background'> =>
  anew === undefined || (wake.wakeAt ?? Infinity) <= anew.nextAt ? wake : { wakeAt: anew.nextAt, background: true };

/** The volumes in use by pod after a decision. */
function usedAfter({ volumesOf }: MachineView, uid: string, uses: Mounting['uses']): MachineView['volumesOf'] {
  if (uses === undefined) return volumesOf;
  const after = new Map(volumesOf);
  if (uses.volumes === undefined) after.delete(uid);
  else after.set(uid, uses.volumes);
  return after;
}

/** `first`: what comes before them. */
function actionsOf({ pod, before }: View, run: Run, { uses, waits, mounts }: Mounting, { key, state }: PodInput, first: readonly Action[]) {
  const { uid } = pod.metadata;
  const actions: Action[] = first.length === 0 ? [] : [...first];
  if (run !== before) actions.push({ does: 'put', uid, run });
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
  const says = sentence(run, now);
  return mounts === undefined ? says : [says, ...mounts.flatMap((mount) => mountText(mount) ?? [])].join('; ');
}

/** Whether its containers wait no more. */
const begins = (before: Run | undefined, run: Run): boolean => (before === undefined || isHeld(before)) && !isHeld(run) && !run.killed;

/** The decision itself: what is done to the containers, what is told of them, and when to look again. */
export function conclude(view: View, nodeContext: NodeContext, input: PodInput, volumes: Volumes): PodOutcome {
  const { pod } = view;
  const { now, cache, failures } = input;
  // What could not be reported is news again at the next try.
  const said = failures > 0 ? undefined : view.run.reported;
  const first = mounting(view, nodeContext, input, volumes, said !== undefined);
  const anew = republishing(view, first, nodeContext, input);
  const mounted = anew === undefined ? first : { ...first, ...anew };
  const fetched = fetching(view, mounted.run, nodeContext, input, said !== undefined);
  const is = fetched?.run ?? mounted.run;
  const { status, fingerprint: reported, syncAt } = report(view, is, said, nodeContext, input);
  const run = is.reported === reported ? is : { ...is, reported };
  const writes: Write[] = [];
  if (nodeContext.given !== undefined && begins(view.before, run))
    for (const [reason, message] of namesEvents(pod, nodeContext.given, input.names)) writes.push(record(pod, 'Warning', reason, message));
  append(writes, timeoutEvents(pod, view.before, run));
  if (nodeContext.tellsEvents) append(writes, fetched?.events ?? [], podEvents(pod, view.before, run, waitsForImages(pod, nodeContext)));
  if (mounted.failure !== undefined) writes.push(record(pod, 'Warning', mounted.failure.reason, mounted.failure.message));
  if (status !== undefined) writes.push(reportStatus(pod, status));
  if (run.stage === 'over' && pod.metadata.deletionTimestamp !== undefined) writes.push(finalise(pod));
  const notified =
    !hasClaims(pod) ||
    predicateOfVolumes(
      usedAfter(nodeContext.machine, pod.metadata.uid, mounted.uses),
      cache.get('Node', undefined, nodeContext.nodeName),
    ) === undefined;
  const why = anew?.failure === undefined ? whyOf(run, mounted, volumes, now) : `${anew.failure.message}; the pod keeps running`;
  const actions = actionsOf(view, run, mounted, input, fetched?.actions ?? NO_ACTIONS);
  const wake = sooner(wakeOf(view, run, volumes, syncAt, now, first.failure !== undefined), anew);
  const memory = memoryAfter(view, run, volumes, syncAt, input);
  // Literals: what is spread into one is copied member by member.
  if (notified && memory === AS_BEFORE && wake.background === undefined)
    return wake.wakeAt === undefined ? { why, writes, actions } : { why, writes, actions, wakeAt: wake.wakeAt };
  return { why, writes, actions, ...wake, ...(notified ? {} : { enqueue: [nodeContext.nodeName] }), ...memory };
}

const NO_ACTIONS: readonly Action[] = [];
