/**
 * Whether a node has what a pod asks for, as its agent judges it: by what it has let in, not by what a scheduler believed. Models: v1.24
 * pkg/kubelet/lifecycle predicate.go (generalFilter, removeMissingExtendedResources), pkg/scheduler eventhandlers.go (AdmissionCheck).
 */
import { requiredNodeTest, untoleratedTaint } from '../../../../apiserver/decisions/index.ts';
import type { Node, Pod } from '../../../../apiserver/kinds/index.ts';
import type { Names } from '../../../../apiserver/machinery/index.ts';
import { type Amounts, amountsOf, type HostPort, type SpecInfo } from '../../../shared/index.ts';
import { unitsOf } from '../../../../schema/values/index.ts';
import type { Refusal } from './refusal.ts';

/** What pods on a node have been let in for. */
export interface Booked {
  readonly amounts: Amounts;
  pods: number;
}

/** What pods may have of a node together. */
export interface Room {
  readonly amounts: Readonly<Amounts>;
  readonly pods: number;
}

/** One thing that a node has too little of. CPU in thousandths of a core. */
export interface Lack {
  readonly resource: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** How much more there would have to be. */
export const missing = ({ requested, used, capacity }: Lack): number => requested - (capacity - used);

const roomOf = (allocatable: Readonly<Record<string, string>>, isolatesStorage: boolean): Room => ({
  amounts: isolatesStorage ? amountsOf(allocatable) : { ...amountsOf(allocatable), ephemeralStorage: Infinity },
  pods: unitsOf(allocatable['pods'] ?? '0'),
});

/** Reads a node's allocatable: the list that was read last is not read again. Of a disk that is no resource there is always enough. */
export function roomReader(isolatesStorage: boolean): (allocatable: Readonly<Record<string, string>>) => Room {
  let last: { readonly of: Readonly<Record<string, string>>; readonly room: Room } | undefined;
  return (allocatable) => {
    if (last?.of !== allocatable) last = { of: allocatable, room: roomOf(allocatable, isolatesStorage) };
    return last.room;
  };
}

/** Resources with a domain that is not the system's own. Those that the node does not know are somebody else's to count. */
const isExtended = (name: string, names: Names): boolean => name.includes('/') && !name.includes(names.key('', ''));

/** What a node lacks for a pod: nothing in nearly every case. */
export function lacking({ requests }: SpecInfo, room: Room, booked: Readonly<Booked>, names: Names): readonly Lack[] {
  const lacks: Lack[] = [];
  if (booked.pods + 1 > room.pods) lacks.push({ resource: 'pods', requested: 1, used: booked.pods, capacity: room.pods });
  const { milliCpu, memory, ephemeralStorage, others } = requests;
  if (milliCpu === 0 && memory === 0 && ephemeralStorage === 0 && others.size === 0) return lacks;
  const { amounts: has } = room;
  const { amounts: uses } = booked;
  const check = (resource: string, requested: number, used: number, capacity: number): void => {
    if (requested > capacity - used) lacks.push({ resource, requested, used, capacity });
  };
  check('cpu', milliCpu, uses.milliCpu, has.milliCpu);
  check('memory', memory, uses.memory, has.memory);
  check('ephemeral-storage', ephemeralStorage, uses.ephemeralStorage, has.ephemeralStorage);
  for (const [name, amount] of others) {
    const capacity = has.others.get(name);
    if (capacity === undefined && isExtended(name, names)) continue;
    check(name, amount, uses.others.get(name) ?? 0, capacity ?? 0);
  }
  return lacks;
}

export const outOf = ({ resource, requested, used, capacity }: Lack): Refusal => ({
  reason: `OutOf${resource}`,
  message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
});

const failed = (predicate: string): Refusal => ({ reason: predicate, message: `Predicate ${predicate} failed` });

const EVERYWHERE = '0.0.0.0';
const meets = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === EVERYWHERE || b.ip === EVERYWHERE || a.ip === b.ip);

/** What but its resources keeps a pod off a node. `taken`: asked only of a pod that wants ports of the node. */
export function misplaced(
  { spec }: Pod,
  { hostPorts }: SpecInfo,
  node: Node | undefined,
  taken: () => readonly HostPort[],
  isStatic: boolean,
): Refusal | undefined {
  const test = requiredNodeTest(spec);
  if (test !== undefined && node !== undefined && !test(node)) return failed('NodeAffinity');
  if (hostPorts.length > 0) {
    const used = taken();
    if (hostPorts.some((port) => used.some((other) => meets(port, other)))) return failed('NodePorts');
  }
  const taints = node?.spec.taints;
  if (isStatic || taints === undefined) return undefined;
  return untoleratedTaint(taints, spec.tolerations, ({ effect }) => effect === 'NoExecute') === undefined
    ? undefined
    : failed('TaintToleration');
}
