/**
 * Pods counted by equal labels, without those that differ from pod to pod: whether a selector matches all of 10,000 pods then needs few
 * evaluations.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { compareText, type LabelMatcher } from '../../../schema/values/index.ts';
import { NAME_LABELS, REVISION_LABEL } from './traits.ts';

type Labels = Readonly<Record<string, string>>;

export interface LabelGroups {
  add(pod: Pod): void;
  remove(pod: Pod): void;
  replace(before: Pod, after: Pod): void;
  /**
   * Whether the selector matches every pod. Labels that are left out are evaluated for one pod of each group; no valid set selects by them.
   */
  allMatch(matches: LabelMatcher): boolean;
  plain(): unknown;
}

const LEFT_OUT: ReadonlySet<string> = new Set([REVISION_LABEL, ...NAME_LABELS]);

/** Groups without pods. */
export function createLabelGroups(): LabelGroups {
  const groups = new Map<string, { readonly labels: Labels | undefined; count: number }>();
  const textOf = (labels: Labels | undefined): string => {
    if (labels === undefined) return '';
    const keys: string[] = [];
    for (const key in labels) if (!LEFT_OUT.has(key)) keys.push(key);
    if (keys.length > 1) keys.sort(compareText);
    let text = '';
    for (const key of keys) text += `${key}=${labels[key] ?? ''},`;
    return text;
  };
  const add = (labels: Labels | undefined): void => {
    const text = textOf(labels);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, { labels, count: 1 });
    else group.count++;
  };
  const remove = (labels: Labels | undefined): void => {
    const text = textOf(labels);
    const group = groups.get(text);
    if (group !== undefined && --group.count === 0) groups.delete(text);
  };
  return {
    add: ({ metadata }) => {
      add(metadata.labels);
    },
    remove: ({ metadata }) => {
      remove(metadata.labels);
    },
    replace(before, after) {
      if (before.metadata.labels === after.metadata.labels) return;
      remove(before.metadata.labels);
      add(after.metadata.labels);
    },
    allMatch(matches) {
      for (const { labels } of groups.values()) if (!matches(labels)) return false;
      return true;
    },
    plain: () => [...groups].map(([text, { count }]) => [text, count]).sort((a, b) => compareText(String(a[0]), String(b[0]))),
  };
}
