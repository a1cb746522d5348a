/**
 * Reported statuses of init containers: here they take no time and succeed as soon as the pod starts. Models: v1.24 pkg/kubelet/status
 * GeneratePodInitializedCondition, pkg/kubelet/container init container statuses.
 */
import type { ContainerStatus } from '../../../apiserver/machinery/index.ts';
import type { ContainerWait } from './images/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { formatTime } from '../../../schema/values/index.ts';

export type InitContainers = Pod['spec']['initContainers'];

/** The init containers that a pod waits for; undefined: none. */
export const pendingInitContainers = ({ initContainers }: Pod['spec'], startedAt: number): InitContainers =>
  startedAt > 0 || initContainers?.length === 0 ? undefined : initContainers;

/** Why a pod is not initialized: reason and message of its condition. */
export const uninitialized = (pending: NonNullable<InitContainers>): { readonly reason: string; readonly message: string } => ({
  reason: 'ContainersNotInitialized',
  message: `containers with incomplete status: [${pending.map(({ name }) => name).join(' ')}]`,
});

/**
 * The statuses of init containers; absent for a pod without any. `startedAt`: when the other containers first ran; 0: not yet. `waits`: why
 * containers cannot be created.
 */
export function initContainerStatuses(
  { spec: { initContainers = [] }, metadata: { uid }, status }: Pod,
  startedAt: number,
  waits: Readonly<Record<string, ContainerWait>> = {},
): readonly ContainerStatus[] | undefined {
  if (initContainers.length === 0) return undefined;
  // They ran once, whatever happened to the other containers since.
  if (status.initContainerStatuses?.every(({ ready }) => ready) === true) return status.initContainerStatuses;
  const time = formatTime(startedAt);
  return initContainers.map(({ name, image = '' }): ContainerStatus => {
    const containerID = `sim://${uid}-${name}`;
    const state =
      startedAt > 0
        ? { terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time, containerID } }
        : { waiting: waits[name] ?? { reason: 'PodInitializing' } };
    return {
      name,
      state,
      lastState: {},
      ready: startedAt > 0,
      restartCount: 0,
      image,
      imageID: startedAt > 0 ? `sim://${image}` : '',
      ...(startedAt > 0 ? { containerID } : {}),
    };
  });
}
