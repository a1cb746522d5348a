/** The cache of a process, computed from the trace alone, equals its live cache; and elided leases equal the live ones. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { compareText } from '../../../src/schema/values/index.ts';
import type { Cluster } from '../../../src/controlplane/cluster.ts';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { cursorAt, readTrace, traceLines, viewAt, viewsOf, type Trace } from '../../../src/lab/trace/index.ts';
import { covering } from '../../support/covering.ts';
import { shipped } from '../../support/shipped.ts';

const { scenarios } = shipped('scenarios');
const chosen = covering('lines');
/** The caches are compared after every so many entries. */
const EVERY = 13;

interface Sample {
  readonly step: number;
  readonly at: number;
  /** The contents of caches, by process and key. */
  readonly caches: ReadonlyMap<string, ReadonlyMap<string, ApiObject>>;
  readonly leases: readonly ApiObject[];
}

function cachesOf({ runtime }: Cluster): Sample['caches'] {
  const caches = new Map<string, Map<string, ApiObject>>();
  for (const name of runtime.names()) {
    const process = runtime.process(name);
    if (process?.up !== true) continue;
    const held = new Map<string, ApiObject>();
    for (const kind of process.cache.kinds()) for (const object of process.cache.list(kind)) held.set(`${kind} ${keyOf(object)}`, object);
    caches.set(name, held);
  }
  return caches;
}

function sampled(scenario: Scenario): { readonly trace: Trace; readonly samples: readonly Sample[] } {
  const samples: Sample[] = [];
  let cluster: Cluster | undefined;
  let step = 0;
  /** A sample that may be inconsistent: a relist delivers one difference after the other, while its cache has them all. */
  let last: { readonly sample: Sample; readonly during: number } | undefined;
  const { trace } = simulate(scenario, {
    trace: true,
    tries: false,
    onCluster: (up) => (cluster = up),
    onEntry({ type, at }) {
      if (last !== undefined && last.during !== cluster?.kernel.steps) samples.push(last.sample);
      last = undefined;
      // At the start or end of a process its cache is between two states, and the write of a lease is observed before its listeners have
      // it.
      if (++step % EVERY !== 0 || cluster === undefined || type === 'process' || type === 'write') return;
      const sample = { step, at, caches: cachesOf(cluster), leases: [...cluster.store.values('Lease')] };
      last = { sample, during: cluster.kernel.steps };
    },
  });
  if (last !== undefined) samples.push(last.sample);
  if (trace === undefined) throw new Error('no trace');
  return { trace, samples };
}

const versionOf = (object: ApiObject | undefined): string =>
  `${object?.metadata.uid ?? ''} ${object?.metadata.resourceVersion ?? 'nothing'}`;

function differences(trace: Trace, samples: readonly Sample[]): readonly string[] {
  const wrong: string[] = [];
  for (const process of viewsOf(trace)) {
    const view = viewAt(trace, process, 0);
    for (const { step, caches } of samples) {
      view.moveTo(step);
      const held = new Map<string, ApiObject>(
        view.kinds().flatMap((kind) => view.list(kind).map((object) => [`${kind} ${keyOf(object)}`, object] as const)),
      );
      const live = caches.get(process) ?? new Map<string, ApiObject>();
      for (const place of new Set([...live.keys(), ...held.keys()]))
        if (versionOf(live.get(place)) !== versionOf(held.get(place)))
          wrong.push(`#${step} ${process}: ${place} live ${versionOf(live.get(place))}, derived ${versionOf(held.get(place))}`);
    }
  }
  return wrong;
}

const keyOf = ({ metadata: { namespace, name } }: ApiObject): string => (namespace === undefined ? name : `${namespace}/${name}`);

describe('the cache of each process, computed from the trace, is its live cache', () => {
  const covered = scenarios.filter(({ file }) => chosen.includes(file));
  it.each(covered.map(({ scenario }) => [scenario.name, scenario] as const))('%s', (_name, scenario) => {
    const { trace, samples } = sampled(scenario);
    expect(differences(trace, samples).slice(0, 5)).toEqual([]);
    const cursor = cursorAt(trace, 0);
    for (const { step, at, leases } of samples) {
      cursor.moveTo(step, at);
      const reported = (lease: ApiObject): string => JSON.stringify([keyOf(lease), lease.metadata.resourceVersion, lease['spec']]);
      expect(cursor.list('Lease').map(reported).sort(compareText), `the leases at #${step}`).toEqual(
        leases.map(reported).sort(compareText),
      );
    }
  });
});

describe('a view', () => {
  const scenario = scenarios.find(({ scenario: { name } }) => name === 'incident-two-pods-for-one-identity')?.scenario;
  if (scenario === undefined) throw new Error('the incident is gone');
  const { trace } = simulate(scenario, { trace: true });
  if (trace === undefined) throw new Error('no trace');

  it('goes backwards as it goes forwards', () => {
    const there = viewAt(trace, 'controller-manager', 0);
    const seen = trace.entries.map((_, at) => {
      there.moveTo(at + 1);
      return there.list('Pod').map(versionOf);
    });
    for (let at = trace.entries.length; at > 0; at--) {
      there.moveTo(at);
      expect(there.list('Pod').map(versionOf)).toEqual(seen[at - 1]);
    }
  });

  it('has the controllers of a process, and nothing of one that is down', () => {
    const view = viewAt(trace, 'controller-manager', 64);
    expect(view.controllers()).toContainEqual({ name: 'job', reconciles: 'Job' });
    view.moveTo(66);
    expect([view.up, view.kinds(), view.list('Pod')]).toEqual([false, [], []]);
  });

  it('is the same from a file of the trace', () => {
    const read = readTrace([
      ...traceLines({ trace: 'orchsim/v1', scenario: 's', seed: 1, startAt: trace.startAt, domain: 'orch.io' }, trace),
    ]);
    if ('error' in read) throw new Error(read.error);
    expect(viewAt(read.trace, 'controller-manager', 90).list('Pod')).toEqual(viewAt(trace, 'controller-manager', 90).list('Pod'));
    expect(cursorAt(read.trace, 90).list('Lease')).toEqual(cursorAt(trace, 90).list('Lease'));
  });
});
