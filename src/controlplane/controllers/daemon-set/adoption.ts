/**
 * The pods of a set: those that it controls and still selects, and those that it can adopt. Models: v1.24 pkg/controller
 * PodControllerRefManager.ClaimPods, pkg/controller/daemon getDaemonPods.
 */
import type { DaemonSet, Pod } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import { type CacheView, type Write, defineAggregate } from '../../runtime/index.ts';
import { claim, podsToAdopt, createLabelCounts, type LabelCounts, uidOfController } from '../../shared/index.ts';
import { fitTest } from './pod.ts';
import type { Views } from './recover.ts';
import type { Wanted } from './node-state.ts';
import { createView, type View } from './view.ts';

interface Claim {
  /** The nodes with the set's pods as they will be after the writes. */
  readonly view: View;
  readonly pods: () => readonly Pod[];
  /** Adoptions and releases. */
  readonly writes: readonly Write[];
}

interface ClaimInput {
  readonly self: DaemonSet;
  readonly cache: CacheView;
  readonly names: Names;
  readonly state: Views;
}

/** Pods that are being deleted are not adopted; pods that have ended are. */
export function adoptPods(input: ClaimInput, wanted: Wanted): Claim {
  const { self: set, cache, names } = input;
  const matches = labelMatcher(set.spec.selector);
  const orphans = podsToAdopt(set, cache, matches);
  const managed = (): readonly Pod[] => cache.controlledBy('Pod', set);
  if (orphans.length === 0 && cache.aggregate(managedLabels, set.metadata.uid).allMatch(matches))
    return { view: viewOf(input, wanted), pods: managed, writes: [] };

  // A rare case: labels were edited, or an earlier set left pods behind. All pods are visited once.
  const { kept, writes } = claim(set, managed(), ({ metadata }) => matches(metadata.labels), orphans);
  const pods = [...kept, ...orphans];
  const { template } = set.spec;
  const around = { fit: fitTest(template, names), nodes: cache.list('Node'), pods };
  return { view: createView(template, wanted, around, 0), pods: () => pods, writes };
}

/** The cached view; it is rebuilt when the set has changed. */
function viewOf({ self: set, cache, names, state }: ClaimInput, wanted: Wanted): View {
  const { template } = set.spec;
  const known = state.get(set.metadata.uid);
  if (known?.template === template && known.wanted.hash === wanted.hash && known.wanted.surges === wanted.surges) return known;
  const around = { fit: fitTest(template, names), nodes: cache.list('Node'), pods: cache.controlledBy('Pod', set) };
  const view = createView(template, wanted, around, (known?.failing.mark.view ?? 0) + 1);
  state.set(set.metadata.uid, view);
  return view;
}

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
