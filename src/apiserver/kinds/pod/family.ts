/** What pods of one template have in common, and what each has of its own: where it runs, what it is called, which claims it mounts. */
import { isDns1123Label, isDns1123Subdomain } from '../../../schema/values/index.ts';
import { type TemplateRules, subdomainName, validateMeta } from '../../machinery/index.ts';

type Members = Readonly<Record<string, unknown>>;
type Claim = { readonly name: string; readonly persistentVolumeClaim: { readonly claimName: string } };

/** A volume of nothing but a claim: who mounts it, mounts it by a name that the template knows. */
function isClaim(volume: unknown): volume is Claim {
  if (typeof volume !== 'object' || volume === null) return false;
  const { name, persistentVolumeClaim: claim, ...more } = volume as Members;
  if (typeof name !== 'string' || typeof claim !== 'object' || claim === null) return false;
  const { claimName, ...rest } = claim as Members;
  return typeof claimName === 'string' && claimName !== '' && Object.keys(more).length === 0 && Object.keys(rest).length === 0;
}

/** The volumes as they are published, where they are those of the first but for the claims behind some of them. */
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

/** Parts of an affinity that keeps a pod to one node by its name: the node, and all the rest; undefined: it says something else. */
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

/**
 * The affinity as it is published, where it is that of the first but for the one node: each pod of a DaemonSet is for a node of its own.
 */
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
  own: ['hostname', 'nodeName', 'volumes', 'affinity'],
  handle({ containers, volumes, ephemeralContainers }) {
    // Claims of ephemeral volumes are called after the pod.
    const called = Array.isArray(volumes) && volumes.some((volume: Members | null) => volume?.['ephemeral'] !== undefined);
    return called || ephemeralContainers !== undefined || !Array.isArray(containers) || !Object.isFrozen(containers)
      ? undefined
      : containers;
  },
  // Profiles of containers are said in annotations of alpha and beta; a mirror says where it runs, a cost is a number.
  areSilent(annotations) {
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
  judge: (object, context) => validateMeta(object, true, subdomainName, context),
};
