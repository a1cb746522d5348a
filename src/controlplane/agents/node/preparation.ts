/**
 * The steps before a pod's containers start: volumes are attached and mounted, the sandbox is created: a runtime with the handler of the
 * pod's class, and an address of the node's range. Failures are reported and retried. Models: v1.24 pkg/kubelet/kuberuntime
 * kuberuntime_sandbox.go, pkg/kubelet/runtimeclass; addresses as assigned by the host-local plug-in.
 */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Pod, RuntimeClass } from '../../../apiserver/kinds/index.ts';
import { formatIp, isIpv4, parseCidr, quote } from '../../../schema/values/index.ts';
import { isHeld, passed, released, type Run } from './containers.ts';
import { type Mount, type MountKnowledge, mountsOf, republish } from './mounts.ts';
import { hasClaims, hasRange, podRangeOf, waitsForImages } from './node-context.ts';
import type { Brought, NodeContext, PodInput, View, Volumes } from './node-context.ts';
import { namesProblem } from './container-introspection.ts';
import { attachable, mayMount, type PodVolume } from './volumes.ts';

const NO_VOLUMES: Exclude<Volumes, string> = { found: [], node: undefined, brought: new Map() };

export interface Mounting {
  readonly run: Run;
  /** The volumes in use from now on; undefined: unchanged. */
  readonly uses?: { readonly volumes: readonly string[] | undefined };
  /** Whether the pod waits; undefined: unchanged. */
  readonly waits?: boolean;
  /** Why it does not start although its volumes are attached: an event, and a retry. */
  readonly failure?: { readonly reason: 'FailedAttachVolume' | 'FailedMount' | 'FailedCreatePodSandBox'; readonly message: string };
  /** The mounts of its volumes; undefined: unchanged. */
  readonly mounts?: readonly Mount[];
}

/** Advances a pod that waits for its volumes, sandbox and images. `said`: the creation of its containers has been reported. */
export function mounting(view: View, nodeContext: NodeContext, input: PodInput, volumes: Volumes, said: boolean): Mounting {
  const { pod, run, others } = view;
  const { machine } = nodeContext;
  const { now } = input;
  const claims = hasClaims(pod);
  if (run.stage === 'over') return claims ? { run, uses: { volumes: undefined }, waits: false } : { run };
  if (!isHeld(run) || run.mounted === true || (claims && volumes === 'not needed')) return { run };
  if (volumes === 'unbound' || volumes === 'no answer') return { run, waits: true };
  const { found, node, brought } = volumes === 'not needed' ? NO_VOLUMES : volumes;
  const uses = !claims || machine.volumesOf.has(pod.metadata.uid) ? {} : { uses: { volumes: attachable(found) } };
  const refused = nodeContext.attachesItself ? refusedAttach(found, input.names) : undefined;
  if (refused !== undefined) return { run, ...uses, failure: refused };
  if (!nodeContext.attachesItself && !mayMount(found, node)) return { run, ...uses, waits: true };
  const prepared = prepare(view, nodeContext, input, found, brought);
  if ('failure' in prepared) return { run, ...uses, waits: false, failure: prepared.failure };
  const mounts = prepared.mounts.length === 0 ? {} : { mounts: prepared.mounts };
  // Images are pulled last.
  if (waitsForImages(pod, nodeContext)) return { run: { ...run, ip: prepared.ip, mounted: true }, ...uses, ...mounts, waits: false };
  // Their creation has been reported if they had to wait.
  const begins = { ...released(run, now, said ? 0 : machine.leastStartMs), ip: prepared.ip };
  return { run: passed(begins, now, others), ...uses, ...mounts, waits: false };
}

/**
 * An agent that attaches volumes itself cannot attach CSI volumes: the attacher works with the controller only. undefined: none must be
 * attached. Models: v1.24 pkg/volume/csi csi_attacher.go (Attach); spec process-config.md, enableControllerAttachDetach.
 */
function refusedAttach(found: readonly PodVolume[], { agentName }: Names): Mounting['failure'] {
  const first = found.find(({ mustAttach }) => mustAttach);
  if (first === undefined) return undefined;
  const message = `AttachVolume.Attach failed for volume "${first.pv.metadata.name}" : attaching volumes from the ${agentName} is not supported`;
  return { reason: 'FailedAttachVolume', message };
}

const knowledgeOf = (
  { drivers, nodeName }: NodeContext,
  { cache, names, wall }: PodInput,
  brought: Brought = new Map(),
): MountKnowledge => ({
  names,
  wall,
  drivers,
  driverOf: (name) => cache.get('CSIDriver', undefined, name),
  isInstalled: (driver) =>
    drivers.some(({ name }) => name === driver) ||
    cache.get('CSINode', undefined, nodeName)?.spec.drivers?.some(({ name }) => name === driver) === true,
  publishedOf: (volume) => brought.get(volume),
});

