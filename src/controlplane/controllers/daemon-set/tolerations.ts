/**
 * What every pod of a DaemonSet tolerates, whatever its template says. Models: v1.24 pkg/controller/daemon/util
 * AddOrUpdateDaemonPodTolerations.
 */
import type { Names, PodSpec, Toleration } from '../../../apiserver/machinery/index.ts';

/** In upstream's order: what befalls a node must not end what watches over it. */
const ADDED: readonly (readonly [name: string, effect: string])[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
];
const ON_THE_NODES_NETWORK = ['network-unavailable', 'NoSchedule'] as const;

/** The template's, and those added; one of the template's that says the same for a time says it for ever. */
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
