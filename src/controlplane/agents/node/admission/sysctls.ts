/** Whether a pod may set the sysctls that it requests. Models: v1.24 pkg/kubelet/sysctl (allowlist.go, safe_sysctls.go). */
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import { quote } from '../../../../schema/values/index.ts';
import type { Refusal } from './refusal.ts';

/** Sysctls that every agent allows. */
const SAFE: readonly string[] = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];

const dotted = (name: string): string => name.replaceAll('/', '.');

/** Whether a name is in the list, exactly or by a prefix that ends in `*`. */
const isAllowed = (name: string, allowed: readonly string[]): boolean =>
  allowed.map(dotted).some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name));

/** Why a pod is refused; undefined: its sysctls are allowed. `allowed`: unsafe ones, or prefixes (`net.core.*`). */
export function refusedSysctl({ spec }: Pod, allowed: readonly string[]): Refusal | undefined {
  for (const sysctl of spec.securityContext?.sysctls ?? []) {
    const name = dotted(sysctl.name);
    const refused = (why: string): Refusal => ({ reason: 'SysctlForbidden', message: `forbidden sysctl: ${quote(sysctl.name)} ${why}` });
    if (!isAllowed(name, [...SAFE, ...allowed])) return refused('not allowlisted');
    if (name.startsWith('net.') && spec.hostNetwork === true) return refused('not allowed with host net enabled');
    if (!name.startsWith('net.') && spec.hostIPC === true) return refused('not allowed with host ipc enabled');
  }
  return undefined;
}
