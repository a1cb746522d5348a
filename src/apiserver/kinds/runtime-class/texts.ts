/** Descriptions of RuntimeClasses and their fields, in our words. Source: spec, "RuntimeClass". */
import type { Texts } from '../../machinery/index.ts';

const AMOUNTS = 'By resource: cpu, memory, pods and so on.';

export const runtimeClassTexts: Texts = {
  RuntimeClass: {
    '': 'A container runtime and its requirements.',
    handler: 'Its name on nodes; cannot be changed.',
    overhead: 'The resources of each pod in addition to its containers.',
    scheduling: 'Nodes with this runtime; absent: all.',
  },
  Overhead: { '': 'The resources of each pod in addition to its containers.', podFixed: AMOUNTS },
  Scheduling: {
    '': 'Nodes with this runtime.',
    nodeSelector: 'Their labels, added to the node selector of a pod; a pod with a conflicting value is refused.',
    tolerations: 'Added to those of a pod.',
  },
};
