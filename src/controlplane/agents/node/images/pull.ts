/**
 * Pulls the images of a pod before its containers are created: one container after another, by policy, limited by a rate and, where pulls
 * are serial, after earlier pulls; failures are retried with back-off. Models: v1.24 pkg/kubelet/images (image_manager.go, puller.go,
 * helpers.go), pod_workers.go. Simplified: pulls do not share bandwidth or layers, and a restart finds the images of its start.
 */
import { formatGoDuration, quote } from '../../../../schema/values/index.ts';
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import type { RandomStream } from '../../../../engine/random.ts';
import type { Write } from '../../../runtime/index.ts';
import type { AgentConfiguration } from '../../../config/index.ts';
import type { Credential, CredentialsFor, ImageSpec } from '../../specs.ts';
import type { Registry, ImageAction, Images } from './store.ts';

export interface ContainerWait {
  readonly reason: string;
  readonly message: string;
}

export interface Pulling {
  /** The next container, init containers first. */
  readonly next: number;
  /** Its pull: when it was requested, when it ends, and its error. */
  readonly pull?: { readonly askedAt: number; readonly endsAt: number; readonly error?: string };
  /** Why containers of this attempt cannot be created, by name. */
  readonly failed: Readonly<Record<string, ContainerWait>>;
  /** Their reported states, from the last completed attempt. */
  readonly reported: Readonly<Record<string, ContainerWait>>;
  /** Containers whose images are present. */
  readonly served: readonly string[];
  /** When the whole attempt is repeated. */
  readonly againAt?: number;
}

interface BackOff {
  readonly delayMs: number;
  readonly since: number;
}

/** The agent's memory of pulls, lost in a crash. */
export interface PullState {
  /** By pod and image. */
  readonly backOffs: Map<string, BackOff>;
  /** The number of pulls that may start at once, as of an instant. */
  tokens: { readonly left: number; readonly at: number } | undefined;
}
export const freshPulls = (): PullState => ({ backOffs: new Map(), tokens: undefined });

export type PullAction =
  | ImageAction
  | { readonly does: 'backOff'; readonly key: string; readonly is: BackOff }
  | { readonly does: 'spend'; readonly tokens: NonNullable<PullState['tokens']> };

export interface Pulls {
  readonly nodeName: string;
  readonly registry: Registry;
  readonly images: Images;
  readonly settings: Pick<AgentConfiguration, 'registryPullQPS' | 'registryBurst' | 'serializeImagePulls'>;
  readonly credentialsFor: CredentialsFor | undefined;
}

interface Moment {
  readonly now: number;
  readonly random: RandomStream;
  readonly state: { readonly pulls: PullState };
}

export interface Pulled {
  /** Undefined: all images are present. */
  readonly pulling: Pulling | undefined;
  readonly events: readonly Write[];
  readonly actions: readonly PullAction[];
}

const FIRST_BACK_OFF_MS = 10_000;
const MAX_BACK_OFF_MS = 300_000;
/** A pod that failed to start is retried after this time, plus up to half of it. Milliseconds. */
const SYNC_AGAIN_MS = 10_000;

interface Container {
  readonly name: string;
  readonly field: string;
  readonly image: string;
  readonly imagePullPolicy?: string;
}

const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec.initContainers ?? []).map((each) => ({ ...each, image: each.image ?? '', field: `spec.initContainers{${each.name}}` })),
  ...spec.containers.map((each) => ({ ...each, image: each.image ?? '', field: `spec.containers{${each.name}}` })),
];

/** Whether a pod has an image that is described, and so not present by default. */
export const hasImages = (pod: Pod, registry: Registry): boolean =>
  containersOf(pod).some(({ image }) => registry.find(image) !== undefined);

/** One decision: continues up to a pull that takes time, or an attempt that failed. */
export function pullFor(pod: Pod, before: Pulling | undefined, pulls: Pulls, moment: Moment): Pulled {
  const { now, random } = moment;
  if (before?.againAt !== undefined && before.againAt > now) return { pulling: before, events: [], actions: [] };
  const work = beginning(pod, pulls, moment);
  const { events, actions } = work;
  const goesOn = before !== undefined && before.againAt === undefined;
  const reported = before?.reported ?? {};
  let failed = goesOn ? before.failed : {};
  let served = before?.served ?? [];
  let pull = goesOn ? before.pull : undefined;
  const containers = containersOf(pod);
  for (let next = goesOn ? before.next : 0; next < containers.length; next++) {
    const container = containers[next];
    if (container === undefined || served.includes(container.name)) continue;
    const is = pull === undefined ? ensure(work, container) : { pull };
    pull = undefined;
    if ('pull' in is && is.pull.endsAt > now) return { pulling: { next, pull: is.pull, failed, reported, served }, events, actions };
    const wait = 'pull' in is ? finish(work, container, is.pull) : is.wait;
    if (wait === undefined) {
      served = [...served, container.name];
      actions.push({ does: 'useImage', uid: pod.metadata.uid, image: container.image });
      continue;
    }
    recordEvent(work, container, 'Warning', 'Failed', `Error: ${wait.reason}`);
    failed = { ...failed, [container.name]: wait };
    // An init container that cannot start prevents all later containers from starting.
    if (container.field.startsWith('spec.init')) break;
  }
  if (Object.keys(failed).length === 0) return { pulling: undefined, events, actions };
  const againAt = now + SYNC_AGAIN_MS + random.below(SYNC_AGAIN_MS / 2);
  return { pulling: { next: 0, failed: {}, reported: failed, served, againAt }, events, actions };
}

type Work = ReturnType<typeof beginning>;

