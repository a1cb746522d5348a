/** A new node is tainted until somebody says that it is ready. Models: plugin/pkg/admission/noderestriction's neighbour nodetaint. */
import type { AdmissionPlugin } from './plugin.ts';

interface Taint {
  readonly key: string;
  readonly effect: string;
}
interface NodeSpec {
  readonly taints?: readonly Taint[];
}

export const nodeTaint: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  verbs: ['create'],
  kinds: ['Node'],
  mutate(door, _attributes, object) {
    const spec = (object['spec'] ?? {}) as NodeSpec;
    const key = door.names.key('node', 'not-ready');
    const taints = spec.taints ?? [];
    if (taints.some((taint) => taint.key === key && taint.effect === 'NoSchedule')) return object;
    return { ...object, spec: { ...spec, taints: [...taints, { key, effect: 'NoSchedule' }] } };
  },
};
