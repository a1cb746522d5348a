/**
 * The agent's eviction decision, every ten seconds: pressure conditions, and at most one pod to evict. Models: v1.24 pkg/kubelet/eviction
 * eviction_manager.go synchronize. Simplified: usage is that of this instant, and only images can be garbage-collected.
 */
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import { keyOf, type Names } from '../../../../apiserver/machinery/index.ts';
import { present, unitsOf, parseQuantity } from '../../../../schema/values/index.ts';
import { type Outcome, type ReconcileInput, record } from '../../../runtime/index.ts';
import type { Amounts, Usage } from '../../../usage/index.ts';
import type { NodeSpec } from '../../specs.ts';
import { reservedOf } from '../allocatable.ts';
import { type AgentSettings, milliseconds } from '../configuration.ts';
import { passed, type Behavior, type Run, killed } from '../containers.ts';
import type { AgentState, Action } from '../actions.ts';
import type { LeftAt, MachineView } from '../machine.ts';
import { isOver } from '../pod-report.ts';
import { observe, usedBy, ranked, idOf, limitOf, met, mostUrgent, pressuresOf, SIGNALS, thresholdsOf } from './thresholds.ts';
import type { RunningPod, Pressure, Observations, EvictionSettings, EvictionState, Threshold } from './thresholds.ts';
import { graceSeconds } from '../orphaned-pods.ts';
import { isCritical, uidOnNode } from '../admission/resources.ts';
import { collect } from '../images/store.ts';

interface Options {
  readonly usage: Usage;
  readonly spec: NodeSpec;
  readonly nodeName: string;
  readonly machine: MachineView;
  readonly settings: AgentSettings;
}

export type EvictionPart = ReturnType<typeof evictionPart>;

/** The usage with processes capped at the pod's limit. */
const limitedPids = (used: Amounts, { given }: Run): Amounts =>
  given?.pidsLimit === undefined || used.pids <= given.pidsLimit ? used : { ...used, pids: given.pidsLimit };

