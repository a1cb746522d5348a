/**
 * The schema of Pods, what a new one gets, and how those of one template are recognised: each may differ in its node, host name, affinity and
 * claims. Models: v1.24 core/v1 Pod, pkg/apis/core/v1/helper/qos, pkg/registry/core/pod strategy.go PrepareForCreate.
 */
import { type Infer, obj } from '../../../schema/shape/index.ts';
import { isDns1123Label, isDns1123Subdomain, own } from '../../../schema/values/index.ts';
import { castDraft, currentOf, type Draft, type TemplateRules } from '../../machinery/index.ts';
import type { KindContext } from '../../objects/index.ts';
import { type Container, kindFields, type ObjectOf, podSpec, type PodSpec, podStatus } from '../../structs/index.ts';
import { alignSeccomp, hasSeccomp, podWarnings, subdomainName, validateMeta } from '../../validation/index.ts';

export const podSchema = obj('Pod', 'Containers that run together on one node.', kindFields({ spec: podSpec, status: podStatus }));
/** A stored Pod: defaulted, validated and frozen. */
export type Pod = ObjectOf<'Pod', Infer<typeof podSchema>>;

const COMPUTE = ['cpu', 'memory'] as const;
const isZero = (text: string): boolean => text === '0';

type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/**
 * Guaranteed: every container has limits for cpu and memory and requests equal to them. BestEffort: no container has requests or limits.
 */
