/** Finds existing volumes for claims. Models: v1.24 component-helpers storage/volume FindMatchingVolume. */
import type { Node } from '../../../../apiserver/kinds/index.ts';
import { labelMatcher, unitsOf } from '../../../../schema/values/index.ts';
import type { SchedulerView } from '../view.ts';
import { claimKey, classNameOf, isBoundTo, isReachable, type Claim, type Volume } from './objects.ts';

const sizeOf = (amounts: Readonly<Record<string, string>> | undefined): number => unitsOf(amounts?.['storage'] ?? '0');
const modeOf = (mode: string | undefined): string => (mode === undefined || mode === '' ? 'Filesystem' : mode);

/** Volumes that match a claim, on any node. */
export interface Offers {
  readonly claim: Claim;
  /** The volume pre-bound to the claim: with one there is no other choice. */
  readonly reserved: Volume | undefined;
  /** The other volumes, the smallest first. */
  readonly free: readonly Volume[];
}

/** The capacity of a volume, bytes. */
export const capacityOf = ({ spec }: Volume): number => sizeOf(spec.capacity);
/** The requested size of a claim, bytes. */
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

/** Searches the volumes for a claim once, for all nodes. */
export function offersFor(claim: Claim, view: SchedulerView): Offers {
  const least = requestOf(claim);
  const mode = modeOf(claim.spec.volumeMode);
  const key = claimKey(claim);
  const fits = ({ metadata, spec }: Volume): boolean =>
    sizeOf(spec.capacity) >= least && modeOf(spec.volumeMode) === mode && metadata.deletionTimestamp === undefined;
  let reserved: Volume | undefined;
  for (const volume of view.volumeIndex.reservedFor(key)) if (isBoundTo(volume, claim) && fits(volume)) reserved ??= volume;
  const free: Volume[] = [];
  for (const volume of view.volumeIndex.unclaimed(classNameOf(claim, view.names))) {
    if (!fits(volume)) continue;
    if (view.volumes.claimOf(volume.metadata.name) === key) reserved ??= volume;
    else if (isFree(volume, claim, view)) free.push(volume);
  }
  return { claim, reserved, free: free.sort((a, b) => sizeOf(a.spec.capacity) - sizeOf(b.spec.capacity)) };
}

/** The volume for a node, if one is available. */
export function pickVolume({ reserved, free }: Offers, node: Node, taken: ReadonlySet<string>): Volume | undefined {
  if (reserved !== undefined && !taken.has(reserved.metadata.name)) return isReachable(reserved, node) ? reserved : undefined;
  return free.find((volume) => !taken.has(volume.metadata.name) && isReachable(volume, node));
}
