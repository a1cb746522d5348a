/** Descriptions of PriorityClasses and their fields, in our words. Source: spec, "PriorityClass". */
import type { Texts } from '../../machinery/index.ts';

export const priorityClassTexts: Texts = {
  PriorityClass: {
    '': 'How important pods are.',
    value: 'The higher the more. Cannot be changed.',
    globalDefault: 'Whether pods that name no class have this one.',
    description: 'For people.',
    preemptionPolicy: 'Never, or PreemptLowerPriority: others may be ended to make room.',
  },
};
