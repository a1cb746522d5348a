/** Streams on a socket, and connections: how they end, what of them is kept, and which are closed. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Listening } from '../../../src/surfaces/http/index.ts';
import { type Answering, type Sink, text } from '../../../src/surfaces/http/message.ts';
import type { ListenOptions } from '../../../src/surfaces/http/node/listen.ts';
import { asked, serving } from './sockets.ts';

describe('a stream', () => {
  /** A stream, and what its server does with it. */
  async function streaming(options: Partial<ListenOptions> = {}, more: object = {}) {
    const sinks: Sink[] = [];
    const closed: number[] = [];
    const opened: (() => void)[] = [];
    const server = await serving(
      () => ({
        status: 200,
        headers: { 'content-type': 'a/b' },
        ...more,
        open(sink) {
          const nth = sinks.push(sink);
          opened.shift()?.();
          return () => void closed.push(nth);
        },
      }),
      options,
    );
    const begin = async (): Promise<{ readonly socket: Socket; readonly sink: Sink; came(): string }> => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
      let all = '';
      socket.on('data', (part: Buffer) => (all += part.toString()));
      const isOpen = new Promise<void>((go) => opened.push(go));
      socket.write(asked('GET /a'));
      await isOpen;
      const sink = sinks.at(-1);
      if (sink === undefined) throw new Error('no stream');
      return { socket, sink, came: () => all };
    };
    return { server, begin, closed };
  }

  it('sends its head at once, then what is written, and ends', async () => {
    const { begin, closed } = await streaming();
    const { socket, sink, came } = await begin();
    await once(socket, 'data');
    expect([came().startsWith('HTTP/1.1 200 OK\r\ncontent-type: a/b\r\n'), closed]).toEqual([true, []]);
    sink.write('one\n');
    sink.write('one\n');
    sink.write('two\n');
    sink.end();
    sink.end();
    sink.write('late\n');
    await once(socket, 'close');
    expect(
      came()
        .split('\r\n')
        .filter((line) => line.endsWith('\n'))
        .join(''),
    ).toBe('one\none\ntwo\n');
    expect(closed[0]).toBe(1);
  });

  it('is cut without an end, by its server and by its client', async () => {
    const { begin, closed } = await streaming();
    const { socket, sink, came } = await begin();
    sink.cut?.();
    await once(socket, 'close');
    expect([came().includes('\r\n0\r\n'), closed]).toEqual([false, [1]]);
    const second = await begin();
    second.socket.destroy();
    await new Promise<void>((go) => {
      const look = (): void => void (closed.length === 2 ? go() : setTimeout(look, 5));
      look();
    });
    second.sink.write('to nobody');
  });

  it('ends with its server', async () => {
    const { server, begin, closed } = await streaming();
    const streams = [await begin(), await begin()];
    const ends = streams.map(async ({ socket }) => once(socket, 'close'));
    await server.close();
    await Promise.all(ends);
    expect(new Set(closed)).toEqual(new Set([1, 2]));
  });

  it('says when its client reads too slowly, goes on when it has read, and is cut off if it lags too far behind', async () => {
    const { begin } = await streaming({ maxLag: 8_000_000 });
    const { socket, sink } = await begin();
    expect(sink.full).toBe(false);
    socket.pause();
    sink.write('x'.repeat(6_000_000));
    expect(sink.full).toBe(true);
    const drained = new Promise<void>((go) => sink.drained?.(go));
    socket.resume();
    await drained;
    expect(sink.full).toBe(false);
    socket.pause();
    for (let n = 0; n < 4; n++) sink.write('x'.repeat(4_000_000));
    socket.resume();
    await once(socket, 'close');
    const turns: string[] = [];
    await new Promise<void>((go) => {
      sink.inTurn?.(() => {
        turns.push('stream');
        go();
      });
      turns.push('others');
    });
    expect(turns).toEqual(['others', 'stream']);
  });
});

describe('connections', () => {
  const never: Answering = ({ target }) => (target === '/never' ? new Promise(() => undefined) : text(200, 'ok'));
  const opening = async ({ port }: Listening): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };

  it('are at most so many: the one that has been idle longest is closed', async () => {
    const server = await serving(never, { maxConnections: 3 });
    const [busy, first, second] = [await opening(server), await opening(server), await opening(server)];
    busy.write(asked('GET /never', 'Host: x\r\n'));
    // Its answer makes it the last one to be closed.
    first.write(asked('GET /', 'Host: x\r\n'));
    await once(first, 'data');
    const fourth = await opening(server);
    await once(second, 'close');
    const fifth = await opening(server);
    await once(first, 'close');
    expect([busy, fourth, fifth].map(({ closed }) => closed)).toEqual([false, false, false]);
    for (const socket of [busy, fourth, fifth]) socket.destroy();
  });

  it('keep heads that have not come whole up to so many bytes: the largest is closed', async () => {
    const server = await serving(never, { maxHeads: 200_000 });
    const sockets = await Promise.all(
      [90_000, 60_000, 80_000].map(async (bytes) => {
        const socket = await opening(server);
        socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(bytes)}`);
        return socket;
      }),
    );
    const [largest] = sockets;
    if (largest === undefined) throw new Error('no connection');
    await once(largest, 'close');
    await new Promise((go) => setTimeout(go, 150));
    expect(sockets.map(({ closed }) => closed)).toEqual([true, false, false]);
    for (const socket of sockets) socket.destroy();
  });
});
