/** What a search tries by intention: moments of the user's controllers, the promising ones first, and nothing that cannot exist. */
import { describe, expect, it } from 'vitest';
import { aimsOf, baseline, beginSearch, defaultFaults, type Baseline } from '../../../src/lab/search/index.ts';
import { mendsWithinMs, quietAtOf, quiesced } from '../../../src/lab/search/healing.ts';
import { LONGEST_FAULT_MS, whoseOf } from '../../../src/lab/choices/index.ts';
import { defineController, idle } from '../../../src/index.ts';
import { hunted } from './bugs/hunt.ts';
import { type Bug, definitionsOf, isCauseOf, scenarioOf } from './bugs/model.ts';
import { BUGS } from './bugs/registry.ts';

function bugNamed(name: string): Bug {
  const found = BUGS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no bug ${name}`);
  return found;
}

function baselineOf(bug: Bug): Baseline {
  const looked = baseline(scenarioOf(bug), { with: definitionsOf(bug, false) });
  if ('unfit' in looked) throw new Error(looked.unfit);
  return looked;
}

const namesakes = bugNamed('cassandra-402');

describe('the aims of a search', () => {
  const looked = baselineOf(namesakes);
  const { singles, pairs } = aimsOf(looked.field.history, defaultFaults());

  it('are at moments of the user’s controllers, and at events of kinds that they read or write', () => {
    for (const choice of singles) {
      const { process, who } = whoseOf(choice.at);
      expect(process).toBe('controller-manager');
      expect(['datacenter', 'Datacenter', 'PersistentVolumeClaim']).toContain(who);
    }
  });

  it('begin with creations, deletions and finalizers, each way to go wrong in turn', () => {
    const first = singles.slice(0, 8).map(({ injectedFault }) => injectedFault.do);
    expect(new Set(first).size).toBeGreaterThanOrEqual(6);
    expect(singles[0]).toMatchObject({
      at: expect.stringMatching(/^write controller-manager datacenter default\/dc: create PersistentVolumeClaim #1$/),
      injectedFault: { do: 'crash' },
    });
  });

  it('name each choice once, and pairs have two points', () => {
    expect(new Set(singles.map((choice) => JSON.stringify(choice))).size).toBe(singles.length);
    expect(pairs.length).toBeGreaterThan(1_000);
    for (const [one, other] of pairs) expect(one.at).not.toBe(other.at);
  });

  it('have no fault that is not asked for', () => {
    expect(defaultFaults().filter((name) => ['hang', 'old-relist', 'recreate', 'scale'].includes(name))).toEqual([]);
    expect([...singles, ...pairs.flat()].filter(({ injectedFault }) => !defaultFaults().includes(injectedFault.do))).toEqual([]);
    expect(aimsOf(looked.field.history, ['lose']).singles.every(({ injectedFault }) => injectedFault.do === 'lose')).toBe(true);
  });

  it('follow from the number of a run alone, so parts have those of the whole', () => {
    const aimsIn = (search: ReturnType<typeof beginSearch>): readonly (readonly [number, number | undefined])[] =>
      [search.round(), search.round(), search.round()].flat().map(({ number, aim }) => [number, aim] as const);
    const whole = new Map(aimsIn(beginSearch(looked, { strand: 32 })));
    expect([...whole.values()].filter((aim) => aim !== undefined).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 24 + 24 + 16 }, (_, at) => at),
    );
    for (const [number, aim] of aimsIn(beginSearch(looked, { strand: 32, shard: { index: 2, of: 2 } })))
      if (whole.has(number)) expect(aim).toBe(whole.get(number));
  });
});

it('a controller that deletes the claims of a namesake from a stale list is found', () => {
  const found = hunted(scenarioOf(namesakes), definitionsOf(namesakes, false), 128, 1, isCauseOf(namesakes));
  expect(found.foundIn).toBeLessThanOrEqual(128);
});

describe('the time to heal', () => {
  const slow = defineController({
    name: 'slow',
    reconciles: 'ConfigMap',
    writes: [],
    backoff: { baseMs: 1, maxMs: 9_000_000 },
    reconcile: () => idle('-'),
  });

  it('is longer than the longest fault, and the longest back-off of the user’s controllers', () => {
    expect(LONGEST_FAULT_MS).toBe(60_000);
    expect(mendsWithinMs({})).toBeGreaterThan(2 * 1_000_000 + LONGEST_FAULT_MS);
    const definitions = { controllers: [slow] };
    expect(mendsWithinMs({ with: definitions })).toBeGreaterThan(2 * 9_000_000 + LONGEST_FAULT_MS);
    const { scenario, quietMs } = quiesced(scenarioOf(namesakes), 20_000, true, { with: definitions });
    expect(quietAtOf(scenario, { with: definitions })).toBe(scenario.startAt + quietMs);
  });
});
