/** How the pods of a workload start by a dump: until they run, until they are ready, and whether they are restarted. */
import type { Pod } from '../../apiserver/kinds/index.ts';
import type { ApiObject, ContainerStatus } from '../../apiserver/machinery/index.ts';
import { formatDurationMs, median, parseTime, plural } from '../../schema/values/index.ts';

/** An entry of a file of behaviours. */
export interface Suggestion {
  /** What it is about, and what in the dump it follows from. */
  readonly about: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** It would change a cluster that is at rest: it stands in a comment. */
  readonly isOff?: true;
}

/** A workload with the pods that it controls, also through a ReplicaSet. */
export interface Worked {
  readonly object: ApiObject & { readonly spec?: { readonly selector?: unknown } };
  readonly pods: readonly Pod[];
}

/** Longer is not the start of a container, but what happened to its pod. */
const LONGEST_START_MS = 30 * 60_000;

/** Milliseconds since the epoch; NaN: there is no time. */
export const timeOf = (time: string | null | undefined): number => (time === undefined || time === null ? Number.NaN : parseTime(time));

/** The entries of a workload, without its selector. */
export function startsOf({ object, pods }: Worked, now: number): readonly Suggestion[] {
  const { kind, metadata } = object;
  const title = `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
  const fresh = pods.filter((pod) => statusesOf(pod).every(({ restartCount }) => restartCount === 0));
  const startMs = seconds(median(fresh.flatMap((pod) => delay(conditionAt(pod, 'PodScheduled'), startedAt(pod)))));
  const readyMs = seconds(median(fresh.flatMap((pod) => delay(startedAt(pod), conditionAt(pod, 'Ready')))));
  const unready = pods.filter((pod) => startedAt(pod) !== undefined && conditionAt(pod, 'Ready') === undefined).length;
  const start = startMs === 0 ? {} : { startDelay: formatDurationMs(startMs) };
  const ready = readyMs === 0 ? {} : { readyDelay: formatDurationMs(readyMs) };
  const restarted = restartsIn(pods, now);
  if (restarted?.isLooping === true) return [{ about: `${title}: ${restarted.about}`, entry: { ...start, ...restarted.entry } }];
  const starts: readonly Suggestion[] =
    startMs === 0 && readyMs === 0
      ? []
      : unready > 0 && readyMs > 0
        ? [
            ...(startMs === 0 ? [] : [{ about: `${title}: ${plural(fresh.length, 'pod')} started so`, entry: start }]),
            {
              about: `${title}: ${plural(unready, 'pod')} run and are not ready; with this line, in place of another of its own, they get ready`,
              entry: { ...start, ...ready },
              isOff: true,
            },
          ]
        : [{ about: `${title}: ${plural(fresh.length, 'pod')} started so`, entry: { ...start, ...ready } }];
  return restarted === undefined
    ? starts
    : [...starts, { about: `${title}: ${restarted.about}`, entry: { ...start, ...ready, ...restarted.entry }, isOff: true }];
}

const statusesOf = ({ status }: Pod): readonly ContainerStatus[] => status.containerStatuses ?? [];

const instantOf = (time: string | null | undefined): number | undefined => {
  const at = timeOf(time);
  return Number.isFinite(at) ? at : undefined;
};

/** When the last of a pod's containers started; undefined: one does not run. */
function startedAt(pod: Pod): number | undefined {
  const starts = statusesOf(pod).map(({ state }) => instantOf(state?.running?.startedAt));
  return starts.length === 0 || starts.includes(undefined) ? undefined : Math.max(...starts.map((at) => at ?? 0));
}

/** When a condition became true; undefined: it is not. */
const conditionAt = ({ status }: Pod, type: string): number | undefined =>
  instantOf(status.conditions?.find((each) => each.type === type && each.status === 'True')?.lastTransitionTime);

function delay(from: number | undefined, to: number | undefined): readonly number[] {
  const ms = from === undefined || to === undefined ? -1 : to - from;
  return ms < 0 || ms > LONGEST_START_MS ? [] : [ms];
}

const seconds = (ms = 0): number => Math.round(ms / 1000) * 1000;

interface Restarts extends Pick<Suggestion, 'about' | 'entry'> {
  /** Every pod is in a restart loop. */
  readonly isLooping: boolean;
}

/** How pods are restarted, by the number of their restarts and their ages; undefined: none was. */
function restartsIn(pods: readonly Pod[], now: number): Restarts | undefined {
  let [restarts, ageMs, looping] = [0, 0, 0];
  const ends: { readonly code: number; readonly ranMs: number }[] = [];
  for (const pod of pods) {
    const statuses = statusesOf(pod);
    restarts += Math.max(0, ...statuses.map(({ restartCount }) => restartCount));
    ageMs += Math.max(0, now - (instantOf(pod.status.startTime) ?? now));
    if (statuses.some(({ state }) => state?.waiting?.reason === 'CrashLoopBackOff')) looping++;
    for (const { state, lastState } of statuses) {
      const ended = state?.terminated ?? lastState?.terminated;
      const [ranMs] = delay(instantOf(ended?.startedAt), instantOf(ended?.finishedAt));
      if (ended !== undefined) ends.push({ code: ended.exitCode, ranMs: ranMs ?? 0 });
    }
  }
  if (restarts === 0) return undefined;
  const code = ends.at(-1)?.code ?? 1;
  const isLooping = looping === pods.length;
  const ranMs = isLooping || looping > 0 ? (median(ends.map((end) => end.ranMs)) ?? 0) : ageMs / (restarts + pods.length);
  const runFor = formatDurationMs(Math.max(seconds(ranMs), 1_000));
  const seen = `${plural(restarts, 'restart')} of ${plural(pods.length, 'pod')} in ${formatDurationMs(seconds(ageMs))} of their lives, the last with exit code ${code}`;
  return {
    about: isLooping
      ? `all ${pods.length} are in a restart loop, and new ones run as long`
      : `${seen}. With this line, in place of another of its own, they go on so; those that have run as long restart at once`,
    entry: { runFor, exitCodes: [code] },
    isLooping,
  };
}
