/**
 * What must hold of nodes and their agents: leases are renewed in time, nobody is evicted for nothing, no node is given more than it has.
 */
import { keyOf } from '../../apiserver/machinery/index.ts';
import type { Pod } from '../../apiserver/kinds/index.ts';
import { milliUnitsOf, parseTime } from '../../schema/values/index.ts';
import { isOver } from './forms.ts';
import { type Facts, type Invariant, type Violation, checking, nothing, ofChanges } from './invariant.ts';

/** The beginning of the message on a pod that was evicted because of a shortage on its node. */
const LOW = 'The node was low on resource';

const evictedBelowThreshold = ofChanges(
  'node/evicted-below-threshold',
  'A pod is evicted for a shortage on its node only when an eviction threshold has been met for its grace period.',
  { kinds: ['Pod'] },
  nothing,
  ({ type, object: pod, previous }, facts) => {
    if (type !== 'MODIFIED' || !isOver(pod) || pod.status.reason !== 'Evicted' || pod.status.message?.startsWith(LOW) !== true)
      return undefined;
    const cause = previous !== undefined && isOver(previous) ? undefined : facts.evictionOf?.(pod.metadata.uid);
    if (cause === undefined) return undefined;
    const { signal, available, limit, metForMs, graceMs } = cause;
    const reported = `Pod ${keyOf(pod)} was evicted from ${pod.spec.nodeName ?? ''} for ${signal}`;
    if (available >= limit) return `${reported} with ${available} left, where ${limit} is the threshold`;
    return metForMs >= graceMs || `${reported} after ${metForMs / 1000} s below a threshold of ${graceMs / 1000} s`;
  },
);

/** The interval of the checks of leases, milliseconds. */
const LOOK_MS = 1_000;

const leasesRenewedInTime: Invariant = {
  name: 'node/leases-renewed-in-time',
  temporal: 'always',
  description: 'The lease of a node is renewed before it expires.',
  onRequest: 'an agent that is down or disconnected renews nothing',
  kinds: ['*'],
  check: checking((exercised) => {
    const seen = { lookedAt: -Infinity };
    const look = (facts: Facts): Violation | undefined => {
      seen.lookedAt = facts.now;
      for (const node of facts.list('Node')) {
        const lease = facts.get('Lease', `${facts.names.nodeLeaseNamespace}/${node.metadata.name}`);
        const { renewTime, leaseDurationSeconds } = lease?.spec ?? {};
        if (lease === undefined || typeof renewTime !== 'string' || typeof leaseDurationSeconds !== 'number') continue;
        const silentMs = facts.now - parseTime(renewTime);
        if (silentMs > leaseDurationSeconds * 1000)
          return {
            message: `the lease of node ${node.metadata.name} lasts ${leaseDurationSeconds} s and has not been renewed for ${silentMs / 1000} s`,
            object: lease,
          };
        exercised();
      }
      return undefined;
    };
    return {
      describe: () => seen.lookedAt,
      onChange: ({ at }, facts) => (at - seen.lookedAt >= LOOK_MS && at >= facts.startAt ? look(facts) : undefined),
      onEnd: (facts) => look(facts),
    };
  }),
};

const COUNTED = ['cpu', 'memory', 'ephemeral-storage', 'pods'] as const;
type Amounts = Record<(typeof COUNTED)[number], number>;

/** Returns the resource requests of a pod, in thousandths: the sum over its containers, or a larger init container, plus its overhead. */
function requestsOf({ spec }: Pod): Amounts {
  const of = (resource: (typeof COUNTED)[number]): number => {
    if (resource === 'pods') return 1000;
    const asks = (container: Pod['spec']['containers'][number]): number => milliUnitsOf(container.resources?.requests?.[resource] ?? '0');
    const together = (spec.containers ?? []).reduce((sum, container) => sum + asks(container), 0);
    const alone = Math.max(0, ...(spec.initContainers ?? []).map(asks));
    return Math.max(together, alone) + milliUnitsOf(spec.overhead?.[resource] ?? '0');
  };
  return { cpu: of('cpu'), memory: of('memory'), 'ephemeral-storage': of('ephemeral-storage'), pods: of('pods') };
}

interface AdmittedPods {
  /** The sum of the requests of the pods on each node. */
  readonly asked: Map<string, Amounts>;
  /** By uid. */
  readonly counted: Map<string, { readonly node: string; readonly amounts: Amounts }>;
}

const isIn = (pod: Pod, type: string): boolean =>
  type !== 'DELETED' && pod.spec.nodeName !== undefined && pod.status.startTime !== undefined && !isOver(pod);

function count({ asked }: AdmittedPods, node: string, amounts: Amounts, sign: 1 | -1): Amounts {
  const sum = asked.get(node) ?? { cpu: 0, memory: 0, 'ephemeral-storage': 0, pods: 0 };
  for (const resource of COUNTED) sum[resource] += sign * amounts[resource];
  asked.set(node, sum);
  return sum;
}

const holdsItsPods = ofChanges(
  'node/holds-its-pods',
  'No agent admits a pod that does not fit the free resources of its node.',
  { onRequest: 'an agent that observes late that its node has shrunk admits what fitted before', kinds: ['Pod'] },
  (): AdmittedPods => ({ asked: new Map(), counted: new Map() }),
  ({ type, object: pod }, facts, admitted) => {
    const { uid } = pod.metadata;
    const known = admitted.counted.get(uid);
    const there = isIn(pod, type);
    if (known !== undefined && !there) {
      count(admitted, known.node, known.amounts, -1);
      admitted.counted.delete(uid);
    }
    if (known !== undefined || !there) return undefined;
    const { nodeName = '' } = pod.spec;
    const amounts = requestsOf(pod);
    admitted.counted.set(uid, { node: nodeName, amounts });
    const sum = count(admitted, nodeName, amounts, 1);
    const node = facts.get('Node', nodeName);
    if (node === undefined) return undefined;
    for (const resource of COUNTED) {
      const allocatable = node.status.allocatable?.[resource];
      if (amounts[resource] > 0 && allocatable !== undefined && sum[resource] > milliUnitsOf(allocatable))
        return `Pod ${keyOf(pod)} was admitted on ${nodeName}, whose ${resource} of ${allocatable} is not enough`;
    }
    return true;
  },
);

const writesWithCertificate = ofChanges(
  'node/writes-with-a-good-certificate',
  'An agent that needs a client certificate writes nothing before it has one, nor after it has expired.',
  { kinds: ['*'] },
  nothing,
  ({ kind, object, at }, facts, _state, controller, actor) => {
    const until = controller !== undefined && actor?.startsWith('agent/') === true ? facts.certifiedUntil?.(actor) : undefined;
    if (until === undefined || at < until) return until !== undefined;
    const how = until === -Infinity ? 'has no client certificate' : `has a client certificate that expired ${(at - until) / 1_000} s ago`;
    return `${actor} changed ${kind} ${keyOf(object)}, and ${how}`;
  },
);

export const nodeAgentInvariants: readonly Invariant[] = [evictedBelowThreshold, leasesRenewedInTime, holdsItsPods, writesWithCertificate];
