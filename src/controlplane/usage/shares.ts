/** Work that pods do together: those that are ready have equal parts of it. */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { labelMatcher } from '../../schema/values/index.ts';

/** Work that the pods of a selector have together; without one all pods, without a namespace those of all. */
export interface Work {
  readonly selector?: Parameters<typeof labelMatcher>[0];
  readonly namespace?: string;
  readonly amount: number;
}

/** A pod among those of all namespaces. */
export const keyOfPod = ({ metadata: { namespace = '', name } }: Pod): string => `${namespace}/${name}`;

/** Whether work comes to it: it is ready, and nobody asked it to end. */
const isServing = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

/** What each pod has of all of it, in whole units, by `namespace/name`; a pod that has part in nothing is not there. */
export function equalParts(works: readonly Work[], everyPod: () => Iterable<Pod>): ReadonlyMap<string, number> {
  const parts = new Map<string, number>();
  if (works.length === 0) return parts;
  const serving = [...everyPod()].filter(isServing);
  for (const { amount, selector, namespace } of works) {
    const matches = selector === undefined ? () => true : labelMatcher(selector);
    const hands = serving.filter(
      ({ metadata }) => (namespace === undefined || namespace === metadata.namespace) && matches(metadata.labels ?? {}),
    );
    for (const pod of hands) {
      const key = keyOfPod(pod);
      parts.set(key, (parts.get(key) ?? 0) + Math.trunc(amount / hands.length));
    }
  }
  return parts;
}
