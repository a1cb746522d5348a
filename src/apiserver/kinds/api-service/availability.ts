/** Whether the backend of an APIService is available. Models: v1.24 kube-aggregator pkg/controllers/status available_controller.go. */
import type { Condition } from '../../machinery/index.ts';
import type { Endpoints } from '../endpoints/shape.ts';
import type { Service } from '../service/shape.ts';
import type { APIService } from './shape.ts';

/** The objects that determine availability. */
export interface Backing {
  service(namespace: string, name: string): Service | undefined;
  endpoints(namespace: string, name: string): Endpoints | undefined;
}

export type Availability = Required<Pick<Condition, 'status' | 'reason' | 'message'>>;

/** Requests are not proxied here, so a service with addresses counts as responding. */
export function availabilityOf({ spec }: APIService, backing: Backing): Availability {
  const reference = spec.service;
  if (reference === undefined) return { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };
  const { namespace = '', name = '', port = 443 } = reference;
  const place = `service/${name} in ${JSON.stringify(namespace)}`;
  const service = backing.service(namespace, name);
  if (service === undefined) return { status: 'False', reason: 'ServiceNotFound', message: `${place} is not present` };
  if (service.spec.type === 'ClusterIP') {
    const found = (service.spec.ports ?? []).find((each) => each.port === port);
    if (found === undefined) return { status: 'False', reason: 'ServicePortError', message: `${place} is not listening on port ${port}` };
    const endpoints = backing.endpoints(namespace, name);
    if (endpoints === undefined) return { status: 'False', reason: 'EndpointsNotFound', message: `cannot find endpoints for ${place}` };
    const reachable = (endpoints.subsets ?? []).some(
      (subset) => (subset.addresses ?? []).length > 0 && (subset.ports ?? []).some((each) => (each.name ?? '') === (found.name ?? '')),
    );
    if (!reachable)
      return {
        status: 'False',
        reason: 'MissingEndpoints',
        message: `endpoints for ${place} have no addresses with port name ${JSON.stringify(found.name ?? '')}`,
      };
  }
  return { status: 'True', reason: 'Passed', message: 'all checks passed' };
}

type Conditions = NonNullable<APIService['status']['conditions']>;

/** Returns the conditions with this availability; the same list when nothing changes. The transition time changes only with the status. */
export function withAvailability(conditions: Conditions | undefined, { status, reason, message }: Availability, now: string): Conditions {
  const all = conditions ?? [];
  const old = all.find(({ type }) => type === 'Available');
  if (old?.status === status && old.reason === reason && old.message === message) return all;
  const made = { type: 'Available', status, lastTransitionTime: old?.status === status ? old.lastTransitionTime : now, reason, message };
  return old === undefined ? [...all, made] : all.map((each) => (each === old ? made : each));
}
