/**
 * The sysctls that an agent can allow. Models: v1.24 pkg/kubelet/sysctl (allowlist.go, namespace.go) and
 * pkg/security/podsecuritypolicy/sysctl patterns.
 */
import { quote } from '../../schema/values/index.ts';

const MAX_LENGTH = 253;
const SEGMENT = '[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?';
const PATTERN = new RegExp(`^(?:${SEGMENT}[./])*(?:[a-z0-9][-_a-z0-9]*)?[a-z0-9*]$`);

/** Sysctls that are namespaced, so that each pod has its own: one by name, others by prefix. */
const NAMESPACED = new Set(['kernel.sem']);
const PREFIXES = ['kernel.shm', 'kernel.msg', 'fs.mqueue.', 'net.'];

/** Why a pattern cannot be allowed; undefined: it can be. */
export function sysctlProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH || !PATTERN.test(pattern))
    return `sysctl ${quote(pattern)} must have at most ${MAX_LENGTH} characters and be a name such as net.core.somaxconn, or end in * as net.* does`;
  const name = pattern.replaceAll('/', '.').replace(/\*$/, '');
  if (NAMESPACED.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix))) return undefined;
  return `the sysctl ${quote(pattern)} is not known to be namespaced: those of ${PREFIXES.map((prefix) => `${prefix}*`).join(', ')} and kernel.sem are`;
}
