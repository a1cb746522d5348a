/**
 * The claims of a pod by the action that they need: existing volumes for them, whether volumes can be provisioned for a node, and so
 * whether the claims can be satisfied on a node, and how. Models: v1.24 component-helpers storage/volume FindMatchingVolume; volumebinding
 * FindPodVolumes.
 */
import type { Node, Pod } from '../../../../apiserver/kinds/index.ts';
import { keptIn, labelMatcher, unitsOf } from '../../../../schema/values/index.ts';
import { type SchedulerView, unresolvable, type Refusal } from '../plugin.ts';
import { isReachable, isFullyBound } from './objects.ts';
import type { Claim, Volume, StorageClass, TopologyTerm } from './objects.ts';
import { isReachable as reachesSegment, isSufficient } from '../../../../apiserver/decisions/index.ts';
import { keyOf } from '../../../../apiserver/machinery/index.ts';
import { claimNameOf, isBoundTo, isForPod, storageClassOf } from '../../../shared/index.ts';
import type { VolumePlan } from './assumed-volumes.ts';

const sizeOf = (amounts: Readonly<Record<string, string>> | undefined): number => unitsOf(amounts?.['storage'] ?? '0');
const modeOf = (mode: string | undefined): string => (mode === undefined || mode === '' ? 'Filesystem' : mode);

interface Offers {
  readonly claim: Claim;
  /** The volume pre-bound to the claim: with one there is no other choice. */
  readonly reserved: Volume | undefined;
  /** The other volumes, the smallest first. */
  readonly free: readonly Volume[];
}

export const capacityOf = ({ spec }: Volume): number => sizeOf(spec.capacity);
export const requestOf = (claim: Claim): number => sizeOf(claim.spec.resources?.requests);

function isFree(volume: Volume, claim: Claim, view: SchedulerView): boolean {
  const { accessModes = [] } = volume.spec;
  const { selector } = claim.spec;
  return (
    view.volumes.claimOf(volume.metadata.name) === undefined &&
    volume.status?.phase === 'Available' &&
    (selector === undefined || labelMatcher(selector)(volume.metadata.labels)) &&
    (claim.spec.accessModes ?? []).every((mode) => accessModes.includes(mode))
  );
}

function offersFor(claim: Claim, view: SchedulerView): Offers {
  const least = requestOf(claim);
  const mode = modeOf(claim.spec.volumeMode);
  const key = keyOf(claim);
  const fits = ({ metadata, spec }: Volume): boolean =>
    sizeOf(spec.capacity) >= least && modeOf(spec.volumeMode) === mode && metadata.deletionTimestamp === undefined;
  let reserved: Volume | undefined;
  for (const volume of view.volumeIndex.reservedFor(key)) if (isBoundTo(volume, claim) && fits(volume)) reserved ??= volume;
  const free: Volume[] = [];
  for (const volume of view.volumeIndex.unclaimed(storageClassOf(claim, view.names))) {
    if (!fits(volume)) continue;
    if (view.volumes.claimOf(volume.metadata.name) === key) reserved ??= volume;
    else if (isFree(volume, claim, view)) free.push(volume);
  }
  return { claim, reserved, free: free.sort((a, b) => sizeOf(a.spec.capacity) - sizeOf(b.spec.capacity)) };
}

function pickVolume({ reserved, free }: Offers, node: Node, taken: ReadonlySet<string>): Volume | undefined {
  if (reserved !== undefined && !taken.has(reserved.metadata.name)) return isReachable(reserved, node) ? reserved : undefined;
  return free.find((volume) => !taken.has(volume.metadata.name) && isReachable(volume, node));
}

/** Whether volumes for claims can be provisioned for a node. Models: v1.24 volumebinding checkVolumeProvisions, hasEnoughCapacity. */
type Provisioning = 'possible' | 'impossible' | 'no capacity';

