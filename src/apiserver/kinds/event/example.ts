/** A valid Event, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const eventExample: Example = {
  fields: () => ({
    involvedObject: { kind: 'Pod', name: 'x', namespace: 'default' },
    reason: 'Started',
    message: 'started',
    type: 'Normal',
    count: 1,
  }),
};
