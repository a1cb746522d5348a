/** Descriptions of LimitRanges and their fields, in our words. Source: spec, "LimitRange". */
import type { Texts } from '../../machinery/index.ts';

const AMOUNTS = 'By resource: cpu, memory, pods and so on.';

export const limitRangeTexts: Texts = {
  LimitRange: { '': 'Limits of individual pods, containers and claims.' },
  LimitRangeSpec: { '': 'The limits.', limits: 'One entry for each type.' },
  LimitRangeItem: {
    '': 'Limits of one type.',
    type: 'Pod, Container or PersistentVolumeClaim.',
    max: AMOUNTS,
    min: AMOUNTS,
    default: 'Default limits of a container.',
    defaultRequest: 'Default requests of a container.',
    maxLimitRequestRatio: 'The maximum ratio of limit and request.',
  },
};
