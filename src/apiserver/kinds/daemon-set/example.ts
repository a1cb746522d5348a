/** A valid DaemonSet, filled well enough that its rules have something to look at. */
import { EXAMPLE_LABELS, EXAMPLE_TEMPLATE, type Example } from '../../machinery/index.ts';

export const daemonSetExample: Example = {
  fields: () => ({ spec: { selector: { matchLabels: EXAMPLE_LABELS }, template: EXAMPLE_TEMPLATE, minReadySeconds: 5 } }),
};
