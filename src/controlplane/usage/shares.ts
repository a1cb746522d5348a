/** Shared work: it is divided equally among the ready pods. */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { labelMatcher } from '../../schema/values/index.ts';

/** The work of a selector's pods; without a selector all pods, without a namespace those of all namespaces. */
export interface Work {
  readonly selector?: Parameters<typeof labelMatcher>[0];
  readonly namespace?: string;
  readonly amount: number;
}

/** The key of a pod: `namespace/name`. */
export const keyOfPod = ({ metadata: { namespace = '', name } }: Pod): string => `${namespace}/${name}`;

/** Whether a pod receives work: it is ready and is not being deleted. */
const isServing = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

/** The share of each pod, in whole units, by `namespace/name`; pods without a share are absent. */
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
