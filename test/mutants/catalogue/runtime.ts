/** The kernel, the watches, the queues, the scheduler and the node agent. */
import { inFile, type Mutant } from '../mutant.ts';

const runtime = 'src/controlplane/runtime';
const agents = 'src/controlplane/agents';

export const runtimeAndAgents: readonly Mutant[] = [
  ...inFile('src/engine/kernel/kernel.ts', {
    'kernel/cancelled-is-offered': ['if (pending.cancelled) continue;', ''],
    'kernel/channel-keeps-its-order': ['if (taken.has(key)) continue;', ''],
    'kernel/past-becomes-now': ['const due = at > now ? at : now;', 'const due = at;'],
    'kernel/background-is-settled': ['if (!background) state.foreground++;\n  return pending;', 'state.foreground++;\n  return pending;'],
    'kernel/put-off-to-the-end': ['if (pending.at === now) state.last.push(pending);\n  else', ''],
    'kernel/steps-before-the-count': ['if (at >= countFrom && ++state.steps', 'if (++state.steps'],
  }),
  ...inFile(`${runtime}/pending.ts`, {
    'runtime/streams-are-lanes': ['return event.to[part];', 'return undefined;'],
    'runtime/event-records-are-not-offered': ["case 'emit':\n    case 'expire'", "case 'expire'"],
  }),
  ...inFile(`${runtime}/runtime-state.ts`, {
    'runtime/void-delivery-after-a-relist': ['change === undefined || change.revision !== revision', 'change === undefined'],
    'runtime/delivery-to-an-old-incarnation': ['byNumber[stream.number] = undefined;', ''],
    'runtime/those-who-wait-for-a-closed-stream': ['stream.seenRevision = Infinity;', ''],
  }),
  ...inFile(`${runtime}/delivery.ts`, {
    'runtime/in-order-whatever-the-latency': ['const at = Math.max(from + delay, stream.lastAt);', 'const at = from + delay;'],
    'runtime/owned-only': ['|| (listener.wanted.owners !== undefined && !isOwned(listener.wanted.owners, delta))', ''],
    'runtime/relist-voids-what-flew': ['stream.inFlight = [];\n  stream.head = 0;\n  catchUp', 'catchUp'],
    'runtime/relist-tells-of-the-gone': ["deltas.push({ type: 'DELETED', kind, key, object: old, old })", 'void old'],
    'runtime/catches-up': ['if (stream.seenRevision === store.revision) return;', 'return;'],
  }),
  ...inFile(`${runtime}/work-queue.ts`, {
    'runtime/dirty-while-processing': ['if (state.dirty === undefined) state.dirty = causes;', 'if (state.dirty === undefined) return;'],
    'runtime/earliest-delay-counts': ['earlier !== undefined && earlier.at <= at', 'earlier !== undefined'],
    'runtime/failures-of-the-queue': ['Math.max(wait, bucket?.reserve(kernel.now) ?? 0)', 'wait'],
    'runtime/failures-grow': ['state.failures++;', ''],
    'runtime/nothing-comes-after-a-crash': [
      'if (pending !== undefined) kernel.cancel(pending);',
      'if (pending?.background === true) kernel.cancel(pending);',
    ],
  }),
  ...inFile(`${runtime}/rate.ts`, {
    'runtime/backoff-has-a-limit': ['return Math.min(delay, maxMs);', 'return delay;'],
    'runtime/bucket-fills': ['Math.max(fullAt, now) + everyMs', 'fullAt + everyMs'],
  }),
  ...inFile(`${runtime}/decision.ts`, {
    'runtime/own-creations': ["case 'create':\n      return write.object.kind;", "case 'create':\n      return undefined;"],
    'runtime/own-deletions': ["case 'delete':\n      return write.kind;", "case 'delete':\n      return undefined;"],
    'runtime/seen-at-equality': ['stream.seenRevision < revision', 'stream.seenRevision <= revision'],
  }),
  ...inFile(`${runtime}/outcome-runner.ts`, {
    'runtime/failed-write-drops-the-rest': ["write.tolerate?.includes(response.status.reason ?? '') !== true", 'false'],
    'runtime/success-forgets-failures': ["if (backoff === 'forget') state.failures = 0;\n  else if", 'if'],
    'runtime/checked-uid': ['metadata?.uid === write.uid && ', ''],
    'runtime/checked-while-dying': ['&& metadata.deletionTimestamp === undefined) return answer', ') return answer'],
  }),
  ...inFile(`${agents}/node/pod-status.ts`, {
    'agent/always-runs-on': ["if (run.policy === 'Always') return 'Running';", ''],
    'agent/transition-time-stays': ['old?.status === status ? (old.lastTransitionTime ?? null) : now', 'now'],
    'agent/last-state': ["const shownNow = run.stage === 'over' ||", 'const shownNow ='],
    'agent/crash-loop-is-named': ['run.backoffMs < 10_000) return terminated', 'run.backoffMs < 20_000) return terminated'],
  }),
  ...inFile(`${agents}/scheduler/preemption.ts`, {
    'scheduler/only-lesser-pods-go': [
      'filter(({ priority }) => priority < pod.priority)',
      'filter(({ priority }) => priority <= pod.priority)',
    ],
    'scheduler/budgets-count': ['if (!mayStay(other)) violations++;', 'mayStay(other);'],
    'scheduler/important-ones-stay': ['b.priority - a.priority ||', 'a.priority - b.priority ||'],
    'scheduler/longer-running-stays': ['startOf(a, now) - startOf(b, now);', 'startOf(b, now) - startOf(a, now);'],
    'scheduler/fewest-violations': ['({ violations }) => violations,', ''],
  }),
  ...inFile(`${agents}/scheduler/cluster-events.ts`, {
    'scheduler/promise-is-taken-back': ["if (node === '') return;", ''],
    'scheduler/one-promise-a-pod': ['remove(info.uid);\n        if', 'if'],
  }),
];
