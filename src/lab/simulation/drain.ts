/**
 * Drains nodes: cordons them, then evicts their pods in parallel and waits until they are gone. An eviction that a disruption budget
 * refuses is retried every five seconds. Models: v1.24 kubectl pkg/drain (filters.go, drain.go). Simplified: pods are watched in place of
 * being polled every second.
 */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { keyOf, namespacedName, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { ApiResponse } from '../../apiserver/request/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import { formatTarget, type DrainOptions, type TargetRef } from '../scenario/index.ts';
import { answered, untilHolds, waitEnd, WAITING, type Driver, type Wait } from './drive.ts';
import { resolveTarget } from './facts.ts';
import { cordoning, deleting, evicting, USER_NAME } from './requests.ts';
import type { Trouble } from './run.ts';

const RETRY_MS = 5_000;

interface Leaving {
  readonly pod: Pod;
  /** The server has accepted the eviction; the pod still has to stop. */
  accepted: boolean;
  tryAt: number;
  refused?: string;
}

/**
 * @returns trouble: pods that must not be evicted, an eviction refused for another reason than a disruption budget, or pods that are left
 * at the timeout.
 */
export function drain(
  driver: Driver,
  { target, ...options }: { readonly target: TargetRef } & DrainOptions,
  causes: readonly number[],
): Wait<Trouble | undefined> {
  const { cluster } = driver;
  const refused = (message: string, detail: readonly string[] = []) => answered({ message, detail });
  const nodes = resolveTarget(cluster, target);
  if (nodes.length === 0) return refused(`nothing matches ${formatTarget(target)}`);
  if (target.kind !== 'Node') return refused(`a Node is drained, not a ${target.kind}`);
  for (const node of nodes) {
    const answer = isCordoned(node) ? undefined : cluster.request(USER_NAME, cordoning(node, true), causes);
    if (answer?.ok === false) return refused(`the server refused to cordon ${node.metadata.name}: ${textOf(answer)}`);
  }
  const { pods, kept } = choose(cluster, nodes, options);
  return kept.length > 0
    ? refused(`it cannot be drained: ${kept.length === 1 ? 'a pod' : `${kept.length} pods`} cannot be evicted`, kept)
    : empty(driver, pods, options, causes);
}

const isCordoned = (node: ApiObject): boolean => (node as { spec?: { unschedulable?: boolean } }).spec?.unschedulable === true;
const textOf = ({ code, status: { reason = '', message = '' } }: Extract<ApiResponse, { ok: false }>): string =>
  `${code} ${reason}: ${message}`;

/** Returns the pods to evict, and a line for each pod that blocks the drain. */
function choose(cluster: Cluster, nodes: readonly ApiObject[], options: DrainOptions) {
  const mirror = cluster.names.key('', 'config.mirror');
  const labels = Object.entries(options.podLabels ?? {});
  const pods: Pod[] = [];
  const kept: string[] = [];
  for (const node of nodes)
    for (const pod of cluster.store.by('Pod', 'nodeName', node.metadata.name) as readonly Pod[]) {
      if (!labels.every(([key, value]) => pod.metadata.labels?.[key] === value) || pod.metadata.annotations?.[mirror] !== undefined)
        continue;
      const verdict = judge(cluster, pod, options);
      if (verdict === 'goes') pods.push(pod);
      else if (verdict !== 'stays') kept.push(`  Pod/${namespacedName(pod.metadata)} ${verdict}`);
    }
  return { pods, kept };
}

/** Returns whether a pod is evicted or stays, or the option without which it blocks the drain. */
function judge(cluster: Cluster, pod: Pod, { ignoreDaemonSets, deleteEmptyDirData, force }: DrainOptions): string {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  const isOver = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
  if (owner?.kind === 'DaemonSet' && !isOver) {
    const exists = cluster.store.get('DaemonSet', `${pod.metadata.namespace ?? ''}/${owner.name}`) !== undefined;
    if (!exists && force !== true) return `is of a DaemonSet that is gone (force: true evicts it)`;
    if (exists)
      return ignoreDaemonSets === true ? 'stays' : 'is of a DaemonSet, which would recreate it (ignoreDaemonSets: true leaves it there)';
  }
  if (isOver) return 'goes';
  if (deleteEmptyDirData !== true && pod.spec.volumes?.some(({ emptyDir }) => emptyDir !== undefined) === true)
    return 'has data in an emptyDir volume (deleteEmptyDirData: true deletes it)';
  return owner === undefined && force !== true ? 'has no controller that would recreate it (force: true evicts it)' : 'goes';
}

/** Evicts pods until they are gone: again and again those that were refused. */
function empty(driver: Driver, pods: readonly Pod[], options: DrainOptions, causes: readonly number[]): Wait<Trouble | undefined> {
  const { cluster } = driver;
  const by = options.timeoutMs === undefined ? waitEnd(driver) : cluster.now + options.timeoutMs;
  const leaving = new Set(pods.map((pod): Leaving => ({ pod, accepted: false, tryAt: cluster.now })));
  const clear = (): boolean => {
    for (const each of leaving) if (isGone(cluster, each)) leaving.delete(each);
    return leaving.size === 0;
  };
  /** Evicts what is to be tried now, and waits for the next time. */
  const round = (): Trouble | undefined | typeof WAITING => {
    for (const each of leaving) {
      const failed = each.accepted || each.tryAt > cluster.now ? undefined : evict(cluster, each, options, causes);
      if (failed !== undefined) return failed;
    }
    if (clear()) return undefined;
    if (cluster.now >= by) return lateWith(leaving, options.timeoutMs);
    wait.until = Math.min(by, ...[...leaving].flatMap(({ accepted, tryAt }) => (accepted ? [] : [tryAt])));
    current.gone = untilHolds(driver, clear, wait.until);
    return WAITING;
  };
  const current: { gone?: Wait<boolean> } = {};
  const wait: Wait<Trouble | undefined> = {
    until: by,
    check() {
      if (current.gone === undefined) {
        const answer = round();
        if (answer !== WAITING) return answer;
      }
      return current.gone?.check() === WAITING ? WAITING : round();
    },
    late() {
      current.gone?.late();
      return round();
    },
  };
  return wait;
}

const isGone = ({ store }: Cluster, { pod, accepted }: Leaving): boolean => {
  const found = store.get('Pod', keyOf(pod));
  return found?.metadata.uid !== pod.metadata.uid && (accepted || found === undefined);
};

/** Requests one eviction; trouble: it is refused permanently. */
function evict(cluster: Cluster, leaving: Leaving, { disableEviction, gracePeriodSeconds }: DrainOptions, causes: readonly number[]) {
  const request = (disableEviction === true ? deleting : evicting)(leaving.pod, gracePeriodSeconds);
  const answer = cluster.request(USER_NAME, request, causes);
  if (answer.ok || answer.code === 404) {
    leaving.accepted = true;
    return undefined;
  }
  const goesAnyway = answer.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
  const text = textOf(answer);
  if (answer.code !== 429 && !goesAnyway)
    return { message: `the server refused to evict Pod/${namespacedName(leaving.pod.metadata)}: ${text}`, detail: [] };
  leaving.refused = text;
  leaving.tryAt = cluster.now + RETRY_MS;
  return undefined;
}

const lateWith = (leaving: ReadonlySet<Leaving>, timeoutMs: number | undefined): Trouble => ({
  message: `it was not drained ${timeoutMs === undefined ? 'by the end of the run' : `within ${formatDurationMs(timeoutMs)}`}: ${leaving.size === 1 ? '1 pod is' : `${leaving.size} pods are`} left`,
  detail: [...leaving].map(
    ({ pod, accepted, refused }) =>
      `  Pod/${namespacedName(pod.metadata)} ${accepted ? 'has not stopped yet' : `was refused last: ${refused ?? ''}`}`,
  ),
});
