/** An autoscaler that does not scale: the reason in its conditions. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { Explainer } from '../contract.ts';
import { at, conditionOf, instantOf } from '../words.ts';

export const autoscaler: Explainer = {
  name: 'autoscaler',
  kinds: ['HorizontalPodAutoscaler'],
  explain(object, situation) {
    if (!isOf('HorizontalPodAutoscaler', object) || object.metadata.deletionTimestamp !== undefined) return [];
    const { conditions, currentReplicas = 0 } = object.status;
    const able = conditionOf(conditions, 'AbleToScale');
    const active = conditionOf(conditions, 'ScalingActive');
    const limited = conditionOf(conditions, 'ScalingLimited');
    const keeps = `keeps ${currentReplicas} replicas`;
    const held = [
      ...(active?.status === 'False' ? [active] : []),
      ...(able !== undefined && (able.status === 'False' || able.reason?.endsWith('Stabilized') === true) ? [able] : []),
      ...(limited?.status === 'True' ? [limited] : []),
    ];
    return held.map(({ type, reason = '', message = '', lastTransitionTime }) => {
      const since = type === 'AbleToScale' ? undefined : instantOf(lastTransitionTime);
      return { text: `${keeps}: ${reason}: ${message}${since === undefined ? '' : ` (since ${at(situation, since)})`}` };
    });
  },
};
