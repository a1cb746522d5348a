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
  {
    type: strategyName,
    rollingUpdate: obj('RollingUpdateDaemonSet', { maxUnavailable: ptr(intOrString), maxSurge: ptr(intOrString) }),
  },
  { complete: completeStrategy },
);

const daemonSetSpec = obj('DaemonSetSpec', {
  selector: { ...labelSelector, required: true },
  template: req(podTemplateSpec),
  updateStrategy: always(updateStrategy),
  minReadySeconds: int32,
  revisionHistoryLimit: filled(ptr(int32), 10),
});
export type DaemonSetSpec = Infer<typeof daemonSetSpec>;

const daemonSetStatus = obj('DaemonSetStatus', {
  currentNumberScheduled: req(int32),
  numberMisscheduled: req(int32),
  desiredNumberScheduled: req(int32),
  numberReady: req(int32),
  observedGeneration: int64,
  updatedNumberScheduled: int32,
  numberAvailable: int32,
  numberUnavailable: int32,
  collisionCount: ptr(int32),
  conditions: mergeList(
    obj('DaemonSetCondition', {
      type: req(str('DaemonSetConditionType')),
      status: req(str('ConditionStatus')),
      lastTransitionTime: always(time),
      reason: str(),
      message: str(),
    }),
    'type',
  ),
});
export type DaemonSetStatus = Infer<typeof daemonSetStatus>;

export const daemonSetSchema = obj('DaemonSet', { ...typeMeta, spec: always(daemonSetSpec), status: always(daemonSetStatus) });
/** A stored DaemonSet: defaulted, validated and frozen. */
export type DaemonSet = ObjectOf<'DaemonSet', Infer<typeof daemonSetSchema>>;
