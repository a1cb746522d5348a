/** Refuses cordoned nodes, unless the pod tolerates that. Models: v1.24 plugins/nodeunschedulable. */
import { isTolerated } from '../../../../apiserver/decisions/index.ts';
import { on } from '../cluster-events.ts';
import { unresolvable, type Plugin } from '../plugin.ts';

const CORDONED = unresolvable('node(s) were unschedulable');

export const nodeUnschedulable: Plugin = {
  name: 'NodeUnschedulable',
  local: true,
  events: { Node: on('add', 'taints') },
  filterFor({ pod }, { names }) {
    const taint = { key: names.key('node', 'unschedulable'), effect: 'NoSchedule' };
    const tolerated = isTolerated(taint, pod.spec.tolerations);
    return tolerated ? undefined : { filter: { check: ({ node }) => (node?.spec.unschedulable === true ? CORDONED : undefined) } };
  },
};
