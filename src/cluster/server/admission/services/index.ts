/**
 * Addresses and node ports of services that ask for none in particular. Models: v1.24 pkg/registry/core/service/storage alloc.go,
 * ipallocator, portallocator. Simplified: one family; addresses are given out in order, the default range is wider than upstream's 254.
 */
import type { Service } from '../../api/index.ts';
import type { ApiObject } from '../../api/object.ts';
import type { Change, Store } from '../../store/index.ts';
import { GoText } from '../../values/index.ts';
import { internalError, invalid } from '../errors.ts';
import { withMembers } from '../order.ts';
import type { AdmissionPlugin } from './plugin.ts';

/** 10.0.0.0/16: the default range of the real server is its first 256. */
const FIRST = 0x0a_00_00_00;
const SIZE = 0x1_0000;
const RANGE = '10.0.0.0/16';
const PORTS = { first: 30_000, last: 32_767 };

const text = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

/** What services hold, kept up with the store. */
class Taken {
  readonly addresses = new Map<string, number>();
  readonly ports = new Map<number, number>();
  #address = 0;
  #port = PORTS.first - 1;

  constructor(store: Store) {
    for (const object of store.values('Service')) this.#count(object, 1);
    store.onChange((change: Change) => {
      if (change.kind !== 'Service') return;
      if (change.previous !== undefined) this.#count(change.previous, -1);
      if (change.type !== 'DELETED') this.#count(change.object, 1);
    });
  }

  #count(object: ApiObject, by: 1 | -1): void {
    const { clusterIPs, clusterIP, ports } = (object as unknown as Service).spec;
    for (const address of clusterIPs ?? (clusterIP === undefined ? [] : [clusterIP])) add(this.addresses, address, by);
    for (const { nodePort } of ports ?? []) if (nodePort !== undefined) add(this.ports, nodePort, by);
  }

  /** The next address nobody has; undefined when there is none left. */
  address(): string | undefined {
    for (let tries = 0; tries < SIZE; tries++) {
      this.#address = (this.#address + 1) % (SIZE - 1);
      const found = text(FIRST + this.#address);
      if (this.#address !== 0 && !this.addresses.has(found)) return found;
    }
    return undefined;
  }

  port(besides: ReadonlySet<number>): number | undefined {
    for (let tries = PORTS.first; tries <= PORTS.last; tries++) {
      this.#port = this.#port >= PORTS.last ? PORTS.first : this.#port + 1;
      if (!this.ports.has(this.#port) && !besides.has(this.#port)) return this.#port;
    }
    return undefined;
  }
}

function add<K>(counts: Map<K, number>, key: K, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

const books = new WeakMap<Store, Taken>();
function takenIn(store: Store): Taken {
  let taken = books.get(store);
  if (taken === undefined) books.set(store, (taken = new Taken(store)));
  return taken;
}

export const serviceAddresses: AdmissionPlugin = {
  name: 'ServiceAddresses',
  verbs: ['create', 'update'],
  kinds: ['Service'],
  mutate(door, { resource, name, dryRun }, object, old) {
    const { spec } = object as unknown as Service;
    const taken = takenIn(door.store);
    const given = spec.clusterIP ?? spec.clusterIPs?.[0] ?? '';
    let made: Partial<Service['spec']> = {};
    // An update keeps what it does not name; the kind's own rules see to that.
    if (spec.type !== 'ExternalName' && given === '' && (old === undefined || (old as unknown as Service).spec.type === 'ExternalName')) {
      const address = dryRun ? text(FIRST) : taken.address();
      if (address === undefined) throw internalError('failed to allocate a serviceIP: range is full');
      made = { clusterIP: address, clusterIPs: [address] };
    } else if (old === undefined && given !== '' && given !== 'None') checkGiven(taken, given, (detail) => invalid(resource, name, [{ type: 'Invalid', field: 'spec.clusterIPs', value: new GoText(`[]string{${JSON.stringify(given)}}`), detail }]));
    if ((spec.type === 'NodePort' || spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false) && (spec.ports ?? []).some(({ nodePort = 0 }) => nodePort === 0)) made = { ...made, ports: withNodePorts(taken, spec, old as unknown as Service | undefined) };
    return Object.keys(made).length === 0 ? object : { ...object, spec: withMembers(resource.kind.schema.fields['spec'], spec, made) };
  },
};

function checkGiven(taken: Taken, address: string, refusal: (detail: string) => Error): void {
  const parts = address.split('.').map(Number);
  if (parts.length !== 4 || parts.some((part) => !(part >= 0 && part <= 255))) return;
  const place = parts.reduce((sum, part) => sum * 256 + part, 0) - FIRST;
  if (place <= 0 || place >= SIZE - 1) throw refusal(`failed to allocate IP ${address}: the provided IP (${address}) is not in the valid range. The range of valid IPs is ${RANGE}`);
  if (taken.addresses.has(address)) throw refusal(`failed to allocate IP ${address}: provided IP is already allocated`);
}

/** Ports of the same name and number keep the node port they had. */
function withNodePorts(taken: Taken, spec: Service['spec'], old: Service | undefined): NonNullable<Service['spec']['ports']> {
  const own = new Set((spec.ports ?? []).flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort])));
  return (spec.ports ?? []).map((port) => {
    if ((port.nodePort ?? 0) !== 0) return port;
    const before = old?.spec.ports?.find((each) => each.port === port.port && each.protocol === port.protocol)?.nodePort;
    const nodePort = before !== undefined && !own.has(before) ? before : taken.port(own);
    if (nodePort === undefined) throw internalError('failed to allocate a nodePort: range is full');
    own.add(nodePort);
    return { ...port, nodePort };
  });
}
