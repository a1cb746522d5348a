/** A valid DaemonSet in which most validation rules apply. */
import { EXAMPLE_LABELS, EXAMPLE_TEMPLATE, type Example } from '../../machinery/index.ts';

export const daemonSetExample: Example = {
  fields: () => ({ spec: { selector: { matchLabels: EXAMPLE_LABELS }, template: EXAMPLE_TEMPLATE, minReadySeconds: 5 } }),
};
