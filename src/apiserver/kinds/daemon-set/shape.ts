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
  field,
  oneOf,
} from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, podTemplateSpec, typeMeta, conditionType, conditionReason } from '../../machinery/index.ts';

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
      'RollingUpdate: the controller replaces them, some nodes at a time. OnDelete: a pod is replaced after a user has deleted it.',
      oneOf(strategyName, ['OnDelete', 'RollingUpdate']),
    ),
    rollingUpdate: field(
      2,
      'Details of a rolling update.',
      obj('RollingUpdateDaemonSet', 'Details of a rolling update. Exactly one of the two is not 0.', {
        maxUnavailable: field(
          1,
          'The number of nodes that may be without a pod during the update: a number, or a percentage of the suitable nodes (rounded up). 0 when maxSurge is not.',
          ptr(intOrString),
        ),
        maxSurge: field(
          2,
          'The number of nodes on which a new pod may start beside the old one, which is deleted when the new one is available: a number, or a percentage of the suitable nodes (rounded up).',
          ptr(intOrString),
        ),
      }),
    ),
  },
  { complete: completeStrategy },
);

const daemonSetSpec = obj('DaemonSetSpec', 'The pods, their nodes, and the update strategy.', {
  selector: field(1, 'The pods of the set; must match the labels of the template and never changes.', {
    ...labelSelector,
    required: true,
  }),
  template: field(
    2,
    'The template of the pods. Its node selector, node affinity and tolerations determine the suitable nodes. When it changes, pods of the old template are replaced.',
    req(podTemplateSpec),
  ),
  updateStrategy: field(3, 'How pods of an old template are replaced.', always(updateStrategy)),
  minReadySeconds: field(4, 'Seconds for which a pod must be ready, without a failing container, to count as available.', int32),
  revisionHistoryLimit: field(6, 'The number of unused old templates that are kept for rollbacks.', filled(ptr(int32), 10)),
});
export type DaemonSetSpec = Infer<typeof daemonSetSpec>;

const daemonSetStatus = obj('DaemonSetStatus', 'The observed state.', {
  currentNumberScheduled: field(1, 'Suitable nodes with a pod.', req(int32)),
  numberMisscheduled: field(2, 'Unsuitable nodes with a pod.', req(int32)),
  desiredNumberScheduled: field(3, 'Suitable nodes.', req(int32)),
  numberReady: field(4, 'Suitable nodes with a ready pod.', req(int32)),
  observedGeneration: field(5, 'The latest generation that the controller has processed.', int64),
  updatedNumberScheduled: field(6, 'Suitable nodes with a pod of the current template.', int32),
  numberAvailable: field(7, 'Suitable nodes with a pod that has been ready for at least minReadySeconds.', int32),
  numberUnavailable: field(8, 'Suitable nodes without an available pod.', int32),
  collisionCount: field(9, "The number of collisions of the hash in a revision's name.", ptr(int32)),
  conditions: field(
    10,
    'Not used by the controller.',
    mergeList(
      obj('DaemonSetCondition', 'A condition of the set.', {
        ...conditionType('no types are defined', 'DaemonSetConditionType'),
        ...conditionReason(3),
      }),
      'type',
    ),
  ),
});
export type DaemonSetStatus = Infer<typeof daemonSetStatus>;

export const daemonSetSchema = obj('DaemonSet', 'Runs a pod on every suitable node: a new node gets a pod, and a removed node loses it.', {
  ...typeMeta,
  spec: field(2, always(daemonSetSpec)),
  status: field(3, always(daemonSetStatus)),
});
/** A stored DaemonSet: defaulted, validated and frozen. */
export type DaemonSet = ObjectOf<'DaemonSet', Infer<typeof daemonSetSchema>>;
