/**
 * The wanted slices of an Endpoints object: one for each set of ports and address family. Models: v1.24
 * pkg/controller/endpointslicemirroring reconciler.go and pkg/api/v1/endpoints RepackSubsets.
 */
import type { Endpoints } from '../../../apiserver/kinds/index.ts';
import { isIpv4, parseIp, compareText } from '../../../schema/values/index.ts';
import { ensure, identityOf, portsText, present, type Endpoint, type SlicePort } from '../../shared/index.ts';

type Subset = NonNullable<Endpoints['subsets']>[number];
type Address = NonNullable<Subset['addresses']>[number];

export type Family = 'IPv4' | 'IPv6';
export interface Mirror {
  readonly family: Family;
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly Endpoint[];
}

export const MOST_PER_SUBSET = 1000;

const familyOf = (address: string): Family | undefined => {
  const ip = parseIp(address);
  return ip === undefined ? undefined : isIpv4(ip) ? 'IPv4' : 'IPv6';
};

const endpointOf = ({ ip, hostname, nodeName, targetRef }: Address, ready: boolean): Endpoint =>
  present({ addresses: [ip], conditions: { ready }, hostname, targetRef, nodeName });

interface Listed {
  readonly address: Address;
  ready: boolean;
}

const portOf = ({ name = '', port, protocol = 'TCP', appProtocol }: NonNullable<Subset['ports']>[number]): SlicePort =>
  present({ name, port, protocol, appProtocol });

/** Combines ports with the same addresses; each address is listed once, and is unready if any subset says so. */
function repacked(subsets: readonly Subset[]): Iterable<{ readonly ports: readonly SlicePort[]; readonly addresses: readonly Listed[] }> {
  const byPort = new Map<string, { readonly port: SlicePort | undefined; readonly addresses: Map<string, Listed> }>();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets)
    for (const port of ports.length === 0 ? [undefined] : ports.map(portOf)) {
      const at = ensure(byPort, port === undefined ? '' : portsText([port]), () => ({ port, addresses: new Map<string, Listed>() }));
      const list = (address: Address) =>
        ensure(at.addresses, `${address.ip}|${address.targetRef?.uid ?? ''}`, () => ({ address, ready: true }));
      for (const address of addresses) list(address);
      for (const address of notReadyAddresses) list(address).ready = false;
    }
  const packed = new Map<string, { readonly ports: SlicePort[]; readonly addresses: readonly Listed[] }>();
  for (const { port, addresses } of byPort.values()) {
    const key = [...addresses]
      .map(([id, { ready }]) => `${id} ${ready}`)
      .sort(compareText)
      .join(';');
    const together = ensure(packed, port === undefined ? `without ports;${key}` : key, () => ({
      ports: [],
      addresses: [...addresses.values()],
    }));
    if (port !== undefined) together.ports.push(port);
  }
  return packed.values();
}

/** The mirrors of an Endpoints object, and the numbers of invalid addresses, and of those beyond the limit. */
export function wantedMirrors({ subsets = [] }: Endpoints) {
  const mirrors = new Map<string, Omit<Mirror, 'endpoints'> & { readonly endpoints: Map<string, Endpoint> }>();
  let invalid = 0;
  let skipped = 0;
  for (const { ports, addresses } of repacked(subsets ?? [])) {
    let added = 0;
    // Ready addresses come first, so that the others are left out when there are too many.
    for (const { address, ready } of [...addresses.filter((one) => one.ready), ...addresses.filter((one) => !one.ready)]) {
      if (added >= MOST_PER_SUBSET) {
        skipped++;
        continue;
      }
      const family = familyOf(address.ip);
      if (family === undefined) {
        invalid++;
        continue;
      }
      added++;
      const mirror = ensure(mirrors, `${family} ${portsText(ports)}`, () => ({ family, ports, endpoints: new Map() }));
      const endpoint = endpointOf(address, ready);
      mirror.endpoints.set(identityOf(endpoint), endpoint);
    }
  }
  return {
    mirrors: [...mirrors.values()].map(({ endpoints, ...rest }) => ({ ...rest, endpoints: [...endpoints.values()] })),
    invalid,
    skipped,
  };
}
