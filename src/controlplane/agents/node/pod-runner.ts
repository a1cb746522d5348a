/**
 * Runs the pods bound to one node: starts their containers, reports what they do, restarts them with back-off, ends them within their
 * grace period and then finalises the deletion. Models: v1.24 pkg/kubelet, status manager and pod workers.
 * Simplified: containers of a pod run in step; init containers finish at once; images and volumes are always there.
 */
import { controllerOf, type Names, type PodStatus } from '../../../apiserver/vocabulary/index.ts';
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import { parseTime } from '../../../grammar/values/index.ts';
import { defineController, type Outcome, type Write } from '../../runtime/index.ts';
import type { PodBehavior } from '../specs.ts';
import { behaviorsBy, completionIndexOf, type Behavior } from './behavior.ts';
import { clearAway, DEFAULT_GRACE_SECONDS, graceAfterRemoval, newsOfVolumes, sayVolumesInUse } from './leftovers.ts';
import type { Machine, RestartPolicy, Run, World } from './machine.ts';
import { podStatus } from './pod-status.ts';
import { mayMount, volumesOf } from './volumes.ts';

function attemptsOf(pod: Pod, names: Names): string {
  const owner = controllerOf(pod)?.uid ?? pod.metadata.uid;
  const index = completionIndexOf(pod, names);
  return index === undefined ? owner : `${owner}/${index}`;
}

const isOver = (pod: Pod): boolean => pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';

/** A conflict is tried again: if a namesake has taken the name, the cache will show it. */
const REPORT_MAY_FAIL: readonly string[] = ['NotFound', 'Invalid'];

const reportStatus = (pod: Pod, status: unknown): Write => ({
  op: 'patch',
  kind: 'Pod',
  namespace: pod.metadata.namespace ?? 'default',
  name: pod.metadata.name,
  subresource: 'status',
  patchType: 'merge',
  // The uid makes the patch miss a namesake created meanwhile.
  patch: { metadata: { uid: pod.metadata.uid }, status },
  tolerate: REPORT_MAY_FAIL,
});
const finalise = (pod: Pod): Write => ({
  op: 'delete',
  kind: 'Pod',
  namespace: pod.metadata.namespace ?? 'default',
  name: pod.metadata.name,
  uid: pod.metadata.uid,
  gracePeriodSeconds: 0,
  tolerate: ['NotFound'],
});

/** What has changed for a reader of the status; transition times alone never count. */
const fingerprint = (run: Run, now: number, failed: boolean): string =>
  `${run.stage}/${run.restarts}/${run.backoffMs}/${run.stage === 'running' && run.readyAt <= now}/${run.last?.finishedAt ?? ''}/${failed}`;

/** Whether the server has what the containers do: what an agent was about to say when it crashed, the next one has to. */
const isKnown = ({ status: { phase, containerStatuses } }: Pod, news: PodStatus): boolean =>
  phase === news.phase && JSON.stringify(containerStatuses) === JSON.stringify(news.containerStatuses);

/** An agent gives a reason with every readiness it denies; node-lifecycle does not when it marks the pods of a silent node. */
const wasMarkedUnready = ({ status }: Pod): boolean =>
  status.conditions?.some(({ type, status: is, reason }) => type === 'Ready' && is === 'False' && reason === undefined) === true;

/** Every pod is looked at anew after this long at most (upstream's --sync-frequency): only then is the mark noticed. */
const SYNC_MS = 60_000;
/** Claims that are not bound yet are asked for this often. */
const CLAIMS_MS = 2_000;

/** Whether a change of a pod can be news to its agent; what the agent itself reported is not. */
const concerns = (pod: Pod, old: Pod | undefined): boolean => {
  if (old === undefined || pod.spec !== old.spec || isOver(pod) !== isOver(old)) return true;
  const { metadata: is, status } = pod;
  const { metadata: was } = old;
  if (
    is.uid !== was.uid ||
    is.deletionTimestamp !== was.deletionTimestamp ||
    is.deletionGracePeriodSeconds !== was.deletionGracePeriodSeconds
  )
    return true;
  return (
    status.reason !== old.status.reason ||
    (status !== old.status && wasMarkedUnready(pod)) ||
    (pod.spec.activeDeadlineSeconds !== undefined && status.startTime !== old.status.startTime)
  );
};

