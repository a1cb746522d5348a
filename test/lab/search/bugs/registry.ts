/** All known bugs, one line each. */
import { swallowedConflict } from './operators/ai-gateway-2565.ts';
import { finishedAgain } from './operators/argo-16294.ts';
import { unseenDeletion } from './operators/cassandra-398.ts';
import { namesakeClaims } from './operators/cassandra-402.ts';
import { revivedSet } from './operators/cassandra-404.ts';
import { claimOfTheNewPod } from './operators/cassandra-407.ts';
import { halfScaled } from './operators/cassandra-410.ts';
import { restoredBudget } from './operators/casskop-321.ts';
import { unrecordedStep } from './operators/casskop-370.ts';
import { wrongKey } from './operators/cert-manager-9097.ts';
import { revertedConditions } from './operators/cloudnative-pg-6328.ts';
import { duplicateSets } from './operators/cluster-api-13649.ts';
import { unnamedExternal } from './operators/crossplane-279.ts';
import { lateDeletion } from './operators/kcp-643.ts';
import { lateFinalizer } from './operators/korifi-1931.ts';
import { tooManyWorkers } from './operators/kuberay-715.ts';
import { oneAddressTwice } from './operators/metallb-1774.ts';
import { staleSwitch } from './operators/mongodb-433.ts';
import { secondSecret } from './operators/mongodb-578.ts';
import { lostRestart } from './operators/nifikop-130.ts';
import { unseenDisruption } from './operators/opensearch-1471.ts';
import { lockForLife } from './operators/operator-sdk-1305.ts';
import { namesakeSet } from './operators/rabbitmq-648.ts';
import { staleSize } from './operators/rabbitmq-653.ts';
import { forgottenResize } from './operators/rabbitmq-782.ts';
import { orphanedRuns } from './operators/tekton-2558.ts';
import { emptyCache } from './operators/tidb-6532.ts';
import { unheardLoss } from './operators/twingate-161.ts';
import { staleTls } from './operators/yugabyte-35.ts';
import { stalePort } from './operators/yugabyte-36.ts';
import { staleScale } from './operators/zookeeper-314.ts';
import { missingNode } from './operators/zookeeper-569.ts';
import { adoptedByTheDead } from './built-in/adoption-42639.ts';
import { ownersUnseen } from './built-in/collector-88097.ts';
import { namelessRun } from './built-in/cron-job-112275.ts';
import { firstOfTwo } from './built-in/job-142142.ts';
import { runsTwice } from './built-in/kubelet-59848.ts';
import { evictedReplacement } from './built-in/node-29522.ts';
import { unknownUser } from './built-in/protection-1174.ts';
import { deletedOrphan } from './built-in/replica-set-138818.ts';
import { madeWhileDeleted } from './built-in/replication-57191.ts';
import { goneHost } from './built-in/scheduler-56261.ts';
import { duplicateSlices } from './built-in/slices-100033.ts';
import { claimOutOfSight } from './built-in/volume-141891.ts';
import { inheritedVolume } from './built-in/volume-20196.ts';
import type { Bug } from './model.ts';

/** Bugs of operators. */
export const OPERATORS: readonly Bug[] = [
  swallowedConflict,
  finishedAgain,
  unseenDeletion,
  namesakeClaims,
  revivedSet,
  claimOfTheNewPod,
  halfScaled,
  restoredBudget,
  unrecordedStep,
  wrongKey,
  revertedConditions,
  duplicateSets,
  unnamedExternal,
  lateDeletion,
  lateFinalizer,
  tooManyWorkers,
  oneAddressTwice,
  staleSwitch,
  secondSecret,
  lostRestart,
  unseenDisruption,
  lockForLife,
  namesakeSet,
  staleSize,
  forgottenResize,
  orphanedRuns,
  emptyCache,
  unheardLoss,
  staleTls,
  stalePort,
  staleScale,
  missingNode,
];

/** Bugs of built-in controllers and node agents. */
export const BUILT_IN: readonly Bug[] = [
  adoptedByTheDead,
  ownersUnseen,
  namelessRun,
  firstOfTwo,
  runsTwice,
  evictedReplacement,
  unknownUser,
  deletedOrphan,
  madeWhileDeleted,
  goneHost,
  duplicateSlices,
  claimOutOfSight,
  inheritedVolume,
];

export const BUGS: readonly Bug[] = [...OPERATORS, ...BUILT_IN];
