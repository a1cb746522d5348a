/** Whole decisions about a Deployment: the sets that it finds, and all that a sync writes. */
import { describe, expect, it } from 'vitest';
import type { Deployment, ReplicaSet } from '../../../../src/apiserver/kinds/index.ts';
import { deployment } from '../../../../src/controlplane/controllers/deployment/controller.ts';
import { at, AT } from '../../../support/objects.ts';
import { decide, linesOf, type Situation } from '../../../support/reconcile.ts';
import { deploymentOf } from './objects.ts';

const labels = { app: 'web' };
const templateOf = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: 'c', image }] } });
const REVISION = 'deployment.kubernetes.io/revision';
const ROLLING = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };
const condition = (type: string, status: string, reason: string) => ({
  type,
  status,
  reason,
  message: '',
  lastUpdateTime: AT,
  lastTransitionTime: AT,
});
const AVAILABLE = condition('Available', 'True', 'MinimumReplicasAvailable');
const DONE = condition('Progressing', 'True', 'NewReplicaSetAvailable');
const UPDATED = condition('Progressing', 'True', 'ReplicaSetUpdated');

/** A Deployment of four pods of image `c:2`. */
function web(spec: object = {}, status: object = {}, meta: object = {}): Deployment {
  const base = deploymentOf(
    {
      replicas: 4,
      selector: { matchLabels: labels },
      strategy: ROLLING,
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
      template: templateOf('c:2'),
      ...spec,
    } as never,
    status,
  );
  return { ...base, metadata: { ...base.metadata, generation: 2, annotations: { [REVISION]: '2' }, ...meta } };
}
/** A set of it, with so many pods, all of them available. */
function set(
  image: string,
  replicas: number,
  revision: number,
  more: { meta?: object; spec?: object; status?: object; sized?: number } = {},
): ReplicaSet {
  const { sized = 4 } = more;
  const name = image.replace(':', '-');
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '7',
      generation: 1,
      creationTimestamp: AT,
      labels,
      annotations: {
        [REVISION]: String(revision),
        'deployment.kubernetes.io/desired-replicas': String(sized),
        'deployment.kubernetes.io/max-replicas': String(sized + 1),
      },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'uid-d', controller: true, blockOwnerDeletion: true }],
      ...more.meta,
    },
    spec: { replicas, selector: { matchLabels: labels }, template: templateOf(image), ...more.spec },
    status: { replicas, readyReplicas: replicas, availableReplicas: replicas, observedGeneration: 1, ...more.status },
  } as unknown as ReplicaSet;
}
/** Its status with so many pods, all available. */
const counts = (replicas: number, updated: number, ...conditions: readonly object[]) => ({
  observedGeneration: 2,
  replicas,
  updatedReplicas: updated,
  readyReplicas: replicas,
  availableReplicas: replicas,
  conditions,
});
const lines = (situation: Partial<Situation>, ...objects: Situation['objects']) =>
  linesOf(decide(deployment, { objects, ...situation, now: at(60) }));

