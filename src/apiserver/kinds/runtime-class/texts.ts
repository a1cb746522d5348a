/** Descriptions of RuntimeClasses and their fields, in our words. Source: spec, "RuntimeClass". */
import type { Texts } from '../../machinery/index.ts';

const AMOUNTS = 'By resource: cpu, memory, pods and so on.';

export const runtimeClassTexts: Texts = {
  RuntimeClass: {
    '': 'A way to run containers, and what it needs.',
    handler: 'How nodes call it; cannot be changed.',
    overhead: 'What each pod needs besides its containers.',
    scheduling: 'Nodes that have it; absent: all do.',
  },
  Overhead: { '': 'What each pod needs besides its containers.', podFixed: AMOUNTS },
  Scheduling: {
    '': 'Nodes that have it.',
    nodeSelector: 'Labels they have; added to those of a pod, and a contradiction refuses the pod.',
    tolerations: 'Added to those of a pod.',
  },
};
