/** Descriptions of PriorityClasses and their fields, in our words. Source: spec, "PriorityClass". */
import type { Texts } from '../../machinery/index.ts';

export const priorityClassTexts: Texts = {
  PriorityClass: {
    '': 'The importance of pods.',
    value: 'Higher values are more important. Cannot be changed.',
    globalDefault: 'Whether it is the class of pods that name none.',
    description: 'A text for readers.',
    preemptionPolicy: 'Never, or PreemptLowerPriority: less important pods may be evicted for a pending one.',
  },
};