const beginning = (pod: Pod, pulls: Pulls, { now, state: { pulls: known } }: Moment) => ({
  pod,
  context: { ...pulls, now, known },
  events: [] as Write[],
  actions: [] as PullAction[],
  backOffs: new Map<string, BackOff>(),
  tokens: known.tokens,
  queueEndsAt: pulls.images.queueEndsAt,
});

const backOffKey = ({ metadata: { uid } }: Pod, { image }: Container): string => `${uid}/${image}`;
const backOffOf = ({ backOffs, context }: Work, key: string): BackOff | undefined => backOffs.get(key) ?? context.known.backOffs.get(key);

const recordEvent = ({ pod, events }: Work, { field }: Container, type: 'Normal' | 'Warning', reason: string, message: string): void =>
  void events.push({ op: 'event', event: { about: pod, fieldPath: field, type, reason, message } });

type Ensured = { readonly wait: ContainerWait | undefined } | { readonly pull: NonNullable<Pulling['pull']> };

/** Handles the image of a container: it is present, must not be pulled now, or is being pulled. */
function ensure(work: Work, container: Container): Ensured {
  const { context, pod } = work;
  const { image, imagePullPolicy } = container;
  const spec = context.registry.find(image);
  const stored = context.images.get(image);
  const present = spec === undefined || (stored !== undefined && stored.readyAt <= context.now);
  if (present && imagePullPolicy !== 'Always') {
    recordEvent(work, container, 'Normal', 'Pulled', `Container image ${quote(image)} already present on machine`);
    return { wait: undefined };
  }
  if (imagePullPolicy === 'Never') {
    const message = `Container image ${quote(image)} is not present with pull policy of Never`;
    recordEvent(work, container, 'Warning', 'ErrImageNeverPull', message);
    return { wait: { reason: 'ErrImageNeverPull', message } };
  }
  const backOff = backOffOf(work, backOffKey(pod, container));
  if (backOff !== undefined && context.now - backOff.since < backOff.delayMs) {
    const message = `Back-off pulling image ${quote(image)}`;
    recordEvent(work, container, 'Normal', 'BackOff', message);
    return { wait: { reason: 'ImagePullBackOff', message } };
  }
  recordEvent(work, container, 'Normal', 'Pulling', `Pulling image ${quote(image)}`);
  return { pull: spec === undefined ? { askedAt: context.now, endsAt: context.now } : request(work, spec, present) };
}

/** Requests a pull: it starts after earlier ones where pulls are serial, and takes no time where the image is present. */
function request(work: Work, spec: ImageSpec, present: boolean): NonNullable<Pulling['pull']> {
  const { context, actions } = work;
  const { now, settings, registry, images, nodeName } = context;
  if (!spend(work)) return { askedAt: now, endsAt: now, error: 'pull QPS exceeded' };
  const known = context.credentialsFor?.(spec.name, nodeName, now);
  const credentials: readonly Credential[] = known?.credentials ?? [];
  const begins = Math.max(now + (known?.delayMs ?? 0), settings.serializeImagePulls ? work.queueEndsAt : 0);
  const error = registry.refusal(spec, begins, credentials);
  const underway = images.get(spec.name)?.readyAt ?? Infinity;
  const takes = error !== undefined || present || underway <= begins ? 0 : Math.min(spec.pullMs, underway - begins);
  const endsAt = begins + takes;
  work.queueEndsAt = Math.max(work.queueEndsAt, endsAt);
  actions.push({ does: 'pull', image: spec, endsAt, fails: error !== undefined });
  return { askedAt: now, endsAt, ...(error === undefined ? {} : { error }) };
}

/** Whether the rate allows a pull: a burst at once, then so many per second. Models: client-go flowcontrol TryAccept. */
function spend(work: Work): boolean {
  const { now, settings } = work.context;
  const { registryPullQPS: qps, registryBurst: burst } = settings;
  if (qps <= 0) return true;
  const { left, at } = work.tokens ?? { left: burst, at: now };
  const there = Math.min(burst, left + ((now - at) / 1000) * qps);
  const passes = there >= 1;
  work.tokens = { left: passes ? there - 1 : there, at: now };
  work.actions.push({ does: 'spend', tokens: work.tokens });
  return passes;
}

function finish(work: Work, container: Container, { askedAt, endsAt, error }: NonNullable<Pulling['pull']>): ContainerWait | undefined {
  const { context, pod, actions } = work;
  const image = quote(container.image);
  if (error === undefined) {
    const took = formatGoDuration(BigInt(endsAt - askedAt) * 1_000_000n);
    recordEvent(work, container, 'Normal', 'Pulled', `Successfully pulled image ${image} in ${took}`);
    return undefined;
  }
  recordEvent(work, container, 'Warning', 'Failed', `Failed to pull image ${image}: ${error}`);
  const key = backOffKey(pod, container);
  const known = backOffOf(work, key);
  const delayMs =
    known === undefined || context.now - known.since > 2 * MAX_BACK_OFF_MS
      ? FIRST_BACK_OFF_MS
      : Math.min(known.delayMs * 2, MAX_BACK_OFF_MS);
  const is: BackOff = { delayMs, since: context.now };
  work.backOffs.set(key, is);
  actions.push({ does: 'backOff', key, is });
  return { reason: 'ErrImagePull', message: error };
}

export const nextOfPulling = ({ pull, againAt }: Pulling): number => againAt ?? pull?.endsAt ?? Infinity;

export function sentenceOfPulling({ reported, pull }: Pulling): string {
  if (pull !== undefined) return pull.error === undefined ? 'waiting for an image to be pulled' : 'waiting for a pull that will fail';
  const [first] = Object.entries(reported);
  return first === undefined ? 'check whether its images are present' : `its container ${first[0]} has no image: ${first[1].reason}`;
}
