/**
 * The groups and versions that clients prefer. Groups are ordered by their highest groupPriorityMinimum, then by name. Versions are ordered
 * by versionPriority, then by name: those of the form v1, v2beta3 first (GA, beta, alpha; major; minor), all others by text. Models: v1.24
 * kube-aggregator pkg/apis/apiregistration helpers SortedByGroupAndVersion, apimachinery pkg/version CompareKubeAwareVersionStrings.
 */
import type { APIService } from '../kinds/index.ts';
import { compareText, parseInt64 } from '../../schema/values/index.ts';

const VERSION = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;
const STAGES = ['alpha', 'beta', ''] as const;

function readVersion(text: string) {
  const [, digits = '', stage = '', minorDigits = '0'] = VERSION.exec(text) ?? [];
  const [major, minor] = [parseInt64(digits), parseInt64(minorDigits)];
  return major === undefined || minor === undefined ? undefined : { stage: STAGES.findIndex((one) => one === stage), major, minor };
}

const descending = <T extends number | bigint>(a: T, b: T): number => (a === b ? 0 : a > b ? -1 : 1);

/** Compares version names, the preferred one first: v10, v2, v1, v11beta2, v3beta1, v12alpha1, foo1, foo10. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [readVersion(a), readVersion(b)];
  if (left === undefined || right === undefined) return left === right ? compareText(a, b) : left === undefined ? 1 : -1;
  return descending(left.stage, right.stage) || descending(left.major, right.major) || descending(left.minor, right.minor);
}

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
  for (const service of byPriority) {
    const { group = '' } = service.spec;
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [service]);
    else known.push(service);
  }
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
