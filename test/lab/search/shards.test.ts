/** The parts of a search: their statistics add up to those of the whole, whichever process made which part. */
import { describe, expect, it } from 'vitest';
import { create, defineController, idle, watch, write, type Controller } from '../../../src/controlplane/runtime/index.ts';
import { addUp, beginSearch, make, reachOf, search, baseline } from '../../../src/lab/search/index.ts';
import type { Statistics, Outcome, SearchPlan } from '../../../src/lab/search/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

/** Greets each Service, and trusts its cache. */
const greeter: Controller = defineController({
  name: 'greeter',
  reconciles: 'Service',
  writes: ['ConfigMap'],
  watches: [watch('ConfigMap', () => undefined)],
  models: 'nothing: it is planted',
  reconcile({ self: service, cache }) {
    const { namespace = '', name, uid } = service.metadata;
    if (cache.controlledBy('ConfigMap', service).length > 0) return idle('it has been greeted');
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true }];
    return write(
      'nobody has greeted it',
      create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, generateName: `${name}-`, ownerReferences } }),
    );
  },
});

const GREETED = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: greeted }
spec:
  until: 10s
  cluster: { nodes: { count: 0 }, latency: { api: 2ms, watch: 1ms } }
  invariants: [{ name: greeted-once, always: "objects('ConfigMap').filter(c, c.metadata.name.startsWith('web-')).size() <= 1" }]
  steps:
    - at: 1s
      apply: { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { ports: [{ port: 80 }] } }
    - at: 2s
      patch: { target: Service/web, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - at: 10s
      expect: { match: { kind: Service, metadata: { name: web } } }
`);

const making = { controllers: (): readonly Controller[] => [greeter] };
const looked = baseline(GREETED, making);
if ('unfit' in looked) throw new Error(looked.unfit);

/** A draw has the same outcome wherever it is made, so each is made once. */
const made = new Map<string, Outcome>();

function statisticsOf(plan: SearchPlan, runs: number): Statistics {
  if ('unfit' in looked) throw new Error(looked.unfit);
  const going = beginSearch(looked, { strand: 32, ...plan });
  while (going.within(runs))
    going.take(
      going.round().map((draw) => {
        const name = JSON.stringify(draw);
        const outcome = made.get(name) ?? make(going.ground, draw, making);
        made.set(name, outcome);
        return outcome;
      }),
    );
  return going.statistics;
}

const findings = ({ catches }: Statistics) => [...catches].sort(([a], [b]) => (a < b ? -1 : 1));

describe('a search in parts', () => {
  const RUNS = 128;
  const inParts = (of: number, plan: SearchPlan = {}): Statistics =>
    addUp(Array.from({ length: of }, (_, at) => statisticsOf({ ...plan, shard: { index: at + 1, of } }, RUNS)));

  it('finds, reaches and keeps the same in one part, two and eight, in whatever order they are added up', () => {
    const one = inParts(1);
    const two = inParts(2);
    const eight = inParts(8);
    expect(one.runs).toBe(RUNS);
    expect(findings(one).length).toBeGreaterThan(0);
    expect(two).toEqual(one);
    expect(eight).toEqual(one);
    const back = addUp([4, 3, 2, 1].map((index) => statisticsOf({ shard: { index, of: 4 } }, RUNS)));
    expect(findings(back)).toEqual(findings(one));
  });

  it('replays a corpus first, in every part, and counts it once', () => {
    const [found] = [...statisticsOf({}, 32).catches.values()];
    const corpus = [
      found?.choices ?? [],
      [{ at: 'decide controller-manager greeter default/web w0+1', injectedFault: { do: 'hold', ms: 100 } as const }],
    ];
    const one = inParts(1, { corpus, seed: 5 });
    const two = inParts(2, { corpus, seed: 5 });
    expect(two).toEqual(one);
    expect(one).toMatchObject({ runs: RUNS, replayed: 2 });
    // Findings of the corpus come before the first run.
    expect(Math.min(...[...one.catches.values()].map(({ firstRun }) => firstRun))).toBe(-2);
    expect(search(GREETED, { ...making, corpus, runs: 0 })).toMatchObject({ runs: 0, findings: [{ cause: { claim: 'greeted-once' } }] });
  });
});

describe('the coverage of a search', () => {
  it('is by controller, by fault and target, by outcome, and by run', () => {
    const statistics = statisticsOf({}, 64);
    const reach = reachOf(statistics, { ...looked.field, faults: ['hold', 'refuse', 'hang', 'crash'] });
    const greeterSaid = reach.reasons.find(({ controller }) => controller === 'greeter')?.said;
    expect(greeterSaid).toContain('it has been greeted');
    expect(greeterSaid).toContain('nobody has greeted it');
    expect(reach.curve[0]).toMatchObject({ run: 0 });
    expect(reach.curve.at(-1)?.reasons).toBe(statistics.reached.size);
    for (const { times, broke, news, nothing } of reach.tried) expect(broke + news + nothing).toBe(times);
    expect(reach.tried.reduce((sum, { broke }) => sum + broke, 0)).toBeGreaterThan(0);
    // Every pair is in one of the two lists; a pair without points is in neither.
    const pairs = [...reach.tried, ...reach.untried].map(({ injectedFault, whom }) => `${injectedFault} ${whom}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    expect(pairs).toEqual(
      expect.arrayContaining(['hold controller-manager sees Service', 'refuse greeter', 'crash greeter', 'hold greeter']),
    );
    expect(pairs.filter((pair) => pair.startsWith('hang') || pair === 'refuse controller-manager sees Service')).toEqual([]);
  });
});
