/** What pods wait for: a node, the start of their containers; and what their nodes and the leases of processes wait for. */
import type { Lease, Node, Pod } from '../../../apiserver/kinds/index.ts';
import { controllerOf } from '../../../controlplane/agents/index.ts';
import { conditionOf } from '../../../controlplane/shared/index.ts';
import { present } from '../../../schema/values/index.ts';
import { agentOfNode, byName, troubleOf, unservedBy, at, instantOf, isDone, explainerOf, type Situation, type Wait } from '../situation.ts';

/** ` since 5.000s`; the empty string where the time is absent. */
function sinceText(situation: Situation, time: string | null | undefined): string {
  const since = instantOf(time);
  return since === undefined ? '' : ` since ${at(situation, since)}`;
}

export const scheduling = explainerOf('scheduling', 'Pod', (pod, situation) => {
  if (isDone(pod) || (pod.spec.nodeName ?? '') !== '') return [];
  const { schedulerName = 'default-scheduler', volumes = [] } = pod.spec;
  const wanted = controllerOf(schedulerName);
  const exists = situation.introspection.processes.some(({ controllers }) => controllers.some(({ name }) => name === wanted));
  if (!exists && wanted !== 'scheduler')
    return [{ text: `waits for a scheduler called ${schedulerName}, which does not exist (spec.schedulerName)` }];
  const unserved = unservedBy(situation, byName(wanted), 'a node');
  if (unserved !== undefined) return [unserved];
  const { namespace } = pod.metadata;
  const unbound = volumes.flatMap(({ persistentVolumeClaim: { claimName: name } = {} }) => {
    const claim = name === undefined ? undefined : situation.world.get('PersistentVolumeClaim', namespace, name);
    return name === undefined || (claim !== undefined && isDone(claim))
      ? []
      : [present({ kind: 'PersistentVolumeClaim', name, namespace })];
  });
  const condition = conditionOf(pod.status.conditions, 'PodScheduled');
  if (condition?.status !== 'False') return [{ text: 'waits for the scheduler to process it', leadsTo: unbound }];
  const { message = condition.reason ?? '', lastTransitionTime } = condition;
  return [{ text: `waits for a node${sinceText(situation, lastTransitionTime)}: ${message.replace(/\.$/, '')}`, leadsTo: unbound }];
});

export const starting = explainerOf('starting', 'Pod', (pod, situation) => {
  const { nodeName: node = '' } = pod.spec;
  if (isDone(pod) || node === '') return [];
  const agent = agentOfNode(situation, node);
  const trouble = agent === undefined ? { text: `there is no agent of a node ${node}` } : troubleOf(situation, agent);
  if (trouble !== undefined) return [{ ...trouble, text: `waits for its node: ${trouble.text}`, leadsTo: [{ kind: 'Node', name: node }] }];
  const waiting = containersWait(pod);
  if (waiting !== undefined) return [waiting];
  const { phase, startTime, conditions } = pod.status;
  if (phase !== 'Running') return [{ text: `waits for the agent of ${node} to start it` }];
  const { status, message = '' } = conditionOf(conditions, 'Ready') ?? {};
  if (status !== 'True') return [{ text: `runs on ${node}, but is not ready${message === '' ? '' : `: ${message}`}` }];
  return [{ text: `runs on ${node}${sinceText(situation, startTime)}, and has not ended` }];
});

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

const describeNode = (object: Node, situation: Situation): readonly Wait[] => {
  const ready = conditionOf(object.status.conditions, 'Ready');
  const agent = agentOfNode(situation, object.metadata.name);
  const trouble = agent === undefined ? { text: 'it has no agent' } : troubleOf(situation, agent);
  const cordoned = object.spec.unschedulable === true ? [{ text: 'takes no new pods (spec.unschedulable)' }] : [];
  if (ready?.status === 'True')
    return trouble === undefined ? cordoned : [{ ...trouble, text: `is reported ready, but ${trouble.text}` }, ...cordoned];
  const why = trouble?.text ?? ready?.message ?? 'it has not reported yet';
  return [{ ...trouble, text: `is not ready${sinceText(situation, ready?.lastTransitionTime)}: ${why}` }, ...cordoned];
};
export const node = explainerOf('node', 'Node', describeNode, true);

const describeLease = ({ spec }: Lease, situation: Situation): readonly Wait[] => {
  const { holderIdentity = '', renewTime, leaseDurationSeconds = 0 } = spec;
  if (holderIdentity === '' || renewTime === undefined) return [{ text: 'is free: the next candidate may acquire it' }];
  const renewedAt = Date.parse(renewTime);
  const until = renewedAt + leaseDurationSeconds * 1000;
  const renewed = `renewed at ${at(situation, renewedAt)} for ${leaseDurationSeconds} s`;
  if (until < situation.now)
    return [{ text: `expired at ${at(situation, until)}: ${holderIdentity} ${renewed}, and not since; no candidate has acquired it` }];
  return [{ text: `is held by ${holderIdentity} until ${at(situation, until)} (${renewed})`, until }];
};
export const lease = explainerOf('lease', 'Lease', describeLease, true);
