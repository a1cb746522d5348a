/** The draft of a decision: sets with their new sizes, and the writes that apply them. */
import type { Deployment, DeploymentStatus, ReplicaSet } from '../../../apiserver/kinds/index.ts';
import type { Write } from '../../runtime/index.ts';
import { type Annotations, type Keys, keysOf, sizeAnnotations } from './annotations.ts';
import type { DeploymentInput } from './input.ts';

/** A set, and its values after the writes. */
export interface SetView {
  /** The set in the cache, or the one about to be created. */
  readonly set: ReplicaSet;
  replicas: number;
  annotations: Annotations;
  /** A write of the set is planned: the next write cannot know its resourceVersion. */
  written: boolean;
}

export interface Draft {
  readonly input: DeploymentInput;
  readonly keys: Keys;
  readonly writes: Write[];
  readonly why: string[];
  /** The Deployment's new status and annotations. */
  status: DeploymentStatus;
  annotations: Annotations;
  /** They are being written: a second write would meet a conflict, so the rest waits for the next sync. */
  settled: boolean;
  /** The sync ends here: the cache must show its writes first. */
  ends: boolean;
}

export const draftOf = (input: DeploymentInput): Draft => ({
  input,
  keys: keysOf(input.names),
  writes: [],
  why: [],
  status: input.self.status,
  annotations: input.self.metadata.annotations ?? {},
  settled: false,
  ends: false,
});

/** A set without planned changes. */
export const viewOf = (set: ReplicaSet): SetView => ({
  set,
  replicas: set.spec.replicas,
  annotations: set.metadata.annotations ?? {},
  written: false,
});

/** Patches a set; refused if it was changed since it was read. */
export function patchSet(
  draft: Draft,
  view: SetView,
  patch: { readonly annotations: Annotations; readonly spec?: object },
  then?: Write & { readonly op: 'event' },
): void {
  const { name, namespace, uid, resourceVersion } = view.set.metadata;
  const metadata = { uid, ...(view.written ? {} : { resourceVersion }), annotations: patch.annotations };
  draft.writes.push({
    op: 'patch',
    kind: 'ReplicaSet',
    name,
    ...(namespace === undefined ? {} : { namespace }),
    patchType: 'merge',
    patch: { metadata, ...(patch.spec === undefined ? {} : { spec: patch.spec }) },
    ...(then === undefined ? {} : { then: then.event }),
  });
  view.annotations = { ...view.annotations, ...patch.annotations };
  view.written = true;
}

/** Scales a set, with an event where its size changes; also updates size annotations that are outdated. */
export function resize(draft: Draft, view: SetView, size: number, direction = size > view.replicas ? 'up' : 'down'): void {
  const { self: deployment } = draft.input;
  const wanted = sizeAnnotations(deployment, draft.keys);
  const differs = view.replicas !== size;
  if (!differs && Object.entries(wanted).every(([key, value]) => view.annotations[key] === value)) return;
  const { name } = view.set.metadata;
  const event = {
    about: deployment,
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message: `Scaled ${direction} replica set ${name} to ${size}`,
  } as const;
  patchSet(
    draft,
    view,
    { annotations: wanted, ...(differs ? { spec: { replicas: size } } : {}) },
    differs ? { op: 'event', event } : undefined,
  );
  if (differs) draft.why.push(`${name} is scaled from ${view.replicas} to ${size}`);
  view.replicas = size;
}

/** Scales only where the size differs; returns whether it did. */
export function scaleTo(draft: Draft, view: SetView, size: number): boolean {
  if (view.replicas === size) return false;
  resize(draft, view, size);
  return true;
}

/**
 * Writes status and annotations of the Deployment, once per sync; the next sync waits until its cache shows them, as upstream's waits for
 * the response.
 */
export function settle(draft: Draft): void {
  if (draft.settled) return;
  draft.settled = true;
  const { self: deployment } = draft.input;
  const { annotations: _, ...metadata } = deployment.metadata;
  const object: Deployment = {
    ...deployment,
    metadata: Object.keys(draft.annotations).length === 0 ? metadata : { ...metadata, annotations: draft.annotations },
    status: draft.status,
  };
  draft.writes.push({ op: 'update', subresource: 'status', object, awaited: true });
}

/** The sum of wanted replicas. */
export const wantedOf = (views: readonly SetView[]): number => views.reduce((sum, { replicas }) => sum + replicas, 0);
/** The sum of available replicas. */
export const availableOf = (views: readonly SetView[]): number =>
  views.reduce((sum, { set }) => sum + (set.status.availableReplicas ?? 0), 0);
/** The sets with wanted replicas. */
export const activeOf = (views: readonly SetView[]): readonly SetView[] => views.filter(({ replicas }) => replicas > 0);