export function qosClassOf(spec: Pick<PodSpec, 'containers' | 'initContainers'>): QosClass {
  let asks = false;
  let guaranteed = true;
  const visit = (container: Container): void => {
    const { limits, requests } = container.resources;
    for (const name of COMPUTE) {
      const limit = own(limits, name);
      const request = own(requests, name);
      const limited = limit !== undefined && !isZero(limit);
      if (limited || (request !== undefined && !isZero(request))) asks = true;
      if (!limited || (request !== undefined && request !== limit)) guaranteed = false;
    }
  };
  for (const container of spec.containers ?? []) visit(container);
  for (const container of spec.initContainers ?? []) visit(container);
  if (!asks) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

/** All new pods share this status. */
const PENDING = {
  Guaranteed: Object.freeze({ phase: 'Pending', qosClass: 'Guaranteed' }),
  Burstable: Object.freeze({ phase: 'Pending', qosClass: 'Burstable' }),
  BestEffort: Object.freeze({ phase: 'Pending', qosClass: 'BestEffort' }),
} as const;

type Annotations = Pod['metadata']['annotations'];

/** The parts that are read for every pod. They are taken from the draft one by one, because reading the whole draft would copy it. */
const partsOf = ({ spec }: Draft<Pod>): Pick<PodSpec, 'containers' | 'initContainers' | 'securityContext'> => ({
  containers: currentOf<PodSpec['containers']>(spec.containers),
  ...(spec.initContainers === undefined ? {} : { initContainers: currentOf<NonNullable<PodSpec['initContainers']>>(spec.initContainers) }),
  securityContext: currentOf<PodSpec['securityContext']>(spec.securityContext),
});

export function preparePod(draft: Draft<Pod>, context: KindContext): void {
  const said = partsOf(draft);
  draft.status = PENDING[qosClassOf(said)];
  if (!hasSeccomp(currentOf<Annotations>(draft.metadata.annotations), said, context)) return;
  const { metadata, spec } = currentOf<Pod>(draft);
  const aligned = alignSeccomp(metadata.annotations, spec, context);
  if (aligned.annotations !== undefined) draft.metadata.annotations = aligned.annotations;
  if (aligned.spec !== undefined) draft.spec = castDraft(aligned.spec);
}

export const newPodWarnings = (object: Pod, old: Pod | undefined, context: KindContext): readonly string[] =>
  old === undefined ? podWarnings(object, '', context) : [];

type Members = Readonly<Record<string, unknown>>;
type Claim = { readonly name: string; readonly persistentVolumeClaim: { readonly claimName: string } };

/** Whether a volume has only a claim, so that pods of one template may differ in the name of the claim. */
function isClaim(volume: unknown): volume is Claim {
  if (typeof volume !== 'object' || volume === null) return false;
  const { name, persistentVolumeClaim: claim, ...more } = volume as Members;
  if (typeof name !== 'string' || typeof claim !== 'object' || claim === null) return false;
  const { claimName, ...rest } = claim as Members;
  return typeof claimName === 'string' && claimName !== '' && Object.keys(more).length === 0 && Object.keys(rest).length === 0;
}

/** Returns the decoded volumes, if they differ from those of the first pod only in the names of claims; else undefined. */
function likeVolumes(volumes: unknown, first: unknown, made: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(volumes) || !Array.isArray(first) || !Array.isArray(made) || volumes.length !== first.length) return undefined;
  const result: unknown[] = [];
  for (const [at, volume] of volumes.entries()) {
    const other: unknown = first[at];
    if (volume === other && Object.isFrozen(other)) result.push(made[at]);
    else if (isClaim(volume) && isClaim(other) && volume.name === other.name)
      result.push({ name: volume.name, persistentVolumeClaim: { claimName: volume.persistentVolumeClaim.claimName } });
    else return undefined;
  }
  return result;
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Returns the parts of an affinity that pins a pod to one node: the node name, and everything else; undefined for any other affinity. */
function pinned(affinity: unknown): { readonly node: string; readonly others: readonly unknown[] } | undefined {
  const { nodeAffinity, ...others } = membersOf(affinity);
  const { [REQUIRED]: required, ...more } = membersOf(nodeAffinity);
  const [term, ...terms] = listOf(onlyMember(required, 'nodeSelectorTerms'));
  const [field, ...fields] = listOf(onlyMember(term, 'matchFields'));
  const { key, operator, values, ...rest } = membersOf(field);
  const [node, ...nodes] = listOf(values);
  if (terms.length + fields.length + nodes.length + Object.keys(rest).length > 0) return undefined;
  if (key !== 'metadata.name' || operator !== 'In' || typeof node !== 'string') return undefined;
  return { node, others: [...Object.entries(others), ...Object.entries(more)].flat() };
}

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
function onlyMember(value: unknown, name: string): unknown {
  const { [name]: member, ...rest } = membersOf(value);
  return Object.keys(rest).length === 0 ? member : undefined;
}

/** Returns the decoded affinity, if it differs from that of the first pod only in the node: a DaemonSet pins each pod to its node. */
function likeAffinity(affinity: unknown, first: unknown, made: unknown): unknown {
  const [own, other] = [pinned(affinity), pinned(first)];
  if (own === undefined || other === undefined || own.others.length !== other.others.length) return undefined;
  const isShared = (part: unknown, at: number): boolean => part === other.others[at] && (typeof part !== 'object' || Object.isFrozen(part));
  if (!own.others.every(isShared) || isDns1123Subdomain(own.node).length > 0) return undefined;
  const known = membersOf(made);
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [own.node] }] };
  return { ...known, nodeAffinity: { ...membersOf(known['nodeAffinity']), [REQUIRED]: { nodeSelectorTerms: [term] } } };
}

export const podTemplateRules: TemplateRules = {
  individual: ['hostname', 'nodeName', 'volumes', 'affinity'],
  templateKey({ containers, volumes, ephemeralContainers }) {
    // Claims of ephemeral volumes are named after the pod.
    const called = Array.isArray(volumes) && volumes.some((volume: Members | null) => volume?.['ephemeral'] !== undefined);
    return called || ephemeralContainers !== undefined || !Array.isArray(containers) || !Object.isFrozen(containers)
      ? undefined
      : containers;
  },
  // Annotations with a meaning: alpha and beta ones hold container profiles, a mirror annotation names the node, a deletion cost must be a
  // number.
  areInert(annotations) {
    for (const key in annotations)
      if (key.includes('.alpha.') || key.includes('.beta.') || key.endsWith('config.mirror') || key.endsWith('pod-deletion-cost'))
        return false;
    return true;
  },
  accepted(member, value, first, made) {
    if (member === 'affinity') return likeAffinity(value, first, made);
    if (member === 'volumes') return likeVolumes(value, first, made);
    if (typeof value !== 'string' || value === '') return undefined;
    const problems = member === 'hostname' ? isDns1123Label(value) : isDns1123Subdomain(value);
    return problems.length === 0 ? value : undefined;
  },
  validate: (object, context) => validateMeta(object, true, subdomainName, context),
};
