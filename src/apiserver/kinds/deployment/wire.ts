/** Protobuf field numbers of Deployments, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const deploymentWire: Wire = {
  Deployment: 'metadata=1 spec=2 status=3',
  DeploymentCondition: 'type=1 status=2 reason=4 message=5 lastUpdateTime=6 lastTransitionTime=7',
  DeploymentSpec: 'replicas=1 selector=2 template=3 strategy=4 minReadySeconds=5 revisionHistoryLimit=6 paused=7 progressDeadlineSeconds=9',
  DeploymentStatus:
    'observedGeneration=1 replicas=2 updatedReplicas=3 availableReplicas=4 unavailableReplicas=5 conditions=6 readyReplicas=7 collisionCount=8',
  DeploymentStrategy: 'type=1 rollingUpdate=2',
  RollingUpdateDeployment: 'maxUnavailable=1 maxSurge=2',
};
