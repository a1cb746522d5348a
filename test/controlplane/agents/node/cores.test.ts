/** Exclusive CPUs and memory: allocation, and pods that are refused by their topology. */
import { describe, expect, it } from 'vitest';
import { expressionFacts } from '../../../../src/lab/simulation/facts.ts';
import { simulate, type Run } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const TWO = 'numa: [{ cpus: 4, memory: 4Gi }, { cpus: 4, memory: 4Gi }], threadsPerCore: 2';
/** A node whose agent allocates CPUs; one CPU is reserved, and with whole cores the rest of its core too. */
const STATIC = 'cpuManagerPolicy: static, systemReserved: { cpu: "1" }';

const run = (agent: string, steps: readonly string[], machine = TWO): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: cores }
spec:
  until: 1m
  cluster: { nodes: [{ name: a, ${machine}, agent: { ${agent} } }] }
  steps: [${steps.join(', ')}]`),
  );
const container = (name: string, cpu: string, memory = '100Mi'): string =>
  `{ name: ${name}, image: "c:1", resources: { limits: { cpu: ${cpu}, memory: ${memory} } } }`;
const pod = (name: string, containers: string, init = ''): string =>
  `{ apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { nodeName: a, ${init} containers: [${containers}] } } }`;
const one = (name: string, cpu: string, memory?: string): string => pod(name, container('c', cpu, memory));
/** The exclusive resources of a pod's containers, or why it was refused. */
const has = ({ cluster }: Run, name: string): unknown => {
  const { phase, reason, message } = cluster.store.get('Pod', `default/${name}`)?.status ?? {};
  if (phase === 'Failed') return `${reason}: ${message}`;
  return (expressionFacts(cluster).inside?.('Pod', 'default', name) as { readonly containers: unknown } | undefined)?.containers;
};
const own = (cpus: string): unknown => ({ c: { cpus } });

describe('cpuManagerPolicy: static', () => {
  it('gives exclusive CPUs to containers of Guaranteed pods with whole CPU requests, whole cores first', () => {
    const ran = run(STATIC, [
      one('two', '2'),
      one('one', '1'),
      one('half', '1500m'),
      pod('burstable', '{ name: c, image: "c:1", resources: { requests: { cpu: 1 } } }'),
    ]);
    // CPU 0 is reserved: core 2-3 is the first whole one.
    expect(has(ran, 'two')).toEqual(own('2-3'));
    expect(has(ran, 'one')).toEqual(own('1'));
    expect([has(ran, 'half'), has(ran, 'burstable')]).toEqual([{ c: {} }, { c: {} }]);
  });

  it('releases them when a pod has ended, and keeps them while the agent is down', () => {
    const ran = run(STATIC, [
      one('first', '4'),
      '{ at: 5s, fault: { crash: agent/a, restartAfter: 2s } }',
      `{ at: 10s, ${one('second', '3').slice(1)}`,
      '{ at: 20s, delete: Pod/first }',
      `{ at: 30s, ${one('third', '4').slice(1)}`,
    ]);
    expect(has(ran, 'second')).toEqual(own('1-3'));
    expect(has(ran, 'third')).toEqual(own('4-7'));
  });

  it('refuses a pod without enough free CPUs, although the node has the capacity', () => {
    const ran = run(STATIC.replace('{ cpu: "1" }', '{ cpu: 500m }'), [one('most', '7'), one('more', '500m'), one('rest', '1')]);
    expect(has(ran, 'most')).toEqual(own('1-7'));
    expect(has(ran, 'more')).toEqual({ c: {} });
    expect(has(ran, 'rest')).toMatch(
      /^UnexpectedAdmissionError: Pod Allocate failed due to not enough cpus available to satisfy request, which is unexpected$/,
    );
  });

  it('lets containers reuse CPUs of init containers', () => {
    const init = `initContainers: [${container('i', '4')}],`;
    const ran = run(STATIC, [pod('p', `${container('c', '2')}, ${container('d', '2')}`, init)]);
    expect(has(ran, 'p')).toEqual({ c: { cpus: '2-3' }, d: { cpus: '4-5' } });
  });

  it('with full-pcpus-only gives whole cores or nothing', () => {
    const ran = run(`${STATIC}, cpuManagerPolicyOptions: { full-pcpus-only: "true" }`, [one('odd', '3'), one('even', '2')]);
    expect(has(ran, 'odd')).toBe('SMTAlignmentError: Pod SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2');
    expect(has(ran, 'even')).toEqual(own('2-3'));
  });

  it('with distribute-cpus-across-numa gives equal parts of several NUMA nodes, packed without', () => {
    const numa = (cpus: readonly number[]): string => `numa: [${cpus.map((count) => `{ cpus: ${count}, memory: 4Gi }`).join(', ')}]`;
    const given = (machine: string, cpu: string, options: string): unknown => {
      const agent = `${STATIC}, featureGates: { CPUManagerPolicyAlphaOptions: true }, cpuManagerPolicyOptions: { ${options} }`;
      return has(run(agent, [one('p', cpu)], machine), 'p');
    };
    const spread = 'distribute-cpus-across-numa: "true"';
    expect(given(numa([8, 8]), '10', '')).toEqual(own('1-2,8-15'));
    expect(given(numa([8, 8]), '10', spread)).toEqual(own('1-5,8-12'));
    // The remainder is taken where more CPUs stay free.
    expect(given(numa([8, 8]), '9', spread)).toEqual(own('1-4,8-12'));
    // One node has enough; and no nodes allow equal parts of so many.
    expect(given(numa([8, 8]), '8', spread)).toEqual(own('8-15'));
    expect(given(numa([2, 8]), '9', spread)).toEqual(own('1-9'));
    expect(given(`${numa([8, 8])}, threadsPerCore: 2`, '10', `${spread}, full-pcpus-only: "true"`)).toEqual(own('2-5,8-13'));
  });

  it('accepts options whose gate is on: CPUManagerPolicyAlphaOptions, CPUManagerPolicyBetaOptions', () => {
    const refused =
      (options: string, gates = '{}'): (() => unknown) =>
      () =>
        run(`${STATIC}, featureGates: ${gates}, cpuManagerPolicyOptions: { ${options} }`, []);
    expect(refused('distribute-cpus-across-numa: "true"')).toThrow(
      'CPU Manager Policy Alpha-level Options not enabled, but option "distribute-cpus-across-numa" provided',
    );
    expect(refused('full-pcpus-only: "true"', '{ CPUManagerPolicyBetaOptions: false }')).toThrow('Beta-level Options not enabled');
    expect(refused('full-pcpu: "true"')).toThrow('unknown CPU Manager Policy option: "full-pcpu"');
  });

  it('does not start without a CPU reservation', () => {
    const ran = run('cpuManagerPolicy: static', []);
    expect(ran.failures.map(({ message }) => message).join()).toMatch(
      /the static policy requires systemReserved.cpu .* to be greater than zero/,
    );
  });
});

describe('topologyManagerPolicy', () => {
  const policy = (name: string, more = ''): string => `${STATIC}, topologyManagerPolicy: ${name}${more}`;
  const REFUSED = 'TopologyAffinityError: Pod Resources cannot be allocated with Topology locality';

  it('single-numa-node refuses what does not fit on one NUMA node, best-effort accepts any', () => {
    const pods = [one('three', '3'), one('three-more', '3'), one('last', '2')];
    const single = run(policy('single-numa-node'), pods);
    expect([has(single, 'three'), has(single, 'three-more'), has(single, 'last')]).toEqual([own('1-3'), own('4-6'), REFUSED]);
    const best = run(policy('best-effort'), [one('three', '3'), one('two', '2'), one('rest', '2')]);
    expect([has(best, 'three'), has(best, 'two'), has(best, 'rest')]).toEqual([own('1-3'), own('4-5'), own('6-7')]);
  });

  it('restricted refuses what could fit on fewer NUMA nodes, and accepts what is larger than one', () => {
    const ran = run(policy('restricted'), [one('five', '5'), one('two', '2')]);
    expect(has(ran, 'five')).toEqual(own('1,4-7'));
    expect(has(ran, 'two')).toEqual(own('2-3'));
    const split = run(policy('restricted'), [one('three', '3'), one('three-more', '3'), one('last', '1'), one('none', '1')]);
    // Without free CPUs, topology is checked before resources.
    expect([has(split, 'last'), has(split, 'none')]).toEqual([own('7'), REFUSED]);
  });

  it('decides for each container, or with topologyManagerScope: pod for the pod', () => {
    const both = pod('both', `${container('c', '2')}, ${container('d', '3')}`);
    expect(has(run(policy('single-numa-node'), [both]), 'both')).toEqual({ c: { cpus: '2-3' }, d: { cpus: '4-6' } });
    expect(has(run(policy('single-numa-node', ', topologyManagerScope: pod'), [both]), 'both')).toBe(REFUSED);
  });
});

describe('memoryManagerPolicy: Static', () => {
  const MEMORY = 'memoryManagerPolicy: Static, systemReserved: { memory: 1Gi }';

  it('allocates from the fewest NUMA nodes, and a node that allocates alone is in no group', () => {
    const ran = run(MEMORY, [one('one', '100m', '2Gi'), one('two', '100m', '2Gi'), one('wide', '100m', '3Gi')]);
    expect(has(ran, 'one')).toEqual({ c: { memory: [0] } });
    expect(has(ran, 'two')).toEqual({ c: { memory: [1] } });
    expect(has(ran, 'wide')).toMatch(
      /^UnexpectedAdmissionError: .*\[memorymanager\] failed to get the default NUMA affinity, no NUMA nodes with enough memory/,
    );
    expect(has(run(MEMORY, [one('wide', '100m', '6Gi')]), 'wide')).toEqual({ c: { memory: [0, 1] } });
  });

  it('aligns memory with CPUs', () => {
    const ran = run(`${STATIC}, memoryManagerPolicy: Static, topologyManagerPolicy: single-numa-node`, [
      one('hungry', '100m', '3Gi'),
      one('both', '2', '2Gi'),
    ]);
    expect(has(ran, 'both')).toEqual({ c: { cpus: '4-5', memory: [1] } });
  });
});
