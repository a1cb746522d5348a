/** Addresses and ports of services, in order, where upstream draws. Models: v1.24 pkg/registry/core/service ip- and portallocator. */
import { isOf } from '../../kinds/index.ts';
import type { ApiObject } from '../../machinery/index.ts';
import type { Change, Store } from '../../store/index.ts';
import { bump, formatIp, type Ip } from '../../../schema/values/index.ts';

/** Requested addresses are in the real server's default range. Automatic ones continue beyond it, for clusters of many services. */
const FIRST = 0x0a_00_00_00;
const ASKED = 0x100;
/** The lower part of the range, preferred for requested addresses: a sixteenth of the range, sixteen at least. */
const KEPT_LOW = 16;
const GIVEN = 0x1_0000;
export const ADDRESS_RANGE = '10.0.0.0/24';
const PORTS = { first: 30_000, last: 32_767 };
export const PORT_RANGE = `${PORTS.first}-${PORTS.last}`;

const addressAt = (place: number): string => formatIp([FIRST + place]);
/** The first address that may be requested; the Service of the API server has it. */
export const FIRST_ADDRESS = addressAt(1);
/** The address in the answer to a dry run, which allocates nothing. */
export const UNTAKEN_ADDRESS = addressAt(0);

export const inAddressRange = ([word = 0]: Ip): boolean => word > FIRST && word < FIRST + ASKED - 1;
export const inPortRange = (port: number): boolean => port >= PORTS.first && port <= PORTS.last;

export class Allocations {
  readonly #addresses = new Map<string, number>();
  readonly #ports = new Map<number, number>();
  /** Where the next search begins: inside the range of requested addresses, and beyond it. */
  readonly #places = { asked: 0, beyond: ASKED - 1 };
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
    if (!isOf('Service', object)) return;
    const { clusterIPs, clusterIP, ports, healthCheckNodePort } = object.spec;
    for (const address of clusterIPs ?? (clusterIP === undefined ? [] : [clusterIP])) bump(this.#addresses, address, by);
    for (const { nodePort } of ports ?? []) if (nodePort !== undefined) bump(this.#ports, nodePort, by);
    if (healthCheckNodePort !== undefined) bump(this.#ports, healthCheckNodePort, by);
  }

  hasAddress(address: string): boolean {
    return this.#addresses.has(address);
  }

  hasPort(port: number): boolean {
    return this.#ports.has(port);
  }

  /** Allocates the next free address, with `sparesLow` the lower part last. Models: v1.24 ipallocator calculateRangeOffset. */
  address(sparesLow: boolean): string | undefined {
    const high = sparesLow ? this.#search('asked', KEPT_LOW + 1, ASKED - 1) : undefined;
    return high ?? this.#search('asked', 1, ASKED - 1) ?? this.#search('beyond', ASKED, GIVEN - 1);
  }

  #search(part: 'asked' | 'beyond', from: number, end: number): string | undefined {
    for (let tries = from; tries < end; tries++) {
      const next = this.#places[part] + 1;
      this.#places[part] = next < from || next >= end ? from : next;
      const found = addressAt(this.#places[part]);
      if (!this.#addresses.has(found)) return found;
    }
    return undefined;
  }

  port(besides: ReadonlySet<number>): number | undefined {
    for (let tries = PORTS.first; tries <= PORTS.last; tries++) {
      this.#port = this.#port >= PORTS.last ? PORTS.first : this.#port + 1;
      if (!this.#ports.has(this.#port) && !besides.has(this.#port)) return this.#port;
    }
    return undefined;
  }
}
