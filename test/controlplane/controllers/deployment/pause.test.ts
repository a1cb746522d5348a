/** A pause in the conditions of a Deployment: paused time does not count as time without progress. */
import { expect, it } from 'vitest';
import type { DeploymentStatus } from '../../../../src/apiserver/kinds/index.ts';
import { deployment } from '../../../../src/controlplane/controllers/deployment/controller.ts';
import { decide, statusIn } from '../../../support/reconcile.ts';
import { AT } from '../../../support/objects.ts';
import { deploymentOf } from './objects.ts';

const NO_DEADLINE = 2 ** 31 - 1;
/** The reason of `Progressing` in the status that a decision writes; undefined: it writes no status. */
function noted(paused: boolean | undefined, reason: string | undefined, progressDeadlineSeconds = 600): string | undefined {
  const spec = {
    replicas: 1,
    progressDeadlineSeconds,
    revisionHistoryLimit: 10,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [] } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    ...(paused === undefined ? {} : { paused }),
  };
  const conditions = [
    ...(reason === undefined ? [] : [{ type: 'Progressing', status: 'Unknown', reason, lastUpdateTime: AT, lastTransitionTime: AT }]),
    { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable', lastUpdateTime: AT, lastTransitionTime: AT },
  ];
  const self = deploymentOf(spec as never, { conditions });
  const status = statusIn<DeploymentStatus>(decide(deployment, { objects: [self] }));
  return status?.conditions?.find(({ type }) => type === 'Progressing')?.reason;
}

it.each<[string, boolean | undefined, string | undefined, string | undefined, number?]>([
  ['a pause is recorded', true, 'ReplicaSetUpdated', 'DeploymentPaused'],
  ['a pause before the first rollout is recorded', true, undefined, 'DeploymentPaused'],
  ['a pause is recorded once', true, 'DeploymentPaused', undefined],
  ['a resume is recorded', false, 'DeploymentPaused', 'DeploymentResumed'],
  ['a resume by removal of the field is recorded', undefined, 'DeploymentPaused', 'DeploymentResumed'],
  ['a pause after the deadline is not recorded', true, 'ProgressDeadlineExceeded', undefined],
  ['a pause of a Deployment without a deadline is not recorded', true, undefined, undefined, NO_DEADLINE],
  ['no resume is recorded without a pause', false, 'ReplicaSetUpdated', 'NewReplicaSetCreated'],
  ['no resume is recorded of a new Deployment', undefined, undefined, 'NewReplicaSetCreated'],
])('%s', (_, paused, reason, expected, deadline?: number) => {
  expect(noted(paused, reason, deadline)).toBe(expected);
});
