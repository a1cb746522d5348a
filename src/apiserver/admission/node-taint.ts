/** Taints a new node as not ready until it reports that it is ready. Models: v1.24 plugin/pkg/admission/nodetaint. */
import type { Node } from '../kinds/index.ts';
import type { Draft } from '../machinery/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

export const nodeTaint: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  verbs: ['create'],
  kinds: ['Node'],
  mutate(scope, _attributes, draft) {
    const key = scope.names.key('node', 'not-ready');
    const taints = ((draft as Draft<Node>).spec.taints ??= []);
    if (!taints.some((taint) => taint.key === key && taint.effect === 'NoSchedule')) taints.push({ key, effect: 'NoSchedule' });
  },
};
