/** The steps of a chart's hooks: one after the other by weight; Jobs and pods are waited for, and deleted as their policies say. */
import type { Step } from '../scenario/index.ts';
import { formatTarget } from '../scenario/index.ts';
import { type Hook, targetOf } from './release.ts';

const NEXT = { timing: { when: 'next' } } as const;
/** helm waits five minutes for a hook unless another timeout is given. */
const HOOK_MS = 5 * 60_000;

const ALL_ROLLED = 'status.observedGeneration == o.metadata.generation';

/** By kind: everything that is applied is rolled out, and every Job that no CronJob made is complete. */
export const ROLLED_OUT: Readonly<Record<string, string>> = {
  Deployment: `objects('Deployment').all(o, o.${ALL_ROLLED} && o.status.updatedReplicas == o.spec.replicas && o.status.replicas == o.spec.replicas && o.status.availableReplicas == o.spec.replicas)`,
  StatefulSet: `objects('StatefulSet').all(o, o.${ALL_ROLLED} && o.status.availableReplicas == o.spec.replicas && (o.spec.updateStrategy.type == 'OnDelete' || o.spec.updateStrategy.rollingUpdate.partition > 0 || o.status.updatedReplicas == o.spec.replicas))`,
  DaemonSet: `objects('DaemonSet').all(o, o.${ALL_ROLLED} && o.status.numberAvailable == o.status.desiredNumberScheduled && (o.spec.updateStrategy.type == 'OnDelete' || o.status.updatedNumberScheduled == o.status.desiredNumberScheduled))`,
  Job: "objects('Job').all(o, has(o.metadata.ownerReferences) || o.spec.suspend || o.status.conditions.exists(c, c.type == 'Complete' && c.status == 'True'))",
};

export function hookSteps(hooks: readonly Hook[], event: string, namespaced: (kind: string) => boolean): readonly Step[] {
  return hooks
    .filter(({ events }) => events.includes(event))
    .flatMap(({ manifest, policies }): readonly Step[] => {
      const target = targetOf(manifest.object, namespaced);
      const isRun = target.kind === 'Job' || target.kind === 'Pod';
      const removed: readonly Step[] = [
        { ...NEXT, verb: 'delete', target, propagationPolicy: 'Background', ignoreNotFound: true },
        { ...NEXT, verb: 'waitFor', expectation: { expect: 'absent', target }, withinMs: HOOK_MS },
      ];
      const done =
        target.kind === 'Job'
          ? `object('${formatTarget(target)}').status.conditions.exists(c, c.type == 'Complete' && c.status == 'True')`
          : `object('${formatTarget(target)}').status.phase == 'Succeeded'`;
      return [
        ...(policies.includes('before-hook-creation') ? removed : []),
        { ...NEXT, verb: 'apply', objects: [manifest], before: `Hook ${event}: ${formatTarget(target)}` },
        ...(isRun
          ? [{ ...NEXT, verb: 'waitFor' as const, expectation: { expect: 'cel' as const, expression: { cel: done } }, withinMs: HOOK_MS }]
          : []),
        ...(policies.includes('hook-succeeded') ? removed : []),
      ];
    });
}
