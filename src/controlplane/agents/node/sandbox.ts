/**
 * The sandbox of a pod: a runtime with the handler of its class, and an address of the node's range. Models: v1.24 pkg/kubelet/kuberuntime
 * kuberuntime_sandbox.go, pkg/kubelet/runtimeclass; addresses as assigned by the host-local plug-in.
 */
import type { Pod, RuntimeClass } from '../../../apiserver/kinds/index.ts';
import type { GivenSettings } from '../specs.ts';
import { namesProblem } from './container-introspection.ts';
import { formatIp, isIpv4, parseCidr, quote } from '../../../schema/values/index.ts';

/** A node's resources for sandboxes; both absent: everything is available. */
export interface SandboxOffer {
  /** The configured runtime handlers, besides the default one. */
  readonly handlers: readonly string[] | undefined;
  readonly podCIDR: string | undefined;
  /** Names and limits of pods; absent: not configured. */
  readonly given: GivenSettings | undefined;
}

/** The number of addresses in a range, by its prefix length. */
const SIZES: readonly number[] = Array.from({ length: 33 }, (_, prefix) =>
  Array.from({ length: 32 - prefix }).reduce<number>((size) => size * 2, 1),
);

const FAILED = 'Failed to create pod sandbox: ';

/** Whether a sandbox can fail at all: most nodes offer everything. */
export const needsSandbox = (pod: Pod, { handlers, podCIDR, given }: SandboxOffer): boolean =>
  given?.resolvers !== undefined ||
  pod.spec.setHostnameAsFQDN === true ||
  (handlers !== undefined && pod.spec.runtimeClassName !== undefined) ||
  hasRange(pod, podCIDR);

const hasRange = (pod: Pod, podCIDR: string | undefined): podCIDR is string =>
  podCIDR !== undefined && podCIDR !== '' && pod.spec.hostNetwork !== true;

/** Why the runtime cannot create the pod's sandbox; undefined: it can. */
export function missingHandler(
  pod: Pod,
  { handlers, given }: SandboxOffer,
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
export function addressFor(
  pod: Pod,
  { podCIDR }: SandboxOffer,
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
