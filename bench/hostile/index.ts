/**
 * The cost of the most expensive request to a real `orchsim serve`, by verb and content type, against the limit of a request. Every request
 * of the generator is sent once; the most expensive of each sort is sent again to a fresh server. Linux reports the cost of a process;
 * elsewhere the benchmark is skipped. `test/surfaces/http/cost.test.ts` checks the same with counters, without a clock.
 */
import { exampleOf } from '../../test/support/examples.ts';
import { recordedCluster, serveProcess, type Served } from '../../test/conformance/served.ts';
import type { HttpRequest } from '../../src/surfaces/http/index.ts';
import { client, type Client } from '../ask.ts';
import type { Benchmark, Row } from '../benchmark.ts';
import { kinds, names } from '../server.ts';
import { cpuMsOf, peakMb, residentMb } from '../process.ts';
import { besidesKinds, collectionOf, ofKinds, type Hostile } from './generate.ts';

const MOST_MS = 250;
const MOST_MB = 64;
/** The largest accepted body, with a margin for the object around the filled place. */
const SIZES: Readonly<Record<string, number>> = { yaml: 500_000, apply: 500_000 };
const USUAL_SIZE = 3_140_000;

interface Cost {
  readonly hostile: Hostile;
  readonly ms: number;
  readonly mb: number;
  readonly status: number;
}

export const hostile: Benchmark = {
  name: 'hostile',
  asks: `the most expensive request of each verb and content type to a served cluster: at most ${MOST_MS} ms of CPU and ${MOST_MB} MB`,
  async run({ quick }) {
    if (cpuMsOf(process.pid) === undefined) return { skipped: 'this system does not report the cost of a process' };
    const all = [...besidesKinds(), ...ofKinds()].filter((_, at) => !quick || at % 100 === 0);
    const dearest = new Map<string, Cost>();
    const world = await begun();
    for (const [at, each] of all.entries()) {
      if (at % EACH_WORLD === 0) await refill(world);
      const cost = await costOf(world, each);
      const sort = `${each.verb} ${each.type}`;
      if (cost.ms > (dearest.get(sort)?.ms ?? -1)) dearest.set(sort, cost);
    }
    await ended(world);
    const rows: Row[] = [];
    for (const [sort, { hostile: worst }] of dearest) {
      const { ms, mb, status } = await alone(worst);
      rows.push({
        label: sort,
        ms,
        units: 1,
        unit: 'request',
        work: {
          MB: Math.round(mb),
          answer: status,
          verdict: ms <= MOST_MS && mb <= MOST_MB ? 'held' : 'not held',
          what: worst.name.slice(0, 70),
        },
      });
    }
    rows.sort((a, b) => b.ms - a.ms);
    const worstMs = Math.max(...rows.map(({ ms }) => ms));
    return {
      rows,
      score: { value: worstMs, limit: MOST_MS, is: 'most', unit: 'ms' },
      note: `${all.length} requests; the most expensive takes ${Math.max(...rows.map(({ work }) => Number(work?.['MB'])))} MB of memory (limit ${MOST_MB})`,
    };
  },
};

interface World {
  readonly served: Served;
  readonly asking: Client;
}

/** Requests after which the server is reset. */
const EACH_WORLD = 50;
const utf8 = new TextEncoder();

async function begun(): Promise<World> {
  const served = await serveProcess({ scenario: recordedCluster(), words: ['--clock', 'manual'] });
  return { served, asking: client(served.port) };
}

async function ended({ served, asking }: World): Promise<void> {
  asking.close();
  await served.close();
}

/** Creates one object of every kind, and the objects that generic requests need. */
async function refill({ served, asking }: World): Promise<void> {
  await served.sim('reset', {});
  const create = (target: string, body: unknown): Promise<unknown> =>
    asking.ask({
      method: 'POST',
      target,
      headers: { host: '127.0.0.1', 'content-type': 'application/json' },
      body: utf8.encode(JSON.stringify(body)),
    });
  for (const kind of kinds.list()) await create(collectionOf(kind), exampleOf(kind, names));
  await create('/api/v1/namespaces/default/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x', finalizers: ['a.b/c'] },
    data: { a: 'b' },
  });
  await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
}

const requestOf = ({ type, request }: Hostile): HttpRequest => request(SIZES[type] ?? USUAL_SIZE);

async function costOf({ served: { pid }, asking }: World, each: Hostile): Promise<Cost> {
  const http = requestOf(each);
  const resident = residentMb(pid) ?? 0;
  const before = cpuMsOf(pid) ?? 0;
  const { status } = await asking.ask(http).catch(() => ({ status: 0 }));
  return { hostile: each, status, ms: (cpuMsOf(pid) ?? 0) - before, mb: Math.max(0, (peakMb(pid) ?? 0) - resident) };
}

/** The cost on a warm server of its own: the best of three, each after a reset. */
async function alone(each: Hostile): Promise<Cost> {
  const world = await begun();
  try {
    let best: Cost | undefined;
    for (let round = 0; round < 3; round++) {
      await refill(world);
      const cost = await costOf(world, each);
      if (round > 0 && (best === undefined || cost.ms < best.ms)) best = { ...cost, mb: Math.max(cost.mb, best?.mb ?? 0) };
    }
    if (best === undefined) throw new Error('nothing was measured');
    return best;
  } finally {
    await ended(world);
  }
}
