/**
 * What is left on a node of pods that are gone from the API without its agent's consent: their containers are stopped all the same, and
 * until then their volumes are in use. Models: v1.24 pkg/kubelet HandlePodRemoves, HandlePodCleanups and the volume manager's report.
 */
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import type { Outcome } from '../../runtime/index.ts';
import { killed, passed } from './containers.ts';
import type { Action } from './actions.ts';
import type { MachineView } from './machine.ts';

/** What such a pod's containers get when nobody says otherwise. */
export const DEFAULT_GRACE_SECONDS = 30;

/** What the containers of a removed pod get: no time at all was said of the object, not of them. */
export function graceAfterRemoval({ metadata: { deletionGracePeriodSeconds = 0 }, spec }: Pod): number {
  return deletionGracePeriodSeconds > 0 ? deletionGracePeriodSeconds : (spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS);
}

/** Volumes in use, as the node should state them; undefined when it states them so already. */
export function predicateOfVolumes(volumesOf: MachineView['volumesOf'], node: Node | undefined): readonly string[] | undefined {
  const used = [...new Set([...volumesOf.values()].flat())].sort(compareText);
  const said = node?.status.volumesInUse ?? [];
  return used.length === said.length && used.every((name, i) => name === said[i]) ? undefined : used;
}

/** Says which volumes the pods of the node use. */
export function sayVolumesInUse(volumesOf: MachineView['volumesOf'], node: Node | undefined, nodeName: string): Outcome<never, never> {
  const used = predicateOfVolumes(volumesOf, node);
  if (used === undefined) return { why: 'status.volumesInUse of the node is up to date', writes: [] };
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

/**
 * Ends the containers of a pod that is gone, by its uid; then the node has news of its volumes. `graceMs`: what its object gave them, if it
 * was seen to go.
 */
export function clearAway(
  machine: MachineView,
  uid: string,
  graceMs: number | undefined,
  nodeName: string,
  now: number,
): Outcome<never, Action> {
  const before = machine.run(uid);
  if (before === undefined) return { why: 'it has no containers left', writes: [] };
  const others = machine.attempts(before.attemptsOf) - before.attempts;
  let run = passed(before, now, others);
  if (graceMs !== undefined) run = killed(run, now, graceMs);
  run = passed(killed(run, now, DEFAULT_GRACE_SECONDS * 1000), now, others);
  const actions: readonly Action[] = run === before ? [] : [{ does: 'put', uid, run }];
  if (run.stage !== 'over')
    return {
      why: 'its pod is gone: its containers are being stopped',
      writes: [],
      actions,
      ...(run.until > now ? { wakeAt: run.until } : {}),
    };
  return {
    why: 'its pod is gone, and its containers have stopped',
    writes: [],
    actions: [...actions, { does: 'forget', uid, at: now }],
    enqueue: [nodeName],
  };
}
