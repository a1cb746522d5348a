/** Progress of a rollout: each progress restarts its deadline. */
import { describe, expect, it } from 'vitest';
import type { DeploymentCondition } from '../../../../src/apiserver/kinds/index.ts';
import { syncRollout } from '../../../../src/controlplane/controllers/deployment/status.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at } from '../../../support/objects.ts';
import { deploymentOf, draftFor, setOf, setsOf } from './objects.ts';

/** A rollout of four with its last progress after `updated` seconds; its condition after another sync, with so many new pods. */
function looked(now: number, pods: number, updated = 30): DeploymentCondition | undefined {
  const conditions = [
    {
      type: 'Progressing',
      status: 'True',
      reason: 'ReplicaSetUpdated',
      message: '',
      lastUpdateTime: formatTime(at(updated)),
      lastTransitionTime: formatTime(at(0)),
    },
  ];
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const spec = { replicas: 4, progressDeadlineSeconds: 600, strategy };
  const deployment = deploymentOf(spec, { replicas: 5, updatedReplicas: 1, availableReplicas: 4, conditions });
  const draft = draftFor(deployment, { now });
  syncRollout(draft, setsOf(setOf('new', pods, 0), setOf('old', 4, 4)));
  return draft.status.conditions?.find(({ type }) => type === 'Progressing');
}

describe('a rollout', () => {
  it('with progress updates its condition, and keeps the transition time', () => {
    expect(looked(at(50), 2)).toMatchObject({
      status: 'True',
      reason: 'ReplicaSetUpdated',
      lastUpdateTime: formatTime(at(50)),
      lastTransitionTime: formatTime(at(0)),
    });
  });

  it('is stuck after its deadline, and not at that instant', () => {
    expect([at(630) - 1, at(630), at(630) + 1].map((now) => looked(now, 1)?.reason)).toEqual([
      'ReplicaSetUpdated',
      'ReplicaSetUpdated',
      'ProgressDeadlineExceeded',
    ]);
    expect(looked(at(631), 1)).toMatchObject({ status: 'False', lastTransitionTime: formatTime(at(631)) });
  });
});
