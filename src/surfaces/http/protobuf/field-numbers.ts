/**
 * Field numbers of messages that are not kinds: options, reviews, sub-resources. Those of kinds are in their folders. Source: v1.24
 * staging/src/k8s.io/api generated.proto.
 */
import type { Wire } from '../../../apiserver/machinery/index.ts';

export const MESSAGE_WIRE: Wire = {
  Binding: 'metadata=1 target=2',
  BoundObjectReference: 'kind=1 apiVersion=2 name=3 uID=4',
  DeleteOptions:
    'gracePeriodSeconds=1 preconditions=2 orphanDependents=3 propagationPolicy=4 dryRun=5 ignoreStoreReadErrorWithClusterBreakingPotential=6',
  Eviction: 'metadata=1 deleteOptions=2',
  ExtraValue: 'items=1',
  'autoscaling.v1/HorizontalPodAutoscalerSpec': 'scaleTargetRef=1 minReplicas=2 maxReplicas=3 targetCPUUtilizationPercentage=4',
  'autoscaling.v1/HorizontalPodAutoscalerStatus':
    'observedGeneration=1 lastScaleTime=2 currentReplicas=3 desiredReplicas=4 currentCPUUtilizationPercentage=5',
  LocalSubjectAccessReview: 'metadata=1 spec=2',
  NonResourceAttributes: 'path=1 verb=2',
  Preconditions: 'uid=1',
  ResourceAttributes: 'namespace=1 verb=2 group=3 version=4 resource=5 subresource=6 name=7',
  Scale: 'metadata=1 spec=2 status=3',
  ScaleSpec: 'replicas=1',
  ScaleStatus: 'replicas=1 selector=2',
  SelfSubjectAccessReview: 'metadata=1 spec=2',
  SelfSubjectAccessReviewSpec: 'resourceAttributes=1 nonResourceAttributes=2',
  SelfSubjectReview: 'metadata=1',
  SelfSubjectRulesReview: 'metadata=1 spec=2',
  SelfSubjectRulesReviewSpec: 'namespace=1',
  SubjectAccessReview: 'metadata=1 spec=2',
  SubjectAccessReviewSpec: 'resourceAttributes=1 nonResourceAttributes=2 user=3 groups=4 extra=5 uid=6',
  TokenRequestSpec: 'audiences=1 boundObjectRef=3 expirationSeconds=4',
  TokenReview: 'metadata=1 spec=2',
  TokenReviewSpec: 'token=1 audiences=2',
};
