/** Headlines of workloads: Jobs and their counts, sets and Deployments and their ready pods, CronJobs and their runs. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import { conditionIn, joined, type Headline } from './contract.ts';

/** `2 active (was 3)`: the numbers that changed. */
function numbers(parts: readonly (readonly [word: string, before: number | undefined, after: number | undefined])[]): string {
  return joined(
    parts
      .filter(([, before = 0, after = 0]) => before !== after)
      .map(([word, before = 0, after = 0]) => `${after} ${word}${before === 0 ? '' : ` (was ${before})`}`),
  );
}

export const job: Headline = ({ before, after, name }) => {
  if (!isOf('Job', before) || !isOf('Job', after)) return undefined;
  const [was, is] = [before.status, after.status];
  const comes = (type: string): boolean => conditionIn(is.conditions, type) === 'True' && conditionIn(was.conditions, type) !== 'True';
  const reason = is.conditions?.find(({ type }) => type === 'Failed')?.reason ?? '';
  const state = comes('Complete')
    ? `${name} is complete`
    : comes('Failed')
      ? `${name} has failed${reason === '' ? '' : ` (${reason})`}`
      : comes('Suspended')
        ? `${name} is suspended`
        : undefined;
  const counted = numbers([
    // A finished Job has no active pods, so the count is omitted.
    ...(comes('Complete') || comes('Failed')
      ? []
      : ([
          ['active', was.active, is.active],
          ['ready', was.ready, is.ready],
        ] as const)),
    ['done', was.succeeded, is.succeeded],
    ['failed', was.failed, is.failed],
  ]);
  if (state !== undefined) return counted === '' ? state : `${state}: ${counted}`;
  return counted === '' ? undefined : `counts ${name}: ${counted}`;
};

export const statefulSet: Headline = ({ before, after, name }) => {
  if (!isOf('StatefulSet', before) || !isOf('StatefulSet', after)) return undefined;
  const [was, is] = [before.status, after.status];
  const counted = numbers([
    ['existing', was.replicas, is.replicas],
    ['ready', was.readyReplicas, is.readyReplicas],
    ['of the new revision', was.updatedReplicas, is.updatedReplicas],
  ]);
  return counted === '' ? undefined : `counts ${name}: ${counted}`;
};

export const daemonSet: Headline = ({ before, after, name }) => {
  if (!isOf('DaemonSet', before) || !isOf('DaemonSet', after)) return undefined;
  const [was, is] = [before.status, after.status];
  const counted = numbers([
    ['desired', was.desiredNumberScheduled, is.desiredNumberScheduled],
    ['scheduled', was.currentNumberScheduled, is.currentNumberScheduled],
    ['ready', was.numberReady, is.numberReady],
    ['of the new template', was.updatedNumberScheduled, is.updatedNumberScheduled],
    ['misscheduled', was.numberMisscheduled, is.numberMisscheduled],
  ]);
  return counted === '' ? undefined : `counts ${name}: ${counted}`;
};

export const deployment: Headline = ({ before, after, name }) => {
  if (!isOf('Deployment', before) || !isOf('Deployment', after)) return undefined;
  const [was, is] = [before.status, after.status];
  const reasonIn = ({ conditions }: typeof is): string => conditions?.find(({ type }) => type === 'Progressing')?.reason ?? '';
  const comes = (reason: string): boolean => reasonIn(is) === reason && reasonIn(was) !== reason;
  const counted = numbers([
    ['existing', was.replicas, is.replicas],
    ['of the new template', was.updatedReplicas, is.updatedReplicas],
    ['available', was.availableReplicas, is.availableReplicas],
  ]);
  const state = comes('ProgressDeadlineExceeded')
    ? `${name} is stuck`
    : comes('NewReplicaSetAvailable')
      ? `${name} is rolled out`
      : comes('DeploymentPaused')
        ? `${name} is paused`
        : undefined;
  if (state !== undefined) return counted === '' ? state : `${state}: ${counted}`;
  return counted === '' ? undefined : `counts ${name}: ${counted}`;
};

export const replicaSet: Headline = ({ before, after, name }) => {
  if (!isOf('ReplicaSet', before) || !isOf('ReplicaSet', after)) return undefined;
  const [was, is] = [before.status, after.status];
  if (before.spec.replicas !== after.spec.replicas) return `scales ${name} to ${after.spec.replicas} (was ${before.spec.replicas})`;
  const fails = conditionIn(is.conditions, 'ReplicaFailure') === 'True' && conditionIn(was.conditions, 'ReplicaFailure') !== 'True';
  if (fails) return `${name} cannot create its pods`;
  const counted = numbers([
    ['existing', was.replicas, is.replicas],
    ['ready', was.readyReplicas, is.readyReplicas],
  ]);
  return counted === '' ? undefined : `counts ${name}: ${counted}`;
};

export const cronJob: Headline = ({ before, after, name }) => {
  if (!isOf('CronJob', before) || !isOf('CronJob', after)) return undefined;
  const [was, is] = [before.status, after.status];
  const at = is.lastScheduleTime;
  if (at !== undefined && at !== was.lastScheduleTime) return `${name} has started its run of ${at}`;
  const counted = numbers([['running', was.active?.length, is.active?.length]]);
  return counted === '' ? undefined : `counts ${name}: ${counted}`;
};
