/**
 * The groups and versions that clients prefer. Groups are ordered by their highest groupPriorityMinimum, then by name. Versions are ordered
 * by versionPriority, then by name. Models: v1.24 kube-aggregator pkg/apis/apiregistration helpers SortedByGroupAndVersion.
 */
import type { APIService } from '../kinds/index.ts';
import { compareText, compareVersions, pushTo } from '../../schema/values/index.ts';

export interface Preference {
  readonly metadata: { readonly name: string };
  readonly spec: Pick<APIService['spec'], 'group' | 'version' | 'groupPriorityMinimum' | 'versionPriority'>;
}

/** A group with the versions of its APIServices, in the order of preference. */
export interface PreferredGroup {
  readonly group: string;
  /** The highest priority of its services. */
  readonly priority: number;
  /** The preferred one first. */
  readonly versions: readonly string[];
}

/** Returns the groups with their versions, the preferred ones first. */
export function preferredGroups(services: Iterable<Preference>): readonly PreferredGroup[] {
  const byPriority = [...services].toSorted(
    (a, b) => b.spec.groupPriorityMinimum - a.spec.groupPriorityMinimum || compareText(a.metadata.name, b.metadata.name),
  );
  const groups = new Map<string, Preference[]>();
  for (const service of byPriority) pushTo(groups, service.spec.group ?? '', service);
  return [...groups].map(([group, members]) => ({
    group,
    priority: members[0]?.spec.groupPriorityMinimum ?? 0,
    versions: members
      .toSorted((a, b) => b.spec.versionPriority - a.spec.versionPriority || compareVersions(a.spec.version ?? '', b.spec.version ?? ''))
      .map(({ spec: { version = '' } }) => version),
  }));
}

/** Returns the version of a group that clients use by default; undefined: the group is not served. */
export const preferredVersion = (group: string, services: Iterable<Preference>): string | undefined =>
  preferredGroups([...services].filter(({ spec }) => (spec.group ?? '') === group))[0]?.versions[0];
