/**
 * Rules that decide, as pure functions over objects: may this traffic pass, which backend gets this request, what are the endpoints of this
 * service, which version is preferred, is there room for this volume, what does a runtime class make of this pod, does this pod bear this
 * taint, does it want this node. Nothing here reads a store or a clock: whoever asks brings the objects. Each answer says why in a
 * sentence. The server, the scheduler and controllers decide with the same functions.
 */
export { compareVersions, preferredGroups, preferredVersion, type Preference, type PreferredGroup } from './api-service.ts';
export { endpointState, endpointText, expandEndpoints, joinSlices, reachedBy, usedEndpoints, type ServiceEndpoint } from './endpoints.ts';
export { backendFor, type BackendDecision, type IngressRequest, type IngressView } from './ingress.ts';
export { defaultIngressClass, ingressClassOf } from './ingress-class.ts';
export { mayPass, type PolicyView, type Traffic, type TrafficDecision, type TrafficEnd } from './network-policy.ts';
export { admitRuntimeClass, type RuntimeClassDecision, type RuntimeClassPod } from './runtime-class.ts';
export { isEmptyTerm, nodeSelectorTerm, nodeSelectorTerms, requiredNodeTest, type NodeTest } from './node-selector.ts';
export { isReachable, isSufficient, storageCapacity, type CapacityDecision } from './storage-capacity.ts';
export { isTolerated, mayStayMs, tolerates, untoleratedTaint } from './taints.ts';
export { covers, mergeTolerations } from './tolerations.ts';
