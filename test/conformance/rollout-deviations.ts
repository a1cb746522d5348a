/**
 * Expected differences in recorded cases of Deployments and ReplicaSets: mostly races with different outcomes in two recordings as well.
 */
import type { Deviation } from './deviation.ts';

const folder = 'v1.24-workloads';
const SIZES = [
  /^happens \d+ vs \d+: ReplicaSet \S+ wants \d+$/,
  /^event {3}(missing|extra): Normal ScalingReplicaSet \[Deployment\] (\(combined from similar events\): )?Scaled (up|down) replica set \S+ to \d+$/,
];
const AVAILABILITY = /^(happens \d+ vs \d+:|time {4}) ?\S* ?Deployment \S+ Available=(True|False)\(Minimum/;
const step =
  'a race: pods of one batch become ready within milliseconds, and the number that a sync observes decides its steps; two recordings differ in this too';
const tie = 'chance: pods whose ages have the same order of magnitude are ordered by their uids, which are random';

export const ROLLOUT_DEVIATIONS: readonly Deviation[] = [
  { case: 'dep-roll-pct30-30-of-10', folder, reason: step, differences: [...SIZES, AVAILABILITY] },
  { case: 'dep-roll-surge-larger-than-replicas', folder, reason: step, differences: SIZES },
  {
    case: 'dep-roll-surge2-unavail3-of-8',
    folder,
    reason:
      'a race: pods of one batch become ready within milliseconds, and a status update with a conflict is retried, which moves the moment at which they are counted',
    differences: SIZES,
  },
  {
    case: 'dep-orphan-then-recreate',
    folder,
    reason: 'a race: whether availability is reported once between two steps; two recordings differ in this too',
    differences: [/^happens 2 vs 3: Deployment d Available=False\(MinimumReplicasUnavailable/],
  },
  {
    case: 'dep-template-three-times',
    folder,
    reason:
      'a race: three templates within milliseconds; the recorded controller never observed the second one, two recordings differ in which',
    differences: [/\b(ReplicaSet|Deployment|Pod of) d\b|Scaled (up|down) replica set d-|(Pod of|ReplicaSet) d-/],
  },
  {
    case: 'rset-invalid-template-priority',
    folder,
    reason: 'names are generated before admission here, so a refusal has the full name of the pod, where the recorded one has its prefix',
    differences: [
      /^happens (1 vs 0|0 vs 1): ReplicaSet s ReplicaFailure=True\(FailedCreate: pods "(s-|<pod>)" is forbidden: no PriorityClass/,
      /^event {3}(missing|extra): Warning FailedCreate \[ReplicaSet\] (\(combined from similar events\): )?Error creating: pods "(s-|<pod>)" is forbidden/,
    ],
  },
  {
    case: 'rset-matchlabels-and-expressions',
    folder,
    reason: tie,
    differences: [
      /^final {3}(2 vs 1|0 vs 1): Pod (of s|db): Running deleting=false owned=true /,
      /^happens (1 vs 0|0 vs 1): [x-] Pod (db|of s)$/,
      /^event {3}(missing|extra): Normal SuccessfulDelete \[ReplicaSet\] Deleted pod: (db|<pod>)$/,
    ],
  },
  {
    case: 'rset-order-ready-time',
    folder,
    reason: tie,
    differences: [
      /^final {3}(1 vs 0|0 vs 1): Pod p-\S+: Running deleting=false owned=true /,
      /^happens (1 vs 0|0 vs 1): [x-] Pod p-\S+$/,
      /^event {3}(missing|extra): Normal SuccessfulDelete \[ReplicaSet\] Deleted pod: p-\S+$/,
    ],
  },
  {
    case: 'rset-two-with-the-same-selector',
    folder,
    reason: tie,
    differences: [/^final {3}(1 vs 2|2 vs 1): Pod of [st]: Running deleting=false owned=true /, /^happens 1 vs [02]: [x-] Pod of [st]$/],
  },
  {
    case: 'hpa-m-two-on-one-target',
    folder,
    reason:
      'a race: two autoscalers pull at one target, and whether availability is reported in between; two recordings differ in this too',
    differences: [/^happens 4 vs [12]: Deployment d Available=(True|False)\(Minimum/],
  },
  {
    case: 'hpa-m-unready-pods',
    folder,
    reason:
      'chance: a pod that becomes ready at the end of a second counts as ready since its beginning, so the autoscaler counts it one sync of 15 s earlier; two recordings differ in this too',
    differences: [
      /^(final|happens) {3}?\d vs \d: (Deployment d|Pod of d-|ReplicaSet d-|[+x-] Pod of d-|Running Pod of d-)/,
      /^happens \d vs \d: /,
      /^time {4}([+x-] |Running )?(Pod of|ReplicaSet|Deployment) d/,
      /^event {3}extra: Normal ScalingReplicaSet \[Deployment\] Scaled up replica set d-\S+ to \d$/,
    ],
  },
];
