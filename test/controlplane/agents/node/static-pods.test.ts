/** Static pods of files and URLs: they run independently of the API server, which shows them as mirror pods. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { simulate, type Run } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const POD = 'pod: { apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [{ name: c, image: "c:1" }] } }';
const run = (agent: string, sources: string, steps = '[]', until = '2m'): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: static }
spec:
  until: ${until}
  cluster:
    nodes: [{ name: a, agent: ${agent} }]
    podSources: ${sources}
  steps: ${steps}`),
    { trace: true },
  );
const mirrorOf = ({ cluster }: Run, name = 'web-a'): Pod | undefined => cluster.store.get('Pod', `default/${name}`);
/** The seconds at which a pod of this name was added, or deleted. */
const changes = (ran: Run, type: 'ADDED' | 'DELETED'): readonly number[] =>
  (ran.trace?.entries ?? []).flatMap((entry) =>
    entry.type === 'write' && entry.change.kind === 'Pod' && entry.change.type === type ? [(entry.at - ran.cluster.startAt) / 1000] : [],
  );

describe('a static pod', () => {
  const FILE = `[{ path: /etc/pods/web.yaml, ${POD} }]`;

  it('of staticPodPath, a folder or a file, runs and has a mirror pod', () => {
    for (const path of ['/etc/pods', '/etc/pods/', '/etc/pods/web.yaml']) {
      const ran = run(`{ staticPodPath: ${path} }`, FILE, '[]', '30s');
      const mirror = mirrorOf(ran);
      expect(mirror?.status.phase).toBe('Running');
      expect(mirror?.metadata.ownerReferences).toMatchObject([{ kind: 'Node', name: 'a' }]);
      expect(mirror?.metadata.annotations).toMatchObject({ 'orch.io/config.source': 'file' });
      expect(mirror?.metadata.annotations?.['orch.io/config.mirror']).toBe(mirror?.metadata.annotations?.['orch.io/config.hash']);
      expect(mirror?.spec.tolerations).toContainEqual({ operator: 'Exists', effect: 'NoExecute' });
    }
    for (const path of ['/etc', '/etc/pods/other.yaml', '/etc/po'])
      expect(mirrorOf(run(`{ staticPodPath: ${path} }`, FILE, '[]', '30s'))).toBeUndefined();
    expect(mirrorOf(run('{ maxPods: 9 }', FILE, '[]', '30s'))).toBeUndefined();
  });

  it('is found after fileCheckFrequency, and ends with its file', () => {
    const sources = `[{ path: /etc/pods/web.yaml, from: 31s, until: 61s, ${POD} }]`;
    const [slow, quick] = ['{ staticPodPath: /etc/pods }', '{ staticPodPath: /etc/pods, fileCheckFrequency: 1s }'].map((agent) =>
      run(agent, sources),
    );
    for (const [ran, within] of [
      [slow, 20],
      [quick, 1],
    ] as const) {
      if (ran === undefined) throw new Error('no run');
      const [came = 0] = changes(ran, 'ADDED');
      const [went = 0] = changes(ran, 'DELETED');
      expect(came).toBeGreaterThanOrEqual(31);
      expect(came).toBeLessThanOrEqual(31 + within);
      expect(went).toBeGreaterThanOrEqual(61);
      expect(went).toBeLessThanOrEqual(61 + within);
      expect([...ran.cluster.world.machine('a').uids()]).toEqual([]);
    }
  });

  it('continues when its mirror is deleted, which is created again', () => {
    const ran = run(
      '{ staticPodPath: /etc/pods }',
      FILE,
      '[{ at: 30s, delete: { target: Pod/web-a, gracePeriodSeconds: 0 } }, { at: 50s, delete: Pod/web-a }]',
    );
    expect(changes(ran, 'DELETED')).toHaveLength(2);
    const { status, metadata } = mirrorOf(ran) ?? {};
    expect(status?.phase).toBe('Running');
    expect(Date.parse(String(status?.containerStatuses?.[0]?.state?.running?.startedAt))).toBeLessThan(
      Date.parse(String(metadata?.creationTimestamp)),
    );
  });

  it('continues while its agent is down, and is not started again', () => {
    const ran = run('{ staticPodPath: /etc/pods }', FILE, '[{ at: 10s, fault: { crash: agent/a, restartAfter: 5s } }]', '1m');
    expect(mirrorOf(ran)?.status.containerStatuses?.[0]?.restartCount).toBe(0);
    expect([...ran.cluster.world.machine('a').uids()]).toHaveLength(1);
  });

  it('starts without the API server', () => {
    const ran = run(
      '{ staticPodPath: /etc/pods, fileCheckFrequency: 1s }',
      `[{ path: /etc/pods/web.yaml, from: 10s, ${POD} }]`,
      '[{ at: 5s, fault: { partition: agent/a, for: 50s } }]',
      '30s',
    );
    expect(mirrorOf(ran)).toBeUndefined();
    expect([...ran.cluster.world.machine('a').uids()]).toHaveLength(1);
  });

  it('replaces the previous pod of its file', () => {
    const two = `[{ path: /etc/pods/web.yaml, until: 30s, ${POD} }, { path: /etc/pods/web.yaml, from: 30s, ${POD.replace('c:1', 'c:2')} }]`;
    const ran = run('{ staticPodPath: /etc/pods }', two);
    expect(mirrorOf(ran)?.spec.containers[0]?.image).toBe('c:2');
    expect([...ran.cluster.world.machine('a').uids()]).toHaveLength(1);
  });
});

