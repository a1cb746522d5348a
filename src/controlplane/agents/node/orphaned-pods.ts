/**
 * Orphaned pods: their objects were removed from the API before the agent finished them. Their containers are stopped, and until then their
 * volumes are in use. Models: v1.24 pkg/kubelet HandlePodRemoves, HandlePodCleanups and the volume manager's report.
 */
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { idle, mergePatch, write, type Outcome } from '../../runtime/index.ts';
import { killed, passed } from './containers.ts';
import type { Action } from './actions.ts';
import type { MachineView } from './machine.ts';

export const DEFAULT_GRACE_SECONDS = 30;

/** The grace period that a pod asks for. */
export const graceSeconds = ({ spec }: Pod): number => spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;

/** The grace period of a removed pod's containers: a grace period of 0 applies to the object only. */
export function graceAfterRemoval(pod: Pod): number {
  const { deletionGracePeriodSeconds = 0 } = pod.metadata;
  return deletionGracePeriodSeconds > 0 ? deletionGracePeriodSeconds : graceSeconds(pod);
}

/** The volumesInUse that the node's status should have; undefined: no change. */
export function changedVolumesInUse(volumesOf: MachineView['volumesOf'], node: Node | undefined): readonly string[] | undefined {
  const used = [...new Set([...volumesOf.values()].flat())].sort(compareText);
  const said = node?.status.volumesInUse ?? [];
  return used.length === said.length && used.every((name, i) => name === said[i]) ? undefined : used;
}

export function writeVolumesInUse(volumesOf: MachineView['volumesOf'], node: Node | undefined, nodeName: string): Outcome<never, never> {
  const used = changedVolumesInUse(volumesOf, node);
  if (used === undefined) return idle('status.volumesInUse of the node is up to date');
  return write(
    `${used.length === 1 ? '1 volume is' : `${used.length} volumes are`} in use on the node`,
    mergePatch({ kind: 'Node', metadata: { name: nodeName } }, { status: { volumesInUse: used } }, { subresource: 'status' }),
  );
}

/**
 * Ends the containers of an orphaned pod, by its uid; then the node's volumesInUse change. `graceMs`: the grace period of its object, if
 * its deletion was observed.
 */
export function endOrphan(
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
  const rest = run.until > now ? { wakeAt: run.until } : {};
  if (run.stage !== 'over') return { actions, ...rest, ...idle('its pod is gone: its containers are being stopped') };
  const forgets = [...actions, { does: 'forget', uid, at: now } as const];
  return { actions: forgets, enqueue: [nodeName], ...idle('its pod is gone, and its containers have stopped') };
}
