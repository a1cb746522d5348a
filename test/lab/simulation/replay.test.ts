/** The cluster of a run at any of its steps: its objects are those of the trace, and it continues as the run did. */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { introspectionOf } from '../../../src/controlplane/runtime/index.ts';
import { compareText } from '../../../src/schema/values/index.ts';
import { replayTo, simulate } from '../../../src/lab/simulation/index.ts';
import { cursorAt } from '../../../src/lab/trace/index.ts';
import { readScenarios } from '../../../src/surfaces/cli/load.ts';

const root = resolve(import.meta.dirname, '../../..');
const { scenarios } = readScenarios(['scenarios/job', 'scenarios/stateful-set/10-identity.yaml', 'scenarios/lease'], { cwd: root });
const OF_KINDS = ['Job', 'Pod', 'StatefulSet', 'Node'];

const versions = (objects: readonly ApiObject[]): readonly string[] =>
  objects.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).sort(compareText);

describe('a replay', () => {
  it.each(scenarios.map(({ scenario }) => [scenario.name, scenario] as const))('of %s is the run, step by step', (_name, scenario) => {
    const { trace, digest, seed } = simulate(scenario, { trace: true, tries: false });
    if (trace === undefined) throw new Error('no trace');
    const replay = replayTo(scenario, seed, 0);
    expect(replay.step).toBe(0);
    const cursor = cursorAt(trace, 0);
    for (let step = 0; step <= trace.entries.length; step += 37) {
      replay.goOn(step);
      expect(replay.step).toBeGreaterThanOrEqual(step);
      cursor.moveTo(replay.step);
      for (const kind of OF_KINDS)
        expect(versions([...replay.cluster.store.values(kind)]), `#${step}`).toEqual(versions(cursor.list(kind)));
    }
    expect(replay.goOn(Infinity)).toBe(false);
    expect(replay.cluster.digest()).toBe(digest);
  });

  it('shows what is pending, and what a controller awaits', () => {
    const scenario = scenarios.find((each) => each.scenario.name === 'job-crash-between-writes')?.scenario;
    if (scenario === undefined) throw new Error('it is gone');
    const { cluster } = replayTo(scenario, 1, 70);
    const introspection = introspectionOf(cluster);
    expect(introspection.pending.length).toBeGreaterThan(0);
    expect(introspection.processes.find(({ name }) => name === 'controller-manager')?.up).toBe(true);
  });
});
