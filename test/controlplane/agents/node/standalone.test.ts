/** Agents without an API server, and agents that run their pods once. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { expressionFacts } from '../../../../src/lab/simulation/facts.ts';
import { simulate, type Run } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const file = (name: string, more = '', spec = ''): string =>
  `{ path: /etc/pods/${name}.yaml, ${more} pod: { apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { ${spec} containers: [{ name: c, image: "c:1" }] } } }`;
const FILES = `[${['web', 'db'].map((name) => file(name)).join(', ')}]`;
interface Given {
  readonly flags?: string;
  readonly behaviors?: string;
  readonly sources?: string;
  readonly steps?: string;
  readonly until?: string;
}
const run = (agent: string, { flags = '[]', behaviors = '[]', sources = FILES, steps = '[]', until = '1m' }: Given = {}): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: alone }
spec:
  until: ${until}
  cluster:
    nodes: [{ name: a, agent: ${agent}, agentFlags: ${flags} }]
    podBehaviors: ${behaviors}
    podSources: ${sources}
  steps: ${steps}`),
    { trace: true },
  );
interface Contained {
  readonly pod: string;
  readonly stage: string;
  readonly ip: string;
  readonly restarts: number;
}
const inside = ({ cluster }: Run): readonly Contained[] | undefined =>
  (expressionFacts(cluster).inside?.('Node', 'default', 'a') as { readonly containers: readonly Contained[] } | undefined)?.containers;
const count = ({ cluster }: Run, kind: string): number => [...cluster.store.values(kind)].length;
const ALONE = '["--orchconfig="]';
/** The agent's last decision, and when it stopped, in seconds. */
const ended = ({ trace, cluster }: Run): readonly [why: string | undefined, at: number | undefined] => {
  const entries = trace?.entries ?? [];
  const decisions = entries.filter((entry) => entry.type === 'reconcile' && entry.controller === 'run-once');
  const last = decisions.at(-1);
  const stop = entries.findLast((entry) => entry.type === 'process' && entry.process === 'agent/a' && entry.what === 'stopped');
  return [last?.type === 'reconcile' ? last.why : undefined, stop === undefined ? undefined : (stop.at - cluster.startAt) / 1000];
};

describe('an agent without an API server (--orchconfig= )', () => {
  it('runs the pods of its files, and registers and reports nothing', () => {
    const ran = run('{ staticPodPath: /etc/pods }', { flags: ALONE });
    expect(inside(ran)?.map(({ pod, stage }) => [pod, stage])).toEqual([
      ['default/web-a', 'running'],
      ['default/db-a', 'running'],
    ]);
    for (const kind of ['Node', 'Pod', 'Lease', 'Event', 'CSINode']) expect([kind, count(ran, kind)]).toEqual([kind, 0]);
  });

  it('gives its pods addresses of podCIDR, which other agents ignore', () => {
    const agent = '{ staticPodPath: /etc/pods, podCIDR: 10.9.0.0/29 }';
    expect(inside(run(agent, { flags: ALONE }))?.map(({ ip }) => ip)).toEqual(['10.9.0.2', '10.9.0.3']);
    expect(inside(run(agent))?.map(({ ip }) => ip)).toEqual(['10.244.0.1', '10.244.0.2']);
  });

  it('restarts them, ends them with their files, and finds them again after a restart', () => {
    const ran = run('{ staticPodPath: /etc/pods, fileCheckFrequency: 1s }', {
      flags: ALONE,
      behaviors: '[{ selector: { matchLabels: { app: web } }, runFor: 4s, exitCodes: [1] }]',
      sources: `[${file('web').replace('name: web }', 'name: web, labels: { app: web } }')}, ${file('db', 'until: 20s,')}]`,
      steps: '[{ at: 30s, fault: { crash: agent/a, restartAfter: 5s } }]',
    });
    expect(inside(ran)).toHaveLength(1);
    expect(inside(ran)?.[0]?.restarts).toBeGreaterThan(1);
  });

  it('leaves pods with claims waiting: there is no server to read volumes from', () => {
    const sources = `[${file('web', '', 'volumes: [{ name: v, persistentVolumeClaim: { claimName: v } }],')}]`;
    expect(inside(run('{ staticPodPath: /etc/pods }', { flags: ALONE, sources }))?.map(({ stage }) => stage)).toEqual(['creating']);
  });

  it('ends pods of the API server that it finds at its start', () => {
    const ran = run('{ maxPods: 5 }', {
      steps: `
    - apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }] } }
    - { at: 10s, fault: { configure: agent/a, config: { staticPodPath: /etc/pods }, flags: ["--orchconfig="] } }
    - { at: 10s, fault: { crash: agent/a, restartAfter: 1s } }`,
    });
    expect(inside(ran)?.map(({ pod }) => pod)).toEqual(['default/web-a', 'default/db-a']);
  });
});

