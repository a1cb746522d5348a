/** A node as the server stores it, its lease and pods, and the memory of its passes. */
import type { Lease, Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { nodeLifecycle } from '../../../../src/controlplane/controllers/node-lifecycle/controller.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at, AT, barePod, nodeOf } from '../../../support/objects.ts';
import { decide, linesOf, type Situation } from '../../../support/reconcile.ts';

export const condition = (type: string, status: string) => ({
  type,
  status,
  reason: 'r',
  message: 'm',
  lastHeartbeatTime: AT,
  lastTransitionTime: AT,
});
export const taint = (name: string, effect: string) => ({ key: `node.kubernetes.io/${name}`, effect });
/** A node with this Ready condition (null: it has no status), and these taints. */
export const node = (
  name: string,
  ready: string | null,
  taints: readonly object[] = [],
  more: { meta?: object; conditions?: readonly object[]; spec?: object } = {},
): Node =>
  ({
    ...nodeOf(name),
    metadata: { ...nodeOf(name).metadata, resourceVersion: '7', ...more.meta },
    spec: { ...(taints.length === 0 ? {} : { taints }), ...more.spec },
    status: ready === null ? {} : { conditions: [condition('Ready', ready), ...(more.conditions ?? [])] },
  }) as unknown as Node;
export const lease = (second: number): Lease =>
  ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'n', namespace: 'kube-node-lease', uid: 'l' },
    spec: { renewTime: formatTime(at(second)) },
  }) as unknown as Lease;
/** The memory of a node whose last renewal was seen at this second. */
export const known = (probe: number, more: object = {}, health: object = {}) => ({
  uid: 'uid-n',
  health: { renewTime: undefined, heartbeat: AT, probeAt: at(probe), beating: false, ...health },
  registered: true,
  passedAt: undefined,
  ...more,
});
export const OTHER = node('other', 'True');
export const lines = (
  second: number,
  self: Node,
  memory?: object,
  more: Partial<Situation> & { readonly and?: Situation['objects'] } = {},
) => {
  const { and = [OTHER], ...situation } = more;
  return linesOf(decide(nodeLifecycle, { objects: [...and, self], key: 'n', now: at(second), startedAt: at(0), memory, ...situation }));
};
export const readyPod = (name: string, nodeName = 'n', status = 'True'): Pod =>
  barePod(name, 'Running', { spec: { nodeName }, status: { conditions: [{ type: 'Ready', status, lastTransitionTime: AT }] } });
export const UNREADY = [taint('not-ready', 'NoSchedule')];
export const UNREACHABLE = [taint('unreachable', 'NoSchedule')];
