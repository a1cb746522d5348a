/** Kinds of upstream that users try and that are not modelled, so that no similar name is suggested. */
export const UPSTREAM_ONLY: ReadonlySet<string> = new Set([
  'ReplicationController',
  'PodTemplate',
  'VerticalPodAutoscaler',
  'PodSecurityPolicy',
  'FlowSchema',
  'PriorityLevelConfiguration',
]);

/** The alternatives to them. */
export const MODELLED =
  'a kind that is modelled (Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob and Pod run pods; orchsim kinds lists all)';

/** Keys of earlier versions of the format, with their present names. */
const RENAMED: Readonly<Record<string, string>> = { claim: 'assert', furnished: 'bootstrap' };

/** Returns the present name of a key, if it is one of `names`; undefined: it was never another key. */
export function renamedKey(key: string, names: readonly string[]): string | undefined {
  const name = Object.hasOwn(RENAMED, key) ? RENAMED[key] : undefined;
  return name !== undefined && names.includes(name) ? name : undefined;
}
