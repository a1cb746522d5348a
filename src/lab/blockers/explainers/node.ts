/** A node that is not ready: its agent is silent, or reports that. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { Explainer } from '../contract.ts';
import { agentOfNode, troubleOf } from '../processes.ts';
import { at, conditionOf, instantOf } from '../words.ts';

export const node: Explainer = {
  name: 'node',
  kinds: ['Node'],
  explain(object, situation) {
    if (!isOf('Node', object)) return [];
    const ready = conditionOf(object.status.conditions, 'Ready');
    const agent = agentOfNode(situation, object.metadata.name);
    const trouble = agent === undefined ? { text: 'it has no agent' } : troubleOf(situation, agent);
    const cordoned = object.spec.unschedulable === true ? [{ text: 'takes no new pods (spec.unschedulable)' }] : [];
    if (ready?.status === 'True')
      return trouble === undefined ? cordoned : [{ ...trouble, text: `is reported ready, but ${trouble.text}` }, ...cordoned];
    const changedAt = instantOf(ready?.lastTransitionTime);
    const since = changedAt === undefined ? '' : ` since ${at(situation, changedAt)}`;
    if (trouble !== undefined) return [{ ...trouble, text: `is not ready${since}: ${trouble.text}` }, ...cordoned];
    return [{ text: `is not ready${since}: ${ready?.message ?? 'it has not reported yet'}` }, ...cordoned];
  },
};
