/**
 * Who led when: the signature of leases for election, which the comparison of objects leaves out. Identities are drawn, so only their
 * changes count.
 */
import type { TraceLine } from './recording.ts';
import type { Milestone } from './signature.ts';

/** Each taking and letting go of a lease. Whoever takes it sets both times, whoever renews it only one. */
export function elections(lines: readonly TraceLine[]): readonly Milestone[] {
  const found: Milestone[] = [];
  for (const {
    t,
    type,
    object: { kind, metadata, spec },
  } of lines) {
    // Leases of nodes stand in a namespace of their own. What is there when a recording begins was not taken then.
    if (kind !== 'Lease' || type !== 'MODIFIED' || metadata?.namespace !== 'kube-system') continue;
    const { holderIdentity = '', acquireTime, renewTime, leaseTransitions = 0 } = spec ?? {};
    if (holderIdentity === '') found.push({ t, what: `Lease ${metadata.name ?? ''} is let go of` });
    else if (acquireTime === renewTime) found.push({ t, what: `Lease ${metadata.name ?? ''} is taken, transition ${leaseTransitions}` });
  }
  return found;
}