describe('a Deployment', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'creates its set, and records it',
      () => lines({}, web({}, {}, { annotations: { note: 'x' } })),
      [
        'd-56ffc45bdb is created for the template, with 4 pods',
        'create ReplicaSet d-56ffc45bdb {metadata:{labels:{app:web,pod-template-hash:56ffc45bdb},annotations:{note:x,deployment.kubernetes.io/revision:1,deployment.kubernetes.io/desired-replicas:4,deployment.kubernetes.io/max-replicas:5},ownerReferences:[{apiVersion:apps/v1,kind:Deployment,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]},spec:{replicas:4,selector:{matchLabels:{app:web,pod-template-hash:56ffc45bdb}},template:{metadata:{labels:{app:web,pod-template-hash:56ffc45bdb}},spec:{containers:[{name:c,image:c:2}]}}}} {then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled up replica set d-56ffc45bdb to 4"}}',
        'update Deployment/status d {metadata:{annotations:{note:x,deployment.kubernetes.io/revision:1}},status:{conditions:["Progressing=True, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: NewReplicaSetCreated, message: Created new replica set \\"d-56ffc45bdb\\""]}} {awaited:true}',
      ],
    ],
    [
      'of no size and without a deadline creates an empty set',
      () =>
        lines(
          {},
          web({ progressDeadlineSeconds: 2147483647, minReadySeconds: 5, replicas: 0 }, { collisionCount: 3 }, { annotations: undefined }),
        ),
      [
        'd-86898dcf9c is created for the template, with 0 pods',
        'create ReplicaSet d-86898dcf9c {metadata:{labels:{app:web,pod-template-hash:86898dcf9c},annotations:{deployment.kubernetes.io/revision:1,deployment.kubernetes.io/desired-replicas:0,deployment.kubernetes.io/max-replicas:1},ownerReferences:[{apiVersion:apps/v1,kind:Deployment,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]},spec:{replicas:0,minReadySeconds:5,selector:{matchLabels:{app:web,pod-template-hash:86898dcf9c}},template:{metadata:{labels:{app:web,pod-template-hash:86898dcf9c}},spec:{containers:[{name:c,image:c:2}]}}}}',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:1}},status:{collisionCount:3}} {awaited:true}',
      ],
    ],
    [
      'waits for its own writes',
      () => lines({ expectationsSatisfied: false }, web()),
      ['its cache does not show all of its own writes yet', 'backoff: keep'],
    ],
    [
      'that is done has nothing to do',
      () => lines({}, web({}, counts(4, 4, AVAILABLE, DONE)), set('c:2', 4, 2), set('c:1', 0, 1)),
      ['4 of 4 pods updated, 4 available: nothing to do'],
    ],
    [
      'with another template begins with as many pods as may come, and fewer old ones',
      () => lines({}, web({}, counts(4, 0, DONE, AVAILABLE)), set('c:1', 4, 1)),
      [
        'd-56ffc45bdb is created for the template, with 1 pods; c-1 is scaled from 4 to 3',
        'create ReplicaSet d-56ffc45bdb {metadata:{labels:{app:web,pod-template-hash:56ffc45bdb},annotations:{deployment.kubernetes.io/revision:2,deployment.kubernetes.io/desired-replicas:4,deployment.kubernetes.io/max-replicas:5},ownerReferences:[{apiVersion:apps/v1,kind:Deployment,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]},spec:{replicas:1,selector:{matchLabels:{app:web,pod-template-hash:56ffc45bdb}},template:{metadata:{labels:{app:web,pod-template-hash:56ffc45bdb}},spec:{containers:[{name:c,image:c:2}]}}}} {then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled up replica set d-56ffc45bdb to 1"}}',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},status:{observedGeneration:2,replicas:4,updatedReplicas:0,readyReplicas:4,availableReplicas:4,conditions:["Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Progressing=True, lastUpdateTime: 00:01:00, lastTransitionTime: 00:00:00, reason: NewReplicaSetCreated, message: Created new replica set \\"d-56ffc45bdb\\""]}} {awaited:true}',
        'patch ReplicaSet c-1 {metadata:{uid:uid-c-1,resourceVersion:7,annotations:{deployment.kubernetes.io/desired-replicas:4,deployment.kubernetes.io/max-replicas:5}},spec:{replicas:3}} {patchType:merge,then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled down replica set c-1 to 3"}}',
      ],
    ],
    [
      'goes on as pods become available, and wakes after its deadline',
      () => lines({}, web({}, counts(4, 1, UPDATED, AVAILABLE)), set('c:2', 1, 2), set('c:1', 3, 1)),
      [
        'c-2 is scaled from 1 to 2',
        'patch ReplicaSet c-2 {metadata:{uid:uid-c-2,resourceVersion:7,annotations:{deployment.kubernetes.io/desired-replicas:4,deployment.kubernetes.io/max-replicas:5}},spec:{replicas:2}} {patchType:merge,then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled up replica set c-2 to 2"}}',
        'wakeAt: @601',
      ],
    ],
    [
      'that has all pods says so',
      () => lines({}, web({ revisionHistoryLimit: 0 }, counts(5, 4, UPDATED, AVAILABLE)), set('c:2', 4, 2), set('c:1', 0, 1)),
      [
        'its counts changed (4 of 4 pods updated, 5 available)',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},status:{observedGeneration:2,replicas:4,updatedReplicas:4,readyReplicas:4,availableReplicas:4,conditions:["Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Progressing=True, lastUpdateTime: 00:01:00, lastTransitionTime: 00:00:00, reason: NewReplicaSetAvailable, message: ReplicaSet \\"c-2\\" has successfully progressed."]}} {awaited:true}',
      ],
    ],
    [
      'of another size is only scaled',
      () => lines({}, web({ replicas: 6 }, counts(4, 4, DONE, AVAILABLE)), set('c:2', 4, 2)),
      [
        'c-2 is scaled from 4 to 6',
        'patch ReplicaSet c-2 {metadata:{uid:uid-c-2,resourceVersion:7,annotations:{deployment.kubernetes.io/desired-replicas:6,deployment.kubernetes.io/max-replicas:7}},spec:{replicas:6}} {patchType:merge,then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled up replica set c-2 to 6"}}',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},status:{observedGeneration:2,replicas:4,updatedReplicas:4,readyReplicas:4,availableReplicas:4,conditions:["Progressing=True, reason: NewReplicaSetAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Available=False, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: MinimumReplicasUnavailable, message: Deployment does not have minimum availability."]}} {awaited:true}',
      ],
    ],
    [
      'that is paused keeps the proportion of its sets, with the surplus in the largest',
      () =>
        lines(
          {},
          web({ paused: true }, counts(4, 1, condition('Progressing', 'Unknown', 'DeploymentPaused'), AVAILABLE)),
          set('c:2', 1, 2),
          set('c:1', 3, 1),
        ),
      [
        'c-1 is scaled from 3 to 4',
        'patch ReplicaSet c-1 {metadata:{uid:uid-c-1,resourceVersion:7,annotations:{deployment.kubernetes.io/desired-replicas:4,deployment.kubernetes.io/max-replicas:5}},spec:{replicas:4}} {patchType:merge,then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled up replica set c-1 to 4"}}',
      ],
    ],
    [
      'that is paused is scaled, and loses its history',
      () =>
        lines({}, web({ paused: true, replicas: 6, revisionHistoryLimit: 0 }, counts(4, 4, AVAILABLE)), set('c:2', 4, 2), set('c:1', 0, 1)),
      [
        'c-2 is scaled from 4 to 6; c-1 exceeds revisionHistoryLimit',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},status:{observedGeneration:2,replicas:4,updatedReplicas:4,readyReplicas:4,availableReplicas:4,conditions:["Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Progressing=Unknown, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: DeploymentPaused, message: Deployment is paused"]}} {awaited:true}',
        'patch ReplicaSet c-2 {metadata:{uid:uid-c-2,resourceVersion:7,annotations:{deployment.kubernetes.io/desired-replicas:6,deployment.kubernetes.io/max-replicas:7}},spec:{replicas:6}} {patchType:merge,then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled up replica set c-2 to 6"}}',
        'delete ReplicaSet c-1 {uid:uid-c-1,tolerate:[NotFound]}',
      ],
    ],
    [
      'that is being deleted is counted',
      () => lines({}, web({}, counts(4, 3, AVAILABLE), { deletionTimestamp: AT }), set('c:2', 4, 2)),
      [
        'it is being deleted (3 of 4 pods updated, 4 available)',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2},deletionTimestamp:00:00:00},status:{observedGeneration:2,replicas:4,updatedReplicas:3,readyReplicas:4,availableReplicas:4,conditions:["Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Progressing=True, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: FoundNewReplicaSet, message: Found new replica set \\"c-2\\""]}} {awaited:true}',
      ],
    ],
    [
      'that is being deleted gets the condition of its set',
      () => lines({}, web({}, counts(4, 4, AVAILABLE), { deletionTimestamp: AT }), set('c:2', 4, 2)),
      [
        'it is being deleted (4 of 4 pods updated, 4 available)',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2},deletionTimestamp:00:00:00},status:{observedGeneration:2,replicas:4,updatedReplicas:4,readyReplicas:4,availableReplicas:4,conditions:["Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Progressing=True, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: FoundNewReplicaSet, message: Found new replica set \\"c-2\\""]}} {awaited:true}',
      ],
    ],
    [
      'with Recreate scales its old set down first',
      () => lines({}, web({ strategy: { type: 'Recreate' } }, counts(4, 0, DONE, AVAILABLE)), set('c:1', 4, 1)),
      [
        'c-1 is scaled from 4 to 0',
        'patch ReplicaSet c-1 {metadata:{uid:uid-c-1,resourceVersion:7,annotations:{deployment.kubernetes.io/desired-replicas:4,deployment.kubernetes.io/max-replicas:4}},spec:{replicas:0}} {patchType:merge,then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled down replica set c-1 to 0"}}',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},status:{observedGeneration:2,replicas:4,readyReplicas:4,availableReplicas:4,conditions:["Progressing=True, reason: NewReplicaSetAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00"]}} {awaited:true}',
      ],
    ],
    [
      'with Recreate waits for old pods',
      () =>
        lines({}, web({ strategy: { type: 'Recreate' } }, counts(4, 0, UPDATED, AVAILABLE)), set('c:1', 0, 1, { status: { replicas: 2 } })),
      [
        'its counts changed (0 of 4 pods updated, 4 available)',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},status:{observedGeneration:2,replicas:2,conditions:["Available=False, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: MinimumReplicasUnavailable, message: Deployment does not have minimum availability.","Progressing=True, lastUpdateTime: 00:01:00, lastTransitionTime: 00:00:00, reason: ReplicaSetUpdated, message: Deployment \\"d\\" is progressing."]}} {awaited:true}',
      ],
    ],
    [
      'with Recreate creates the new set once they are gone',
      () =>
        lines({}, web({ strategy: { type: 'Recreate' } }, { observedGeneration: 2, conditions: [UPDATED, AVAILABLE] }), set('c:1', 0, 1)),
      [
        'd-56ffc45bdb is created for the template, with 4 pods',
        'create ReplicaSet d-56ffc45bdb {metadata:{labels:{app:web,pod-template-hash:56ffc45bdb},annotations:{deployment.kubernetes.io/revision:2,deployment.kubernetes.io/desired-replicas:4,deployment.kubernetes.io/max-replicas:4},ownerReferences:[{apiVersion:apps/v1,kind:Deployment,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]},spec:{replicas:4,selector:{matchLabels:{app:web,pod-template-hash:56ffc45bdb}},template:{metadata:{labels:{app:web,pod-template-hash:56ffc45bdb}},spec:{containers:[{name:c,image:c:2}]}}}} {then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled up replica set d-56ffc45bdb to 4"}}',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},status:{observedGeneration:2,conditions:["Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Progressing=True, lastUpdateTime: 00:01:00, lastTransitionTime: 00:00:00, reason: NewReplicaSetCreated, message: Created new replica set \\"d-56ffc45bdb\\""]}} {awaited:true}',
      ],
    ],
    [
      'with Recreate that is done loses its history',
      () =>
        lines(
          {},
          web({ strategy: { type: 'Recreate' }, revisionHistoryLimit: 0 }, counts(4, 4, UPDATED, AVAILABLE)),
          set('c:2', 4, 2),
          set('c:1', 0, 1),
        ),
      [
        'c-1 exceeds revisionHistoryLimit',
        'delete ReplicaSet c-1 {uid:uid-c-1,tolerate:[NotFound]}',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},status:{observedGeneration:2,replicas:4,updatedReplicas:4,readyReplicas:4,availableReplicas:4,conditions:["Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Progressing=True, lastUpdateTime: 00:01:00, lastTransitionTime: 00:00:00, reason: NewReplicaSetAvailable, message: ReplicaSet \\"c-2\\" has successfully progressed."]}} {awaited:true}',
      ],
    ],
    [
      'with Recreate scales its set up at once',
      () => lines({}, web({ strategy: { type: 'Recreate' } }, counts(2, 2, UPDATED, AVAILABLE)), set('c:2', 2, 2)),
      [
        'c-2 is scaled from 2 to 4',
        'patch ReplicaSet c-2 {metadata:{uid:uid-c-2,resourceVersion:7,annotations:{deployment.kubernetes.io/desired-replicas:4,deployment.kubernetes.io/max-replicas:4}},spec:{replicas:4}} {patchType:merge,then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled up replica set c-2 to 4"}}',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},status:{observedGeneration:2,replicas:2,updatedReplicas:2,readyReplicas:2,availableReplicas:2,conditions:["Progressing=True, reason: ReplicaSetUpdated, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Available=False, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: MinimumReplicasUnavailable, message: Deployment does not have minimum availability."]}} {awaited:true}',
      ],
    ],
    [
      'gives its set the annotations, the delay and the revision first',
      () =>
        lines(
          {},
          web({ minReadySeconds: 3 }, counts(4, 4, DONE, AVAILABLE), {
            annotations: { note: 'x', [REVISION]: '2', 'kubectl.kubernetes.io/last-applied-configuration': 'y' },
          }),
          set('c:2', 4, 1),
          set('c:1', 0, 2),
        ),
      [
        'c-2 gets the annotations and minReadySeconds of the Deployment',
        'patch ReplicaSet c-2 {metadata:{uid:uid-c-2,resourceVersion:7,annotations:{deployment.kubernetes.io/revision:3,note:x,deployment.kubernetes.io/revision-history:1}},spec:{minReadySeconds:3}} {patchType:merge}',
      ],
    ],
    [
      'takes the revision of its set',
      () => lines({}, web({}, counts(4, 4, AVAILABLE), { annotations: undefined }), set('c:2', 4, 2)),
      [
        'its counts changed (4 of 4 pods updated, 4 available)',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},status:{observedGeneration:2,replicas:4,updatedReplicas:4,readyReplicas:4,availableReplicas:4,conditions:["Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Progressing=True, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: FoundNewReplicaSet, message: Found new replica set \\"c-2\\""]}} {awaited:true}',
      ],
    ],
    [
      'adopts and releases sets first',
      () =>
        lines({}, web({}, {}), set('c:2', 4, 2, { meta: { ownerReferences: [] } }), set('c:1', 4, 2, { meta: { labels: { app: 'x' } } })),
      [
        'ReplicaSets are adopted or released',
        'patch ReplicaSet c-1 {metadata:{uid:uid-c-1,ownerReferences:[{$patch:delete,uid:uid-d}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
        'check Deployment d {uid:uid-d}',
        'patch ReplicaSet c-2 {metadata:{uid:uid-c-2,ownerReferences:[{apiVersion:apps/v1,kind:Deployment,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
      ],
    ],
    [
      'that is to roll back gives its set the annotations first',
      () =>
        lines(
          {},
          web({}, counts(4, 4, AVAILABLE, DONE), {
            annotations: { [REVISION]: '2', note: 'gone', 'deprecated.deployment.rollback.to': '0' },
          }),
          set('c:2', 4, 2),
          set('c:1', 0, 1, { meta: { annotations: { [REVISION]: '1', note: 'old' } } }),
        ),
      [
        'c-2 gets the annotations and minReadySeconds of the Deployment',
        'patch ReplicaSet c-2 {metadata:{uid:uid-c-2,resourceVersion:7,annotations:{note:gone}}} {patchType:merge}',
      ],
    ],
    [
      'cannot roll back to a revision that is gone',
      () =>
        lines(
          {},
          web({}, counts(4, 4, AVAILABLE, DONE), { annotations: { [REVISION]: '2', 'deprecated.deployment.rollback.to': '9' } }),
          set('c:2', 4, 2),
        ),
      [
        'Unable to find the revision to rollback to.',
        'event Warning DeploymentRollbackRevisionNotFound of Deployment d: Unable to find the revision to rollback to.',
        'update Deployment d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},spec:{replicas:4,selector:{matchLabels:{app:web}},strategy:{type:RollingUpdate,rollingUpdate:{maxSurge:1,maxUnavailable:1}},progressDeadlineSeconds:600,revisionHistoryLimit:10,template:{metadata:{labels:{app:web}},spec:{containers:[{name:c,image:c:2}]}}}}',
      ],
    ],
    [
      'cannot roll back without a former revision',
      () =>
        lines(
          {},
          web({}, counts(4, 4, AVAILABLE, DONE), { annotations: { [REVISION]: '2', 'deprecated.deployment.rollback.to': '0' } }),
          set('c:2', 4, 2),
        ),
      [
        'Unable to find last revision.',
        'event Warning DeploymentRollbackRevisionNotFound of Deployment d: Unable to find last revision.',
        'update Deployment d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},spec:{replicas:4,selector:{matchLabels:{app:web}},strategy:{type:RollingUpdate,rollingUpdate:{maxSurge:1,maxUnavailable:1}},progressDeadlineSeconds:600,revisionHistoryLimit:10,template:{metadata:{labels:{app:web}},spec:{containers:[{name:c,image:c:2}]}}}}',
      ],
    ],
    [
      'cannot roll back to its own template',
      () =>
        lines(
          {},
          web({}, counts(4, 4, AVAILABLE, DONE), { annotations: { [REVISION]: '2', 'deprecated.deployment.rollback.to': '2' } }),
          set('c:2', 4, 2),
        ),
      [
        'The rollback revision contains the same template as current deployment "d"',
        'event Warning DeploymentRollbackTemplateUnchanged of Deployment d: The rollback revision contains the same template as current deployment "d"',
        'update Deployment d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},spec:{replicas:4,selector:{matchLabels:{app:web}},strategy:{type:RollingUpdate,rollingUpdate:{maxSurge:1,maxUnavailable:1}},progressDeadlineSeconds:600,revisionHistoryLimit:10,template:{metadata:{labels:{app:web}},spec:{containers:[{name:c,image:c:2}]}}}}',
      ],
    ],
    [
      'that is to roll back creates the set of its template first',
      () =>
        lines(
          {},
          web({}, counts(4, 4, AVAILABLE, DONE), { annotations: { [REVISION]: '2', 'deprecated.deployment.rollback.to': '1' } }),
          set('c:1', 4, 1),
        ),
      [
        'd-56ffc45bdb is created for the template, with 1 pods',
        'create ReplicaSet d-56ffc45bdb {metadata:{labels:{app:web,pod-template-hash:56ffc45bdb},annotations:{deployment.kubernetes.io/revision:2,deployment.kubernetes.io/desired-replicas:4,deployment.kubernetes.io/max-replicas:5},ownerReferences:[{apiVersion:apps/v1,kind:Deployment,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]},spec:{replicas:1,selector:{matchLabels:{app:web,pod-template-hash:56ffc45bdb}},template:{metadata:{labels:{app:web,pod-template-hash:56ffc45bdb}},spec:{containers:[{name:c,image:c:2}]}}}} {then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled up replica set d-56ffc45bdb to 1"}}',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2,deprecated.deployment.rollback.to:1}},status:{observedGeneration:2,replicas:4,updatedReplicas:4,readyReplicas:4,availableReplicas:4,conditions:["Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Progressing=True, lastUpdateTime: 00:01:00, lastTransitionTime: 00:00:00, reason: NewReplicaSetCreated, message: Created new replica set \\"d-56ffc45bdb\\""]}} {awaited:true}',
      ],
    ],
    [
      'that is paused does not roll back',
      () =>
        lines(
          {},
          web({ paused: true }, counts(4, 4, AVAILABLE, DONE), {
            annotations: { [REVISION]: '2', 'deprecated.deployment.rollback.to': '1' },
          }),
          set('c:2', 4, 2),
          set('c:1', 0, 1),
        ),
      [
        'it is paused (4 of 4 pods updated, 4 available)',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2,deprecated.deployment.rollback.to:1}},status:{observedGeneration:2,replicas:4,updatedReplicas:4,readyReplicas:4,availableReplicas:4,conditions:["Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Progressing=Unknown, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: DeploymentPaused, message: Deployment is paused"]}} {awaited:true}',
      ],
    ],
    [
      'takes over the failure of a set',
      () =>
        lines(
          {},
          web({}, counts(4, 1, UPDATED, AVAILABLE)),
          set('c:2', 1, 2),
          set('c:1', 3, 1, {
            status: {
              conditions: [{ type: 'ReplicaFailure', status: 'True', lastTransitionTime: AT, reason: 'FailedCreate', message: 'quota' }],
            },
          }),
        ),
      [
        'c-2 is scaled from 1 to 2',
        'patch ReplicaSet c-2 {metadata:{uid:uid-c-2,resourceVersion:7,annotations:{deployment.kubernetes.io/desired-replicas:4,deployment.kubernetes.io/max-replicas:5}},spec:{replicas:2}} {patchType:merge,then:{about:"Deployment d",type:Normal,reason:ScalingReplicaSet,message:"Scaled up replica set c-2 to 2"}}',
        'update Deployment/status d {metadata:{annotations:{deployment.kubernetes.io/revision:2}},status:{observedGeneration:2,replicas:4,updatedReplicas:1,readyReplicas:4,availableReplicas:4,conditions:["Progressing=True, reason: ReplicaSetUpdated, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Available=True, reason: MinimumReplicasAvailable, message: , lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","ReplicaFailure=True, lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00, reason: FailedCreate, message: quota"]}} {awaited:true}',
      ],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});
