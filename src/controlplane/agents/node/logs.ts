/** The logs of a cluster's containers, which are computed at each read. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { PodBehavior } from '../specs.ts';
import { behaviorsBy, passed, type Behavior } from './containers.ts';
import { instancesOf, type LogInstance, type LogInstances, reportedInstances } from './log-instances.ts';
import { isInit, linesOf, type LogLine } from './log-lines.ts';
import type { World } from './machine.ts';

export interface ContainerLog extends LogInstances {
  /** The last `most` lines of an instance, the oldest first, of those later than `afterMs` since its start. */
  lines(instance: LogInstance, how: { readonly most: number; readonly afterMs?: number }): readonly LogLine[];
}

/** Returns the log of a container of a pod at an instant of elapsed time, milliseconds since the epoch. */
export type ReadLog = (pod: Pod, container: string, now: number) => ContainerLog;

/** Returns a reader of logs. */
export function logReader(world: World, behaviors: readonly PodBehavior[], names: Names): ReadLog {
  const find = behaviorsBy(behaviors, names);
  return (pod, container, now) => {
    const run = isInit(pod, container) ? undefined : world.runOf(pod.spec.nodeName ?? '', pod.metadata.uid);
    const behavior: Behavior = run?.is.behavior ?? find(pod);
    const status = [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])].find(
      ({ name }) => name === container,
    );
    const instances =
      run !== undefined
        ? instancesOf(passed(run.is, now, run.othersAttempts), pod, now)
        : status === undefined
          ? NOT_YET
          : reportedInstances(status, behavior, now);
    return { ...instances, lines: (instance, how) => linesOf(pod, container, behavior, instance, how) };
  };
}

const NOT_YET: LogInstances = { current: undefined, previous: undefined };
