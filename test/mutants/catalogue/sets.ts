/** Sorted numbers, StatefulSets, ReplicaSets, Deployments and the budgets over them. */
import { inFile, type Mutant } from '../mutant.ts';

const room = 'src/controlplane/controllers';

export const sets: readonly Mutant[] = [
  ...inFile('src/schema/values/sorted.ts', {
    'values/place-at-equality': ['?? Infinity) < wanted', '?? Infinity) <= wanted'],
  }),
  ...inFile(`${room}/stateful-set/availability.ts`, {
    'stateful-set/ready-for-just-so-long': ['readySince + wait < input.now', 'readySince + wait <= input.now'],
    'stateful-set/looks-again': ['Math.ceil((earliest + wait + 1 - lookAt) / wait)', 'Math.ceil((earliest + wait - lookAt) / wait)'],
    'stateful-set/look-that-found-too-few': ['lacks !== true || since === 0 ? undefined', 'since === 0 ? undefined'],
  }),
  ...inFile(`${room}/stateful-set/ordinal-set.ts`, {
    'stateful-set/forgets-the-unready': ['ordinals.delete(ordinal);\n        size--;', 'ordinals.delete(ordinal);'],
  }),
  ...inFile(`${room}/stateful-set/update.ts`, {
    'stateful-set/partition': ['stale >= partitionOf(set) && stale >= unwell', 'stale > partitionOf(set) && stale >= unwell'],
    'stateful-set/waits-for-the-unwell': ['stale >= partitionOf(set) && stale >= unwell', 'stale >= partitionOf(set)'],
    'stateful-set/on-delete': ["if (input.self.spec.updateStrategy.type === 'OnDelete') return;", ''],
    'stateful-set/max-unavailable': ['mayGo > 0 && stale >= partitionOf(set); mayGo--', 'mayGo >= 0 && stale >= partitionOf(set); mayGo--'],
    'stateful-set/counts-off-the-current': ['draft.current--;', ''],
  }),
  ...inFile(`${room}/stateful-set/retention.ts`, {
    'stateful-set/claims-of-the-scaled-away': ['ordinal >= replicasOf(input.self)', 'ordinal > replicasOf(input.self)'],
    'stateful-set/claims-go-with-the-set': ['retention?.whenDeleted === true && !scaledAway', 'retention?.whenDeleted === true'],
    'stateful-set/stale-claim': ['if (retentionOf(input)?.whenScaled !== true) return false;', 'return false;'],
  }),
  ...inFile(`${room}/replica-set/pods.ts`, {
    'replica-set/deletion-cost': ['|| a.cost - b.cost ||', '||'],
    'replica-set/crowded-nodes-first': ['b.neighbours - a.neighbours', 'a.neighbours - b.neighbours'],
    'replica-set/restarts': ['const restarts = b.restarts - a.restarts;', 'const restarts = a.restarts - b.restarts;'],
    'replica-set/unscheduled-first': ['const plain = a.assigned - b.assigned ||', 'const plain ='],
    'replica-set/cost-behind-its-gate': ["const costs = gates['PodDeletionCost'] === true;", 'const costs = true;'],
    'replica-set/ages-by-magnitude': [
      'rest >= 2; rest /= 2',
      'rest > 2; rest /= 2',
      { equivalent: 'whole milliseconds in nanoseconds have a factor of 5: they are never a power of two' },
    ],
  }),
  ...inFile(`${room}/deployment/input.ts`, {
    'deployment/surge-rounds-up': [
      'scaledIntOrPercent(maxSurge, spec.replicas, true)',
      'scaledIntOrPercent(maxSurge, spec.replicas, false)',
    ],
    'deployment/unavailable-rounds-down': [
      'scaledIntOrPercent(maxUnavailable, spec.replicas, false)',
      'scaledIntOrPercent(maxUnavailable, spec.replicas, true)',
    ],
    'deployment/one-may-be-missing': ['surge === 0 && unavailable === 0 ? 1 : unavailable', 'unavailable'],
    'deployment/no-more-than-wanted': ['Math.min(room, replicas - own)', 'room'],
    'deployment/shares-are-rounded': ['Math.round((size', 'Math.floor((size'],
    'deployment/proportion-leaves-no-more': ['Math.min(share, toAdd - added)', 'share'],
  }),
  ...inFile(`${room}/deployment/rolling.ts`, {
    'deployment/too-few-available': [
      'const least = deployment.spec.replicas - maxUnavailable(deployment);',
      'const least = deployment.spec.replicas - maxUnavailable(deployment) - 1;',
    ],
    'deployment/unhealthy-first': ['const cleaned = dropUnhealthy(draft, old, room);', 'const cleaned = 0;'],
    'deployment/new-pods-are-not-ready-yet': ['- least - missing;', '- least;'],
    'deployment/old-status': ['if (by < 0) return undefined;', ''],
  }),
  ...inFile(`${room}/disruption/budgets.ts`, {
    'disruption/percent-of-what-is-wanted': ['{ expected: scale, desired:', '{ expected: covered.pods.size, desired:'],
    'disruption/rounds-up': ['scaledIntOrPercent(share, of, true)', 'scaledIntOrPercent(share, of, false)'],
    'disruption/owner-of-the-set': ["above?.kind === 'Deployment' ? scaledBy(above, namespace, cache) : found", 'found'],
    'disruption/namesake': ['found === undefined || found.metadata.uid !== uid', 'found === undefined'],
  }),
];