describe('a pod of staticPodURL', () => {
  const sources = `[{ url: "http://x/pods", headers: { X-Token: word }, until: 1m, ${POD} }]`;

  it('starts where staticPodURLHeader is accepted, at httpCheckFrequency, and stays when the URL does not answer', () => {
    const agent = (headers: string) => `{ staticPodURL: "http://x/pods", httpCheckFrequency: 5s, staticPodURLHeader: ${headers} }`;
    const ran = run(agent('{ X-Token: [other, word] }'), sources);
    expect(mirrorOf(ran)?.status.phase).toBe('Running');
    expect(mirrorOf(ran)?.metadata.annotations?.['orch.io/config.source']).toBe('http');
    expect(mirrorOf(run(agent('{ X-Token: [other] }'), sources))).toBeUndefined();
  });
});

describe('a pod that is submitted to the agent itself', () => {
  const at = (from: string, more = ''): string => `[{ submitted: true, from: ${from}, ${more}${POD} }]`;

  it('runs at once, has a mirror, and ends when it is withdrawn; a closed server accepts none', () => {
    const ran = run('{ maxPods: 9 }', at('31s', 'until: 61s, '), '[]', '2m');
    const [came = 0] = changes(ran, 'ADDED');
    const [went = 0] = changes(ran, 'DELETED');
    expect([Math.floor(came), Math.floor(went)]).toEqual([31, 61]);
    expect(mirrorOf(run('{ maxPods: 9 }', at('31s')))?.status.phase).toBe('Running');
    expect(mirrorOf(run('{ maxPods: 9 }', at('0s')))?.metadata.annotations).toMatchObject({ 'orch.io/config.source': 'http' });
    expect(mirrorOf(run('{ enableServer: false }', at('31s')))).toBeUndefined();
    expect(mirrorOf(run('{ maxPods: 9 }', at('31s', 'nodes: [b], ')))).toBeUndefined();
  });

  it('is lost while the agent is down, and when it restarts', () => {
    const steps = '[{ at: 20s, fault: { crash: agent/a, restartAfter: 30s } }]';
    expect(mirrorOf(run('{ maxPods: 9 }', at('31s'), steps))).toBeUndefined();
    expect(mirrorOf(run('{ maxPods: 9 }', at('5s'), steps))).toBeUndefined();
    expect(mirrorOf(run('{ maxPods: 9 }', at('60s'), steps))?.status.phase).toBe('Running');
  });
});
