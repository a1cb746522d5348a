/** The schema of DaemonSets: fields, types, and the defaults that depend only on the object. */
import {
  always,
  type Complete,
  filled,
  type Infer,
  int32,
  int64,
  intOrString,
  mergeList,
  obj,
  ptr,
  req,
  str,
  time,
  field,
  oneOf,
} from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, podTemplateSpec, typeMeta } from '../../machinery/index.ts';

/** The default is a rolling update of one node at a time without surge. Missing parameters of other strategies are 0. */
const completeStrategy: Complete = ({ type, rollingUpdate }) => {
  const rolls = type === undefined || type === '' || type === 'RollingUpdate';
  if (!rolls && rollingUpdate === undefined) return undefined;
  const { maxUnavailable, maxSurge } = (rollingUpdate ?? {}) as Readonly<Record<string, unknown>>;
  if (type !== undefined && type !== '' && maxUnavailable !== undefined && maxSurge !== undefined) return undefined;
  return {
    type: rolls ? 'RollingUpdate' : type,
    rollingUpdate: { maxUnavailable: maxUnavailable ?? (rolls ? 1 : 0), maxSurge: maxSurge ?? 0 },
  };
};

/** Always present after `completeStrategy`. */
const strategyName = str('DaemonSetUpdateStrategyType') as { readonly type: 'string'; readonly always: true };

const updateStrategy = obj(
  'DaemonSetUpdateStrategy',
  'How pods of an old template are replaced.',
  {
    type: field(
      1,
      'RollingUpdate: the controller replaces them, some nodes at a time. OnDelete: whoever deletes a pod does.',
      oneOf(strategyName, ['OnDelete', 'RollingUpdate']),
    ),
    rollingUpdate: field(
      2,
      'Details of a rolling update.',
      obj('RollingUpdateDaemonSet', 'Details of a rolling update. Exactly one of the two is not 0.', {
        maxUnavailable: field(
          1,
          'On how many nodes the pod may be missing meanwhile: a number, or a percentage of the nodes that fit (rounded up). 0 when maxSurge is not.',
          ptr(intOrString),
        ),
        maxSurge: field(
          2,
          'On how many nodes a new pod may start beside the old one, which goes when the new one is available: a number, or a percentage of the nodes that fit (rounded up).',
          ptr(intOrString),
        ),
      }),
    ),
  },
  { complete: completeStrategy },
);

const daemonSetSpec = obj('DaemonSetSpec', 'What runs on the nodes, on which, and how it is replaced.', {
  selector: field(1, 'The pods that count as its own; must fit the labels of the template and never changes.', {
    ...labelSelector,
    required: true,
  }),
  template: field(
    2,
    'What pods are made of. Its node selector, its node affinity and its tolerations decide which nodes fit. When it changes, the pods of the old one are replaced.',
    req(podTemplateSpec),
  ),
  updateStrategy: field(3, 'How pods of an old template are replaced.', always(updateStrategy)),
  minReadySeconds: field(4, 'How long a pod must have been ready, none of its containers failing, to count as available.', int32),
  revisionHistoryLimit: field(6, 'How many past templates that no pod has are kept, to go back to.', filled(ptr(int32), 10)),
});
export type DaemonSetSpec = Infer<typeof daemonSetSpec>;

const daemonSetStatus = obj('DaemonSetStatus', 'How far it is.', {
  currentNumberScheduled: field(1, 'Nodes that fit and have a pod.', req(int32)),
  numberMisscheduled: field(2, 'Nodes that have a pod and do not fit (any more).', req(int32)),
  desiredNumberScheduled: field(3, 'Nodes that fit.', req(int32)),
  numberReady: field(4, 'Nodes that fit and whose pod is ready.', req(int32)),
  observedGeneration: field(5, 'The newest generation that the controller has acted on.', int64),
  updatedNumberScheduled: field(6, 'Nodes that fit and whose pod is made of the present template.', int32),
  numberAvailable: field(7, 'Nodes that fit and whose pod has been ready for at least minReadySeconds.', int32),
  numberUnavailable: field(8, 'Nodes that fit and whose pod is missing, or not available.', int32),
  collisionCount: field(9, "How often the hash in a revision's name was taken by another one.", ptr(int32)),
  conditions: field(
    10,
    'Not used by the controller.',
    mergeList(
      obj('DaemonSetCondition', 'How it stands with the set.', {
        type: field(1, 'What is judged: no types are defined. One condition a type.', req(str('DaemonSetConditionType'))),
        status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
        lastTransitionTime: field(3, 'When the status last changed from one value to another.', always(time)),
        reason: field(4, 'Why, as one word in CamelCase, for programs.', str()),
        message: field(5, 'Why, as a sentence, for people.', str()),
      }),
      'type',
    ),
  ),
});
export type DaemonSetStatus = Infer<typeof daemonSetStatus>;

export const daemonSetSchema = obj(
  'DaemonSet',
  'A pod on every node that fits: where a node comes, a pod comes; where it goes, the pod goes with it.',
  { ...typeMeta, spec: field(2, always(daemonSetSpec)), status: field(3, always(daemonSetStatus)) },
);
/** A stored DaemonSet: defaulted, validated and frozen. */
export type DaemonSet = ObjectOf<'DaemonSet', Infer<typeof daemonSetSchema>>;