export function evictionPart({ usage, spec, nodeName, machine, settings }: Options) {
  const reserved = reservedOf(settings, 'memory').reduce((sum, amount) => sum + unitsOf(amount), 0);
  const last: { pressures: readonly Pressure[] } = { pressures: [] };
  const runningPodsOf = (pods: readonly Pod[], names: Names, now: number): readonly RunningPod[] =>
    pods.flatMap((pod) => {
      const known = isOver(pod) ? undefined : machine.run(uidOnNode(pod, names));
      if (known === undefined) return [];
      const run = passed(known, now, machine.attempts(known.attemptsOf) - known.attempts);
      return run.stage === 'over' ? [] : [{ pod, run, used: limitedPids(usedBy(usage, pod, run, now, run.stage === 'running'), run) }];
    });
  return {
    look({
      now,
      names,
      cache,
      state,
    }: Pick<ReconcileInput<Pod, unknown, AgentState>, 'now' | 'names' | 'cache' | 'state'>): Outcome<never, Action> {
      const runningPods = runningPodsOf(cache.by('Pod', 'nodeName', nodeName), names, now);
      const observations = observe(usage, spec, spec.name, machine, runningPods, reserved, now);
      const unused =
        machine.images === undefined ? [] : collect(machine.images, Infinity, now, milliseconds(settings.imageMinimumGCAge)).remove;
      const unusedImages = { names: unused.map(({ name }) => name), bytes: unused.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
      return synchronize({ now, names, nodeName, settings, state: state.eviction, runningPods, observations, unusedImages });
    },
    /**
     * The available amount by a signal at an instant, computed from the running containers and their usage, independent of the agent's
     * decisions.
     */
    leftAt(...[signal, at, pods, names]: Parameters<LeftAt>): ReturnType<LeftAt> {
      const there = pods.filter((pod) => pod.spec.nodeName === nodeName);
      const runningPods = there.flatMap((pod): readonly RunningPod[] => {
        const run = machine.run(uidOnNode(pod, names));
        if (run === undefined || run.startedAt > at) return [];
        // Containers that ended later were still running then.
        const ran = run.stage === 'running' || (run.last?.finishedAt ?? at) >= at;
        return [{ pod, run, used: limitedPids(usedBy(usage, pod, run, at, ran), run) }];
      });
      return observe(usage, spec, spec.name, machine, runningPods, reserved, at).get(signal)?.available;
    },
    /** The pressures of the node by the last synchronization of this incarnation. */
    pressures: (): readonly Pressure[] => last.pressures,
    tell(is: readonly Pressure[]): void {
      last.pressures = is;
    },
    /** The behaviour of a pod, with the time at which it exceeds its memory limit. */
    limited(behavior: Behavior, pod: Pod): Behavior {
      const first = Math.min(
        ...pod.spec.containers.map(({ name, resources }) => {
          const limit = resources?.limits?.['memory'];
          return (limit === undefined ? undefined : usage.aboveAfterMs(pod, name, unitsOf(limit))) ?? Infinity;
        }),
      );
      return first === Infinity ? behavior : { ...behavior, oomAfterMs: first };
    },
  };
}

export const EVICTION_KEY = 'eviction';

const EVERY_MS = 10_000;
/** After an eviction the agent waits for the end of the pod, and checks with this period. Milliseconds. */
const CLEANUP_MS = 1_000;
const CLEANUP_AT_MOST_MS = 30_000;

export interface EvictionContext {
  readonly now: number;
  readonly names: Names;
  readonly nodeName: string;
  readonly settings: EvictionSettings;
  readonly state: EvictionState;
  readonly runningPods: readonly RunningPod[];
  readonly observations: Observations;
  /** Images that can be removed to free disk, and their size. */
  readonly unusedImages: { readonly names: readonly string[]; readonly bytes: number };
}

type Synchronized = Outcome<never, Action>;

export function synchronize(context: EvictionContext): Synchronized {
  const { now, state, settings, observations, runningPods } = context;
  const { leaving } = state;
  if (leaving !== undefined && now - leaving.since < CLEANUP_AT_MOST_MS && runningPods.some(({ pod }) => pod.metadata.uid === leaving.uid))
    return { why: 'waiting for the evicted pod to end', writes: [], wakeAt: now + CLEANUP_MS, background: true };
  const thresholds = thresholdsOf(settings);
  const stillMet = met(state.unresolved, observations, true);
  const all = [...met(thresholds, observations, false)];
  for (const threshold of stillMet) if (!all.some((other) => idOf(other) === idOf(threshold))) all.push(threshold);
  const since = Object.fromEntries(all.map((threshold) => [idOf(threshold), state.since[idOf(threshold)] ?? now]));
  const observed = { ...state.observed, ...Object.fromEntries(pressuresOf(all).map((pressure) => [pressure, now])) };
  const transitionMs = milliseconds(settings.evictionPressureTransitionPeriod);
  const pressures = (Object.keys(observed) as Pressure[]).filter((pressure) => now - (observed[pressure] ?? 0) < transitionMs);
  const due = all.filter((threshold) => now - (since[idOf(threshold)] ?? now) >= threshold.graceMs);
  const next: EvictionState = { since, observed, unresolved: due, pressures };
  const action = (is: EvictionState): Action => ({ does: 'pressure', is });
  const quiet = (why: string, more: Partial<Pick<Synchronized, 'actions' | 'writes'>> = {}): Synchronized => ({
    why,
    actions: [action(next)],
    writes: [],
    wakeAt: now + EVERY_MS,
    background: true,
    ...more,
  });
  const overLimit = settings.isolatesStorage ? runningPods.flatMap((runningPod) => beyondDiskLimit(runningPod) ?? [])[0] : undefined;
  if (overLimit !== undefined) return putOut(context, next, overLimit.runningPod, overLimit.message, 0, undefined);
  const urgent = mostUrgent(due);
  if (urgent === undefined)
    return quiet(all.length > 0 ? 'a soft eviction threshold is met; its grace period is running' : 'no eviction threshold is met');
  const { threshold, reclaims: resource } = urgent;
  const { nodeName, unusedImages } = context;
  const about = { kind: 'Node', metadata: { name: nodeName, uid: nodeName } };
  const tells = record(about, 'Warning', 'EvictionThresholdMet', `Attempting to reclaim ${resource}`);
  // Unused images are removed in any case, pods are evicted only if that is not enough.
  const images = resource === 'ephemeral-storage' ? unusedImages.names : [];
  const removed = images.map((image): Action => ({ does: 'removeImage', image }));
  const reclaimed = { actions: [action(next), ...removed], writes: [tells] };
  if (images.length > 0 && met(thresholds, without(observations, unusedImages.bytes), true).length === 0)
    return quiet('removing unused images was enough', reclaimed);
  const victim = ranked(
    runningPods.filter(({ run }) => run.failure === undefined),
    resource,
  ).find(({ pod }) => !isCritical(pod, context.names));
  if (victim === undefined) return quiet('an eviction threshold is met, and there is no pod to evict', reclaimed);
  const grace = threshold.hard ? 0 : softGrace(victim, settings);
  const done = putOut(context, next, victim, messageOf(victim, resource), grace, threshold);
  return { ...done, actions: [...(done.actions ?? []), ...removed], writes: [tells, ...done.writes] };
}

const without = (observations: Observations, bytes: number): Observations =>
  new Map(
    [...observations].map(([signal, is]) => [
      signal,
      SIGNALS[signal]?.reclaims === 'ephemeral-storage' ? { ...is, available: is.available + bytes } : is,
    ]),
  );

const softGrace = ({ pod }: RunningPod, { evictionMaxPodGracePeriod: most }: EvictionSettings): number =>
  most < 0 ? graceSeconds(pod) : Math.min(most, graceSeconds(pod));

function putOut(
  { now, observations }: EvictionContext,
  next: EvictionState,
  { pod, run }: RunningPod,
  message: string,
  graceSeconds: number,
  threshold: Threshold | undefined,
): Synchronized {
  const { uid } = pod.metadata;
  const failure = { reason: 'Evicted', message };
  const because = threshold && {
    at: now,
    signal: threshold.signal,
    available: observations.get(threshold.signal)?.available ?? 0,
    limit: limitOf(threshold, observations, true),
    metForMs: now - (next.since[idOf(threshold)] ?? now),
    graceMs: threshold.graceMs,
  };
  return {
    why: `${pod.metadata.name} is evicted: ${message.trim()}`,
    actions: [
      { does: 'pressure', is: { ...next, leaving: { uid, since: now } } },
      { does: 'evict', uid, run: { ...killed(run, now, graceSeconds * 1000), failure }, ...present({ because }) },
    ],
    writes: [record(pod, 'Warning', 'Evicted', message)],
    enqueue: [keyOf(pod)],
    wakeAt: now + CLEANUP_MS,
    background: true,
  };
}

function beyondDiskLimit(runningPod: RunningPod): { readonly runningPod: RunningPod; readonly message: string } | undefined {
  const [container] = runningPod.pod.spec.containers;
  const limit = container?.resources?.limits?.['ephemeral-storage'];
  return limit === undefined || runningPod.used.disk <= unitsOf(limit)
    ? undefined
    : { runningPod, message: `Container ${container?.name ?? ''} exceeded its local ephemeral storage limit "${limit}". ` };
}

/** The message of an eviction: the resource that is low, and the usage of the pod's containers beyond their requests. */
function messageOf({ pod, used }: RunningPod, resource: 'memory' | 'ephemeral-storage' | 'pids'): string {
  const low = `The node was low on resource: ${resource}. `;
  const [container] = pod.spec.containers;
  if (resource === 'pids' || container === undefined) return low;
  const amount = resource === 'memory' ? used.memory : used.disk;
  const request = container.resources?.requests?.[resource] ?? '0';
  if (amount <= unitsOf(request)) return low;
  return `${low}Container ${container.name} was using ${kibibytes(amount)}, which exceeds its request of ${parseQuantity(request).value?.text ?? request}. `;
}

const kibibytes = (bytes: number): string => (bytes % 1024 === 0 ? `${bytes / 1024}Ki` : String(bytes));
