/**
 * What is left on a node of pods that are gone from the API without its agent's consent: their containers are stopped all the same, and
 * until then their volumes are in use. Models: v1.24 pkg/kubelet HandlePodRemoves, HandlePodCleanups and the volume manager's report.
 */
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import { compareText } from '../../../grammar/values/index.ts';
import type { Outcome } from '../../runtime/index.ts';
import type { Machine } from './machine.ts';

/** What such a pod's containers get when nobody says otherwise. */
export const DEFAULT_GRACE_SECONDS = 30;

/** What the containers of a removed pod get: no time at all was said of the object, not of them. */
export function graceAfterRemoval({ metadata: { deletionGracePeriodSeconds = 0 }, spec }: Pod): number {
  return deletionGracePeriodSeconds > 0 ? deletionGracePeriodSeconds : (spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS);
}

/** Volumes in use, as the node should state them; undefined when it states them so already. */
export function newsOfVolumes(machine: Machine, node: Node | undefined): readonly string[] | undefined {
  const used = [...new Set([...machine.volumesOf.values()].flat())].sort(compareText);
  const said = node?.status.volumesInUse ?? [];
  return used.length === said.length && used.every((name, i) => name === said[i]) ? undefined : used;
}

/** Says which volumes the pods of the node use. */
export function sayVolumesInUse(machine: Machine, node: Node | undefined, nodeName: string): Outcome<never> {
  const used = newsOfVolumes(machine, node);
  if (used === undefined) return { why: 'the node has said which volumes are in use', writes: [] };
  return {
    why: `${used.length === 1 ? '1 volume is' : `${used.length} volumes are`} in use on the node`,
    writes: [
      {
        op: 'patch',
        kind: 'Node',
        name: nodeName,
        subresource: 'status',
        patchType: 'merge',
        patch: { status: { volumesInUse: used } },
        tolerate: ['NotFound'],
      },
    ],
  };
}

/** Ends the containers of a pod that is gone, by its uid; then the node has news of its volumes. */
export function clearAway(machine: Machine, uid: string, nodeName: string, now: number): Outcome<never> {
  const run = machine.run(uid);
  if (run === undefined) return { why: 'nothing is left of it', writes: [] };
  machine.advance(run, now);
  machine.kill(run, now, DEFAULT_GRACE_SECONDS * 1000);
  machine.advance(run, now);
  if (run.stage !== 'over')
    return { why: 'its pod is gone: its containers are being stopped', writes: [], ...(run.until > now ? { wakeAt: run.until } : {}) };
  machine.forget(uid);
  return { why: 'its pod is gone, and so are its containers', writes: [], enqueue: [nodeName] };
}
