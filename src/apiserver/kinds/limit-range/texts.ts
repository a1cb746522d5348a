/** Descriptions of LimitRanges and their fields, in our words. Source: spec, "LimitRange". */
import type { Texts } from '../../machinery/index.ts';

const AMOUNTS = 'By resource: cpu, memory, pods and so on.';

export const limitRangeTexts: Texts = {
  LimitRange: { '': 'What single pods, containers and claims may have.' },
  LimitRangeSpec: { '': 'The limits.', limits: 'One entry a type.' },
  LimitRangeItem: {
    '': 'Limits of one type.',
    type: 'Pod, Container or PersistentVolumeClaim.',
    max: AMOUNTS,
    min: AMOUNTS,
    default: 'Limits of a container that has none.',
    defaultRequest: 'Requests of a container that has none.',
    maxLimitRequestRatio: 'How many times its request a limit may be.',
  },
};
