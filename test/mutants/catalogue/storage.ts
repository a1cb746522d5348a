/** Volumes, images and evictions; schedules; the history of the store. */
import { inFile, type Mutant } from '../mutant.ts';

const controllers = 'src/controlplane/controllers';
const node = 'src/controlplane/agents/node';

export const storage: readonly Mutant[] = [
  ...inFile(`${controllers}/volume-binder/candidates.ts`, {
    'volume-binder/smallest-that-suits': ['quantity(capacity(best))) < 0) best', 'quantity(capacity(best))) > 0) best'],
    'volume-binder/made-for-a-namesake': ['|| claimRef.uid === claim.metadata.uid)', '|| true)'],
    'volume-binder/exactly-large-enough': [
      "quantity(requested(claim))) < 0) return 'requested",
      "quantity(requested(claim))) <= 0) return 'requested",
    ],
    'volume-binder/not-one-that-goes': ['volume.metadata.deletionTimestamp !== undefined ||\n', ''],
  }),
  ...inFile(`${controllers}/volume-protection/controller.ts`, {
    'volume-protection/pods-that-are-gone': ['for (const claim of uses(old)) users.get(claim)?.delete(key);', ''],
    'volume-protection/pods-without-a-node': ['pod?.spec.nodeName === undefined || pod.spec.volumes', 'pod?.spec.volumes'],
    'volume-protection/no-other-finalizer': ['.filter((name) => name !== finalizer)', '.slice(0, 0)'],
    'volume-protection/bound-volumes': ["volume.status.phase === 'Bound'", 'false'],
  }),
  ...inFile(`${controllers}/job-ttl/controller.ts`, {
    'job-ttl/over-at-equality': ['now < expiresAt', 'now <= expiresAt'],
    'job-ttl/asks-nobody': ['return idleReason(job, now) ?? write', 'return write'],
    'job-ttl/goes-already': ["if (job.metadata.deletionTimestamp !== undefined) return idle('it is being deleted already');", ''],
  }),
  ...inFile(`${node}/eviction/thresholds.ts`, {
    'eviction/who-exceeds-goes-first': ['exceeds(a) - exceeds(b) || ', ''],
    'eviction/least-important-first': ['priorityOf(a) - priorityOf(b)', 'priorityOf(b) - priorityOf(a)'],
    'eviction/furthest-beyond': ['excess(b) - excess(a)', 'excess(a) - excess(b)'],
  }),
  ...inFile('src/controlplane/config/eviction-thresholds.ts', {
    'eviction/all-or-nothing-is-off': ['[0, 100].includes', '[0].includes'],
  }),
  ...inFile(`${node}/eviction/thresholds.ts`, {
    'eviction/less-than-the-limit': ['observed.available < limitOf', 'observed.available <= limitOf'],
    'eviction/memory-first': ["PRESSURES[signal] === 'MemoryPressure' ? 0 : ", ''],
  }),
  ...inFile(`${node}/eviction/manager.ts`, {
    'eviction/grace-at-equality': ['>= threshold.graceMs', '> threshold.graceMs'],
    'eviction/a-condition-stays-for-just-so-long': ['< settings.transitionMs', '<= settings.transitionMs'],
    'eviction/own-grace-if-shorter': ['maxPodGraceSeconds < 0 ? own : Math.min(maxPodGraceSeconds, own)', 'maxPodGraceSeconds'],
    'eviction/minimum-to-reclaim': ['met(state.unresolved, observations, true)', 'met(state.unresolved, observations, false)'],
  }),
  ...inFile(`${node}/images/store.ts`, {
    'images/used-longest-ago': ['(a.unusedSince ?? 0) - (b.unusedSince ?? 0)', '(b.unusedSince ?? 0) - (a.unusedSince ?? 0)'],
    'images/came-too-lately': ['if (now - image.readyAt < minAgeMs) continue;', ''],
    'images/enough-is-enough': ['if (freed >= wanted) break;', ''],
    'images/at-the-high-threshold': ['usedPercent < gcHighPercent', 'usedPercent <= gcHighPercent'],
  }),
  ...inFile('src/schema/schedule/schedule.ts', {
    'schedule/strictly-later': ['nextFiring(schedule, second + 1000)', 'nextFiring(schedule, second)'],
    'schedule/either-day': ['dayOfMonth.star || dayOfWeek.star ? inMonth && inWeek : inMonth || inWeek', 'inMonth && inWeek'],
    'schedule/a-prefix-is-cut-off': ['rest = trim(text.slice(blank));', ''],
  }),
  ...inFile('src/schema/schedule/field.ts', {
    'schedule/a-step-takes-the-star': ['if (step > 1n) star = false;', ''],
    'schedule/a-step-runs-to-the-end': ['if (high === undefined) end = max;', ''],
  }),
  ...inFile('src/apiserver/store/change-log.ts', {
    'store/just-what-is-forgotten': ['revision < forgotten ? undefined', 'revision <= forgotten ? undefined'],
    'store/at-just-that-instant': ['?? Infinity) > bound) high', '?? Infinity) >= bound) high'],
    'store/few-are-kept-however-old': ['length - few)', 'length)'],
    'store/lightens-until-it-is-light': ['count < changes.length && left > allowed', 'count < changes.length && left >= allowed'],
  }),
];
