/**
 * Admission of pods by an agent, once for each pod: node pressure, sysctls, topology, resources. The first refusal counts. Models: v1.24
 * pkg/kubelet canAdmitPod and its handlers in their order. Simplified: a restarted agent does not repeat the admission of a pod.
 */
import type { Node, Pod } from '../../../../apiserver/kinds/index.ts';
import { keyOf, type Names } from '../../../../apiserver/machinery/index.ts';
import { record, type Write } from '../../../runtime/index.ts';
import { addAmounts, type HostPort, requestsOf } from '../../../shared/index.ts';
import { killed, type Run } from '../containers.ts';
import type { Action } from '../actions.ts';
import { admitUnderPressure, type Pressure } from '../eviction/thresholds.ts';
import { DEFAULT_GRACE_SECONDS } from '../orphaned-pods.ts';
import type { MachineView } from '../machine.ts';
import { isCritical, type Refusal, type Booked, shortagesOf, placementProblem, outOf, type Capacity, refusedSysctl } from './resources.ts';
import { victimsFor } from './preempting.ts';
import type { Cores, Place } from '../cores/admit.ts';

export interface Gate {
  readonly machine: MachineView;
  readonly names: Names;
  readonly now: number;
  readonly pressures: readonly Pressure[];
  readonly allowedSysctls: readonly string[];
  /** Pods admitted by the same decision, which are not on the machine yet. */
  readonly begun?: readonly Pick<Run, 'asks' | 'places'>[];
  readonly cores: Cores | undefined;
  /** The Node as the agent last saw it. */
  readonly node: Node | undefined;
  capacityOf(node: Node | undefined): Capacity;
  /** The pods of the API server that are bound here. */
  pods(): readonly Pod[];
}

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

/** Admits a pod, refuses it, or preempts others for it. Only for a pod without containers on the node. */
export function judge(pod: Pod, gate: Gate): Admission {
  const { names, pressures, machine, node } = gate;
  if (pressures.length > 0) {
    const refusal = admitUnderPressure(pod, pressures, names);
    if (refusal !== undefined) return { refusal };
  }
  if (pod.spec.securityContext?.sysctls !== undefined) {
    const refusal = refusedSysctl(pod, gate.allowedSysctls);
    if (refusal !== undefined) return { refusal };
  }
  const placed = gate.cores?.place(pod, placesTaken(gate));
  if (placed !== undefined && 'refusal' in placed) return placed;
  const asks = requestsOf(pod.spec);
  const shortages = shortagesOf(asks, gate.capacityOf(node), changed(machine.booked, gate.begun, 1), names);
  const isStatic = (pod.metadata.annotations?.[names.key('', 'config.source')] ?? 'api') !== 'api';
  const place = placementProblem(pod, asks, node, () => portsInUse(gate), isStatic);
  const [first] = shortages;
  if (first === undefined) return place === undefined ? placed : { refusal: place };
  if (!isCritical(pod, names)) return { refusal: outOf(first) };
  return place === undefined ? clear(pod, gate) : { refusal: place };
}

function portsInUse({ machine, begun = [] }: Gate): readonly HostPort[] {
  const ports: HostPort[] = begun.flatMap(({ asks }) => asks.hostPorts);
  for (const uid of machine.uids()) {
    const run = machine.run(uid);
    if (run !== undefined && run.stage !== 'over') ports.push(...run.asks.hostPorts);
  }
  return ports;
}

function* placesTaken({ machine, begun = [] }: Gate): Generator<readonly Place[]> {
  for (const { places } of begun) if (places !== undefined) yield places;
  for (const uid of machine.uids()) {
    const run = machine.run(uid);
    if (run?.places !== undefined && run.stage !== 'over') yield run.places;
  }
}

/** Preempts pods for a critical one, or waits for those that are ending. */
function clear(pod: Pod, { machine, names, now, node, capacityOf, pods, begun }: Gate): Admission {
  const runs = pods().flatMap((other) => {
    const run = machine.run(other.metadata.uid);
    return run === undefined || run.stage === 'over' || other.metadata.uid === pod.metadata.uid ? [] : [{ pod: other, run }];
  });
  const leaving = runs.filter(({ run }) => isLeaving(run));
  const goes = leaving.map(({ run }) => run);
  const left = shortagesOf(requestsOf(pod.spec), capacityOf(node), changed(changed(machine.booked, begun, 1), goes, -1), names);
  const victims =
    left.length === 0
      ? []
      : victimsFor(
          pod,
          left,
          runs.flatMap(({ run, pod: other }) => (isLeaving(run) ? [] : [other])),
          names,
        );
  if (typeof victims === 'string') return { refusal: { reason: 'UnexpectedAdmissionError', message: victims } };
  const ends = runs.flatMap(({ pod: other, run }) => {
    if (!victims.includes(other)) return [];
    const grace = (other.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1_000;
    return [{ pod: other, run: { ...killed(run, now, grace), failure: PREEMPTED } }];
  });
  const last = Math.max(now + 1, ...[...leaving, ...ends].map(({ run }) => (run.stage === 'over' ? 0 : run.until)));
  return {
    clearing: {
      actions: ends.map(({ pod: { metadata }, run }) => ({ does: 'evict', uid: metadata.uid, run })),
      writes: ends.map(({ pod: other }) => record(other, 'Warning', PREEMPTED.reason, PREEMPTED.message)),
      keys: ends.map(({ pod: other }) => keyOf(other)),
      wakeAt: last,
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
