/**
 * Connections that are open: as many as there may be, and when there are more, the one that has been idle longest is closed. So nobody
 * shuts others out by connecting and saying nothing. Nor does anybody fill the memory with requests that never begin: the parser keeps
 * headers until they have come whole, before it is known who sends them.
 */
import type { Socket } from 'node:net';

const addressOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string => `${remoteAddress} ${remotePort}`;

interface Idle {
  readonly socket: Socket;
  /** What had come when its last request was answered. */
  readonly from: number;
}

const LOOK_EVERY_MS = 100;

/** `heads`: the bytes of headers that may be kept, of all connections, and of each at most. */
export function limitConnections(most: number, heads: { readonly all: number; readonly each: number }) {
  const all = new Map<string, Socket>();
  /** The longest idle first. */
  const idle = new Map<string, Idle>();
  const looking = lookWhile(
    () => idle.size > heads.all / heads.each,
    () => closeLargest(idle.values(), heads.all),
  );
  return {
    /** Adds a connection; closes another one, or this one if all others are busy. */
    opened(socket: Socket): void {
      const address = addressOf(socket);
      all.set(address, socket);
      idle.set(address, { socket, from: 0 });
      socket.once('close', () => {
        all.delete(address);
        idle.delete(address);
      });
      looking();
      if (all.size <= most) return;
      const [oldest] = idle.values();
      oldest?.socket.destroy();
    },
    /** A request has arrived. A secure connection has the same address as its plain one. */
    busy: (socket: Socket) => void idle.delete(addressOf(socket)),
    /** The reply has been sent. */
    idle(socket: Socket): void {
      const address = addressOf(socket);
      const known = all.get(address);
      if (known === undefined) return;
      idle.delete(address);
      idle.set(address, { socket: known, from: known.bytesRead });
      looking();
    },
  };
}

/** Looks again and again while there is a reason; the answer begins it. */
function lookWhile(reason: () => boolean, look: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    if (timer !== undefined || !reason()) return;
    timer = setInterval(() => {
      look();
      if (reason()) return;
      clearInterval(timer);
      timer = undefined;
    }, LOOK_EVERY_MS).unref();
  };
}

/** Closes connections whose unfinished requests are the largest, until the rest may be kept. */
function closeLargest(idle: Iterable<Idle>, most: number): void {
  const heads = [...idle].map(({ socket, from }) => ({ socket, bytes: socket.bytesRead - from }));
  let held = heads.reduce((sum, { bytes }) => sum + bytes, 0);
  if (held <= most) return;
  for (const { socket, bytes } of heads.sort((one, other) => other.bytes - one.bytes)) {
    if (held <= most) return;
    socket.destroy();
    held -= bytes;
  }
}