function isAllowed(terms: readonly TopologyTerm[] | undefined, node: Node): boolean {
  if (terms === undefined || terms.length === 0) return true;
  const { labels = {} } = node.metadata;
  return terms.some(
    ({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.length > 0 &&
      matchLabelExpressions.every(({ key, values }) => labels[key] !== undefined && values.includes(labels[key])),
  );
}

/** Whether there is capacity for a claim on a node. Drivers that do not publish capacity always have enough. */
function roomFor(claim: Claim, { metadata, provisioner }: StorageClass, { cache }: SchedulerView): (node: Node) => boolean {
  if (claim.spec.resources?.requests?.['storage'] === undefined) return () => true;
  if (cache.get('CSIDriver', undefined, provisioner)?.spec?.storageCapacity !== true) return () => true;
  const wanted = requestOf(claim);
  const segments = cache.list('CSIStorageCapacity').filter((one) => one.storageClassName === metadata.name && isSufficient(one, wanted));
  return (node) => segments.some((one) => reachesSegment(one, node.metadata.labels));
}

function provisioningFor(claim: Claim, view: SchedulerView): (node: Node) => Provisioning {
  const found = view.cache.get('StorageClass', undefined, storageClassOf(claim, view.names));
  const provisioner = found?.provisioner ?? '';
  if (found === undefined || provisioner === '' || provisioner === view.names.key('', 'no-provisioner')) return () => 'impossible';
  const hasRoom = roomFor(claim, found, view);
  return (node) => (!isAllowed(found.allowedTopologies, node) ? 'impossible' : hasRoom(node) ? 'possible' : 'no capacity');
}

/** The claims of a pod by the action that they need. Models: v1.24 volumebinding podHasPVCs, GetPodVolumes. */
export interface PodClaims {
  readonly bound: readonly Claim[];
  /** Claims with delayed binding: a volume is selected or provisioned for the pod's node. */
  readonly toBind: readonly Claim[];
  /** Claims with immediate binding that are not bound. */
  readonly unbound: readonly Claim[];
}

function waitsForPod(claim: Claim, { cache, names }: SchedulerView): boolean {
  const name = storageClassOf(claim, names);
  return name !== '' && cache.get('StorageClass', undefined, name)?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Why a claim makes the pod unschedulable on every node. */
function problemWith(pod: Pod, name: string, ephemeral: boolean, claim: Claim | undefined): string | undefined {
  if (claim === undefined)
    return ephemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
      : `persistentvolumeclaim "${name}" not found`;
  if (claim.status?.phase === 'Lost')
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName ?? ''}"`;
  if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
  if (ephemeral && !isForPod(pod, claim)) return `PVC ${keyOf(claim)} was not created for pod ${keyOf(pod)} (pod is not owner)`;
  return undefined;
}

/** The claims of a pod, the problem with one of them, or undefined when it has none. */
export function claimsOf(pod: Pod, view: SchedulerView): PodClaims | string | undefined {
  const found = new Map<string, Claim>();
  for (const volume of pod.spec.volumes ?? []) {
    const name = claimNameOf(pod, volume);
    if (name === undefined) continue;
    const claim = view.cache.get('PersistentVolumeClaim', pod.metadata.namespace, name);
    const problem = problemWith(pod, name, volume.ephemeral !== undefined, claim);
    if (problem !== undefined) return problem;
    if (claim !== undefined) found.set(name, claim);
  }
  if (found.size === 0) return undefined;
  const sorted = { bound: [] as Claim[], toBind: [] as Claim[], unbound: [] as Claim[] };
  for (const claim of found.values()) {
    if (isFullyBound(claim, view.names)) sorted.bound.push(claim);
    // A claim that names its volume is bound by the controller, independent of pods.
    else if ((claim.spec.volumeName ?? '') === '' && waitsForPod(claim, view)) sorted.toBind.push(claim);
    else sorted.unbound.push(claim);
  }
  return sorted;
}

const NOT_REACHABLE = 'node(s) had volume node affinity conflict';
const NOTHING_TO_BIND = "node(s) didn't find available persistent volumes to bind";
const NO_SPACE = 'node(s) did not have enough free storage';
const VOLUME_GONE = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

function boundProblem(claims: readonly Claim[], node: Node, { cache }: SchedulerView): string | undefined {
  for (const { spec } of claims) {
    const volume = cache.get('PersistentVolume', undefined, spec.volumeName ?? '');
    if (volume === undefined) return VOLUME_GONE;
    if (!isReachable(volume, node)) return NOT_REACHABLE;
  }
  return undefined;
}

/** Prepares the decisions: volumes are searched once, not once per node. */
export function binderFor({ bound, toBind }: PodClaims, view: SchedulerView) {
  const selectedNode = view.names.key('volume', 'selected-node');
  const chosenNode = (claim: Claim): string | undefined => view.volumes.nodeOf(keyOf(claim)) ?? claim.metadata.annotations?.[selectedNode];
  const chosen = toBind.filter((claim) => chosenNode(claim) !== undefined);
  const open = toBind.filter((claim) => chosenNode(claim) === undefined).sort((a, b) => requestOf(a) - requestOf(b));
  const found: { offers?: readonly Offers[] } = {};
  const provisioning = new Map<Claim, (node: Node) => Provisioning>();
  const serve = (node: Node): VolumePlan | string => {
    if (chosen.some((claim) => chosenNode(claim) !== node.metadata.name)) return NOTHING_TO_BIND;
    const bindings: { volume: string; claim: string }[] = [];
    const taken = new Set<string>();
    const toProvision = [...chosen];
    found.offers ??= open.map((claim) => offersFor(claim, view));
    for (const offer of found.offers) {
      const volume = pickVolume(offer, node, taken);
      if (volume === undefined) {
        toProvision.push(offer.claim);
        continue;
      }
      taken.add(volume.metadata.name);
      bindings.push({ volume: volume.metadata.name, claim: keyOf(offer.claim) });
    }
    for (const claim of toProvision) {
      const possible = keptIn(provisioning, claim, () => provisioningFor(claim, view))(node);
      if (possible === 'impossible') return NOTHING_TO_BIND;
      if (possible === 'no capacity') return NO_SPACE;
    }
    return { bindings, provisions: toProvision.map(keyOf) };
  };

  return (node: Node): VolumePlan | Refusal => {
    const problems: string[] = [];
    const problem = boundProblem(bound, node, view);
    if (problem !== undefined) problems.push(problem);
    const plan = serve(node);
    if (typeof plan === 'string') problems.push(plan);
    else if (problem === undefined) return plan;
    return unresolvable(...problems);
  };
}
