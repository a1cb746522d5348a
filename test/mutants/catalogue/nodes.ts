/** Admission and eviction of pods on nodes. */
import { inFile, type Mutant } from '../mutant.ts';

const admission = 'src/controlplane/agents/node/admission';
const controllers = 'src/controlplane/controllers';

export const nodes: readonly Mutant[] = [
  ...inFile(`${admission}/resources.ts`, {
    'admission/one-pod-more': ['booked.pods + 1 > total.pods', 'booked.pods > total.pods'],
    'admission/exactly-what-is-left': ['requested > capacity - used', 'requested >= capacity - used'],
    'admission/devices-of-others': ['if (capacity === undefined && isExtended(name, names)) continue;', ''],
    'admission/port-of-any-address': ['(a.ip === EVERYWHERE || b.ip === EVERYWHERE || a.ip === b.ip)', 'a.ip === b.ip'],
    'admission/static-pods-tolerate': ['if (isStatic || taints === undefined)', 'if (taints === undefined)'],
  }),
  ...inFile(`${admission}/admit.ts`, {
    'admission/those-let-in-at-once': [
      'gate.capacityOf(node), changed(machine.booked, gate.begun, 1), names)',
      'gate.capacityOf(node), machine.booked, names)',
    ],
    'admission/waits-for-those-that-go': ['goes, -1), names);', '[], -1), names);'],
    'admission/ports-of-pods-that-are-over': [
      "if (run !== undefined && run.stage !== 'over') ports.push",
      'if (run !== undefined) ports.push',
    ],
  }),
  ...inFile(`${admission}/resources.ts`, {
    'admission/as-important-as-the-system': ['>= SYSTEM_CRITICAL', '> SYSTEM_CRITICAL'],
  }),
  ...inFile(`${admission}/preempting.ts`, {
    'admission/guaranteed-pods-last': [
      'nearest(guaranteed, without(wanted, [...bestEffort, ...burstable]))',
      'nearest(guaranteed, wanted)',
    ],
    'admission/the-smaller-goes': ['if (difference !== 0) return difference < 0;', 'if (difference !== 0) return difference > 0;'],
    'admission/of-equal-importance': [
      '(to.spec.priority ?? 0) > (pod.spec.priority ?? 0)',
      '(to.spec.priority ?? 0) >= (pod.spec.priority ?? 0)',
    ],
  }),
  ...inFile(`${admission}/resources.ts`, {
    'admission/network-of-the-node': ["if (name.startsWith('net.') && spec.hostNetwork === true)", 'if (false)'],
    'admission/begins-so': ["pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : ", ''],
  }),
  ...inFile(`${controllers}/taint-eviction/controller.ts`, {
    'taint-eviction/time-is-over-at-equality': ['elapsed >= memory.at', 'elapsed > memory.at'],
    'taint-eviction/no-time-at-all': ["if (stayMs === 0) return evict(pod, 'it tolerates the taint of its node for 0 s');", ''],
    'taint-eviction/cancels': ['memory?.at === undefined ? [] : [say', 'true ? [] : [say'],
    'taint-eviction/what-is-planned-stays': [
      'wakeAt: now + memory.at - elapsed };\n    if (stayMs',
      'wakeAt: now + stayMs, memory: { at: elapsed + stayMs } };\n    if (stayMs',
    ],
    'taint-eviction/what-is-refused-is-tried-again': ["memory: { at: elapsed }, backoff: 'retry'", "memory: {}, backoff: 'retry'"],
  }),
  ...inFile(`${controllers}/pod-gc/controller.ts`, {
    'pod-gc/quarantine-at-equality': ['>= QUARANTINE_MS', '> QUARANTINE_MS'],
    'pod-gc/oldest-go': ['age(a) - age(b)', 'age(b) - age(a)'],
    'pod-gc/asked-to-go-at-once': [' || metadata.deletionGracePeriodSeconds !== 0', ''],
    'pod-gc/a-node-that-came-back': ['else suspects.delete(name);', ''],
    'pod-gc/as-many-as-may-stay': ['.size - threshold)', '.size - threshold + 1)'],
  }),
];
