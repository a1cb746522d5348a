/**
 * The signature of leader election leases, which the comparison of objects leaves out. Identities are random, so only their changes count.
 */
import type { TraceLine } from './recording.ts';
import type { Milestone } from './signature.ts';

/** Returns each acquisition and release of a lease. An acquisition sets both times, a renewal only one. */
export function elections(lines: readonly TraceLine[]): readonly Milestone[] {
  const found: Milestone[] = [];
  for (const {
    t,
    type,
    object: { kind, metadata, spec },
  } of lines) {
    // Leases of nodes are in another namespace. The initial state is not an acquisition.
    if (kind !== 'Lease' || type !== 'MODIFIED' || metadata?.namespace !== 'kube-system') continue;
    const { holderIdentity = '', acquireTime, renewTime, leaseTransitions = 0 } = spec ?? {};
    if (holderIdentity === '') found.push({ t, what: `Lease ${metadata.name ?? ''} is released` });
    else if (acquireTime === renewTime) found.push({ t, what: `Lease ${metadata.name ?? ''} is acquired, transition ${leaseTransitions}` });
  }
  return found;
}
