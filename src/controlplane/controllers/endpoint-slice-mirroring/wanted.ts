/**
 * The wanted slices of an Endpoints object: one for each set of ports and address family. Models: v1.24
 * pkg/controller/endpointslicemirroring reconciler.go and pkg/api/v1/endpoints RepackSubsets.
 */
import type { Endpoints } from '../../../apiserver/kinds/index.ts';
import { isIpv4, parseIp, compareText } from '../../../schema/values/index.ts';
import { identityOf, portsText, type Endpoint, type SlicePort } from '../../shared/index.ts';

type Subset = NonNullable<Endpoints['subsets']>[number];
type Address = NonNullable<Subset['addresses']>[number];

export type Family = 'IPv4' | 'IPv6';
export interface Mirror {
  readonly family: Family;
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly Endpoint[];
}

/** The number of addresses of a subset that are mirrored, at most. */
export const MOST_PER_SUBSET = 1000;

const familyOf = (address: string): Family | undefined => {
  const ip = parseIp(address);
  return ip === undefined ? undefined : isIpv4(ip) ? 'IPv4' : 'IPv6';
};

const endpointOf = ({ ip, hostname, nodeName, targetRef }: Address, ready: boolean): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...(hostname === undefined ? {} : { hostname }),
  ...(targetRef === undefined ? {} : { targetRef }),
  ...(nodeName === undefined ? {} : { nodeName }),
});

/**
 * Subsets in which ports with the same addresses are combined, and each address is listed once; an address that any subset calls unready is
 * unready.
 */
function repacked(subsets: readonly Subset[]): readonly {
  readonly ports: readonly SlicePort[];
  readonly addresses: readonly { readonly address: Address; readonly ready: boolean }[];
}[] {
  const byPort = new Map<
    string,
    { readonly port: SlicePort | undefined; readonly addresses: Map<string, { readonly address: Address; ready: boolean }> }
  >();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    const stated: readonly (SlicePort | undefined)[] =
      ports.length === 0
        ? [undefined]
        : ports.map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
            name,
            port,
            protocol,
            ...(appProtocol === undefined ? {} : { appProtocol }),
          }));
    for (const port of stated) {
      const text = port === undefined ? '' : portsText([port]);
      let at = byPort.get(text);
      if (at === undefined) byPort.set(text, (at = { port, addresses: new Map() }));
      for (const [list, ready] of [
        [addresses, true],
        [notReadyAddresses, false],
      ] as const) {
        for (const address of list) {
          const key = `${address.ip}|${address.targetRef?.uid ?? ''}`;
          const known = at.addresses.get(key);
          if (known === undefined) at.addresses.set(key, { address, ready });
          else if (!ready) known.ready = false;
        }
      }
    }
  }
  const packed = new Map<
    string,
    { readonly ports: SlicePort[]; readonly addresses: readonly { readonly address: Address; readonly ready: boolean }[] }
  >();
  for (const { port, addresses } of byPort.values()) {
    const key = [...addresses]
      .map(([id, { ready }]) => `${id} ${ready}`)
      .sort(compareText)
      .join(';');
    const known = port === undefined ? undefined : packed.get(key);
    if (known !== undefined && port !== undefined) known.ports.push(port);
    else
      packed.set(port === undefined ? `without ports;${key}` : key, {
        ports: port === undefined ? [] : [port],
        addresses: [...addresses.values()],
      });
  }
  return [...packed.values()];
}

export interface WantedMirrors {
  readonly mirrors: readonly Mirror[];
  /** The numbers of invalid addresses, and of those beyond the limit. */
  readonly invalid: number;
  readonly skipped: number;
}

/** The mirrors of an Endpoints object. */
export function wantedMirrors({ subsets = [] }: Endpoints): WantedMirrors {
  const mirrors = new Map<
    string,
    { readonly family: Family; readonly ports: readonly SlicePort[]; readonly endpoints: Map<string, Endpoint> }
  >();
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
      const key = `${family} ${portsText(ports)}`;
      let mirror = mirrors.get(key);
      if (mirror === undefined) mirrors.set(key, (mirror = { family, ports, endpoints: new Map() }));
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
