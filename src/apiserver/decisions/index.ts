/**
 * Decisions as pure functions of objects: whether traffic is allowed, which backend serves a request, the endpoints of a service, the
 * preferred version, storage capacity, runtime classes, taints and node affinity. They read neither a store nor a clock: the caller passes
 * the objects. Each decision has its reason as a sentence. The server, the scheduler and controllers share these functions.
 */
export { preferredGroups, preferredVersion, type Preference, type PreferredGroup } from './api-service.ts';
export { endpointState, endpointText, expandEndpoints, joinSlices, reachedBy, usedEndpoints, type ServiceEndpoint } from './endpoints.ts';
export { type BackendDecision, backendFor, ingressClassOf, type IngressRequest, type IngressView } from './ingress.ts';
export { mayPass, type PolicyView, type Traffic, type TrafficDecision, type TrafficEnd } from './network-policy.ts';
export { admitRuntimeClass, type RuntimeClassDecision, type RuntimeClassPod } from './runtime-class.ts';
export * from './node-fit.ts';
export { isReachable, isSufficient, storageCapacity, type CapacityDecision } from './storage-capacity.ts';
