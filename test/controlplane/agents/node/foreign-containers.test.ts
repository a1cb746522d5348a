/** Containers on a machine that its agent did not create, or has no pod for: which it ends, and which it ignores. */
import { describe, expect, it } from 'vitest';
import { simulate, type Run } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const run = (cluster: string, steps: string, until = '2m'): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: strangers }
spec: { until: ${until}, cluster: ${cluster}, steps: ${steps} }`),
    { trace: true },
  );
const pod = (name: string, memory: string): string =>
  `apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { containers: [{ name: c, image: "c:1", resources: { requests: { memory: ${memory} } } }] } }`;
const NODE = 'nodes: [{ name: a, capacity: { memory: 2Gi }, agent: { evictionHard: { memory.available: 200Mi } } }]';
const reasons = ({ cluster }: Run): readonly unknown[] =>
  [...cluster.store.values('Pod')].map(({ metadata, status }) => [metadata.name, status.reason ?? status.phase]);

describe('containers that the agent did not create', () => {
  const USAGE = `{ ${NODE}, usage: [{ system: true, memory: 300Mi }, { system: true, container: backup, memory: [{ at: 30s, is: 1500Mi }, { at: 90s, is: 0 }] }, { system: true, container: shell, nodes: [b], cpu: 1 }, { memory: 100Mi }] }`;

  it('use resources of pods: the agent evicts its own pods for them', () => {
    const ran = run(USAGE, `[{ ${pod('small', '50Mi')} }]`, '80s');
    expect(reasons(ran)).toEqual([['small', 'Evicted']]);
    const usage = ran.cluster.metered.usage;
    expect(usage?.systemAt('a', ran.cluster.now).memory).toBe(1800 * 2 ** 20);
  });

  it('are ignored, by evictions and by a restarted agent, until they end by themselves', () => {
    const steps = `[
      { ${pod('small', '50Mi')} },
      { at: 20s, expect: { cel: "inside('Node/a').strangers.size() == 0" } },
      { at: 50s, fault: { crash: agent/a, restartAfter: 2s } },
      { at: 80s, expect: { cel: "inside('Node/a').containers.size() == 0 && inside('Node/a').strangers.map(s, s.name) == ['backup']" } },
      { at: 100s, expect: { cel: "inside('Node/a').strangers.size() == 0" } }]`;
    expect(run(USAGE, steps).failures).toEqual([]);
  });
});

describe('containers whose pod is gone', () => {
  it('are ended by the agent that created them, after its restart', () => {
    const steps = `[
      { ${pod('p', '50Mi')} },
      { at: 10s, fault: { stop: agent/a } },
      { at: 11s, delete: { target: Pod/p, gracePeriodSeconds: 0 } },
      { at: 29s, expect: { cel: "inside('Node/a').containers.map(c, c.stage) == ['running']" } },
      { at: 30s, fault: { restart: agent/a } },
      { at: 90s, expect: { cel: "inside('Node/a').containers.size() == 0" } }]`;
    expect(run(`{ ${NODE} }`, steps).failures).toEqual([]);
  });
});
