/** Garbage collection, CronJobs, leases, volumes, nodes, endpoints and code shared by controllers. */
import { inFile, type Mutant } from '../mutant.ts';

const room = 'src/controlplane/controllers';
const shared = 'src/controlplane/shared';

export const others: readonly Mutant[] = [
  ...inFile(`${room}/garbage-collector/controller.ts`, {
    'collector/as-last-seen': [
      'remove(object, { propagationPolicy, resourceVersion: object.metadata.resourceVersion })',
      'remove(object, { propagationPolicy })',
    ],
    'collector/asks-before-it-deletes': ["gone.has(uid) || ownerStates[uid] === 'gone')", 'true)'],
    'collector/another-owner': ['if (solid.length > 0)\n', 'if (false)\n'],
    'collector/circle': ['const circular = dependents.some', 'const circular = !dependents.some'],
    'collector/orphan-policy': ["finalizers?.includes(ORPHAN) === true ? 'Orphan' :", ''],
    'collector/waits-for-dependents': ['if (blocking.length > 0)\n', 'if (false)\n'],
    'collector/those-that-came-since': ['...(untouched.length === 0 ? {} : { enqueue: untouched.map(nodeOf) }),', ''],
    'collector/forgets-uids': [
      'gone.add(object.metadata.uid);',
      '',
      { equivalent: 'a memory that spares questions: without it the server is asked, and says the same' },
    ],
  }),
  ...inFile(`${room}/cron-job/missed.ts`, {
    'cron-job/due-at-equality': ['if (now < first) return NONE;', 'if (now <= first) return NONE;'],
    'cron-job/second-run-at-equality': ['if (now < second) return', 'if (now <= second) return'],
    'cron-job/more-than-a-hundred': ['tooMany: later + 1 > TOO_MANY', 'tooMany: later > TOO_MANY'],
    'cron-job/name-of-the-minute': ['Math.floor(scheduledAt / 60_000)', 'Math.ceil(scheduledAt / 60_000 + 0.5)'],
  }),
  ...inFile(`${room}/cron-job/due.ts`, {
    'cron-job/deadline-reaches-back': ['Math.max(last, now - spec.startingDeadlineSeconds * 1000)', 'last'],
    'cron-job/suspended': ["if (spec.suspend) return never('it is suspended');", ''],
    'cron-job/zone-behind-its-gate': ["const usesZone = gates['CronJobTimeZone'] === true &&", 'const usesZone ='],
    'cron-job/looks-a-little-later': ['const DELTA_MS = 100;', 'const DELTA_MS = 0;'],
  }),
  ...inFile(`${room}/cron-job/history.ts`, {
    'cron-job/oldest-go': ['parseTime(from) - parseTime(to) ||', 'parseTime(to) - parseTime(from) ||'],
    'cron-job/history-limit': ['.slice(0, finished.length - limit)', '.slice(0, finished.length - limit - 1)'],
  }),
  ...inFile(`${room}/lease/rules.ts`, {
    'lease/since-at-equality': ['silentMs < waitMs(', 'silentMs <= waitMs('],
    'lease/own-clock': ['const silentMs = began.elapsed - seen.since;', 'const silentMs = began.now - seen.since;'],
    'lease/counts-transitions': ['leaseTransitions: leaseTransitions + 1', 'leaseTransitions'],
    'lease/let-go': ["seen.holder !== '' && silentMs", 'silentMs'],
    'lease/unchanged-record': ['seen?.record === record ? seen :', ''],
  }),
  ...inFile(`${room}/node-lifecycle/health.ts`, {
    'node-lifecycle/starting-node': ['const STARTUP_GRACE_MS = 60_000;', 'const STARTUP_GRACE_MS = 40_000;'],
    'node-lifecycle/all-were-silent': ['Math.max(health.probeAt, recoveredAt)', 'health.probeAt'],
    'node-lifecycle/beating': ['health.beating ? Infinity :', ''],
    'node-lifecycle/transition': [
      "!REPORTED.includes(condition.type) || condition.status === 'Unknown'",
      '!REPORTED.includes(condition.type)',
    ],
  }),
  ...inFile(`${room}/volume-attachment/steps.ts`, {
    'volume-attachment/one-node': ["record.exclusive && elsewhere === 'attached'", 'false'],
    'volume-attachment/node-uses-it': ['if (inUse && !situation.isOut && now - since < FORCE_MS)', 'if (false)'],
    'volume-attachment/torn-off': ['if (inUse && !situation.isOut && now - since < FORCE_MS)', 'if (inUse)'],
    'volume-attachment/node-is-gone': ['nodeObject === undefined ? known.inUse :', 'nodeObject === undefined ? true :'],
    'volume-attachment/timeout': ['now - known.begunAt >= OPERATION_MS', 'now - known.begunAt > OPERATION_MS * 2'],
  }),
  ...inFile(`${room}/endpoints/subsets.ts`, {
    'endpoints/headless-without-ports': ['!(isHeadless(service) && (service.spec.ports ?? []).length === 0)', 'true'],
    'endpoints/unready-apart': ['ready: publishAll || isReady(pod)', 'ready: true'],
    'endpoints/sorted': ['byAddress(found, address) < 0) low', 'byAddress(found, address) > 0) low'],
  }),
  ...inFile(`${shared}/unmanaged-pods.ts`, {
    'shared/index-of-unmanaged-pods': ['controllerOf(pod) === undefined ?', 'true ?'],
    'shared/unmanaged-namesake': ['if (before.metadata.uid === after.metadata.uid) {', 'if (true) {'],
  }),
  ...inFile(`${shared}/slow-start.ts`, {
    'shared/batches-double': ['(1 << (32 - Math.clz32(attempt + 1))) - 2', 'attempt'],
  }),
];
