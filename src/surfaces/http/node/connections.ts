/**
 * Limits open connections: beyond the limit, the one that has been idle longest is closed. So idle connections cannot lock out other
 * clients.
 */
import type { Socket } from 'node:net';

export interface Connections {
  /** Adds a connection; closes another one, or this one if all others are busy. */
  opened(socket: Socket): void;
  /** A request has arrived. A secure connection has the same address as its plain one. */
  busy(socket: Socket): void;
  /** The reply has been sent. */
  idle(socket: Socket): void;
}

const addressOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Allows at most `most` open connections. */
export function limitConnections(most: number): Connections {
  const all = new Map<string, Socket>();
  /** The longest idle first. */
  const idle = new Map<string, Socket>();
  return {
    opened(socket) {
      const address = addressOf(socket);
      all.set(address, socket);
      idle.set(address, socket);
      socket.once('close', () => {
        all.delete(address);
        idle.delete(address);
      });
      if (all.size <= most) return;
      const [oldest] = idle.values();
      oldest?.destroy();
    },
    busy: (socket) => void idle.delete(addressOf(socket)),
    idle(socket) {
      const address = addressOf(socket);
      const known = all.get(address);
      if (known === undefined) return;
      idle.delete(address);
      idle.set(address, known);
    },
  };
}
