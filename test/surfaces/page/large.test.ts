/** The cost of many pods, in exact counters; `npm run pictures -- --large` measures seconds and megabytes. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { counters, resetCounters } from '../../../src/surfaces/page/counters.ts';
import { cacheLensOf } from '../../../src/surfaces/page/model/cache-lens.ts';
import { growing } from '../../../src/surfaces/page/model/index.ts';
import { stagedAt } from '../../../src/surfaces/page/model/staged.ts';
import { entryUnpacker } from '../../../src/surfaces/page/packing.ts';
import type { PackedRun } from '../../../src/surfaces/page/protocol.ts';
import { createBench } from '../../../src/surfaces/page/worker/bench.ts';
import { podGridOf } from './many-pods.ts';

const PODS = 1_000;

describe(`a run of ${PODS} pods, as the page has it`, () => {
  const run = growing();
  const unpack = entryUnpacker();
  const take = (part: PackedRun): void => {
    const { prologue, entries } = structuredClone(part);
    const first = prologue.map(unpack);
    run.add(entries.map(unpack), first);
  };
  const answer = createBench().answer({ ask: 'run', scenario: { file: 'many.yaml', text: podGridOf(PODS, 10) } }, take);
  if (answer.is !== 'end') throw new Error(JSON.stringify(answer));
  const before = run.length;
  take(answer);
  const model = run.model(answer.run, answer.trace);
  const { entries } = model.trace;
  const writes = entries.filter((entry) => entry.type === 'write');
  const draw = (step: number): number => {
    resetCounters();
    stagedAt(model, step, undefined, undefined);
    for (const node of model.world.list('Node')) model.world.podsOn(node.key);
    for (const { process } of model.deciders) model.cacheLens.behind(process, false);
    return counters.recordsApplied;
  };

  it('has come in parts', () => {
    expect(before).toBeGreaterThan(0.7 * model.length);
    expect(model.length).toBeGreaterThan(20 * PODS);
  });

  it('moves by a step for at most one record, and never reads an Event', () => {
    const middle = Math.floor(model.length / 2);
    draw(middle);
    for (let step = middle + 1; step <= middle + 60; step++) expect(draw(step)).toBeLessThanOrEqual(1);
    const drawn = writes.filter(({ change: { kind } }) => kind !== 'Event').length;
    expect(drawn).toBeLessThan(0.85 * writes.length);
    draw(0);
    expect(draw(model.length)).toBeLessThanOrEqual(drawn);
  });

  it('compares with a cache only the objects of a step, and finds what comparing everything finds', () => {
    const late = (lens: typeof model.cacheLens): readonly string[] =>
      model.deciders.flatMap(({ process }) =>
        [false, true].flatMap((fine) =>
          (lens.behind(process, fine) ?? []).map(({ how, kind, key }) => `${process} ${String(fine)}: ${how} ${kind} ${key}`),
        ),
      );
    const middle = Math.floor(model.length / 2);
    let found = 0;
    draw(middle);
    const steps = Array.from({ length: 90 }, (_, at) => middle + (at < 60 ? at : 120 - at) * (at % 10 === 9 ? 7 : 1));
    for (const step of [...steps, 30, 4_000, 3_990, model.length]) {
      const before = model.world.step;
      draw(step);
      if (Math.abs(step - before) === 1) expect(counters.compared).toBeLessThanOrEqual(model.deciders.length);
      const now = late(model.cacheLens);
      found += now.length;
      expect(now).toEqual(late(cacheLensOf(model.trace, model.world, PODS)));
    }
    expect(found).toBeGreaterThan(100);
  });

  it('has few objects of its own for an entry: what versions and pods have in common is shared', () => {
    const parts = new Set<object>();
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || parts.has(value)) return;
      parts.add(value);
      for (const each of Object.values(value)) collect(each);
    };
    const objects: ApiObject[] = writes.map(({ change }) => change.object);
    objects.forEach(collect);
    const alone = objects.reduce((sum, object) => sum + sizeOf(object), 0);
    expect(parts.size / writes.length).toBeLessThan(8);
    expect(parts.size).toBeLessThan(alone / 2);
    const keys = new Set(entries.flatMap((entry) => (entry.type === 'delivery' ? [entry.key] : [])));
    expect(keys.size).toBeLessThan(2 * PODS + 100);
  });
});

const sizeOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each), 1) : 0;
