/** What pods wait for: a node, the start of their containers; and what their nodes and the leases of processes wait for. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { controllerOf } from '../../../controlplane/agents/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import { agentOfNode, byName, troubleOf, unservedBy, at, conditionOf, instantOf, isDone } from '../words.ts';
import type { Explainer, Wait } from '../situation.ts';

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

export const lease: Explainer = {
  name: 'lease',
  kinds: ['Lease'],
  explain(object, situation) {
    if (!isOf('Lease', object)) return [];
    const { holderIdentity = '', renewTime, leaseDurationSeconds = 0 } = object.spec;
    if (holderIdentity === '' || renewTime === undefined) return [{ text: 'is free: the next candidate may acquire it' }];
    const renewedAt = Date.parse(renewTime);
    const until = renewedAt + leaseDurationSeconds * 1000;
    const renewed = `renewed at ${at(situation, renewedAt)} for ${leaseDurationSeconds} s`;
    if (until < situation.now)
      return [{ text: `expired at ${at(situation, until)}: ${holderIdentity} ${renewed}, and not since; no candidate has acquired it` }];
    return [{ text: `is held by ${holderIdentity} until ${at(situation, until)} (${renewed})`, until }];
  },
};
