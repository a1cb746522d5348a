/**
 * What the page says that a process has not seen, sees as it was, or still sees though it is gone, against store and live caches of the
 * very run. (That views follow from a trace is asked of every shipped scenario in `test/lab/trace/views.test.ts`.)
 */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyOf, type ApiObject } from '../../../src/apiserver/machinery/index.ts';
import type { Cluster } from '../../../src/controlplane/cluster.ts';
import { compareText } from '../../../src/schema/values/index.ts';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/surfaces/cli/load.ts';
import { modelOf, type Model } from '../../../src/surfaces/page/model/index.ts';
import { runDataOf } from '../../../src/surfaces/page/run-data.ts';

const root = resolve(import.meta.dirname, '../../..');
const { scenarios } = readScenarios(
  ['lessons', 'lease', 'regressions'].map((folder) => `scenarios/${folder}`),
  { cwd: root },
);
/** Every so many entries somebody looks. */
const EVERY = 31;
/** Of these the page says nothing: they are late all the time, and nobody looks at them on a stage. */
const QUIET = new Set(['Event', 'Lease', 'ConfigMap', 'ServiceAccount', 'Secret', 'EndpointSlice', 'Endpoints', 'CSINode', 'Namespace']);

interface Sample {
  readonly step: number;
  /** By process: what it is behind on, a line each. */
  readonly behind: ReadonlyMap<string, readonly string[]>;
}

/** What a live process is behind on. */
function behindIn({ store, runtime }: Cluster, name: string): readonly string[] {
  const process = runtime.process(name);
  if (process?.up !== true) return [];
  const late: string[] = [];
  for (const { kind, only } of process.streams.values()) {
    if (QUIET.has(kind)) continue;
    const isFor = (object: ApiObject): boolean =>
      only === undefined ||
      (only.index === 'name' ? object.metadata.name : (object['spec'] as { readonly nodeName?: string }).nodeName) === only.value;
    for (const key of process.cache.keysOf(kind)) {
      const saw = process.cache.byKey(kind, key);
      const is = store.get(kind, key);
      if (is?.metadata.uid !== saw?.metadata.uid) late.push(`phantom ${kind} ${key}`);
      else if (is?.metadata.resourceVersion !== saw?.metadata.resourceVersion) late.push(`stale ${kind} ${key}`);
    }
    for (const object of store.values(kind)) {
      const saw = process.cache.byKey(kind, keyOf(object));
      if (isFor(object) && saw?.metadata.uid !== object.metadata.uid) late.push(`unseen ${kind} ${keyOf(object)}`);
    }
  }
  return late.sort(compareText);
}

function sampled(scenario: Scenario): { readonly model: Model; readonly samples: readonly Sample[] } {
  const samples: Sample[] = [];
  let cluster: Cluster | undefined;
  let step = 0;
  const run = simulate(scenario, {
    trace: true,
    tries: false,
    onCluster: (up) => (cluster = up),
    onEntry({ type }) {
      // Where a process starts or ends its cache is half-way between two states; a write is told before its listeners know.
      if (++step % EVERY !== 0 || cluster === undefined || type === 'process' || type === 'write') return;
      const up = cluster;
      samples.push({ step, behind: new Map(up.runtime.names().map((name) => [name, behindIn(up, name)] as const)) });
    },
  });
  if (run.trace === undefined) throw new Error('no trace');
  return { model: modelOf(runDataOf(run, run.trace, undefined)), samples };
}

let [looked, late] = [0, 0];

describe('what the page says that a process is behind on is what its live cache lacks', () => {
  it.each(scenarios.map(({ scenario }) => [scenario.name, scenario] as const))('%s', (_name, scenario) => {
    const { model, samples } = sampled(scenario);
    for (const { step, behind } of samples) {
      model.world.moveTo(step);
      for (const [process, lines] of behind) {
        const reported = (model.cacheLens.behind(process, true) ?? [])
          .map(({ how, kind, key }) => `${how} ${kind} ${key}`)
          .sort(compareText);
        expect(reported, `${process} at #${step}`).toEqual(lines);
        looked++;
        late += lines.length;
      }
    }
  });

  it('is not nothing', () => {
    expect(looked).toBeGreaterThan(2_000);
    expect(late).toBeGreaterThan(200);
  });
});
