/**
 * An agent whose machine is being shut down: it ends its pods first, those that the system does not need before the others, each within the
 * time that is left for them. An agent that runs its pods once reads its sources at its start, starts those pods, waits until all of them
 * run, and exits; the containers stay. Models: v1.24 pkg/kubelet/nodeshutdown nodeshutdown_manager_linux.go. Simplified: periods by
 * priority are the two that shutdownGracePeriod and shutdownGracePeriodCriticalPods make; pkg/kubelet/runonce.go. Simplified: all sources
 * count, not only the first one.
 */
import { keyOf } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { AgentSettings } from './configuration.ts';
import type { Action, ShutdownState } from './actions.ts';
import { isCritical, type Refusal, uidOnNode } from './admission/resources.ts';
import { killed } from './containers.ts';
import type { MachineView } from './machine.ts';
import { graceSeconds } from './orphaned-pods.ts';
import { isOver } from './pod-report.ts';
import type { NodeContext, PodInput, PodOutcome } from './node-context.ts';
import { defineController, onElapsed, type Outcome } from '../../runtime/index.ts';

export const SHUTDOWN_KEY = 'shutdown';

/** How often it looks whether pods have ended. */
const EVERY_MS = 1_000;

/** What it has to say of pods that end at the very last gets so long. */
const REPORT_MS = 1_000;

/** Upstream writes `Pod` before it once more. */
export const SHUTS_DOWN: Refusal = { reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' };
const TERMINATED = { reason: 'Terminated', message: 'Pod was terminated in response to imminent node shutdown.' };

/** Ends a pod's containers within so many milliseconds; undefined: they are ending already. */
function terminate(pod: Pod, { machine }: NodeContext, { now, names }: PodInput, periodMs: number): Action | undefined {
  const uid = uidOnNode(pod, names);
  const run = machine.run(uid);
  if (run === undefined || run.failure !== undefined) return undefined;
  const graceMs = Math.min(graceSeconds(pod) * 1000, periodMs);
  return { does: 'put', uid, run: { ...killed(run, now, graceMs), failure: TERMINATED } };
}

export function shutDown(input: PodInput, nodeContext: NodeContext, periods: NonNullable<AgentSettings['shutdown']>): PodOutcome {
  const { nodeName, machine } = nodeContext;
  const { now, names, cache, state } = input;
  if (!machine.shutsDown) return { why: 'its node is not being shut down', writes: [] };
  const { since, criticalSince } = state.shutdown ?? { since: now };
  const living = cache.by('Pod', 'nodeName', nodeName).filter((pod) => !isOver(pod));
  const others = living.filter((pod) => !isCritical(pod, names));
  const othersMs = periods.totalMs - periods.criticalMs;
  const turn = criticalSince ?? (others.length === 0 || now >= since + othersMs ? now : undefined);
  const until = turn === undefined ? since + othersMs : turn + periods.criticalMs;
  const critical = living.filter((pod) => isCritical(pod, names));
  if (turn !== undefined && (critical.length === 0 || now >= until + REPORT_MS))
    return {
      why: living.length === 0 ? 'its pods have ended: it stops' : 'its shutdownGracePeriod is over: it stops',
      writes: [],
      process: 'stop',
    };
  const group = turn === undefined ? others : critical;
  const ended = group.flatMap((pod) => {
    const action = terminate(pod, nodeContext, input, turn === undefined ? othersMs : periods.criticalMs);
    return action === undefined ? [] : [{ pod, action }];
  });
  const is: ShutdownState = { since, ...(turn === undefined ? {} : { criticalSince: turn }) };
  return {
    why: `its node is being shut down: ${turn === undefined ? 'pods end' : 'critical pods end'}`,
    writes: [],
    actions: [{ does: 'shutdown', is }, ...ended.map(({ action }) => action)],
    enqueue: ended.map(({ pod }) => keyOf(pod)),
    wakeAt: Math.min(now < until ? until : until + REPORT_MS, now + EVERY_MS),
  };
}

const DELAY_MS = 1_000;
const MOST_TRIES = 10;
const KEY = 'pods';

interface Memory {
  readonly tries: number;
  /** The delay until the next check, milliseconds. */
  readonly delayMs: number;
}

const many = (n: number): string => (n === 1 ? '1 pod' : `${n} pods`);

/** Checks with doubling delays whether the containers run; then it ends its process. */
export function runOnce(machine: MachineView, nodeName: string) {
  return defineController<never, Memory>({
    name: 'run-once',
    writes: [],
    models: 'v1.24 pkg/kubelet/runonce.go.',
    startKeys: () => [KEY],
    reconcile: onElapsed(({ now, memory, cache }): Outcome<Memory> => {
      const { tries, delayMs } = memory ?? { tries: 0, delayMs: DELAY_MS };
      const later = { memory: { tries: tries + 1, delayMs: delayMs * 2 }, writes: [], wakeAt: now + delayMs };
      if (tries === 0) return { why: 'its pods have one second to start', ...later };
      const runs = [...machine.uids()].flatMap((uid) => {
        const run = machine.run(uid);
        return run === undefined ? [] : [{ uid, run }];
      });
      const out = runs.filter(({ run }) => run.failure !== undefined).length;
      const late = runs.filter(({ run: { stage, until } }) => stage !== 'over' && (stage !== 'running' || until <= now));
      const refusals = out === 0 ? '' : `, ${out} refused`;
      if (runs.length === 0) return { why: 'runonce failed: no pod manifest update after 1s', writes: [], process: 'stop' };
      if (late.length === 0) return { why: `${many(runs.length - out)} started${refusals}: it exits`, writes: [], process: 'stop' };
      const names = late.map(({ uid, run }) => {
        const pod = cache.by('Pod', 'nodeName', nodeName).find(({ metadata }) => metadata.uid === uid);
        return run.called ?? `${pod?.metadata.namespace ?? ''}/${pod?.metadata.name ?? uid}`;
      });
      if (tries < MOST_TRIES) return { why: `waiting for ${names.join(', ')}`, ...later };
      return { why: `runonce failed: error running pods: [${names.join(' ')}]`, writes: [], process: 'stop' };
    }),
  });
}
