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
export { finishedCondition, SILENT_AFTER_MS, isOutOfService } from './node-facts.ts';
export { createLabelCounts, type LabelCounts } from './label-sets.ts';
export {
  adopt,
  claim,
  concernedKeys,
  concernedOwners,
  keptOwner,
  controllerReference,
  dropFinalizers,
  objectsToAdopt,
  podsToAdopt,
  referenced,
  removeOwners,
  uidOfController,
  unmanagedPods,
} from './owned-set.ts';
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
  identityOf,
  portsText,
  stateOf,
  type Endpoint,
  type SlicePort,
} from './service-pods.ts';
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
export { drawnUuid, templateHash, safeLetters } from './template-hash.ts';
export {
  createPodOf,
  deletePodOf,
  endOfBatch,
  namespaceTerminates,
  readForStatus,
  refusedPod,
  type StatusRetry,
  writeAgain,
} from './recovery.ts';
export { readRevision, revisionOf, templatePatch, textOf } from './revisions.ts';
export { addAmounts, amountsOf, emptyAmounts, requestsOf, type Amounts, type HostPort, type SpecInfo } from './pod-requests.ts';
