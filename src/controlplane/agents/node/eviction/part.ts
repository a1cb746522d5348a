/** The eviction manager as a part of the node's agent: it collects the inputs of a decision, and converts the result to an outcome. */
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import { keyOf } from '../../../../apiserver/machinery/index.ts';
import { present, unitsOf } from '../../../../schema/values/index.ts';
import type { Outcome, ReconcileInput } from '../../../runtime/index.ts';
import type { Amounts, Usage } from '../../../usage/index.ts';
import type { NodeSpec } from '../../specs.ts';
import { reservedOf } from '../allocatable.ts';
import { type AgentSettings, milliseconds } from '../configuration.ts';
import { passed, type Behavior, type Run } from '../containers.ts';
import type { AgentState, Action } from '../actions.ts';
import { collect } from '../images/index.ts';
import type { LeftAt, MachineView } from '../machine.ts';
import { isOver } from '../pod-report.ts';
import { synchronize } from './manager.ts';
import { observe, type RunningPod, usedBy, usedThen, type Pressure } from './thresholds.ts';

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
  const runningPodsOf = (pods: readonly Pod[], mirrorKey: string, now: number): readonly RunningPod[] =>
    pods.flatMap((pod) => {
      const known = isOver(pod) ? undefined : machine.run(pod.metadata.annotations?.[mirrorKey] ?? pod.metadata.uid);
      if (known === undefined) return [];
      const run = passed(known, now, machine.attempts(known.attemptsOf) - known.attempts);
      return run.stage === 'over' ? [] : [{ pod, run, used: limitedPids(usedBy(usage, pod, run, now), run) }];
    });
  return {
    look({
      now,
      names,
      cache,
      state,
    }: Pick<ReconcileInput<Pod, unknown, AgentState>, 'now' | 'names' | 'cache' | 'state'>): Outcome<never, Action> {
      const runningPods = runningPodsOf(cache.by('Pod', 'nodeName', nodeName), names.key('', 'config.mirror'), now);
      const observations = observe(usage, spec, spec.name, machine, runningPods, reserved, now);
      const unused =
        machine.images === undefined ? [] : collect(machine.images, Infinity, now, milliseconds(settings.imageMinimumGCAge)).remove;
      const unusedImages = { names: unused.map(({ name }) => name), bytes: unused.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
      const { why, actions, writes, evicted, wakeAt } = synchronize({
        now,
        names,
        nodeName,
        settings,
        limitsDisk: settings.isolatesStorage,
        state: state.eviction,
        runningPods,
        observations,
        unusedImages,
      });
      return { why, writes, actions, wakeAt, background: true, ...present({ enqueue: evicted && [keyOf(evicted.pod)] }) };
    },
    /**
     * The available amount by a signal at an instant, computed from the running containers and their usage, independent of the agent's
     * decisions.
     */
    leftAt(...[signal, at, pods, names]: Parameters<LeftAt>): ReturnType<LeftAt> {
      const there = pods.filter((pod) => pod.spec.nodeName === nodeName);
      const runningPods = there.flatMap((pod): readonly RunningPod[] => {
        const run = machine.run(pod.metadata.annotations?.[names.key('', 'config.mirror')] ?? pod.metadata.uid);
        return run === undefined || run.startedAt > at ? [] : [{ pod, run, used: limitedPids(usedThen(usage, pod, run, at), run) }];
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
