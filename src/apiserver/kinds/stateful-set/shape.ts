/** The schema of StatefulSets: fields, types, and the defaults that depend only on the object. */
import {
  always,
  type Complete,
  filled,
  type Infer,
  int32,
  int64,
  intOrString,
  list,
  mergeList,
  obj,
  ptr,
  req,
  str,
  time,
  field,
  oneOf,
} from '../../../schema/shape/index.ts';
import { claimTemplateInSet, labelSelector, type ObjectOf, podTemplateSpec, typeMeta } from '../../machinery/index.ts';

/** The default is a rolling update with its parameters; an explicit rolling update without parameters has none. */
const completeStrategy: Complete = ({ type, rollingUpdate }) => {
  if (type !== undefined && (type !== 'RollingUpdate' || rollingUpdate === undefined)) return undefined;
  const given = (rollingUpdate ?? {}) as Readonly<Record<string, unknown>>;
  return type === undefined || given['partition'] === undefined
    ? { type: 'RollingUpdate', rollingUpdate: { partition: 0, ...given } }
    : undefined;
};

/** Always present after `completeStrategy`. */
const strategyName = str('StatefulSetUpdateStrategyType') as { readonly type: 'string'; readonly always: true };

const updateStrategy = obj(
  'StatefulSetUpdateStrategy',
  'How pods get a new template.',
  {
    type: field(
      1,
      'RollingUpdate: the controller replaces them, from the highest ordinal down. OnDelete: whoever deletes a pod does.',
      oneOf(strategyName, ['OnDelete', 'RollingUpdate']),
    ),
    rollingUpdate: field(
      2,
      'Details of a rolling update.',
      obj('RollingUpdateStatefulSetStrategy', 'Details of a rolling update.', {
        partition: field(1, 'Pods of lower ordinals keep the old template, also when they are made anew.', ptr(int32)),
        maxUnavailable: field(
          2,
          'How many pods may be down at a time, as a number or a percentage of replicas (rounded up); not 0.',
          ptr(intOrString),
        ),
      }),
    ),
  },
  { complete: completeStrategy },
);

const statefulSetSpec = obj('StatefulSetSpec', 'How many, of what, and how they come, go and change.', {
  replicas: field(1, 'How many pods; their ordinals are 0 to replicas-1.', filled(ptr(int32), 1)),
  selector: field(2, 'The pods that count as its own; must fit the labels of the template.', { ...labelSelector, required: true }),
  template: field(3, 'What each pod is made of, but for its name, host name and claims.', req(podTemplateSpec)),
  volumeClaimTemplates: field(
    4,
    'Claims that every pod gets for itself, TEMPLATE-NAME-ORDINAL, and keeps over its lives. A claim wins over a volume of its name.',
    list(claimTemplateInSet),
  ),
  serviceName: field(5, 'The service that gives the pods their host names: POD.SERVICE.', req(str())),
  podManagementPolicy: field(
    6,
    'OrderedReady: pods start one after the other, each when those before it are ready, and stop in reverse. Parallel: all at once.',
    oneOf(filled(str('PodManagementPolicyType'), 'OrderedReady'), ['OrderedReady', 'Parallel']),
  ),
  updateStrategy: field(7, 'What happens to the pods when the template changes.', always(updateStrategy)),
  revisionHistoryLimit: field(8, 'How many past templates that nobody uses are kept, to go back to.', filled(ptr(int32), 10)),
  minReadySeconds: field(9, 'How long a pod must have been ready to count as available.', int32),
  persistentVolumeClaimRetentionPolicy: field(
    10,
    'What becomes of the claims when pods or the whole set go.',
    obj('StatefulSetPersistentVolumeClaimRetentionPolicy', 'What becomes of claims.', {
      whenDeleted: field(
        1,
        'When the set is deleted: Retain or Delete.',
        filled(str('PersistentVolumeClaimRetentionPolicyType'), 'Retain'),
      ),
      whenScaled: field(2, 'When pods are too many: Retain or Delete.', filled(str('PersistentVolumeClaimRetentionPolicyType'), 'Retain')),
    }),
  ),
});
export type StatefulSetSpec = Infer<typeof statefulSetSpec>;

const statefulSetStatus = obj('StatefulSetStatus', 'How far it is.', {
  observedGeneration: field(1, 'The newest generation that the controller has acted on.', int64),
  replicas: field(2, 'Pods there are.', req(int32)),
  readyReplicas: field(3, 'Pods that are ready.', int32),
  currentReplicas: field(4, 'Pods made of currentRevision.', int32),
  updatedReplicas: field(5, 'Pods made of updateRevision.', int32),
  currentRevision: field(6, 'The revision of the pods that have not been updated.', str()),
  updateRevision: field(7, 'The revision of the present template. The same as currentRevision when no update goes on.', str()),
  collisionCount: field(9, "How often the hash in a revision's name was taken by another one.", ptr(int32)),
  conditions: field(
    10,
    'Not used by the controller.',
    mergeList(
      obj('StatefulSetCondition', 'How it stands with the set.', {
        type: field(1, 'What is judged: no types are defined. One condition a type.', req(str('StatefulSetConditionType'))),
        status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
        lastTransitionTime: field(3, 'When the status last changed from one value to another.', always(time)),
        reason: field(4, 'Why, as one word in CamelCase, for programs.', str()),
        message: field(5, 'Why, as a sentence, for people.', str()),
      }),
      'type',
    ),
  ),
  availableReplicas: field(11, 'Pods that have been ready for at least minReadySeconds.', always(int32)),
});
export type StatefulSetStatus = Infer<typeof statefulSetStatus>;

export const statefulSetSchema = obj(
  'StatefulSet',
  'Pods with names, network identities and storage that outlive them: NAME-0, NAME-1 and so on.',
  { ...typeMeta, spec: field(2, always(statefulSetSpec)), status: field(3, always(statefulSetStatus)) },
);
/** A stored StatefulSet: defaulted, validated and frozen. */
export type StatefulSet = ObjectOf<'StatefulSet', Infer<typeof statefulSetSchema>>;