const hasClaims = (pod: Pod): boolean =>
  pod.spec.volumes?.some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined) === true;

const sentence = (run: Run, now: number): string => {
  switch (run.stage) {
    case 'creating':
      return run.until === Infinity ? 'it waits for its volumes to be attached' : 'its containers are being created';
    case 'running':
      return run.killed
        ? 'its containers are being stopped'
        : run.readyAt <= now
          ? 'its containers run and are ready'
          : 'its containers run but are not ready yet';
    case 'waiting':
      return `its containers exited with ${run.last?.code ?? 0}; they restart after ${run.backoffMs / 1000} s`;
    case 'over':
      return run.last === undefined
        ? 'its containers never ran'
        : run.killed
          ? `its containers were stopped (exit code ${run.last?.code ?? 0})`
          : `its containers exited with ${run.last?.code ?? 0} and are not restarted`;
    default: {
      const never: never = run.stage;
      return never;
    }
  }
};

const nodeOf = (process: string): string => process.slice('agent/'.length);

/** The agent's part that runs pods. */
export function podRunner(world: World, behaviors: readonly PodBehavior[]) {
  let home: { readonly process: string; readonly nodeName: string; readonly machine: Machine } | undefined;
  const homeOf = (process: string) => {
    if (home?.process !== process) {
      const nodeName = nodeOf(process);
      home = { process, nodeName, machine: world.machine(nodeName) };
    }
    return home;
  };
  let find: { readonly names: Names; readonly of: (pod: Pod) => Behavior } | undefined;
  const behaviorOf = (pod: Pod, names: Names): Behavior => {
    if (find?.names !== names) find = { names, of: behaviorsBy(behaviors, names) };
    return find.of(pod);
  };
  const open = (machine: Machine, pod: Pod, names: Names, now: number): Run =>
    machine.run(pod.metadata.uid) ??
    machine.start(
      pod.metadata.uid,
      {
        behavior: behaviorOf(pod, names),
        policy: (pod.spec.restartPolicy ?? 'Always') as RestartPolicy,
        attemptsOf: attemptsOf(pod, names),
        held: hasClaims(pod),
      },
      now,
    );
  /** Lets containers begin once their volumes are there; false while a claim has no volume. */
  const mount = (machine: Machine, pod: Pod, run: Run, nodeName: string, names: Names, now: number): boolean => {
    if (!hasClaims(pod)) return true;
    const { uid } = pod.metadata;
    const key = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
    if (run.stage === 'over') {
      machine.volumesOf.delete(uid);
      machine.waiting.delete(key);
      return true;
    }
    if (run.stage !== 'creating' || run.until !== Infinity) return true;
    const volumes = volumesOf(pod, world, names);
    if (volumes === undefined) {
      machine.waiting.add(key);
      return false;
    }
    if (!machine.volumesOf.has(uid))
      machine.volumesOf.set(
        uid,
        volumes.filter(({ mustAttach }) => mustAttach).map(({ name }) => name),
      );
    // The server is asked: what was watched may be of yesterday.
    if (!mayMount(volumes, world.read('Node', nodeName) as Node | undefined)) {
      machine.waiting.add(key);
      return true;
    }
    machine.waiting.delete(key);
    machine.release(run, now);
    return true;
  };

  return defineController<'Pod', { readonly syncAt: number }, Set<string>>({
    name: 'pod-runner',
    component: 'kubelet',
    reconciles: 'Pod',
    writes: ['Pod', 'Node'],
    models:
      'v1.24 pkg/kubelet: pod workers and status manager. Simplified: containers of a pod run in step, init containers finish at once.',
    self: {
      only: { index: 'nodeName', value: nodeOf },
      enqueue({ type, key, object, old }, { process, now, state: reporting }) {
        const { machine } = homeOf(process);
        const { uid } = object.metadata;
        const run = type === 'DELETED' ? machine.run(uid) : undefined;
        if (type === 'DELETED') reporting.delete(uid);
        if (run === undefined) return type !== 'MODIFIED' || concerns(object, old) ? key : undefined;
        machine.advance(run, now);
        machine.kill(run, now, graceAfterRemoval(object) * 1000);
        return [key, uid];
      },
    },
    watches: [
      {
        kind: 'Node',
        only: { index: 'name', value: nodeOf },
        enqueue({ type, key, object }, { process }) {
          const { machine } = homeOf(process);
          // A node that is new to the agent may not say what the agent before it did not get to say.
          return [...machine.waiting, ...(type === 'ADDED' && newsOfVolumes(machine, object as Node) !== undefined ? [key] : [])];
        },
      },
    ],
    /** Uids of the pods of which this incarnation has reported. */
    start: () => new Set(),
    // Pods that went while the agent was down.
    startKeys({ cache, process }) {
      const { nodeName, machine } = homeOf(process);
      const living = new Set(cache.by('Pod', 'nodeName', nodeName).map(({ metadata }) => metadata.uid));
      return [...machine.uids()].filter((uid) => !living.has(uid));
    },
    reconcile({ self: pod, now, names, cache, process, memory, state: reporting }): Outcome<{ readonly syncAt: number }> {
      const { nodeName, machine } = homeOf(process);
      const { uid, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
      if (isOver(pod)) {
        const news = machine.volumesOf.has(uid) ? { enqueue: [nodeName] } : {};
        machine.forget(uid);
        if (deletionTimestamp === undefined) return { why: 'it is over', writes: [], ...news };
        return { why: 'it is over and to be deleted', writes: deletionGracePeriodSeconds === 0 ? [] : [finalise(pod)], ...news };
      }
      const run = open(machine, pod, names, now);
      machine.advance(run, now);
      const deadline =
        pod.spec.activeDeadlineSeconds === undefined || pod.status.startTime === undefined
          ? Infinity
          : parseTime(pod.status.startTime) + pod.spec.activeDeadlineSeconds * 1000;
      const expired = now >= deadline && run.stage !== 'over';
      if (deletionTimestamp !== undefined) machine.kill(run, now, (deletionGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1000);
      else if (expired) machine.kill(run, now, 0);
      machine.advance(run, now);
      const unbound = !mount(machine, pod, run, nodeName, names, now);
      machine.advance(run, now);
      const failure =
        expired || pod.status.reason === 'DeadlineExceeded'
          ? { reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' }
          : undefined;
      const reported = fingerprint(run, now, failure !== undefined);
      const syncAt =
        run.reported === reported && run.stage === 'running' && run.readyAt <= now && !run.killed && wasMarkedUnready(pod)
          ? (memory?.syncAt ?? now + SYNC_MS)
          : Infinity;
      const isNews =
        run.reported !== reported || syncAt <= now || (!reporting.has(uid) && !isKnown(pod, podStatus(pod, run, machine, now, failure)));
      const writes: Write[] = isNews ? [reportStatus(pod, podStatus(pod, run, machine, now, failure))] : [];
      run.reported = reported;
      reporting.add(uid);
      if (run.stage === 'over' && deletionTimestamp !== undefined) writes.push(finalise(pod));
      const nextAt = Math.min(
        run.until,
        run.stage === 'running' && run.readyAt > now ? run.readyAt : Infinity,
        run.stage === 'over' ? Infinity : deadline,
        syncAt > now ? syncAt : Infinity,
      );
      const why = sentence(run, now);
      const wake =
        unbound && now + CLAIMS_MS < nextAt
          ? { wakeAt: now + CLAIMS_MS, background: true }
          : nextAt < Infinity && nextAt > now
            ? { wakeAt: nextAt }
            : {};
      const told = !hasClaims(pod) || newsOfVolumes(machine, cache.get('Node', undefined, nodeName)) === undefined;
      const outcome = { why, writes, ...wake, ...(told ? {} : { enqueue: [nodeName] }) };
      if (syncAt > now && syncAt < Infinity) return { ...outcome, memory: { syncAt } };
      return memory === undefined ? outcome : { ...outcome, memory: null };
    },
    reconcileAbsent({ key, now, cache, process }) {
      const { nodeName, machine } = homeOf(process);
      if (key === nodeName) return sayVolumesInUse(machine, cache.get('Node', undefined, nodeName), nodeName);
      if (!key.includes('/')) return clearAway(machine, key, nodeName, now);
      machine.waiting.delete(key);
      return { why: 'the pod is gone from this node', writes: [] };
    },
    recover({ self: pod, process }) {
      // What could not be reported is news again at the next try.
      const run = pod === undefined ? undefined : homeOf(process).machine.run(pod.metadata.uid);
      if (run !== undefined) run.reported = undefined;
      return undefined;
    },
  });
}
