/**
 * Assigns exclusive CPUs and memory to the containers of a pod, at its admission. Models: v1.24 pkg/kubelet/cm/topologymanager scope.go,
 * scope_container.go, scope_pod.go; cpumanager and memorymanager policy_static.go. Simplified: no devices; resources are released when the
 * pod has ended.
 */
import { type Pod, qosClassOf } from '../../../../apiserver/kinds/index.ts';
import { milliUnitsOf, unitsOf } from '../../../../schema/values/index.ts';
import type { AgentConfiguration } from '../../../config/index.ts';
import type { NodeSpec } from '../../specs.ts';
import { reservedOf } from '../allocatable.ts';
import type { Refusal } from '../admission/resources.ts';
import { allocate, cpuHints, cpuList } from './cpus.ts';
import { placed, type Cpu, type Layout, layoutOf, type Mask, type Bank, memoryHints, memoryPlace, withTaken } from './layout.ts';

/** The exclusive resources of one container. */
export interface Place {
  readonly container: string;
  readonly cpus: readonly number[];
  /** The same in the cpuset format: `0-1`. */
  readonly cpuSet: string;
  /** The NUMA nodes of its memory as a mask, and the amount. */
  readonly memory: Mask;
  readonly bytes: number;
}

type Container = Pod['spec']['containers'][number];

/** The free resources while a pod is admitted. */
interface Left {
  cpus: readonly Cpu[];
  banks: readonly Bank[];
  /** CPUs of init containers, which later containers may reuse. */
  reusable: readonly Cpu[];
}

interface ExclusiveRequest {
  readonly container: string;
  readonly isInit: boolean;
  readonly cpus: number;
  readonly bytes: number;
}

const WHOLE_CORES = 'full-pcpus-only';
const UNALIGNED: Refusal = { reason: 'TopologyAffinityError', message: 'Resources cannot be allocated with Topology locality' };
const unexpected = (why: string): Refusal => ({
  reason: 'UnexpectedAdmissionError',
  message: `Allocate failed due to ${why}, which is unexpected`,
});

type CoreSettings = Pick<
  AgentConfiguration,
  | 'cpuManagerPolicy'
  | 'cpuManagerPolicyOptions'
  | 'memoryManagerPolicy'
  | 'topologyManagerPolicy'
  | 'topologyManagerScope'
  | 'systemReserved'
  | 'orchReserved'
>;

const hasOption = ({ cpuManagerPolicyOptions }: CoreSettings, name: string): boolean => cpuManagerPolicyOptions?.[name] === 'true';

export type Cores = NonNullable<ReturnType<typeof coresOf>>;

/** Undefined: no policy is set, so nothing is exclusive. */
export function coresOf(spec: NodeSpec, settings: CoreSettings) {
  if (settings.cpuManagerPolicy !== 'static' && settings.memoryManagerPolicy !== 'Static') return undefined;
  const layout = layoutOf(spec);
  const all = (1 << layout.memory.length) - 1;
  const reservedMilliCpu = reservedOf(settings, 'cpu').reduce((sum, amount) => sum + milliUnitsOf(amount), 0);
  const kept = new Set((allocate(layout, layout.cpus, Math.ceil(reservedMilliCpu / 1_000), undefined) ?? []).map(({ id }) => id));
  let back = reservedOf(settings, 'memory').reduce((sum, amount) => sum + unitsOf(amount), 0);
  const banks: readonly Bank[] = layout.memory.map((bytes) => {
    const reserved = Math.min(back, bytes);
    back -= reserved;
    return { allocatable: bytes - reserved, free: bytes - reserved, group: 0 };
  });
  return {
    /** The exclusive resources of a pod's containers, given those in use; or why they are not available. */
    place(pod: Pod, taken: Iterable<readonly Place[]>) {
      const requests = exclusiveRequestsOf(pod, settings);
      const problem = misaligned(requests, layout, settings);
      if (problem !== undefined) return { refusal: problem };
      const left: Left = { cpus: layout.cpus.filter(({ id }) => !kept.has(id)), banks, reusable: [] };
      for (const places of taken)
        for (const { cpus, memory, bytes } of places) {
          left.cpus = left.cpus.filter(({ id }) => !cpus.includes(id));
          left.banks = withTaken(left.banks, memory, bytes);
        }
      return placeAll(requests, left, layout, settings, all);
    },
  };
}