/** Volumes that are published periodically while containers run: the next time, and the mounts now. */
export interface Republishing {
  readonly nextAt: number;
  readonly mounts?: readonly Mount[];
  readonly failure?: NonNullable<Mounting['failure']>;
}

/** Publishes a pod's volumes again where their driver requires it, as often as pods are synced; a failure leaves the pod unchanged. */
export function republishing(
  { pod }: View,
  { run, mounts }: Mounting,
  nodeContext: NodeContext,
  input: PodInput,
): Republishing | undefined {
  if (run.stage !== 'running') return undefined;
  const before = mounts ?? nodeContext.machine.mounts(pod.metadata.uid);
  if (!before.some(({ republished }) => republished)) return undefined;
  const passed = input.now - run.startedAt;
  const nextAt = input.now + nodeContext.syncMs - (passed % nodeContext.syncMs);
  if (passed === 0 || passed % nodeContext.syncMs !== 0) return { nextAt };
  const after = before.map((mount) => (mount.republished ? republish(pod, mount, knowledgeOf(nodeContext, input)) : mount));
  const failed = after.find((mount) => 'failure' in mount);
  if (failed !== undefined) return { nextAt, failure: { reason: 'FailedMount', message: failed.failure } };
  return { nextAt, mounts: after.flatMap((mount) => ('failure' in mount ? [] : mount)) };
}

function prepare(
  { pod, run }: View,
  nodeContext: NodeContext,
  input: PodInput,
  found: readonly PodVolume[],
  brought: Brought,
): { readonly ip: string; readonly mounts: readonly Mount[] } | Required<Pick<Mounting, 'failure'>> {
  const { cache } = input;
  const { machine } = nodeContext;
  const decision = mountsOf(pod, found, knowledgeOf(nodeContext, input, brought));
  if ('failure' in decision) return { failure: { reason: 'FailedMount', message: decision.failure } };
  const failed = (message: string) => ({ failure: { reason: 'FailedCreatePodSandBox', message } }) as const;
  const missing = missingHandler(pod, nodeContext, (name) => cache.get('RuntimeClass', undefined, name));
  if (missing !== undefined) return failed(missing);
  if (run.ip !== '') return { ip: run.ip, mounts: decision.mounts };
  const address = addressFor(pod, podRangeOf(nodeContext, input), machine.addressesInUse(), machine.nextAddress());
  return 'failure' in address ? failed(address.failure) : { ip: address.ip, mounts: decision.mounts };
}

const SIZES: readonly number[] = Array.from({ length: 33 }, (_, prefix) =>
  Array.from({ length: 32 - prefix }).reduce<number>((size) => size * 2, 1),
);

const FAILED = 'Failed to create pod sandbox: ';

/** Why the runtime cannot create the sandbox; undefined: it can. */
function missingHandler(
  pod: Pod,
  { handlers, given }: NodeContext,
  classOf: (name: string) => RuntimeClass | undefined,
): string | undefined {
  const names = namesProblem(pod, given);
  if (names !== undefined) return `${FAILED}${names}`;
  const { runtimeClassName: name } = pod.spec;
  if (handlers === undefined || name === undefined || name === '') return undefined;
  const handler = classOf(name)?.handler;
  if (handler === undefined) return `${FAILED}runtimeclass.node.k8s.io ${quote(name)} not found`;
  if (handler === '' || handlers.includes(handler)) return undefined;
  return `${FAILED}rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for ${quote(handler)} is configured`;
}

/** The address of a pod: the lowest free one of its node's range, whose first is the gateway's; `usual` where the node has no range. */
function addressFor(
  pod: Pod,
  podCIDR: string | undefined,
  used: ReadonlySet<string>,
  usual: string,
): { readonly ip: string } | { readonly failure: string } {
  if (!hasRange(pod, podCIDR)) return { ip: usual };
  const cidr = parseCidr(podCIDR).value;
  const [base] = cidr?.ip ?? [];
  // Only ranges of one address family are used.
  if (cidr === undefined || base === undefined || !isIpv4(cidr.ip)) return { ip: usual };
  const size = SIZES[cidr.prefix] ?? 1;
  const first = base - (base % size);
  for (let at = first + 2; at < first + size - 1; at++) {
    const ip = formatIp([at]);
    if (!used.has(ip)) return { ip };
  }
  const range = `${formatIp([first + 1])}-${formatIp([first + size - 2])}`;
  return {
    failure: `${FAILED}rpc error: code = Unknown desc = failed to allocate for range 0: no IP addresses available in range set: ${range}`,
  };
}
