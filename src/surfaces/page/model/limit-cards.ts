/** Card contents of what limits others: disruption budgets, quotas, and namespaces that end. */
import type { Namespace, PodDisruptionBudget, ResourceQuota } from '../../../apiserver/kinds/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { amountOf } from './amount.ts';
import type { CardContent, CardLine, Slot } from './card.ts';
import { many } from './words.ts';
import { MOST_SLOTS } from './workloads.ts';
import type { PageWorld } from './world.ts';

/** A slot for each expected pod: healthy ones, of which the last may be disrupted, then missing ones. */
export function disruptionBudget({ metadata, status }: PodDisruptionBudget, world: PageWorld): CardContent {
  const { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods } = status;
  const slots = Array.from({ length: Math.min(MOST_SLOTS, Math.max(expectedPods, currentHealthy)) }, (_, at): Slot => {
    const free = at >= currentHealthy - disruptionsAllowed;
    return at >= currentHealthy
      ? { is: 'open', title: 'not healthy' }
      : free
        ? { is: 'Running', title: 'may be evicted' }
        : { is: 'Ready', title: 'required' };
  });
  const refused = refusedBy('PodDisruptionBudget', metadata, world);
  return {
    slots,
    lines: refused === undefined ? [] : [refused],
    note: `${many(disruptionsAllowed, 'eviction')} allowed · ${currentHealthy} of ${expectedPods} healthy, ${desiredHealthy} required`,
  };
}

/** Resources on a card. */
const MOST_LINES = 2;

/** The limited resources, the fullest first. */
export function resourceQuota({ metadata, status: { hard = {}, used = {} } }: ResourceQuota, world: PageWorld): CardContent {
  const resources = Object.keys(hard)
    .map((name): CardLine & { readonly part: number } => {
      const [is = '0', most = '0'] = [used[name], hard[name]];
      const part = partOf(is, most);
      return { label: name, text: `${is} of ${most}`, part, bad: part >= 1 };
    })
    .sort((a, b) => b.part - a.part || compareText(a.label, b.label));
  const refused = refusedBy('ResourceQuota', metadata, world);
  const full = resources.flatMap(({ label, bad }) => (bad === true ? [label] : []));
  const more = resources.length - MOST_LINES;
  return {
    lines: [...resources.slice(0, MOST_LINES), ...(refused === undefined ? [] : [refused])],
    note:
      [...(full.length > 0 ? [`${full.join(', ')} used up`] : []), ...(more > 0 ? [many(more, 'more resource')] : [])].join(' · ') ||
      (resources.length === 0 ? 'not counted yet' : 'there is room'),
  };
}

function partOf(used: string, hard: string): number {
  const [is, most] = [amountOf(used), amountOf(hard)];
  return most <= 0 ? 1 : Math.min(1, is / most);
}

/** The last request that was refused because of an object, and how many were. */
function refusedBy(
  kind: string,
  { namespace = 'default', name }: { readonly namespace?: string; readonly name: string },
  world: PageWorld,
): CardLine | undefined {
  const { last, count } = world.refusals(kind, `${namespace}/${name}`);
  return last === undefined ? undefined : { label: count === 1 ? 'refused' : `refused ${count}×`, text: last.request, bad: true };
}

/** What remains of a namespace, by kind, the most frequent first. */
export function endingNamespace({ metadata: { name } }: Namespace, world: PageWorld): CardContent {
  const counts = new Map<string, number>();
  for (const kind of world.kinds())
    for (const { object } of world.list(kind)) if (object.metadata.namespace === name) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].sort(([a, x], [b, y]) => y - x || compareText(a, b));
  const all = kinds.reduce((sum, [, count]) => sum + count, 0);
  return {
    lines: kinds.slice(0, MOST_LINES).map(([kind, count]) => ({ label: kind, text: `${count} left` })),
    note: all === 0 ? 'nothing remains' : `${many(all, 'object')} of ${many(kinds.length, 'kind')} to delete`,
  };
}
