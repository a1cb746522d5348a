/**
 * The staleness that the page shows (unobserved, older and deleted objects), compared with the store and the live caches of the run.
 * (`test/lab/trace/views.test.ts` checks for every shipped scenario that views follow from a trace.)
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
/** The caches are compared every so many entries. */
const EVERY = 31;
/** Kinds that the page leaves out: they are always a little stale, and not on the stage. */
const QUIET = new Set(['Event', 'Lease', 'ConfigMap', 'ServiceAccount', 'Secret', 'EndpointSlice', 'Endpoints', 'CSINode', 'Namespace']);

interface Sample {
  readonly step: number;
  /** By process: its stale objects, a line each. */
  readonly behind: ReadonlyMap<string, readonly string[]>;
}

/** The stale objects of a live process. */
function behindIn({ store, runtime }: Cluster, name: string): readonly string[] {
  const process = runtime.process(name);
  if (process?.up !== true) return [];
  const late: string[] = [];
  for (const { kind, only } of process.streams.values()) {
    if (QUIET.has(kind)) continue;
    const isFor = (object: ApiObject): boolean =>
      only === undefined ||
      (only.index === 'name' ? object.metadata.name : (object['spec'] as { readonly nodeName?: string }).nodeName) === only.value;
    for (const saw of process.cache.list(kind)) {
      const key = keyOf(saw);
      const is = store.get(kind, key);
      if (is?.metadata.uid !== saw.metadata.uid) late.push(`phantom ${kind} ${key}`);
      else if (is?.metadata.resourceVersion !== saw.metadata.resourceVersion) late.push(`stale ${kind} ${key}`);
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
      // At the start or end of a process its cache is between two states; a write is recorded before its listeners get it.
      if (++step % EVERY !== 0 || cluster === undefined || type === 'process' || type === 'write') return;
      const up = cluster;
      samples.push({ step, behind: new Map(up.runtime.names().map((name) => [name, behindIn(up, name)] as const)) });
    },
  });
  if (run.trace === undefined) throw new Error('no trace');
  return { model: modelOf(runDataOf(run, run.trace, undefined)), samples };
}

let [looked, late] = [0, 0];

describe('the staleness on the page is that of the live cache', () => {
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

  it('is not always empty', () => {
    expect(looked).toBeGreaterThan(2_000);
    expect(late).toBeGreaterThan(200);
  });
});
