/**
 * Default spreading, for pods without constraints: pods of the same service or owner are spread. Models: v1.24 plugins/podtopologyspread
 * common.go, plugins/helper DefaultSelector.
 */
import { controllerOf, type LabelSelector } from '../../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import { compareText, labelMatcher, type LabelMatcher } from '../../../../schema/values/index.ts';
import type { SchedulerView } from '../view.ts';
import { selectorText } from './affinity-terms.ts';

type Labels = Readonly<Record<string, string>>;
interface Selecting {
  readonly spec?: { readonly selector?: unknown };
}

/** The pods to spread, with a text of everything that it depends on. */
export interface Likeness {
  readonly name: string;
  readonly matches: LabelMatcher;
}

const selects = (selector: Labels, labels: Labels): boolean => {
  for (const key in selector) if (labels[key] !== selector[key]) return false;
  return true;
};

/** The labels by which services, and a ReplicationController that owns the pod, select it. */
function selectedBy({ metadata, metadata: { labels = {} } }: Pod, view: SchedulerView): Labels {
  const merged: Record<string, string> = {};
  for (const { spec } of view.cache.list('Service', metadata.namespace ?? '')) {
    const { selector } = spec;
    if (selector !== undefined && selects(selector, labels)) Object.assign(merged, selector);
  }
  const owner = controllerOf({ metadata });
  if (owner?.kind === 'ReplicationController' && owner.apiVersion === 'v1') {
    const controller = view.cache.get('ReplicationController', metadata.namespace, owner.name) as Selecting | undefined;
    Object.assign(merged, controller?.spec?.selector);
  }
  return merged;
}

/** The owner's selector, where the owner is a set of replicas. */
function ownerSelector(pod: Pod, view: SchedulerView): LabelSelector | undefined {
  const owner = controllerOf(pod);
  if (owner === undefined || !owner.apiVersion.startsWith('apps/') || (owner.kind !== 'ReplicaSet' && owner.kind !== 'StatefulSet'))
    return undefined;
  const found = view.cache.get(owner.kind, pod.metadata.namespace, owner.name) as Selecting | undefined;
  return found?.spec?.selector as LabelSelector | undefined;
}

/** The pods that a pod is spread with; undefined: nothing selects it. */
export function likenessOf(pod: Pod, view: SchedulerView): Likeness | undefined {
  const labels = selectedBy(pod, view);
  const selector = ownerSelector(pod, view);
  const keys = Object.keys(labels).sort(compareText);
  if (keys.length === 0 && (selector === undefined || selectorText(selector) === ':')) return undefined;
  const bySelector = selector === undefined ? undefined : labelMatcher(selector);
  return {
    name: `${keys.map((key) => `${key}=${labels[key] ?? ''}`).join(',')}${selector === undefined ? '' : selectorText(selector)}`,
    matches: (other) => selects(labels, other ?? {}) && bySelector?.(other) !== false,
  };
}
