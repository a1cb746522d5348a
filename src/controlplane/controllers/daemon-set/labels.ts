/** Label counts of the pods that a DaemonSet controls: whether it still selects all of them needs one match per distinct label set. */
import { defineAggregate } from '../../runtime/index.ts';
import { createLabelCounts, type LabelCounts, uidOfController } from '../../shared/index.ts';

/** By the uid of the controlling DaemonSet. */
export const managedLabels = defineAggregate<'Pod', LabelCounts>({
  name: 'labels of the pods of a DaemonSet',
  kind: 'Pod',
  groupOf: uidOfController('DaemonSet'),
  empty: createLabelCounts,
  add: (labels, pod) => {
    labels.count(pod.metadata.labels, 1);
  },
  remove: (labels, pod) => {
    labels.count(pod.metadata.labels, -1);
  },
  change(labels, before, after) {
    if (before.metadata.labels === after.metadata.labels) return;
    labels.count(before.metadata.labels, -1);
    labels.count(after.metadata.labels, 1);
  },
  plain: (labels) => labels.plain(),
});
