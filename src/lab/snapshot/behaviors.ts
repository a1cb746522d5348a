/**
 * Behaviours that a dump shows, as documents of the scenario format: how long runs take, how long containers need to start and to be ready,
 * and what they use. Each has the words for the comment above it.
 */
import { controllerOf, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { CronJob, HorizontalPodAutoscaler, Job, Pod } from '../../apiserver/kinds/index.ts';
import { finishedCondition, requestsOf } from '../../controlplane/shared/index.ts';
import { compareText, formatDurationMs, keptIn, median, milliUnitsOf, unitsOf, plural, pushTo } from '../../schema/values/index.ts';
import { measuredBy } from './machines.ts';
import { objectsOf } from './state.ts';
import type { Snapshot } from './snapshot.ts';
import { startsOf, type Suggestion, timeOf, type Worked } from './starts.ts';

export interface Suggestions {
  readonly podBehaviors: readonly Suggestion[];
  readonly usage: readonly Suggestion[];
}

const DEFAULT_RUN_MS = 60_000;

/** Returns the behaviours that a dump shows, the workloads with the most pods first. */
export function behaviorsIn({ objects, takenAt = 0 }: Snapshot): Suggestions {
  const workloads = workloadsIn(objects);
  const services = workloads.filter(({ object }) => SERVICES.has(object.kind));
  return {
    podBehaviors: [
      ...cronJobs(objects, workloads),
      ...jobs(workloads, takenAt),
      ...services.flatMap((each) => startsOf(each, takenAt).map((one) => ({ ...one, entry: { ...selecting(each), ...one.entry } }))),
    ],
    usage: usageIn(objects, services),
  };
}

const SERVICES: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);

/** The pods of each object that no other controls, by the references to controllers. */
function workloadsIn(objects: readonly ApiObject[]): readonly Worked[] {
  const byUid = new Map(objects.map((object) => [object.metadata.uid, object]));
  const pods = new Map<string, Pod[]>();
  for (const pod of objectsOf<Pod>({ objects }, 'Pod')) {
    const direct = byUid.get(controllerOf(pod)?.uid ?? '');
    const above = direct?.kind === 'ReplicaSet' ? byUid.get(controllerOf(direct)?.uid ?? '') : undefined;
    const owner = above ?? direct;
    if (owner !== undefined) pushTo(pods, owner.metadata.uid, pod);
  }
  return objects
    .filter(({ kind, metadata: { uid } }) => SERVICES.has(kind) || kind === 'Job' || pods.has(uid))
    .map((object) => ({ object, pods: pods.get(object.metadata.uid) ?? [] }))
    .sort((a, b) => b.pods.length - a.pods.length || compareText(nameOf(a.object), nameOf(b.object)));
}

const nameOf = ({ metadata: { namespace = '', name } }: ApiObject): string => `${namespace}/${name}`;
const titleOf = (object: ApiObject): string => `${object.kind} ${nameOf(object)}`;

/** The selector of a workload; a pod may be of two only where the cluster itself is confused. */
const selecting = ({ object: { spec, metadata } }: Worked) => ({ namespace: metadata.namespace, selector: spec?.selector });

/** How long the containers of finished pods ran, milliseconds; at least a second. */
const runsOf = (pods: readonly Pod[]): readonly number[] =>
  pods.flatMap(({ status }) => {
    const ended = (status.containerStatuses ?? []).flatMap(({ state }) => state?.terminated ?? []);
    if (ended.length === 0 || (status.phase !== 'Succeeded' && status.phase !== 'Failed')) return [];
    const times = ended.map(({ startedAt, finishedAt }) => timeOf(finishedAt) - timeOf(startedAt));
    const longest = Math.max(...times);
    return Number.isFinite(longest) && longest >= 0 ? [Math.max(longest, 1_000)] : [];
  });

const seconds = (ms: number): string => formatDurationMs(Math.max(Math.round(ms / 1000), 1) * 1000);

function cronJobs(objects: readonly ApiObject[], workloads: readonly Worked[]): readonly Suggestion[] {
  const runs = new Map<string, { readonly ran: number[]; failed: number }>();
  for (const { object, pods } of workloads) {
    const by = object.kind === 'Job' ? controllerOf(object) : undefined;
    if (by === undefined) continue;
    const of = keptIn(runs, by.uid, () => ({ ran: [], failed: 0 }));
    const job = object as Job;
    const { status } = job;
    const took = timeOf(status.completionTime) - timeOf(status.startTime);
    const ran = runsOf(pods);
    of.ran.push(...(ran.length > 0 ? ran : took >= 0 ? [took] : []));
    if (finishedCondition(job)?.type === 'Failed') of.failed++;
  }
  return objectsOf<CronJob>({ objects }, 'CronJob').map((cron) => {
    const { ran, failed } = runs.get(cron.metadata.uid) ?? { ran: [], failed: 0 };
    const last = timeOf(cron.status.lastSuccessfulTime) - timeOf(cron.status.lastScheduleTime);
    const known = median(ran) ?? (last > 0 ? last : undefined);
    const why =
      ran.length > 0
        ? `${plural(ran.length, 'run')} in the dump took ${seconds(known ?? 0)} in the middle${failed > 0 ? `, ${failed} failed` : ''}`
        : known === undefined
          ? 'no run of it has finished in the dump: a guess'
          : 'from its last schedule to its last success';
    return {
      about: `CronJob ${nameOf(cron)}: ${why}`,
      entry: {
        namespace: cron.metadata.namespace,
        owner: `Job/${cron.metadata.name}-*`,
        runFor: seconds(known ?? DEFAULT_RUN_MS),
        exitCodes: failed > 0 && failed * 2 > ran.length ? [1] : [0],
      },
    };
  });
}

