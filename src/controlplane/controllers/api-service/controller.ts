/**
 * Updates the Available condition of APIServices. Models: v1.24 kube-aggregator pkg/controllers/status. Simplified: the service is not
 * called to check that it answers.
 */
import { namespacedName } from '../../../apiserver/machinery/index.ts';
import { type APIService, availabilityOf, withAvailability } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, watch, writeStatus, write } from '../../runtime/index.ts';

/** The keys of APIServices that name a service. */
const naming = (key: string, all: Iterable<APIService>): readonly string[] =>
  [...all].filter(({ spec: { service } }) => service !== undefined && namespacedName(service) === key).map(({ metadata }) => metadata.name);

export const apiServiceAvailability = defineController({
  name: 'api-service-availability',
  reconciles: 'APIService',
  writes: ['APIService'],
  models: 'v1.24 kube-aggregator pkg/controllers/status. Simplified: a Service with addresses counts as reachable.',
  watches: [
    watch('Service', ({ key }, { cache }) => naming(key, cache.list('APIService'))),
    watch('Endpoints', ({ key }, { cache }) => naming(key, cache.list('APIService'))),
  ],
  reconcile({ self, cache, now }) {
    const found = availabilityOf(self, {
      service: (namespace, name) => cache.get('Service', namespace, name),
      endpoints: (namespace, name) => cache.get('Endpoints', namespace, name),
    });
    const conditions = withAvailability(self.status.conditions, found, now);
    if (conditions === self.status.conditions)
      return idle(`its status already says ${found.status === 'True' ? 'available' : 'unavailable'}: ${found.message}`);
    return write(found.message, writeStatus(self, { ...self.status, conditions }));
  },
});
