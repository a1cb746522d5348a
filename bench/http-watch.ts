/**
 * A thousand watchers of one object that is written repeatedly: all receive every write, in order. Measures the cost of a delivery for the
 * server, and the memory of a watcher.
 */
import { fork } from 'node:child_process';
import type { Benchmark, Row } from './benchmark.ts';
import { ask } from './server.ts';
import { serve } from './http.ts';
import { WATCHED } from './http-watch-names.ts';
import { cpu, liveBytes } from './measure.ts';
import type { Seen } from './watchers.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
/** A kilobyte beside the number. */
const BALLAST = { text: 'x'.repeat(1024) };
/** Unsent data must not grow without limit, so the writer waits for the sockets now and then, as it would for responses to its requests. */
const WRITES_AT_ONCE = 5;

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** So many watchers, so many writes. */
async function run(watchers: number, writes: number): Promise<Row> {
  const { server, listening } = await serve();
  const place = { kind: 'ConfigMap', namespace: 'default' };
  const write = (verb: 'create' | 'update', number: number): void => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'watched' }, data: { ...BALLAST, [WATCHED]: String(number) } };
    ask(server, verb === 'create' ? { ...place, verb, body } : { ...place, verb, name: 'watched', body });
  };
  await turn();
  const before = liveBytes();
  const child = fork(
    new URL('./bench-watchers.js', import.meta.url),
    [String(listening.port), `${PATH}?watch=1&resourceVersion=0&fieldSelector=metadata.name%3Dwatched`, String(watchers), String(writes)],
    { stdio: 'inherit' },
  );
  const reported = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      child.once('message', (message) => {
        resolve(message as T);
      });
      child.once('exit', (code) => {
        reject(new Error(`the watchers ended with code ${String(code)}`));
      });
    });
  await reported<string>();
  const weight = (liveBytes() - before) / watchers;
  const result = reported<Seen>();
  const startedAt = process.hrtime.bigint();
  const cpuBefore = process.cpuUsage();
  let writing = 0;
  for (let at = 0; at < writes; at++) {
    writing += cpu(() => {
      write(at === 0 ? 'create' : 'update', at);
    }).ms;
    if (at % WRITES_AT_ONCE === WRITES_AT_ONCE - 1) await turn();
  }
  const { different, numbers, bytes } = await result;
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  await listening.close();
  if (different !== 1 || numbers.length !== writes || numbers.some((number, at) => number !== at))
    throw new Error(
      `watchers saw ${different} different streams; the first saw ${numbers.length} of ${writes} writes: ${numbers.slice(0, 20).join(' ')} …`,
    );
  const deliveries = watchers * writes;
  return {
    label: `${watchers} watchers`,
    ms: (user + system) / 1000,
    units: deliveries,
    unit: 'message',
    work: {
      writes,
      'ms a write': writing / writes,
      'messages a second': Math.round(deliveries / seconds),
      'MB a second': bytes / 1e6 / seconds,
      'KB a watcher': weight / 1024,
    },
  };
}

export const httpWatch: Benchmark = {
  name: 'http-watch',
  asks: 'a thousand watchers over HTTP lose no event and see them in order; what one costs among a thousand against one among a hundred',
  async run(scale) {
    const writes = scale.size(300);
    const sizes = [scale.size(100), scale.size(1_000)];
    // One-time allocations must not be measured.
    await run(10, 10);
    const rows: Row[] = [];
    for (const watchers of sizes) rows.push(await run(watchers, writes));
    const each = rows.map(({ ms, units }) => ms / units);
    return { rows, score: { value: (each[1] ?? 0) / (each[0] ?? 1), limit: 1.5, is: 'most', unit: 'x' } };
  },
};
