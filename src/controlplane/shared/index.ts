/** What controllers, agents and drivers share: names of volumes, label sets, owner references, conditions, the pods behind services. */
export {
  type Projection,
  type Services,
  selectsPods,
  followService,
  followPod,
  followNode,
  servicesOfPod,
  servicesOfNode,
  describeServices,
  reasonsFor,
} from './backends.ts';
export { finishedCondition } from './job-conditions.ts';
export { createLabelCounts, type LabelCounts } from './label-sets.ts';
export { adopt, controllerReference, removeOwners, dropFinalizers, referenced, stillThere } from './owner-references.ts';
export {
  belongsInEndpoints,
  hostnameIn,
  isHeadless,
  isReady,
  leaderAnnotation,
  podPorts,
  podReference,
  readySince,
  sameLabels,
  type PodPort,
} from './service-pods.ts';
export { identityOf, portsText, stateOf, type Endpoint, type SlicePort } from './slice-identity.ts';
export {
  attachDetachKey,
  attacherFinalizer,
  attachesItself,
  mustAttach,
  askForVolume,
  attachmentName,
  claimsOf,
  driverProcess,
  uniqueVolumeName,
} from './volumes.ts';
export { unmanagedPods } from './unmanaged-pods.ts';
export { readForStatus, type StatusRetry, writeAgain } from './status-retry.ts';
export { endOfBatch } from './slow-start.ts';
export { templateHash } from './template-hash.ts';
export { templatePatch, textOf } from './template-patch.ts';
export { safeLetters } from './safe-letters.ts';
export { SILENT_AFTER_MS } from './node-silence.ts';
export { addAmounts, amountsOf, emptyAmounts, requestsOf, type Amounts, type HostPort, type SpecInfo } from './pod-requests.ts';
export { isOutOfService } from './out-of-service.ts';
