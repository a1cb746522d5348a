/** The few pods the collector may have to delete, and the nodes pods are bound to, kept up as pods change. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { defineAggregate } from '../../runtime/index.ts';

const ALL = 'all';

const byUid = (name: string, belongs: (pod: Pod) => boolean) =>
  defineAggregate<'Pod', Map<string, Pod>>({
    name,
    kind: 'Pod',
    groupOf: (pod) => (belongs(pod) ? ALL : undefined),
    empty: () => new Map(),
    add: (pods, pod) => {
      pods.set(pod.metadata.uid, pod);
    },
    remove: (pods, pod) => {
      pods.delete(pod.metadata.uid);
    },
    plain: (pods) => [...pods.keys()].sort(compareText),
  });

export const isTerminated = ({ status: { phase } }: Pod): boolean => phase !== 'Pending' && phase !== 'Running' && phase !== 'Unknown';
export const isUnscheduledTerminating = ({ metadata, spec }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined && (spec.nodeName ?? '') === '';

/** Pods that have run. */
export const terminatedPods = byUid('terminated pods', isTerminated);
/** Pods being deleted that never got a node whose agent could end them. */
export const unscheduledPods = byUid('unscheduled pods being deleted', isUnscheduledTerminating);
/** The one group of both. */
export const EVERY_POD = ALL;
