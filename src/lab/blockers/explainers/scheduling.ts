/** A pod without a node: the message of the scheduler, or that there is no scheduler. */
import { controllerOf } from '../../../controlplane/agents/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { Explainer } from '../contract.ts';
import { byName, unservedBy } from '../processes.ts';
import { at, conditionOf, instantOf, isDone } from '../words.ts';

export const scheduling: Explainer = {
  name: 'scheduling',
  kinds: ['Pod'],
  explain(pod, situation) {
    if (!isOf('Pod', pod) || isDone(pod) || (pod.spec.nodeName ?? '') !== '' || pod.metadata.deletionTimestamp !== undefined) return [];
    const { schedulerName = 'default-scheduler' } = pod.spec;
    const wanted = controllerOf(schedulerName);
    if (
      !situation.introspection.processes.some(({ controllers }) => controllers.some(({ name }) => name === wanted)) &&
      wanted !== 'scheduler'
    )
      return [{ text: `waits for a scheduler called ${schedulerName}, which does not exist (spec.schedulerName)` }];
    const unserved = unservedBy(situation, byName(wanted), 'a node');
    if (unserved !== undefined) return [unserved];
    const condition = conditionOf(pod.status.conditions, 'PodScheduled');
    const { namespace } = pod.metadata;
    const claims = (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) =>
      claim?.claimName === undefined ? [] : [claim.claimName],
    );
    const unbound = claims
      .filter((name) => {
        const claim = situation.world.get('PersistentVolumeClaim', namespace, name);
        return claim === undefined || !isDone(claim);
      })
      .map((name) => ({ kind: 'PersistentVolumeClaim', name, ...(namespace === undefined ? {} : { namespace }) }));
    if (condition?.status !== 'False') return [{ text: 'waits for the scheduler to process it', leadsTo: unbound }];
    const changedAt = instantOf(condition.lastTransitionTime);
    const since = changedAt === undefined ? '' : ` since ${at(situation, changedAt)}`;
    return [{ text: `waits for a node${since}: ${(condition.message ?? condition.reason ?? '').replace(/\.$/, '')}`, leadsTo: unbound }];
  },
};
