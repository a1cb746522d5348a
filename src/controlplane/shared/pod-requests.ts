/**
 * The resource requests of pods, computed once per spec: pods of one template share the result. Models: v1.24 pkg/scheduler/framework types
 * (Resource), used by schedulers to place pods and by agents to admit them.
 */
import type { PodSpec } from '../../apiserver/machinery/index.ts';
import { milliUnitsOf, unitsOf } from '../../schema/values/index.ts';
import { perObject } from '../../engine/index.ts';

/** Amounts of resources. CPU in thousandths of a core, everything else in its base unit. */
export interface Amounts {
  milliCpu: number;
  memory: number;
  ephemeralStorage: number;
  /** Every other resource by name, except pods. */
  readonly others: Map<string, number>;
}

/** The name of an image with a tag or a digest, as nodes report it. */
export const withTag = (image: string): string => (image.lastIndexOf(':') > image.lastIndexOf('/') ? image : `${image}:latest`);

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

export interface SpecInfo {
  readonly requests: Readonly<Amounts>;
  /** The same with upstream's defaults for containers without requests, so that pods without requests spread too. */
  readonly nonZeroMilliCpu: number;
  readonly nonZeroMemory: number;
  /** Added to the CPU of this pod while it is scored: see `overheadSlip`. */
  readonly scoredCpuSlip: number;
  readonly hostPorts: readonly HostPort[];
  readonly images: readonly string[];
  readonly containers: number;
}

/** Upstream's defaults for absent requests: 100m and 200 MiB. */
const UNSTATED_MILLI_CPU = 100;
const UNSTATED_MEMORY = 200 * 1024 * 1024;

type Requesting = Pick<PodSpec, 'containers' | 'initContainers' | 'overhead'>;

type Requests = Readonly<Record<string, string>> | undefined;

export const emptyAmounts = (): Amounts => ({ milliCpu: 0, memory: 0, ephemeralStorage: 0, others: new Map() });

export function amountsOf(list: Requests): Amounts {
  const amounts = emptyAmounts();
  for (const name in list) {
    const text = list[name] ?? '0';
    if (name === 'cpu') amounts.milliCpu = milliUnitsOf(text);
    else if (name === 'memory') amounts.memory = unitsOf(text);
    else if (name === 'ephemeral-storage') amounts.ephemeralStorage = unitsOf(text);
    else if (name !== 'pods') amounts.others.set(name, unitsOf(text));
  }
  return amounts;
}

/** Adds amounts in place; with -1 subtracts them. */
export function addAmounts(to: Amounts, more: Readonly<Amounts>, sign: 1 | -1 = 1): void {
  to.milliCpu += sign * more.milliCpu;
  to.memory += sign * more.memory;
  to.ephemeralStorage += sign * more.ephemeralStorage;
  for (const [name, amount] of more.others) to.others.set(name, (to.others.get(name) ?? 0) + sign * amount);
}

function raiseTo(amounts: Amounts, least: Readonly<Amounts>): void {
  amounts.milliCpu = Math.max(amounts.milliCpu, least.milliCpu);
  amounts.memory = Math.max(amounts.memory, least.memory);
  amounts.ephemeralStorage = Math.max(amounts.ephemeralStorage, least.ephemeralStorage);
  for (const [name, amount] of least.others) amounts.others.set(name, Math.max(amounts.others.get(name) ?? 0, amount));
}

const nonZeroCpu = (requests: Requests): number => (requests?.['cpu'] === undefined ? UNSTATED_MILLI_CPU : milliUnitsOf(requests['cpu']));
const nonZeroMemory = (requests: Requests): number => (requests?.['memory'] === undefined ? UNSTATED_MEMORY : unitsOf(requests['memory']));

/**
 * v1.24 rounds the CPU of an overhead up to whole cores and counts these as thousandths, but only for the pod that it scores: 250m count as
 * 1m. On a node, and in filtering, 250m are 250m. Models: v1.24 plugins/noderesources resource_allocation (calculatePodResourceRequest).
 */
const overheadSlip = (cpu: string | undefined): number => (cpu === undefined ? 0 : unitsOf(cpu) - milliUnitsOf(cpu));

function specInfo(spec: Requesting): SpecInfo {
  const requests = emptyAmounts();
  let nonZeroMilliCpu = 0;
  let nonZeroMem = 0;
  const hostPorts: HostPort[] = [];
  for (const container of spec.containers) {
    const own = container.resources?.requests;
    addAmounts(requests, amountsOf(own));
    nonZeroMilliCpu += nonZeroCpu(own);
    nonZeroMem += nonZeroMemory(own);
    for (const { hostPort, hostIP, protocol } of container.ports ?? []) {
      if (hostPort !== undefined && hostPort > 0)
        hostPorts.push({ ip: hostIP === undefined || hostIP === '' ? '0.0.0.0' : hostIP, protocol: protocol ?? 'TCP', port: hostPort });
    }
  }
  // Init containers run one after another before the others: the maximum counts.
  for (const container of spec.initContainers ?? []) {
    const own = container.resources?.requests;
    raiseTo(requests, amountsOf(own));
    nonZeroMilliCpu = Math.max(nonZeroMilliCpu, nonZeroCpu(own));
    nonZeroMem = Math.max(nonZeroMem, nonZeroMemory(own));
  }
  if (spec.overhead !== undefined) {
    const overhead = amountsOf(spec.overhead);
    addAmounts(requests, overhead);
    nonZeroMilliCpu += overhead.milliCpu;
    nonZeroMem += overhead.memory;
  }
  return {
    requests,
    nonZeroMilliCpu,
    nonZeroMemory: nonZeroMem,
    scoredCpuSlip: overheadSlip(spec.overhead?.['cpu']),
    hostPorts,
    images: spec.containers.map(({ image }) => image ?? ''),
    containers: spec.containers.length,
  };
}

/** Bound specs differ by node, which requests do not depend on; their lists of containers are shared. */
const byContainers = perObject((_containers: PodSpec['containers'], spec: Requesting) => specInfo(spec));

/** The requests of a pod's spec, cached by spec and, without init containers and overhead, by list of containers. */
export const requestsOf = perObject((spec: Requesting) =>
  spec.initContainers === undefined && spec.overhead === undefined ? byContainers(spec.containers, spec) : specInfo(spec),
);
