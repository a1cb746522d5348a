/** Deletes pods from nodes with NoExecute taints that they do not tolerate (any longer). Models: v1.24 pkg/controller/nodelifecycle/scheduler, NoExecuteTaintManager. */
import type { Node, Pod, Taint } from '../../api/index.ts';
import { mayStayMs } from '../../decisions/index.ts';
import { defineController, idle, record, remove, type Delta, type Outcome, type Write } from '../../runtime/index.ts';

/** When the wait for a pod began, and under which taints. */
interface Memory { readonly since: number; readonly at: number; readonly taints: string }

const executeTaints = (node: Node | undefined): readonly Taint[] => node?.spec.taints?.filter(({ effect }) => effect === 'NoExecute') ?? [];

const taintsOf = (object: unknown): readonly Taint[] | undefined => (object as Node | undefined)?.spec.taints;

export const taintEviction = defineController<'Pod', Memory>({
  name: 'taint-eviction',
  component: 'taint-controller',
  reconciles: 'Pod',
  writes: ['Pod'],
  models: 'v1.24 pkg/controller/nodelifecycle/scheduler taint manager. Omits: nothing.',
  // A pod matters here from the moment it has a node; its status does not.
  self: { enqueue: ({ type, key, object, old }) => (type === 'MODIFIED' && (object as Pod).spec === (old as Pod | undefined)?.spec ? undefined : (object as Pod).spec.nodeName === undefined ? undefined : key) },
  watches: [{
    kind: 'Node',
    enqueue: ({ object, old }: Delta, { cache }) => (taintsOf(object) === taintsOf(old) ? undefined : cache.by('Pod', 'nodeName', object.metadata.name).map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)),
  }],
  reconcile({ self: pod, cache, now, memory }): Outcome<Memory> {
    if (pod.spec.nodeName === undefined) return idle('it has no node yet');
    if (pod.metadata.deletionTimestamp !== undefined) return { why: 'it is going anyway', writes: [], memory: null };
    const taints = executeTaints(cache.get('Node', undefined, pod.spec.nodeName));
    const stayMs = mayStayMs(pod.spec.tolerations, taints);
    if (stayMs === Infinity) {
      const cancel: Write[] = memory === undefined ? [] : [record(pod, 'Normal', 'TaintManagerEviction', `Cancelling deletion of Pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name}`)];
      return { why: taints.length === 0 ? 'its node has no taint that evicts' : 'it tolerates the taints of its node for ever', writes: cancel, memory: null };
    }
    // A wait goes on from where it began as long as the taints stay; new ones can only shorten it.
    const since = memory?.since ?? now;
    const at = Math.min(since + stayMs, memory?.taints === taints.map(({ key }) => key).join() ? memory.at : Infinity);
    if (now < at) return { why: `it may stay ${stayMs / 1000} s on its tainted node`, writes: [], memory: { since, at, taints: taints.map(({ key }) => key).join() }, wakeAt: at };
    return {
      why: stayMs === 0 ? 'it does not tolerate a taint of its node' : 'its time on the tainted node is over', memory: null,
      writes: [record(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name}`), remove(pod)],
    };
  },
});
