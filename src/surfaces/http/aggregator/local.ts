/**
 * The APIServices of the groups that this server serves itself. Models: v1.24 kube-aggregator pkg/controllers/autoregister, kube-apiserver
 * app/aggregator.go.
 */
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import type { Preference } from '../../../apiserver/decisions/index.ts';
import type { ExtraRow } from '../discovery/resource-list.ts';
import { prioritiesOf } from './priorities.ts';

/** One for each version, including the core group's. */
export function localServices(kinds: KindRegistry, extra: readonly ExtraRow[]): readonly Preference[] {
  const { names } = kinds;
  const priority = prioritiesOf(names);
  const all = new Map<string, Preference>();
  const add = (group: string, version: string): void => {
    const name = `${version}.${group}`;
    if (!all.has(name)) all.set(name, { metadata: { name }, spec: { group, version, ...priority(group, version) } });
  };
  for (const { groupPrefix, version } of kinds.list()) add(names.group(groupPrefix), version);
  for (const { group, version } of extra) add(group, version);
  return [...all.values()];
}
