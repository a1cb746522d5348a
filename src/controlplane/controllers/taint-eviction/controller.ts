/**
 * Deletes pods from nodes with NoExecute taints that they do not tolerate, or no longer tolerate. Models: v1.24
 * pkg/controller/nodelifecycle/scheduler, NoExecuteTaintManager.
 */
import { splitKey, keyOf, namespacedName, sameValue } from '../../../apiserver/machinery/index.ts';
import type { Node, Pod, Taint } from '../../../apiserver/kinds/index.ts';
import { mayStayMs, untoleratedTaint } from '../../../apiserver/decisions/index.ts';
import { defineController, idle, record, remove, wakeAt, watch, type Outcome, type Write } from '../../runtime/index.ts';
import { present } from '../../shared/index.ts';

/** A planned eviction, by the monotonic clock, or (`at` absent) one that was made. Further taints change nothing about its time. */
interface Memory {
  readonly at?: number;
}

const executeTaints = (node: Node | undefined): readonly Taint[] => node?.spec.taints?.filter(({ effect }) => effect === 'NoExecute') ?? [];

/** A pod matters when it is bound, its tolerations change, or it is deleted; its status does not matter. */
const matters = (pod: Pod, old: Pod | undefined): boolean =>
  old === undefined ||
  (pod.spec !== old.spec && (pod.spec.nodeName !== old.spec.nodeName || !sameValue(pod.spec.tolerations, old.spec.tolerations)));

/** Events have no uid, so those of pods with the same name are counted together. */
type Named = Pick<Pod['metadata'], 'namespace' | 'name'>;
const say = (what: string, { namespace, name }: Named): Write => {
  const about = { kind: 'Pod', metadata: present({ namespace, name }) };
  return record(about, 'Normal', 'TaintManagerEviction', `${what} Pod ${namespacedName({ namespace, name })}`);
};
const cancelled = (memory: Memory | undefined, pod: Named): readonly Write[] =>
  memory?.at === undefined ? [] : [say('Cancelling deletion of', pod)];

const evict = (pod: Pod, why: string, before: readonly Write[] = []): Outcome<Memory> => ({
  why,
  writes: [...before, say('Marking for deletion', pod.metadata), remove(pod)],
  memory: {},
});

export const taintEviction = defineController<'Pod', Memory>({
  name: 'taint-eviction',
  component: 'taint-controller',
  reconciles: 'Pod',
  writes: ['Pod'],
  models: 'v1.24 pkg/controller/nodelifecycle/scheduler taint manager. Omits: nothing.',
  self: {
    predicate: { fields: ['spec'] },
    enqueue({ type, key, object: pod, old }, { cache }) {
      if (pod.spec.nodeName === undefined || !matters(pod, type === 'MODIFIED' ? old : undefined)) return undefined;
      // On most nodes there are no such taints, and nothing is planned.
      const node = cache.get('Node', undefined, pod.spec.nodeName);
      return node !== undefined && executeTaints(node).length === 0 ? undefined : key;
    },
  },
  watches: [
    watch('Node', ({ type, object: node, old }, { cache }) => {
      const before = type === 'ADDED' ? [] : executeTaints(old);
      if (type === 'DELETED' || sameValue(executeTaints(node), before)) return undefined;
      return cache.by('Pod', 'nodeName', node.metadata.name).map(keyOf);
    }),
  ],
  reconcile({ self: pod, cache, now, elapsed, memory }): Outcome<Memory> {
    const { nodeName, tolerations } = pod.spec;
    if (nodeName === undefined) return idle('it has no node yet');
    if (memory?.at !== undefined && elapsed >= memory.at) return evict(pod, 'its tolerationSeconds have passed');
    const node = cache.get('Node', undefined, nodeName);
    if (node === undefined)
      return memory?.at === undefined
        ? idle('its node is not known')
        : wakeAt(now + memory.at - elapsed, 'its node is gone; the planned eviction stays');
    const taints = executeTaints(node);
    const stayMs = mayStayMs(tolerations, taints);
    if (stayMs === Infinity) {
      const why = taints.length === 0 ? 'its node has no NoExecute taint' : 'it tolerates all NoExecute taints of its node';
      return { why, writes: cancelled(memory, pod.metadata), memory: null };
    }
    if (untoleratedTaint(taints, tolerations, () => true) !== undefined)
      return evict(pod, 'it does not tolerate a taint of its node', cancelled(memory, pod.metadata));
    if (memory !== undefined)
      return memory.at === undefined
        ? idle('its deletion was requested')
        : wakeAt(now + memory.at - elapsed, 'its tolerationSeconds are running');
    if (stayMs === 0) return evict(pod, 'it tolerates the taint of its node for 0 s');
    return { ...wakeAt(now + stayMs, `it tolerates the taint of its node for ${stayMs / 1000} s`), memory: { at: elapsed + stayMs } };
  },
  // A refused request is retried, with back-off.
  recover: ({ elapsed }, { write, status }) =>
    write.op === 'delete'
      ? { why: `it could not be deleted: ${status.reason ?? 'an error'}`, writes: [], memory: { at: elapsed }, backoff: 'retry' }
      : undefined,
  reconcileAbsent({ key, memory }): Outcome<Memory> {
    const why = memory?.at === undefined ? 'it is gone' : 'it was deleted before its tolerationSeconds had passed';
    return { why, writes: cancelled(memory, splitKey(key)), memory: null };
  },
});
