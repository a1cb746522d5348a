/** The taint of a new node, and the tolerations of pods. Models: v1.24 plugin/pkg/admission/{nodetaint,defaulttolerationseconds}. */
import type { Node, Pod } from '../kinds/index.ts';
import type { Draft, Toleration } from '../machinery/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

/** Taints a new node as not ready until it reports that it is ready. */
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

/** The seconds for which a pod stays on a node that is unreachable or not ready. */
const SECONDS = 300;
const CONDITIONS = ['not-ready', 'unreachable'];

const covers = (toleration: Toleration, key: string): boolean =>
  (toleration.key === key || toleration.key === undefined || toleration.key === '') &&
  (toleration.effect === 'NoExecute' || toleration.effect === undefined || toleration.effect === '');

export const defaultTolerations: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  verbs: ['create', 'update'],
  reads: [],
  kinds: ['Pod'],
  changes: 'spec',
  mutate({ names }, _attributes, draft) {
    const { spec } = draft as Draft<Pod>;
    for (const condition of CONDITIONS) {
      const key = names.key('node', condition);
      if (spec.tolerations?.some((toleration) => covers(toleration, key)) === true) continue;
      // Frozen, so that the draft does not wrap it.
      (spec.tolerations ??= []).push(Object.freeze({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS }));
    }
  },
};
