/** DaemonSets, autoscalers, and the parts of Deployments and budgets besides their counts. */
import { inFile, type Mutant } from '../mutant.ts';

const daemons = 'src/controlplane/controllers/daemon-set';
const scaler = 'src/controlplane/controllers/horizontal-pod-autoscaler';
const deployment = 'src/controlplane/controllers/deployment';
const disruption = 'src/controlplane/controllers/disruption';

export const workloads: readonly Mutant[] = [
  ...inFile(`${daemons}/manage.ts`, {
    'daemon-set/the-oldest-stays': ['left.slice(1)', 'left.slice(0, -1)'],
    'daemon-set/those-that-go-already': [
      "if (node.fit === 'leaves') {\n    draft.toDelete.push(...live);",
      "if (node.fit === 'leaves') {\n    draft.toDelete.push(...node.pods);",
    ],
    'daemon-set/of-a-node-that-is-gone': [".filter(({ spec }) => (spec.nodeName ?? '') === '')", ''],
    'daemon-set/unready-old-ones-make-room': ['&& !isReady(stale)) draft', ') draft'],
  }),
  ...inFile(`${daemons}/update.ts`, {
    'daemon-set/one-may-go': ['most === 0 && view.desired > 0 ? 1 : most', 'most'],
    'daemon-set/new-ones-not-available-count': [' + fresh.size - fresh.available(wait, now)', ''],
    'daemon-set/surge-in-flight': ['surge - inFlight', 'surge'],
    'daemon-set/shares-round-up': ['nodes, true)', 'nodes, false)'],
    'daemon-set/on-delete': ["if (set.spec.updateStrategy.type !== 'RollingUpdate') return NOTHING;", ''],
  }),
  ...inFile(`${daemons}/backoff.ts`, {
    'daemon-set/backoff-at-equality': ['now - backoff.at < backoff.delayMs', 'now - backoff.at <= backoff.delayMs'],
    'daemon-set/backoff-doubles': ['backoff.delayMs * 2', 'backoff.delayMs'],
    'daemon-set/backoff-is-forgotten': ['now - at <= FORGOTTEN_MS', 'true'],
  }),
  ...inFile(`${daemons}/pod.ts`, {
    'daemon-set/network-of-the-node': ['hostNetwork === true ? [...ADDED, ON_THE_NODES_NETWORK] : ADDED', 'ADDED'],
    'daemon-set/tolerates-for-ever': ['result[at] = toleration;', ''],
  }),
  ...inFile(`${daemons}/pod.ts`, {
    'daemon-set/no-schedule-puts-nobody-out': ["evicts) === undefined ? 'stays' : 'leaves'", "repels) === undefined ? 'stays' : 'leaves'"],
    'daemon-set/tolerates-trouble-of-its-node': ['const tolerations = daemonTolerations(spec, names);', 'const { tolerations } = spec;'],
  }),
  ...inFile(`${daemons}/node-state.ts`, {
    'daemon-set/those-with-a-node-first': ['if (left !== right) return left ? 1 : -1;', ''],
    'daemon-set/stage-of-live-pods': ['const live = pods.filter(isLive);\n  const stage', 'const live = pods;\n  const stage'],
  }),
  ...inFile(`${daemons}/update.ts`, {
    'daemon-set/only-counts': ['acted ? set.metadata.generation : set.status.observedGeneration', 'set.metadata.generation'],
  }),
  ...inFile(`${scaler}/proposal.ts`, {
    'autoscaler/missing-pods-speak-against': ['ratio < 1 ? scale.assumed(name) : 0', '0'],
    'autoscaler/unready-pods-raise-nothing': ['if (raises) for (const name of unready) all.set(name, 0);', ''],
    'autoscaler/turned-round': [
      'const turned = (ratio < 1 && again.ratio > 1) || (ratio > 1 && again.ratio < 1);',
      'const turned = false;',
    ],
    'autoscaler/failed-pods-do-not-count': [
      "deletionTimestamp !== undefined || pod.status.phase === 'Failed'",
      'deletionTimestamp !== undefined',
    ],
    'autoscaler/starting-pods-do-not-count': ["usage.has(name) && resource === 'cpu' && isStarting(pod, now)", 'false'],
    'autoscaler/starting-is-of-cpu': [
      "usage.has(name) && resource === 'cpu' && isStarting(pod, now)",
      'usage.has(name) && isStarting(pod, now)',
    ],
    'autoscaler/never-ready-yet': ['return isUnready && startedAt + FIRST_READINESS_MS > since;', 'return isUnready;'],
    'autoscaler/near-enough': ['isNear(ratio) ? current : Math.ceil(ratio * ready)', 'Math.ceil(ratio * ready)'],
  }),
  ...inFile(`${scaler}/bounds.ts`, {
    'autoscaler/window-at-its-end': ['at > now - DOWN_WINDOW_MS', 'at >= now - DOWN_WINDOW_MS'],
    'autoscaler/four-at-least': ['Math.max(2 * current, 4)', '2 * current'],
    'autoscaler/slowest-way-down': ["selectPolicy === 'Min' ? Math.max(...allowed)", "selectPolicy === 'Min' ? Math.min(...allowed)"],
    'autoscaler/what-went-may-come-back': [' + changedIn(downs, periodSeconds, now);', ';'],
  }),
  ...inFile(`${scaler}/target.ts`, {
    'autoscaler/transition': ['old?.status === status ? old.lastTransitionTime : formatTime(now)', 'formatTime(now)'],
  }),
  ...inFile(`${scaler}/controller.ts`, {
    'autoscaler/scaled-to-nothing': ['current === 0 && minReplicas !== 0', 'false'],
    'autoscaler/bounds-need-no-metrics': ['if (current > maxReplicas)', 'if (false)'],
    'autoscaler/looks-every-15-s': ['const next = { ...memory, dueAt: now + PERIOD_MS };', 'const next = memory;'],
  }),
  ...inFile(`${deployment}/scale.ts`, {
    'deployment/older-shrink-first': ['toAdd > 0 ? 1 : -1', '1'],
    'deployment/the-largest-takes-the-rest': ['(at === 0 ? toAdd - added : 0)', '0'],
    'deployment/saturated-when-available': ['(newest.set.status.availableReplicas ?? 0) === replicas', 'true'],
  }),
  ...inFile(`${deployment}/rolling.ts`, {
    'deployment/lowest-revisions-go': [
      '(revisionOf(a.set, draft.keys) ?? 0) - (revisionOf(b.set, draft.keys) ?? 0)',
      '(revisionOf(b.set, draft.keys) ?? 0) - (revisionOf(a.set, draft.keys) ?? 0)',
    ],
    'deployment/sets-with-pods-stay': ['status.replicas !== 0 || replicas !== 0 || ', ''],
  }),
  ...inFile(`${deployment}/rollback.ts`, {
    'deployment/the-revision-before': ['else if (revision > second) second = revision;', ''],
  }),
  ...inFile(`${deployment}/rolling.ts`, {
    'deployment/pods-that-are-over': [" && status.phase !== 'Failed' && status.phase !== 'Succeeded'", ''],
  }),
  ...inFile(`${deployment}/status.ts`, {
    'deployment/deadline-at-equality': ['deadlineOf(deployment, current) >= now', 'deadlineOf(deployment, current) > now'],
    'deployment/progress-counts-anew': [
      "const { lastTransitionTime } = current?.status === 'True' ? current : progress;",
      'const { lastTransitionTime } = progress;',
    ],
  }),
  ...inFile(`${disruption}/controller.ts`, {
    'disruption/evicted-pods-are-going': ['healthy - going.length', 'healthy'],
    'disruption/overdue-at-equality': ['dueAt < now', 'dueAt <= now'],
    'disruption/what-covers-nothing': ['expected <= 0 ? 0 : ', ''],
    'disruption/transition': ['old?.status === next.status ? old.lastTransitionTime : formatTime(now)', 'formatTime(now)'],
  }),
  ...inFile(`${disruption}/budgets.ts`, {
    'disruption/dying-pods-are-not-well': ['pod.metadata.deletionTimestamp === undefined && isReady(pod)', 'isReady(pod)'],
    'disruption/who-left-the-selection': ['if (stays || covered.pods.has(name))', 'if (stays)'],
  }),
];
