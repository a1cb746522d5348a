/**
 * Allocatable: the capacity of a node without the reservations for the system, for the agent and for eviction thresholds. Models: v1.24
 * pkg/kubelet/cm node_container_manager_linux.go (GetNodeAllocatableReservation), pkg/kubelet/nodestatus setters (MachineInfo).
 */
import { formatQuantity, parseQuantity, quantity, quantitySign, quantityValue, subQuantities } from '../../../schema/values/index.ts';
import { type AgentConfiguration, isOff } from '../../config/index.ts';

export const DEFAULT_CAPACITY: Readonly<Record<'cpu' | 'memory' | 'pods', string>> = { cpu: '4', memory: '8Gi', pods: '110' };

/** The resource that a hard threshold reserves. */
const KEPT_BY: Readonly<Record<string, string>> = { 'memory.available': 'memory', 'nodefs.available': 'ephemeral-storage' };

/** The part of the capacity that is not allocatable: quantities by resource, or percentages (`10%`); they add up. */
export type Reserved = readonly (readonly [resource: string, amount: string])[];

type Reservations = Pick<AgentConfiguration, 'systemReserved' | 'orchReserved'>;

/** What is reserved of a resource for the system and for the agent, quantities. */
export const reservedOf = ({ systemReserved, orchReserved }: Reservations, resource: string): readonly string[] =>
  [systemReserved?.[resource], orchReserved?.[resource]].flatMap((amount) => amount ?? []);

/** The reservations of an agent, with its hard thresholds unless `thresholds` is false. */
export function reservations(
  { systemReserved = {}, orchReserved = {}, evictionHard }: Reservations & Pick<AgentConfiguration, 'evictionHard'>,
  thresholds: boolean,
): Reserved {
  const kept = thresholds
    ? Object.entries(evictionHard).flatMap(([signal, amount]) => {
        const resource = KEPT_BY[signal];
        return resource === undefined || isOff(amount) ? [] : [[resource, amount] as const];
      })
    : [];
  return [...Object.entries(systemReserved), ...Object.entries(orchReserved), ...kept];
}

/** A threshold or reservation in base units of its resource; a percentage refers to the capacity. */
export function amountOf(text: string, capacity: bigint): bigint {
  if (!text.endsWith('%')) return quantityValue(quantity(text));
  return BigInt(Math.trunc((Number(capacity) * Number(text.slice(0, -1))) / 100));
}

export function allocatableOf(capacity: Readonly<Record<string, string>>, reserved: Reserved): Readonly<Record<string, string>> {
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
