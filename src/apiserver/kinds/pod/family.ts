/** What pods of one template have in common, and what each has of its own: where it runs, what it is called, which claims it mounts. */
import { isDns1123Label, isDns1123Subdomain } from '../../../grammar/values/index.ts';
import { type FamilyRules, subdomainName, validateMeta } from '../../vocabulary/index.ts';

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

export const podFamily: FamilyRules = {
  own: ['hostname', 'nodeName', 'volumes'],
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
    if (member === 'volumes') return likeVolumes(value, first, made);
    if (typeof value !== 'string' || value === '') return undefined;
    const problems = member === 'hostname' ? isDns1123Label(value) : isDns1123Subdomain(value);
    return problems.length === 0 ? value : undefined;
  },
  judge: (object, context) => validateMeta(object, true, subdomainName, context),
};
