/** The cost of a request grows linearly with its bytes: counted, not timed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hostile } from '../../../bench/hostile/generate.ts';
import { blockCounter, type Counter } from './cost.ts';
import type { Asked } from './setup.ts';

/** Bytes of the smaller body; the larger one has sixteen times as many. */
const BYTES = 4_000;
const TIMES = 16;
/** Maximum factor of the cost for sixteen times the bytes: 16 for linear work, half as much again for sorting; quadratic work has 256. */
const MOST_GROWTH = 40;
/** Blocks below this count are ignored. */
const CONSTANT = 200_000;

let counter: Counter;
let tools: Awaited<ReturnType<typeof load>>;
beforeAll(async () => {
  counter = await blockCounter();
  tools = await load();
}, 120_000);
afterAll(() => counter.close());

/** Only functions that are compiled after the counting has begun are counted, so `src` must not be imported before. */
async function load() {
  const [generate, kinds, vocabulary, { exampleOf }, { setup }] = await Promise.all([
    import('../../../bench/hostile/generate.ts'),
    import('../../../src/apiserver/kinds/index.ts'),
    import('../../../src/apiserver/machinery/index.ts'),
    import('../../support/examples.ts'),
    import('./setup.ts'),
  ]);
  return { ...generate, ...kinds, names: vocabulary.namesFor('k8s.io'), exampleOf, setup };
}

async function worldWithOneOfEach(): Promise<Asked> {
  const { collectionOf, exampleOf, kindsFor, names, setup } = tools;
  const world = setup();
  for (const kind of kindsFor(names).list()) await world.ask('POST', collectionOf(kind), exampleOf(kind, names));
  await world.ask('POST', '/api/v1/namespaces/default/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x', finalizers: ['a.b/c'] },
    data: { a: 'b' },
  });
  await world.ask('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  return world;
}

/** Counts the blocks of a request with so many bytes, in an unchanged cluster, and whether it is refused. */
async function blocksOf(
  { request }: Hostile,
  bytes: number,
  world: Asked,
): Promise<{ readonly blocks: number; readonly isRefused: boolean }> {
  const http = request(bytes);
  let isRefused = false;
  const blocks = await counter.count(async () => {
    const reply = await world.api({ ...http, target: `${http.target}${http.target.includes('?') ? '&' : '?'}dryRun=All` });
    if ('open' in reply) reply.open({ write: () => {}, end: () => {} })();
    expect(reply.status, `${http.method} ${http.target.slice(0, 200)}`).toBeLessThan(505);
    isRefused = reply.status >= 400;
  });
  return { blocks, isRefused };
}

const isSteep = ([none = 0, one = 0, all = 0]: readonly number[]): boolean =>
  all - none > MOST_GROWTH * Math.max(one - none, CONSTANT / MOST_GROWTH);

/** The requests whose work grows faster than their bytes, with their counts. */
async function steep(cases: readonly Hostile[]): Promise<readonly string[]> {
  const world = await worldWithOneOfEach();
  const found: string[] = [];
  for (const each of cases) {
    // The first request of a kind fills caches. (The creation of the cluster is counted with it.)
    await blocksOf(each, BYTES, world);
    const [none, one, all] = [
      await blocksOf(each, 0, world),
      await blocksOf(each, BYTES, world),
      await blocksOf(each, BYTES * TIMES, world),
    ];
    // A response with another status has another cost, and one that costs more has another reason, so they are no baseline.
    const isBaseline = none.isRefused === one.isRefused && none.blocks <= one.blocks;
    const counts = [isBaseline ? none.blocks : 0, one.blocks, all.blocks];
    if (isSteep(counts)) found.push(`${each.verb} ${each.type} ${each.name}: ${counts.join(', ')}`);
  }
  return found;
}

const LISTS_ONLY = / (alike|distinct|full)$/;

describe('the work for a request', () => {
  // A part of them each time; the benchmark `hostile` runs them all.
  it('is linear in every list, map and text of every kind', { timeout: 300_000 }, async () => {
    const all = [...tools.ofKinds()].filter(({ verb, type, name }) => verb === 'POST' && type === 'json' && LISTS_ONLY.test(name));
    expect(await steep(all.filter((_, at) => at % 48 === 0))).toEqual([]);
  });

  it('is linear in patches, odd texts, queries, paths and headers', { timeout: 300_000 }, async () => {
    const all = [...tools.besidesKinds()].filter(({ type }) => type !== 'sim');
    expect(await steep(all.filter((_, at) => at % 30 === 0))).toEqual([]);
  });

  it('is detected if it is quadratic', async () => {
    const list = Array.from({ length: 100 * TIMES }, (_, at) => at);
    const pairs = (length: number): number =>
      list.slice(0, length).filter((one) => list.slice(0, length).some((other) => other === -one)).length;
    const counts: number[] = [];
    for (const length of [0, 100, 100 * TIMES]) counts.push(await counter.count(() => pairs(length)));
    expect(isSteep(counts), counts.join(', ')).toBe(true);
  });
});
