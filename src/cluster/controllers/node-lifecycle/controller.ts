/** Turns what a node reports into taints that keep new pods away. Models: v1.24 pkg/controller/nodelifecycle. */
import { defineController, idle, write } from '../../runtime/index.ts';
import { formatTime } from '../../values/index.ts';
import { wantedNoSchedule, withNoSchedule } from './taints.ts';

export const nodeLifecycle = defineController({
  name: 'node-lifecycle',
  component: 'node-controller',
  reconciles: 'Node',
  writes: ['Node'],
  models: 'v1.24 pkg/controller/nodelifecycle.',
  reconcile({ self: node, names, now }) {
    if (node.status.conditions === undefined) return idle('it has not reported yet');
    const wanted = wantedNoSchedule(node, names);
    const taints = withNoSchedule(node, wanted, names, formatTime(now));
    if (taints === undefined) return idle(wanted.length === 0 ? 'it is fit for pods' : 'it is tainted as its state calls for');
    return write(wanted.length === 0 ? 'its state calls for no taint any more' : `its state calls for ${wanted.join(', ')}`, { op: 'update', object: { ...node, spec: { ...node.spec, taints } } });
  },
});
