/**
 * What pods may have of a node: its capacity without what the system, the agent and its eviction thresholds keep back. Models: v1.24
 * pkg/kubelet/cm node_container_manager_linux.go (GetNodeAllocatableReservation), pkg/kubelet/nodestatus setters (MachineInfo).
 */
import { formatQuantity, parseQuantity, quantity, quantitySign, quantityValue, subQuantities } from '../../../grammar/values/index.ts';
import { type AgentConfiguration, isOff } from '../../config/index.ts';
import type { AgentSettings } from '../specs.ts';

/** What a machine has that nobody describes. */
export const DEFAULT_CAPACITY = { cpu: '4', memory: '8Gi', pods: '110' } as const;

/** Of which resource a hard threshold keeps something back. */
const KEPT_BY: Readonly<Record<string, string>> = { 'memory.available': 'memory', 'nodefs.available': 'ephemeral-storage' };

/** What an agent keeps back: what is reserved, and its hard thresholds unless `thresholds` is false. */
export function reservations(
  { systemReserved = {}, orchReserved = {}, evictionHard }: Partial<AgentConfiguration> & Pick<AgentConfiguration, 'evictionHard'>,
  thresholds = true,
): NonNullable<AgentSettings['reserved']> {
  const kept = thresholds
    ? Object.entries(evictionHard).flatMap(([signal, amount]) => {
        const resource = KEPT_BY[signal];
        return resource === undefined || isOff(amount) ? [] : [[resource, amount] as const];
      })
    : [];
  return [...Object.entries(systemReserved), ...Object.entries(orchReserved), ...kept];
}

/** A threshold or reservation in units of its resource; a share is one of the capacity. */
export function amountOf(text: string, capacity: bigint): bigint {
  if (!text.endsWith('%')) return quantityValue(quantity(text));
  return BigInt(Math.trunc((Number(capacity) * Number(text.slice(0, -1))) / 100));
}

/** Allocatable by resource, from the capacity. */
export function allocatableOf(
  capacity: Readonly<Record<string, string>>,
  reserved: AgentSettings['reserved'] = [],
): Readonly<Record<string, string>> {
  if (reserved.length === 0) return capacity;
  const left: Record<string, string> = { ...capacity };
  for (const [resource, amount] of reserved) {
    const there = left[resource] === undefined ? undefined : parseQuantity(left[resource]).value;
    if (there === undefined) continue;
    const whole = quantityValue(quantity(capacity[resource] ?? '0'));
    const less = subQuantities(there, quantity(amount.endsWith('%') ? String(amountOf(amount, whole)) : amount));
    left[resource] = quantitySign(less) < 0 ? '0' : formatQuantity(less);
  }
  return left;
}
