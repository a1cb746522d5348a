/** The pods that the collector may have to delete, and the nodes that pods are bound to, updated as pods change. */
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

/** Pods in a terminal phase. */
export const terminatedPods = byUid('terminated pods', isTerminated);
/** Pods being deleted that have no node, and so no agent that could end them. */
export const unscheduledPods = byUid('unscheduled pods being deleted', isUnscheduledTerminating);
/** The only group of both aggregates. */
export const EVERY_POD = ALL;
