/** The host names of a server. Any other name may have been pointed at its address by an attacker (DNS rebinding). */

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** Wildcard addresses. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]']);
const USUAL_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Whether `host` or `host:port`, from a Host header or an origin, is the server's own. */
export type ServerHosts = (authority: string) => boolean;

/**
 * Accepts the loopback names and the listening address, with the port. On a wildcard address it accepts any IP address (an attacker
 * controls names, not addresses) with any port, because ports of a container are mapped.
 */
export function serverHosts(listensOn: string, port: number): ServerHosts {
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
