/** A valid RuntimeClass in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const runtimeClassExample: Example = {
  fields: () => ({
    handler: 'h',
    overhead: { podFixed: { cpu: '10m' } },
    scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
  }),
};
