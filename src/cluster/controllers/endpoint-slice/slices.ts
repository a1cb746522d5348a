/**
 * Fills slices with endpoints, changing as few of them as possible: existing slices lose what is gone, those that change anyway are
 * filled up, then one that has room, then new ones. Never rebalanced. Models: v1.24 pkg/controller/endpointslice/reconciler.go.
 */
import type { EndpointSlice } from '../../api/index.ts';

export type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];
export type SlicePort = NonNullable<EndpointSlice['ports']>[number];

export const MOST_ENDPOINTS = 100;

/** Endpoints that share their ports. */
export interface Wanted { readonly ports: readonly SlicePort[]; readonly endpoints: readonly Endpoint[] }

export interface SliceChanges {
  readonly create: readonly { readonly ports: readonly SlicePort[]; readonly endpoints: readonly Endpoint[] }[];
  readonly update: readonly { readonly slice: EndpointSlice; readonly endpoints: readonly Endpoint[] }[];
  readonly remove: readonly EndpointSlice[];
}

export const portsText = (ports: readonly SlicePort[] | undefined | null): string =>
  [...(ports ?? [])].map(({ name, protocol, port, appProtocol }) => `${name ?? ''}/${protocol ?? 'TCP'}/${port ?? ''}/${appProtocol ?? ''}`).sort((a, b) => (a < b ? -1 : 1)).join(',');

/** Who an endpoint is, whatever its state. */
const identity = ({ addresses, targetRef, hostname, nodeName }: Endpoint): string => `${addresses.join()}|${targetRef?.uid ?? ''}|${hostname ?? ''}|${nodeName ?? ''}`;
const state = ({ conditions, zone }: Endpoint): string => `${conditions.ready ?? ''}${conditions.serving ?? ''}${conditions.terminating ?? ''}${zone ?? ''}`;

const isEmpty = ({ endpoints, ports }: EndpointSlice): boolean => (endpoints ?? []).length === 0 && (ports ?? []).length === 0;

/** What to do with existing slices so that they hold the wanted endpoints. `relabelled`: slices that need an update anyway; `keepOne`: an empty slice stands where none would. */
export function arrange(existing: readonly EndpointSlice[], wanted: readonly Wanted[], relabelled: (slice: EndpointSlice) => boolean, keepOne: boolean): SliceChanges {
  const byPorts = new Map<string, EndpointSlice[]>();
  for (const slice of existing) byPorts.set(portsText(slice.ports), [...(byPorts.get(portsText(slice.ports)) ?? []), slice]);
  const create: SliceChanges['create'][number][] = [];
  const update: SliceChanges['update'][number][] = [];
  const remove: EndpointSlice[] = [];
  for (const group of wanted) {
    const id = portsText(group.ports);
    const done = arrangeGroup(byPorts.get(id) ?? [], group, relabelled);
    byPorts.delete(id);
    create.push(...done.create);
    update.push(...done.update);
    remove.push(...done.remove);
  }
  for (const slices of byPorts.values()) remove.push(...slices);
  if (keepOne && existing.length === remove.length && create.length === 0) {
    const [only] = remove;
    if (remove.length === 1 && only !== undefined && isEmpty(only) && !relabelled(only)) remove.pop();
    else create.push({ ports: [], endpoints: [] });
  }
  // A slice that would be made while another goes takes the other's place.
  const reused = Math.min(create.length, remove.length);
  for (let i = 0; i < reused; i++) {
    const [made, old] = [create.shift(), remove.shift()];
    if (made !== undefined && old !== undefined) update.push({ slice: { ...old, ports: made.ports }, endpoints: made.endpoints });
  }
  return { create, update, remove };
}

function arrangeGroup(slices: readonly EndpointSlice[], { ports, endpoints }: Wanted, relabelled: (slice: EndpointSlice) => boolean): SliceChanges {
  const left = new Map(endpoints.map((endpoint) => [identity(endpoint), endpoint]));
  const touched: { slice: EndpointSlice; endpoints: Endpoint[] }[] = [];
  const same: { slice: EndpointSlice; endpoints: Endpoint[] }[] = [];
  const remove: EndpointSlice[] = [];
  for (const slice of slices) {
    const kept: Endpoint[] = [];
    let changed = relabelled(slice);
    for (const endpoint of slice.endpoints ?? []) {
      const now = left.get(identity(endpoint));
      if (now === undefined) { changed = true; continue; }
      left.delete(identity(endpoint));
      if (state(now) !== state(endpoint)) changed = true;
      kept.push(now);
    }
    if (changed && kept.length === 0 && endpoints.length > 0) remove.push(slice);
    else (changed ? touched : same).push({ slice, endpoints: kept });
  }
  const waiting = [...left.values()];
  // Fullest first, so that as few slices as possible stay half empty.
  for (const one of touched.sort((a, b) => b.endpoints.length - a.endpoints.length)) one.endpoints.push(...waiting.splice(0, MOST_ENDPOINTS - one.endpoints.length));
  const create: SliceChanges['create'][number][] = [];
  while (waiting.length >= MOST_ENDPOINTS) create.push({ ports, endpoints: waiting.splice(0, MOST_ENDPOINTS) });
  if (waiting.length > 0) {
    const room = same.filter((one) => MOST_ENDPOINTS - one.endpoints.length >= waiting.length).sort((a, b) => b.endpoints.length - a.endpoints.length)[0];
    if (room !== undefined) { room.endpoints.push(...waiting); touched.push(room); }
    else create.push({ ports, endpoints: waiting });
  }
  return { create, update: touched, remove };
}
