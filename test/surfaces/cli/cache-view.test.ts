/** The cache of a decision's process against the server's state: in why, state --as and -v, of shipped scenarios. */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { cacheViewOf } from '../../../src/lab/trace/index.ts';
import { readScenarios } from '../../../src/surfaces/cli/load.ts';
import { cli, ROOT } from './cli.ts';

const TWO_PODS = 'scenarios/incidents/01-two-pods-for-one-index.yaml';
const LATE = 'scenarios/incidents/02-stale-lease.yaml';

describe('why', () => {
  it('names the stale restart within its first five lines', async () => {
    const { out } = await cli(['why', '#90', TWO_PODS]);
    const [, write, , but, since] = out.split('\n');
    expect(write).toContain('create Pod shards-1-jxgvg');
    expect(but).toMatch(/^ {2}but {6}it did not see Pod shards-0-\w+ \(there since 2\.000s\), Pod shards-1-\w+ \(there since 2\.000s\)$/);
    expect(since).toContain('controller-manager was restarted at 6.000s from a stale list (staleBy: 5s) #68');
    expect(since).toContain('it had crashed at 6.000s, and lost its cache #65');
    expect(since).toContain('it suffers lag since 6.000s (by: 3s, for: 10s, kinds: [Pod]) #63');
    expect(out, 'what made it see too little is a cause').toMatch(/#68 +fault +restart/);
  });

  const unseen = async (step: string, file: string): Promise<unknown> => {
    const { out } = await cli(['why', step, file, '--json']);
    return (JSON.parse(out) as { cacheView?: { unseen: unknown } }).cacheView?.unseen;
  };

  it('reports a lease that arrives late, and the latency of the watch', async () => {
    const { out } = await cli(['why', 'Node/node-0', LATE, '--at', '40.5s', '--field', 'status.conditions[Ready].reason']);
    expect(out).not.toContain('  but ');
    const { out: blamed } = await cli(['why', '#93', LATE]);
    expect(blamed).toMatch(/it saw old Lease orch-node-lease\/node-0 \(rv \d+, not \d+, since 10\.500s/);
    expect(blamed).toContain('suffers lag since 10.000s (by: 1m30s, for: 1m20s, kinds: [Lease]) #40');
  });

  it('reports nothing for a current cache, and has revisions instead of objects as JSON', async () => {
    expect(await unseen('#10', TWO_PODS)).toBeUndefined();
    expect(await unseen('#93', LATE)).toEqual([
      { kind: 'Lease', key: 'orch-node-lease/node-0', how: 'older', saw: '47', was: '56', since: 1_709_251_210_500, revision: 50 },
    ]);
  });

  it.each([
    ['a relist from long ago', 'scenarios/regressions/017-list-from-before-the-scale.yaml', /relisted at 8\.100s from a stale list/],
    ['a partition', 'scenarios/lease/05-leader-cut-off.yaml', /is cut off since 10\.000s \(for: 40s\)/],
    ['the way alone', 'scenarios/regressions/011-slices-not-seen-yet.yaml', /sees changes late: this one took 0\.050s/],
  ])('names %s', (_what, file, expected) => {
    const [loaded] = readScenarios([file], { cwd: ROOT }).scenarios;
    if (loaded === undefined) throw new Error(`${file} is gone`);
    const { trace } = simulate(loaded.scenario, { trace: true });
    if (trace === undefined) throw new Error('no trace');
    const reasons = trace.entries.flatMap((entry, at) => (entry.type === 'reconcile' ? (cacheViewOf(trace, at + 1)?.reasons ?? []) : []));
    expect(reasons.map(({ text }) => text).join('\n')).toMatch(expected);
  });
});

it('a decision in a cluster without faults and delays has a current cache', () => {
  const { scenarios } = readScenarios(['scenarios/job', 'scenarios/stateful-set'], { cwd: resolve(ROOT) });
  const plain = scenarios.filter(
    ({ scenario: { steps, cluster } }) => steps.every(({ verb }) => verb !== 'fault') && cluster.latency.watch.maxMs === 0,
  );
  expect(plain.length).toBeGreaterThan(10);
  for (const { scenario } of plain) {
    const { trace } = simulate(scenario, { trace: true });
    if (trace === undefined) throw new Error('no trace');
    for (let step = 1; step <= Math.min(trace.entries.length, 1_000); step += 11)
      expect(cacheViewOf(trace, step)?.unseen ?? [], `${scenario.name} #${step}`).toEqual([]);
  }
});

describe('state --as', () => {
  it('shows the contents of a cache', async () => {
    const server = await cli(['state', 'Pod', TWO_PODS, '--at', '8s']);
    const manager = await cli(['state', 'Pod', TWO_PODS, '--at', '8s', '--as', 'controller-manager']);
    expect(server.out.match(/shards-\d-\w+/g)).toHaveLength(4);
    expect(manager.out).toContain('as controller-manager sees it');
    expect(manager.out).toContain('there is no Pod');
  });

  it('names the nearest process, and one that is down', async () => {
    expect((await cli(['state', TWO_PODS, '--as', 'controler-manager'])).err).toContain('did you mean controller-manager?');
    expect((await cli(['state', TWO_PODS, '--at', '#66', '--as', 'controller-manager'])).err).toContain(
      'has no cache at 6.000s (step #66): it is down',
    );
  });

  it('works in walks', async () => {
    const { out } = await cli(['walk', TWO_PODS, '--script', 'goto 8s; state Pod as controller-manager']);
    expect(out).toContain('there is no Pod');
  });
});

it('-v prints a fault with its parameters', async () => {
  const { out } = await cli(['run', TWO_PODS, '-v']);
  expect(out).toMatch(/fault +lag +controller-manager sees changes 3000 ms late \(by: 3s, for: 10s, kinds: \[Pod\]\)/);
  expect(out).toMatch(/fault +restart +controller-manager starts again \(staleBy: 5s\)/);
});