/** An agent with the cluster's start would have ended by now, so it is restarted with files that appear later. */
const NOW = {
  sources: `[${['web', 'db'].map((name) => file(name, 'from: 0s,')).join(', ')}]`,
  steps: '[{ at: 0s, fault: { restart: agent/a } }]',
};

describe('runOnce', () => {
  it('runs a component that writes nothing, beside others that declare kinds of the cluster', () => {
    // It still waits for its pods, so its components run.
    const given = { flags: ALONE, behaviors: '[{ startDelay: 1h }]', ...NOW, until: '10s' };
    const { runtime, names } = run('{ staticPodPath: /etc/pods, runOnce: true }', given).cluster;
    const components = [...(runtime.process('agent/a')?.running.values() ?? [])].map(({ controller }) => controller);
    const kinds = kindsFor(names);
    expect(components.find(({ name }) => name === 'run-once')?.writes).toEqual([]);
    expect(components.flatMap(({ writes }) => writes).filter((kind) => kinds.byKind(kind) === undefined)).toEqual([]);
  });

  it('starts the initial pods before anything else happens', () => {
    const ran = run('{ staticPodPath: /etc/pods, runOnce: true }', { flags: ALONE });
    expect(inside(ran)?.map(({ pod, stage }) => [pod, stage])).toEqual([
      ['default/web-a', 'running'],
      ['default/db-a', 'running'],
    ]);
  });

  it('runOnce: true starts the existing pods, waits until they run, and exits; the containers stay', () => {
    const ran = run('{ staticPodPath: /etc/pods, runOnce: true }', { flags: ALONE, behaviors: '[{ startDelay: 2s }]', ...NOW });
    expect(ended(ran)).toEqual(['2 pods started: it exits', 3]);
    expect(inside(ran)?.map(({ stage }) => stage)).toEqual(['running', 'running']);
  });

  it('reports when there are no pods, and when a pod does not run after ten checks', () => {
    expect(ended(run('{ runOnce: true }', { flags: ALONE, ...NOW }))).toEqual(['runonce failed: no pod manifest update after 1s', 1]);
    const given = { flags: ALONE, behaviors: '[{ startDelay: 1h }]', ...NOW, until: '1h' };
    const slow = run('{ staticPodPath: /etc/pods, runOnce: true }', given);
    expect(ended(slow)).toEqual(['runonce failed: error running pods: [default/web-a default/db-a]', 1023]);
  });

  it('with an API server runs the pods of its node, creates mirrors, reports nothing and ignores later pods', () => {
    const pod = (name: string): string =>
      `apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { nodeName: a, containers: [{ name: c, image: "c:1" }] } }`;
    const ran = run('{ staticPodPath: /etc/pods }', {
      sources: NOW.sources.replaceAll('from: 0s', 'from: 6s'),
      steps: `
    - { at: 5s, fault: { stop: agent/a } }
    - ${pod('first')}
    - { at: 6s, fault: { configure: agent/a, config: { staticPodPath: /etc/pods, runOnce: true } } }
    - { at: 6s, fault: { restart: agent/a } }
    - { after: 100ms, ${pod('second')} }`,
    });
    expect(ended(ran)).toEqual(['3 pods started: it exits', 7]);
    expect(inside(ran)?.map(({ pod: name }) => name)).toEqual(['default/first', 'default/web-a', 'default/db-a']);
    expect(ran.cluster.store.get('Pod', 'default/first')?.status).toMatchObject({ phase: 'Pending' });
  });
});