/** Jobs that have not ended, without those of CronJobs. */
function jobs(workloads: readonly Worked[], now: number): readonly Suggestion[] {
  return workloads.flatMap(({ object, pods }) => {
    if (object.kind !== 'Job' || controllerOf(object) !== undefined) return [];
    const { metadata, status } = object as Job;
    if (finishedCondition(object as Job) !== undefined) return [];
    const ran = median(runsOf(pods));
    const since = pods.flatMap(({ status: { startTime } }) => (Number.isFinite(timeOf(startTime)) ? [now - timeOf(startTime)] : []));
    const age = since.length === 0 ? undefined : Math.max(...since);
    const [runMs, why] =
      ran !== undefined
        ? [ran, `its finished pods ran ${seconds(ran)}`]
        : age !== undefined
          ? [Math.max(age * 2, 1_000), `none of its pods has finished in ${seconds(age)}: twice that`]
          : [DEFAULT_RUN_MS, 'it has no pods in the dump: a guess'];
    const failed = Math.min(status.failed ?? 0, 8);
    return [
      {
        about: `Job ${nameOf(object)}: ${why}${failed > 0 ? `; ${plural(failed, 'pod')} failed` : ''}`,
        entry: { namespace: metadata.namespace, owner: `Job/${metadata.name}`, runFor: seconds(runMs), exitCodes: [0] },
      },
    ];
  });
}

/** What pods use: what autoscalers measured; a share that keeps an autoscaler at rest; else what they request. */
function usageIn(objects: readonly ApiObject[], services: readonly Worked[]): readonly Suggestion[] {
  const scalers = new Map(
    objectsOf<HorizontalPodAutoscaler>({ objects }, 'HorizontalPodAutoscaler').map((each) => [
      `${each.spec.scaleTargetRef.kind} ${each.metadata.namespace ?? ''}/${each.spec.scaleTargetRef.name}`,
      each,
    ]),
  );
  return services.flatMap((each): readonly Suggestion[] => {
    const [pod] = each.pods;
    if (pod === undefined) return [];
    const { requests } = requestsOf(pod.spec);
    const scaler = scalers.get(titleOf(each.object));
    const measured = scaler === undefined ? undefined : usedBy(scaler, each.pods.length, requests);
    const cpu = measured?.cpu ?? (requests.milliCpu === 0 ? undefined : `${requests.milliCpu}m`);
    const memory = measured?.memory ?? (requests.memory === 0 ? undefined : amount(requests.memory));
    if (cpu === undefined && memory === undefined) return [];
    const about = `${titleOf(each.object)}: ${measured?.why ?? 'what its pods request'}`;
    const whose = selecting(each);
    if (measured === undefined) return [{ about, entry: { ...whose, cpu, memory } }];
    return [
      { about, entry: { ...whose, shared: true, cpu } },
      ...(memory === undefined ? [] : [{ about: `${titleOf(each.object)}: memory`, entry: { ...whose, memory } }]),
    ];
  });
}

/** What all pods of a workload use together; cpu and memory are absent where nothing says so. */
function usedBy(scaler: HorizontalPodAutoscaler, pods: number, requests: { readonly milliCpu: number; readonly memory: number }) {
  const { metadata, spec } = scaler;
  const share = (resource: string, requested: number): number | undefined => {
    const target = spec.metrics?.find((each) => each.resource?.name === resource)?.resource?.target.averageUtilization;
    return target === undefined || requested === 0 ? undefined : Math.round((requested * target) / 100);
  };
  const [cpu, memory] = [measuredBy(scaler, 'cpu'), measuredBy(scaler, 'memory')];
  if (cpu !== undefined || memory !== undefined)
    return {
      cpu: cpu === undefined ? undefined : `${milliUnitsOf(cpu) * Math.max(pods, 1)}m`,
      memory: memory === undefined ? undefined : amount(unitsOf(memory)),
      why: `what HorizontalPodAutoscaler ${metadata.name} measured last, of all its pods together`,
    };
  const [milliCpu, bytes] = [share('cpu', requests.milliCpu * pods), share('memory', requests.memory)];
  return {
    cpu: milliCpu === undefined ? undefined : `${milliCpu}m`,
    memory: bytes === undefined ? undefined : amount(bytes),
    why: `HorizontalPodAutoscaler ${metadata.name} has measured nothing: its target, of all its pods together`,
  };
}

/** Bytes as a quantity: in Mi where they are whole. */
const amount = (bytes: number): string => (bytes % (1 << 20) === 0 ? `${bytes / (1 << 20)}Mi` : String(bytes));
