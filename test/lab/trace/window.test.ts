/** A window of a trace gives at each of its steps the same answers as the whole. */
import { describe, expect, it } from 'vitest';
import { cursorAt, viewAt, viewsOf, windowOf, type Trace } from '../../../src/lab/trace/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

function traceOf(name: string): Trace {
  const read = readScenarios(readFileSync(join(root, 'scenarios', `${name}.yaml`), 'utf8'));
  const scenario = 'scenarios' in read ? read.scenarios[0] : undefined;
  const trace = scenario === undefined ? undefined : simulate(scenario, { trace: true }).trace;
  if (trace === undefined) throw new Error(name);
  return trace;
}

/** Leases are renewed without entries, so the cached state of one depends on when it arrived. */
const worldAt = (trace: Trace, step: number): unknown => {
  const world = cursorAt(trace, step);
  return world
    .kinds()
    .toSorted()
    .filter((kind) => kind !== 'Lease')
    .map((kind) => [kind, world.list(kind)]);
};
const cachesAt = (trace: Trace, step: number): unknown =>
  viewsOf(trace)
    .toSorted()
    .map((process) => {
      const view = viewAt(trace, process, step);
      const objects = view
        .kinds()
        .filter((kind) => kind !== 'Lease')
        .toSorted()
        .map((kind) => [kind, view.list(kind)]);
      return [process, view.up, view.controllers(), objects];
    });

describe.each([
  'job/15-crash-between-writes',
  'lease/05-leader-cut-off',
  'stateful-set/03-rolling-update',
  'volume-attachment/03-volume-on-a-dead-node',
])('a window into %s', (name) => {
  const trace = traceOf(name);
  const { length } = trace.entries;
  it.each([0, 0.2, 0.5, 0.9])('that begins at %d of it holds world and caches', (part) => {
    const from = Math.floor(length * part);
    const window = windowOf(trace, from, length);
    expect(window.entries).toHaveLength(length - from);
    if (from > 0) expect(window.prologue.length).toBeLessThan(trace.prologue.length + from);
    for (const step of [from, from + 1, from + 7, Math.floor((from + length) / 2), length]) {
      expect(worldAt(window, step - from)).toEqual(worldAt(trace, step));
      expect(cachesAt(window, step - from)).toEqual(cachesAt(trace, step));
    }
  });
  it('ends at the given step, and keeps the narration steps inside', () => {
    const window = windowOf(trace, 40, 90);
    expect(window.entries).toEqual(trace.entries.slice(40, 90));
    const inside = trace.narrationSteps?.filter(({ traceStep }) => traceStep > 40 && traceStep <= 90);
    expect(window.narrationSteps).toEqual(inside?.map((each) => ({ ...each, traceStep: each.traceStep - 40 })));
  });
  it('begins with writes of which the first of an object creates it, and each other changes the one before', () => {
    const last = new Map<string, unknown>();
    for (const entry of windowOf(trace, Math.floor(length / 2), length).prologue) {
      if (entry.type !== 'write') continue;
      const { kind, key, type, object, previous } = entry.change;
      const before = last.get(`${kind} ${key}`);
      expect(previous).toBe(before);
      if (before === undefined) expect(type).not.toBe('MODIFIED');
      last.set(`${kind} ${key}`, object);
    }
    expect(last.size).toBeGreaterThan(5);
  });
});
