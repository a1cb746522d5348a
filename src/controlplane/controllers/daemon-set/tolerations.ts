/**
 * The tolerations of every pod of a DaemonSet, in addition to its template's. Models: v1.24 pkg/controller/daemon/util
 * AddOrUpdateDaemonPodTolerations.
 */
import type { Names, PodSpec, Toleration } from '../../../apiserver/machinery/index.ts';

/** In upstream's order: a daemon should keep running while its node has problems. */
const ADDED: readonly (readonly [name: string, effect: string])[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
];
const ON_THE_NODES_NETWORK = ['network-unavailable', 'NoSchedule'] as const;

/** The template's tolerations and the added ones; an added one removes the time limit of the template's. */
export function daemonTolerations({ tolerations = [], hostNetwork }: PodSpec, names: Names): readonly Toleration[] {
  const added = hostNetwork === true ? [...ADDED, ON_THE_NODES_NETWORK] : ADDED;
  const result: Toleration[] = [...tolerations];
  for (const [name, effect] of added) {
    const toleration: Toleration = { key: names.key('node', name), operator: 'Exists', effect };
    let known = false;
    for (const [at, other] of result.entries())
      if (isLike(other, toleration)) {
        result[at] = toleration;
        known = true;
      }
    if (!known) result.push(toleration);
  }
  return result;
}

const isLike = (a: Toleration, b: Toleration): boolean =>
  (a.key ?? '') === (b.key ?? '') &&
  (a.effect ?? '') === (b.effect ?? '') &&
  (a.operator ?? '') === (b.operator ?? '') &&
  (a.value ?? '') === (b.value ?? '');
