/** A valid Node in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const nodeExample: Example = {
  fields: () => ({
    spec: { podCIDR: '10.1.0.0/24', taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] },
    status: { capacity: { cpu: '4', memory: '8Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
  }),
};
