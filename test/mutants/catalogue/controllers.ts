/** Garbage collection, CronJobs, leases, volumes, nodes, endpoints and code shared by controllers. */
import { inFile, type Mutant } from '../mutant.ts';

const room = 'src/controlplane/controllers';
const shared = 'src/controlplane/shared';
/** Stories in which a cache lags. */
const LIVE = { tests: ['test/controlplane/controllers/live-reads.test.ts'] };
const ADOPTION = { tests: ['test/controlplane/controllers/job/adoption.test.ts', 'test/controlplane/shared/unmanaged-pods.test.ts'] };
const REFUSALS = { tests: ['test/controlplane/controllers/refusals.test.ts'] };

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
  ...inFile(`${room}/cron-job/due.ts`, {
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
  ...inFile(`${room}/cron-job/jobs.ts`, {
    'cron-job/oldest-go': ['parseTime(from) - parseTime(to) ||', 'parseTime(to) - parseTime(from) ||'],
    'cron-job/history-limit': ['.slice(0, finished.length - limit)', '.slice(0, finished.length - limit - 1)'],
  }),
  ...inFile(`${room}/lease/locks.ts`, {
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
  ...inFile(`${shared}/owned-set.ts`, {
    'shared/index-of-unmanaged-pods': ['controllerOf(pod) === undefined ?', 'true ?', ADOPTION],
    'shared/unmanaged-namesake': ['if (before.metadata.uid === after.metadata.uid) {', 'if (true) {'],
    'shared/owner-of-a-namesake': ['uid: object.metadata.uid, ...fields', '...fields', LIVE],
    'shared/adoption-while-dying': [
      'isDying(owner)\n    ? NONE\n    : cache\n        .aggregate',
      'false\n    ? NONE\n    : cache\n        .aggregate',
      ADOPTION,
    ],
    'shared/no-dying-orphan': ['.filter((pod) => !isDying(pod))', '', ADOPTION],
    'shared/still-there': ['if (orphans.length > 0 && checked) writes.push(stillThere(owner));', '', ADOPTION],
    'shared/release': ['else if (!isDying(owner)) writes.push', 'else if (isDying(owner)) writes.push', ADOPTION],
  }),
  ...inFile('src/controlplane/runtime/writes.ts', {
    'shared/deletes-a-namesake': ['  uid: object.metadata.uid,\n', '', LIVE],
  }),
  ...inFile(`${room}/node-lifecycle/controller.ts`, {
    'node-lifecycle/taints-over-unseen-ones': [
      'patch: { metadata: { resourceVersion }, spec: { taints } },',
      'patch: { spec: { taints } },',
      LIVE,
    ],
  }),
  ...inFile(`${room}/volume-protection/controller.ts`, {
    'volume-protection/finalizers-over-unseen-ones': ['resourceVersion: object.metadata.resourceVersion, finalizers', 'finalizers', LIVE],
    'volume-protection/unseen-pod': ['return users > 0 ?', 'return users > 99 ?', LIVE],
  }),
  ...inFile(`${room}/volume-binder/volume.ts`, {
    'volume-binder/released-by-an-old-cache': ["phase === 'Released' ? { metadata", "phase === 'X' ? { metadata", LIVE],
    'volume-binder/deletes-what-was-freed': ["read it from the API server', askForVolume(volume))", "x', remove(volume))", LIVE],
  }),
  ...inFile('src/controlplane/agents/storage-driver/provisioner.ts', {
    'volume-binder/driver-deletes-what-is-kept': [
      'return live ? write(RECLAIMED, remove(volume)) : readFirst(volume);',
      'return write(RECLAIMED, remove(volume));',
      LIVE,
    ],
  }),
  ...inFile(`${room}/namespace/controller.ts`, {
    'namespace/empties-a-namesake': [
      'if (memory === undefined) return askFor(namespace);',
      'if (memory === undefined) return sweep(registry, remainingIn(registry, names, cache, name), name, now);',
      LIVE,
    ],
  }),
  ...inFile(`${room}/garbage-collector/controller.ts`, {
    'collector/asks-for-owners': ['if (doubt !== undefined)', 'if (false)'],
  }),
  ...inFile(`${room}/job-ttl/controller.ts`, {
    'job-ttl/prolonged-unseen': ['return idleReason(job, now) ?? write', 'return write', LIVE],
  }),
  ...inFile(`${room}/pod-gc/controller.ts`, {
    'pod-gc/node-that-is-there': ['afterRead(input, object === undefined)', 'afterRead(input, true)', LIVE],
  }),
  ...inFile(`${room}/stateful-set/recover.ts`, {
    'stateful-set/hammers-the-server': ['const MOST_TRIES = 5;', 'const MOST_TRIES = 5000;', REFUSALS],
  }),
  ...inFile(`${shared}/recovery.ts`, {
    'shared/batches-double': ['(1 << (32 - Math.clz32(attempt + 1))) - 2', 'attempt'],
  }),
];
