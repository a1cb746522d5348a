/** What the controller plans from a known difference, planned from a comparison of all endpoints. */
import type { EndpointSlice } from '../../../../src/apiserver/kinds/index.ts';
import { type Misplaced, rearrange, type SliceChanges } from '../../../../src/controlplane/controllers/endpoint-slice/slices.ts';
import { identityOf, portsText, stateOf, type Endpoint, type SlicePort } from '../../../../src/controlplane/shared/index.ts';

/** Endpoints with the same ports. */
interface Wanted {
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly Endpoint[];
}

/** Plans slices for the wanted endpoints, with everything compared. */
export function arrange(
  existing: readonly EndpointSlice[],
  wanted: readonly Wanted[],
  relabelled: (slice: EndpointSlice) => boolean,
): SliceChanges {
  return rearrange(existing, compare(existing, wanted), relabelled);
}

/** The difference between the endpoints of slices and the wanted ones. */
function compare(existing: readonly EndpointSlice[], wanted: readonly Wanted[]): Misplaced {
  const groups = new Map<string, { readonly ports: readonly SlicePort[]; readonly count: number }>();
  const left = new Map<string, Map<string, Endpoint>>();
  for (const { ports, endpoints } of wanted) {
    const id = portsText(ports);
    const group = left.get(id) ?? new Map<string, Endpoint>();
    for (const endpoint of endpoints) group.set(identityOf(endpoint), endpoint);
    left.set(id, group);
    groups.set(id, { ports, count: group.size });
  }
  const changes = new Map<EndpointSlice, Map<string, Endpoint | undefined>>();
  for (const slice of existing) {
    const group = left.get(portsText(slice.ports));
    if (group === undefined) continue;
    const own = new Map<string, Endpoint | undefined>();
    for (const endpoint of slice.endpoints ?? []) {
      const identity = identityOf(endpoint);
      const now = group.get(identity);
      group.delete(identity);
      if (now === undefined || stateOf(now) !== stateOf(endpoint)) own.set(identity, now);
    }
    if (own.size > 0) changes.set(slice, own);
  }
  return { groups, changes, missing: new Map([...left].map(([id, group]) => [id, [...group.values()]])) };
}
