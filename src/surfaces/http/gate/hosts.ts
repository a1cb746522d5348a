/** Which names a server answers to. A name that it was never given may be one that somebody else made point here (DNS rebinding). */

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** Addresses that stand for all of a machine's. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]']);
const USUAL_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Whether `host` or `host:port`, as a Host header or an origin has it, is the server's own. */
export type OwnHosts = (authority: string) => boolean;

/**
 * What is its own: the loopback names and the address it listens on, with its port. Where it listens on every address, any address (names
 * can be made to point elsewhere, addresses cannot) on any port, since a container's is mapped.
 */
export function ownHosts(listensOn: string, port: number): OwnHosts {
  const address = listensOn.includes(':') && !listensOn.startsWith('[') ? `[${listensOn}]` : listensOn;
  const names = new Set([...LOOPBACK, address.toLowerCase()]);
  const everywhere = EVERY_ADDRESS.has(listensOn);
  return (authority) => {
    const [, name = '', itsPort] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority.toLowerCase()) ?? [];
    if (everywhere) return isAddress(name) || name === 'localhost';
    return names.has(name) && (itsPort === undefined ? USUAL_PORTS.has(port) : Number(itsPort) === port);
  };
}

const isAddress = (name: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);
