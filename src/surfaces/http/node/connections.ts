/**
 * Connections that are open: as many as there may be, and when there are more, the one that has been idle longest is closed. So nobody
 * shuts others out by connecting and saying nothing.
 */
import type { Socket } from 'node:net';

export interface Connections {
  /** One more; closes another, or this one if all others are being answered. */
  opened(socket: Socket): void;
  /** A request came on it. A secure connection is known by the address of its plain one. */
  busy(socket: Socket): void;
  /** Its answer is out. */
  idle(socket: Socket): void;
}

const addressOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string => `${remoteAddress} ${remotePort}`;

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
