/** Pods without a controller reference, which a controller with a matching selector may adopt. */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { controllerOf } from '../../apiserver/machinery/index.ts';
import { defineAggregate } from '../runtime/index.ts';
import { createLabelSets, type LabelSets } from './label-sets.ts';

/** Pods without a controller reference, by namespace: candidates for adoption. */
export const unmanagedPods = defineAggregate<'Pod', LabelSets<Pod>>({
  name: 'pods without a managing owner',
  kind: 'Pod',
  groupOf: (pod) => (controllerOf(pod) === undefined ? (pod.metadata.namespace ?? '') : undefined),
  empty: () => createLabelSets(),
  add: (sets, pod) => {
    sets.add(pod);
  },
  remove: (sets, pod) => {
    sets.remove(pod);
  },
  change(sets, before, after) {
    if (before.metadata.uid === after.metadata.uid) {
      sets.replace(before, after);
      return;
    }
    sets.remove(before);
    sets.add(after);
  },
  plain: (sets) => sets.plain(),
});
