/** The live reads about a pod's volumes, one after the other; then the decision about the pod. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { isOf, type Answer, type Write } from '../../runtime/index.ts';
import { mustAttach } from '../../shared/index.ts';
import type { NodeContext, PodInput, PodMemory, PodOutcome, View } from './node-context.ts';
import { conclude, memoryOf, needsVolumes, viewPod } from './pod-decision.ts';
import { isOver } from './pod-report.ts';
import { attachable, learn, mayMount, nextAttachment, nextQuestion, NOTHING_ASKED, readNode } from './volumes.ts';
import type { Inquiry, PodVolume } from './volumes.ts';

/** One live read about the pod's volumes; `resume` continues with the response. */
const readVolumes = (view: View, input: PodInput, question: Write, why: string, learned: Partial<PodMemory>): PodOutcome => {
  const { syncAt } = memoryOf(view.pod, input) ?? {};
  return {
    why,
    writes: [question],
    actions: view.run === view.before ? [] : [{ does: 'put', uid: view.pod.metadata.uid, run: view.run }],
    memory: { uid: view.pod.metadata.uid, ...(syncAt === undefined ? {} : { syncAt }), ...learned },
  };
};

/** With all volumes found: reads the node live if a volume must be attached; otherwise decides. */
export const withVolumes = (view: View, nodeContext: NodeContext, input: PodInput, found: readonly PodVolume[]): PodOutcome =>
  nodeContext.attachesItself || attachable(found).length === 0
    ? conclude(view, nodeContext, input, { found, node: undefined, brought: new Map() })
    : readVolumes(view, input, readNode(nodeContext.nodeName), 'read from the API server what is attached to its node', { volumes: found });

/** With the node read: reads the attachments whose metadata is needed, one after the other, then decides. */
function withNode(
  view: View,
  nodeContext: NodeContext,
  input: PodInput,
  found: readonly PodVolume[],
  attached: NonNullable<PodMemory['attached']>,
): PodOutcome {
  const { node, brought } = attached;
  const next = mayMount(found, node) ? nextAttachment(found, brought, nodeContext.nodeName) : undefined;
  if (next === undefined) return conclude(view, nodeContext, input, { found, ...attached });
  return readVolumes(view, input, next.question, 'read the VolumeAttachment from the API server', { volumes: found, attached });
}

/** Reads the next claim or volume live; when all are found, the decision continues. */
export function inquire(view: View, nodeContext: NodeContext, input: PodInput, inquiry: Inquiry): PodOutcome {
  const question = nextQuestion(view.pod, inquiry);
  if (question === undefined) return withVolumes(view, nodeContext, input, inquiry.found);
  const why = `read ${question.kind === 'PersistentVolume' ? 'volume' : 'claim'} ${question.name} from the API server`;
  return readVolumes(view, input, question, why, { inquiry });
}

/** Continues with the response of a live read about a pod's volumes; undefined: the decision starts anew. */
export function resumeVolumes(pod: Pod, nodeContext: NodeContext, input: PodInput, { write, object }: Answer): PodOutcome | undefined {
  const memory = memoryOf(pod, input);
  const view = isOver(pod) ? undefined : viewPod(pod, nodeContext, input);
  // The key may have another pod by now, or one that must stop.
  if (memory === undefined || view === undefined || !needsVolumes(view) || write.op !== 'get') return undefined;
  if (write.kind === 'Node' && memory.volumes !== undefined)
    return withNode(view, nodeContext, input, memory.volumes, { node: isOf('Node', object) ? object : undefined, brought: new Map() });
  if (write.kind === 'VolumeAttachment' && memory.volumes !== undefined && memory.attached !== undefined) {
    const { node, brought } = memory.attached;
    const missingMetadata = nextAttachment(memory.volumes, brought, nodeContext.nodeName);
    const published = isOf('VolumeAttachment', object) ? (object.status.attachmentMetadata ?? {}) : {};
    return withNode(view, nodeContext, input, memory.volumes, {
      node,
      brought: new Map([...brought, [missingMetadata?.volume ?? '', published]]),
    });
  }
  const mustAttachOf = (driver: string): boolean => mustAttach(input.cache.get('CSIDriver', undefined, driver), input.gates);
  const learned = learn(memory.inquiry ?? NOTHING_ASKED, object, mustAttachOf, input.names, pod);
  return learned === undefined ? conclude(view, nodeContext, input, 'unbound') : inquire(view, nodeContext, input, learned);
}