/** Only Guaranteed pods get exclusive resources: CPUs where they request whole ones. */
function exclusiveRequestsOf({ spec, status }: Pod, settings: CoreSettings): readonly ExclusiveRequest[] {
  const cpus = settings.cpuManagerPolicy === 'static';
  const memory = settings.memoryManagerPolicy === 'Static';
  const guaranteed = (status.qosClass ?? qosClassOf(spec)) === 'Guaranteed';
  const request = ({ name, resources }: Container, isInit: boolean): ExclusiveRequest => {
    const milli = milliUnitsOf(resources?.requests?.['cpu'] ?? '0');
    return {
      container: name,
      isInit,
      cpus: cpus && guaranteed && milli % 1_000 === 0 ? milli / 1_000 : 0,
      bytes: memory && guaranteed ? unitsOf(resources?.requests?.['memory'] ?? '0') : 0,
    };
  };
  return [...(spec.initContainers ?? []).map((each) => request(each, true)), ...spec.containers.map((each) => request(each, false))];
}

/** With `full-pcpus-only` a container gets whole cores or is refused. */
function misaligned(requests: readonly ExclusiveRequest[], { threadsPerCore }: Layout, settings: CoreSettings): Refusal | undefined {
  const odd = hasOption(settings, WHOLE_CORES) ? requests.find(({ cpus }) => cpus % threadsPerCore !== 0) : undefined;
  if (odd === undefined) return undefined;
  return {
    reason: 'SMTAlignmentError',
    message: `SMT Alignment Error: requested ${odd.cpus} cpus not multiple cpus per core = ${threadsPerCore}`,
  };
}

const sumOrMost = (requests: readonly ExclusiveRequest[], of: 'cpus' | 'bytes'): number =>
  Math.max(
    requests.reduce((sum, request) => (request.isInit ? sum : sum + request[of]), 0),
    ...requests.map((request) => (request.isInit ? request[of] : 0)),
  );

function placeAll(
  requests: readonly ExclusiveRequest[],
  left: Left,
  layout: Layout,
  settings: CoreSettings,
  all: Mask,
): { readonly places: readonly Place[] } | { readonly refusal: Refusal } {
  const agree = (cpus: number, bytes: number) =>
    placed(
      settings.topologyManagerPolicy,
      [
        cpus === 0 ? undefined : cpuHints(layout, left.cpus, left.reusable, cpus),
        bytes === 0 ? undefined : memoryHints(layout.masks, left.banks, bytes),
      ],
      all,
    );
  const ofPod = settings.topologyManagerScope === 'pod' ? agree(sumOrMost(requests, 'cpus'), sumOrMost(requests, 'bytes')) : undefined;
  const group = hasOption(settings, 'distribute-cpus-across-numa')
    ? hasOption(settings, WHOLE_CORES)
      ? layout.threadsPerCore
      : 1
    : undefined;
  const places: Place[] = [];
  for (const request of requests) {
    const { mask, admitted } = ofPod ?? agree(request.cpus, request.bytes);
    if (!admitted) return { refusal: UNALIGNED };
    const place = placeOne(request, left, layout, mask, group);
    if ('refusal' in place) return place;
    if (place.cpus.length > 0 || place.bytes > 0) places.push(place);
  }
  return { places };
}

function placeOne(
  request: ExclusiveRequest,
  left: Left,
  layout: Layout,
  mask: Mask | undefined,
  group: number | undefined,
): Place | { readonly refusal: Refusal } {
  const { container, isInit, bytes } = request;
  const cpus = request.cpus === 0 ? [] : allocate(layout, [...left.reusable, ...left.cpus], request.cpus, mask, group);
  if (cpus === undefined) return { refusal: unexpected('not enough cpus available to satisfy request') };
  left.cpus = left.cpus.filter((cpu) => !cpus.includes(cpu));
  left.reusable = isInit ? [...new Set([...left.reusable, ...cpus])] : left.reusable.filter((cpu) => !cpus.includes(cpu));
  const memory = bytes === 0 ? 0 : memoryPlace(layout.masks, left.banks, bytes, mask);
  if (memory === undefined)
    return {
      refusal: unexpected(
        mask === undefined
          ? '[memorymanager] failed to get the default NUMA affinity, no NUMA nodes with enough memory is available'
          : '[memorymanager] failed to find NUMA nodes to extend the current topology hint',
      ),
    };
  // An init container has exited when the others start.
  if (!isInit) left.banks = withTaken(left.banks, memory, bytes);
  return { container, cpus: cpus.map(({ id }) => id), cpuSet: cpuList(cpus), memory, bytes: isInit ? 0 : bytes };
}
