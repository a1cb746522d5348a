/**
 * Admission of pods by an agent, once for each pod: node pressure, sysctls, topology, resources. The first refusal counts. Models: v1.24
 * pkg/kubelet canAdmitPod and its handlers in their order. Simplified: a restarted agent does not repeat the admission of a pod.
 */
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import { keyOf } from '../../../../apiserver/machinery/index.ts';
import { record, type Write } from '../../../runtime/index.ts';
import { addAmounts, type HostPort, requestsOf } from '../../../shared/index.ts';
import { killed, type Run } from '../containers.ts';
import type { Action } from '../actions.ts';
import { admitUnderPressure } from '../eviction/thresholds.ts';
import { graceSeconds } from '../orphaned-pods.ts';
import type { MachineView } from '../machine.ts';
import type { NodeContext, PodInput } from '../node-context.ts';
import { isCritical, isStatic, shortagesOf, placementProblem, outOf, refusedSysctl } from './resources.ts';
import type { Booked, Capacity, Refusal } from './resources.ts';
import { victimsFor } from './preempting.ts';
import type { Place } from '../cores/admit.ts';

type Admitter = Pick<NodeContext, 'machine' | 'nodeName' | 'allowedSysctls' | 'capacityOf' | 'cores'>;
type Seen = Pick<PodInput, 'cache' | 'names' | 'now' | 'state'>;
type Begun = readonly Pick<Run, 'asks' | 'places'>[];

/** Pods that are ended first: the actions and writes for that, and when the last of them is gone. */
export interface Clearing {
  readonly actions: readonly Action[];
  readonly writes: readonly Write[];
  readonly keys: readonly string[];
  readonly wakeAt: number;
}

/**
 * The pod is refused; or other pods are ended first; or it is admitted with exclusive resources of its containers. undefined: it is
 * admitted without exclusive resources.
 */
export type Admission = { readonly refusal: Refusal } | { readonly clearing: Clearing } | { readonly places: readonly Place[] } | undefined;

const PREEMPTED = { reason: 'Preempting', message: 'Preempted in order to admit critical pod' } as const;
const isLeaving = ({ failure, stage }: Run): boolean => failure?.reason === PREEMPTED.reason && stage !== 'over';

/**
 * Admits a pod, refuses it, or preempts others for it. Only for a pod without containers on the node. `begun`: pods admitted by the same
 * decision, which are not on the machine yet.
 */
export function judge(pod: Pod, nodeContext: Admitter, input: Seen, begun?: Begun): Admission {
  const { machine, nodeName, cores } = nodeContext;
  const { names, cache } = input;
  const refusal = admitUnderPressure(pod, input.state.eviction.pressures, names) ?? refusedSysctl(pod, nodeContext.allowedSysctls);
  if (refusal !== undefined) return { refusal };
  const placed = cores?.place(pod, placesTaken(machine, begun));
  if (placed !== undefined && 'refusal' in placed) return placed;
  const node = cache.get('Node', undefined, nodeName);
  const asks = requestsOf(pod.spec);
  const capacity = nodeContext.capacityOf(node);
  const [first] = shortagesOf(asks, capacity, changed(machine.booked, begun, 1), names);
  const place = placementProblem(pod, asks, node, () => portsInUse(machine, begun), isStatic(pod, names));
  if (first === undefined) return place === undefined ? placed : { refusal: place };
  if (!isCritical(pod, names)) return { refusal: outOf(first) };
  return place === undefined ? clear(pod, nodeContext, input, capacity, begun) : { refusal: place };
}

function portsInUse(machine: MachineView, begun: Begun = []): readonly HostPort[] {
  const ports: HostPort[] = begun.flatMap(({ asks }) => asks.hostPorts);
  for (const uid of machine.uids()) {
    const run = machine.run(uid);
    if (run !== undefined && run.stage !== 'over') ports.push(...run.asks.hostPorts);
  }
  return ports;
}

function* placesTaken(machine: MachineView, begun: Begun = []): Generator<readonly Place[]> {
  for (const { places } of begun) if (places !== undefined) yield places;
  for (const uid of machine.uids()) {
    const run = machine.run(uid);
    if (run?.places !== undefined && run.stage !== 'over') yield run.places;
  }
}

function clear(pod: Pod, { machine, nodeName }: Admitter, { names, now, cache }: Seen, capacity: Capacity, begun?: Begun): Admission {
  const runs = cache.by('Pod', 'nodeName', nodeName).flatMap((other) => {
    const run = machine.run(other.metadata.uid);
    return run === undefined || run.stage === 'over' || other.metadata.uid === pod.metadata.uid ? [] : [{ pod: other, run }];
  });
  const leaving = runs.flatMap(({ run }) => (isLeaving(run) ? [run] : []));
  const staying = runs.flatMap(({ run, pod: other }) => (isLeaving(run) ? [] : [other]));
  const left = shortagesOf(requestsOf(pod.spec), capacity, changed(changed(machine.booked, begun, 1), leaving, -1), names);
  const victims = left.length === 0 ? [] : victimsFor(pod, left, staying, names);
  if (typeof victims === 'string') return { refusal: { reason: 'UnexpectedAdmissionError', message: victims } };
  const ends = runs.flatMap(({ pod: other, run }) => {
    if (!victims.includes(other)) return [];
    return [{ pod: other, run: { ...killed(run, now, graceSeconds(other) * 1_000), failure: PREEMPTED } }];
  });
  const ending = [...leaving, ...ends.map(({ run }) => run)];
  return {
    clearing: {
      actions: ends.map(({ pod: { metadata }, run }) => ({ does: 'evict', uid: metadata.uid, run })),
      writes: ends.map(({ pod: other }) => record(other, 'Warning', PREEMPTED.reason, PREEMPTED.message)),
      keys: ends.map(({ pod: other }) => keyOf(other)),
      wakeAt: Math.max(now + 1, ...ending.map((run) => (run.stage === 'over' ? 0 : run.until))),
    },
  };
}

function changed(booked: Readonly<Booked>, these: readonly Pick<Run, 'asks'>[] | undefined, sign: 1 | -1): Readonly<Booked> {
  if (these === undefined || these.length === 0) return booked;
  const { amounts, pods } = booked;
  const after = { ...amounts, others: new Map(amounts.others) };
  for (const { asks } of these) addAmounts(after, asks.requests, sign);
  return { amounts: after, pods: pods + sign * these.length };
}
