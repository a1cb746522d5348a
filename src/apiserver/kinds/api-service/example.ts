/** A valid APIService in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const apiServiceExample: Example = {
  name: 'v1.example.com',
  another: {
    name: 'v2.example.com',
    fields: {
      spec: {
        group: 'example.com',
        version: 'v2',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        service: { name: 's', namespace: 'default', port: 443 },
      },
    },
  },
  fields: () => ({
    spec: {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { name: 's', namespace: 'default', port: 443 },
    },
  }),
};
