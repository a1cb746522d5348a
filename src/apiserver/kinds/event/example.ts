/** A valid Event in which most validation rules apply. */
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
