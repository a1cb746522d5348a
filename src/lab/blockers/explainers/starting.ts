/** A pod on a node: whether its agent runs, what its containers wait for, and whether it is ready. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { Explainer, Wait } from '../contract.ts';
import { agentOfNode, troubleOf } from '../processes.ts';
import { at, conditionOf, isDone } from '../words.ts';

export const starting: Explainer = {
  name: 'starting',
  kinds: ['Pod'],
  explain(pod, situation) {
    const node = isOf('Pod', pod) ? (pod.spec.nodeName ?? '') : '';
    if (!isOf('Pod', pod) || isDone(pod) || node === '' || pod.metadata.deletionTimestamp !== undefined) return [];
    const agent = agentOfNode(situation, node);
    const trouble = agent === undefined ? { text: `there is no agent of a node ${node}` } : troubleOf(situation, agent);
    if (trouble !== undefined)
      return [{ ...trouble, text: `waits for its node: ${trouble.text}`, leadsTo: [{ kind: 'Node', name: node }] }];
    const waiting = containersWait(pod);
    if (waiting !== undefined) return [waiting];
    const ready = conditionOf(pod.status.conditions, 'Ready');
    if (pod.status.phase === 'Running' && ready?.status !== 'True')
      return [
        { text: `runs on ${node}, but is not ready${ready?.message === undefined || ready.message === '' ? '' : `: ${ready.message}`}` },
      ];
    if (pod.status.phase === 'Running')
      return [
        {
          text: `runs on ${node}${pod.status.startTime === undefined ? '' : ` since ${at(situation, Date.parse(pod.status.startTime))}`}, and has not ended`,
        },
      ];
    return [{ text: `waits for the agent of ${node} to start it` }];
  },
};

/** Returns the reason why a container waits. */
function containersWait({ status }: Pod): Wait | undefined {
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  for (const { name, state, restartCount = 0 } of all) {
    const { reason = '', message = '' } = state?.waiting ?? {};
    if (reason === '') continue;
    const again = restartCount > 0 ? ` after ${restartCount} ${restartCount === 1 ? 'restart' : 'restarts'}` : '';
    return { text: `waits for its container ${name ?? ''}: ${reason}${message === '' ? '' : `, ${message}`}${again}` };
  }
  return undefined;
}
