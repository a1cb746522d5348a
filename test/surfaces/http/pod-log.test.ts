/** Logs of containers over the API: what behaviours print, what options select, why there is none, and followers. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { clusterBackend, createApi } from '../../../src/surfaces/http/index.ts';
import { runScenario, scenarioIn } from '../../support/scenarios.ts';
import { manualTimers } from '../../support/timers.ts';

const SCENARIO = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: logs }
spec:
  domain: k8s.io
  until: 1ms
  cluster:
    nodes: { count: 1 }
    podBehaviors:
      - selector: { matchLabels: { app: web } }
        readyDelay: 1s
        terminationDelay: 2s
        log:
          - "listening as {pod}/{container} {other}"
          - { at: 1500ms, line: warm }
          - { every: 10s, line: "beat {n}" }
          - { when: termination, line: draining }
          - { container: side, when: ready, line: sidecar }
      - { selector: { matchLabels: { app: fails } }, runFor: 2500ms, exitCodes: [1, 0], log: ["try {restart}", { when: failure, line: "exit {code}" }, { when: success, line: done }] }
      - { selector: { matchLabels: { app: ends } }, runFor: 2500ms }
      - { selector: { matchLabels: { app: slow } }, startDelay: 1h }
      - { selector: { matchLabels: { app: floods } }, log: [{ every: 1ms, line: "{n}" }] }
`;

function world() {
  const { cluster } = simulate(scenarioIn(SCENARIO), { invariants: [] });
  const backend = clusterBackend(cluster);
  const timers = manualTimers();
  const api = createApi({ backend, timers });
  const send = (method: string, target: string, body?: unknown) =>
    api({
      method,
      target,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body)),
    });
  const pods = '/api/v1/namespaces/default/pods';
  const startAt = cluster.now;
  return {
    cluster,
    timers,
    by: (ms: number) => cluster.runUntil(cluster.now + ms),
    to: (ms: number) => cluster.runUntil(startAt + ms),
    remove: (name: string) => send('DELETE', `${pods}/${name}`),
    async pod(name: string, containers: readonly string[], more: object = {}, annotations = {}) {
      const metadata = { name, labels: { app: name }, annotations };
      const spec = { restartPolicy: 'Never', ...more, containers: containers.map((each) => ({ name: each, image: 'i' })) };
      const { status } = (await send('POST', pods, { metadata, spec })) as { status: number };
      expect(status).toBe(201);
    },
    async log(name: string, query = '') {
      const reply = await send('GET', `${pods}/${name}/log?${query}`);
      if ('open' in reply) throw new Error('it follows');
      expect(reply.headers['content-type']).toBe(reply.status === 200 ? 'text/plain' : 'application/json');
      const text = String(reply.body);
      return reply.status === 200 ? text : `${reply.status} ${(JSON.parse(text) as { message: string }).message}`;
    },
    async follow(name: string, query = '') {
      const reply = await send('GET', `${pods}/${name}/log?follow=true&${query}`);
      if (!('open' in reply)) throw new Error('it does not follow');
      const seen = { text: '', isOver: false };
      const close = reply.open({ write: (text) => void (seen.text += text), end: () => void (seen.isOver = true) });
      return Object.assign(seen, { close });
    },
  };
}

describe('the log of a pod', () => {
  it('is what its behaviour prints, at the times that it says', async () => {
    const { pod, log, by } = world();
    await pod('web', ['c', 'side']);
    expect(await log('web')).toBe('400 a container name must be specified for pod web, choose one of: [c side]');
    by(1200);
    expect(await log('web', 'container=c')).toBe('listening as web/c {other}\n');
    expect(await log('web', 'container=side')).toBe('sidecar\n');
    by(20_000);
    expect(await log('web', 'container=c')).toBe('listening as web/c {other}\nwarm\nbeat 1\nbeat 2\n');
    const stamped = (await log('web', 'container=c&timestamps=true&tailLines=2')).split('\n');
    expect(stamped.map((line) => line.slice(20))).toEqual(['000000000Z beat 1', '000000000Z beat 2', '']);
    expect(await log('web', 'container=c&sinceSeconds=12')).toBe('beat 1\nbeat 2\n');
    expect(await log('web', 'container=c&tailLines=1&sinceSeconds=1')).toBe('');
    expect(await log('web', 'container=c&tailLines=0')).toBe('');
    expect(await log('web', 'container=c&limitBytes=9')).toBe('listening');
    expect(await log('web', 'container=c&sinceTime=2030-01-01T00:00:00Z')).toBe('');
  });

  it('says in words what happens where nothing is written, also when the machine has forgotten the pod', async () => {
    const { pod, log, by, cluster } = world();
    await pod('ends', ['c']);
    by(2000);
    const running = await log('ends', 'timestamps=true');
    expect(running).toMatch(/started\n.*ready\n$/);
    by(60_000);
    const [stored] = cluster.store.values('Pod');
    expect(cluster.world.runOf('node-0', stored?.metadata.uid ?? '')).toBeUndefined();
    const ended = await log('ends', 'timestamps=true');
    expect(ended.startsWith(running)).toBe(true);
    expect(ended).toMatch(/500000000Z exiting with code 0\n$/);
    await pod('said', ['c'], {}, { 'sim.orch.io/log': 'one\ntwo' });
    by(1000);
    expect(await log('said')).toBe('one\ntwo\n');
  });

  it('is that of the previous instance on request', async () => {
    const { pod, log, to } = world();
    await pod('fails', ['c'], { restartPolicy: 'OnFailure' });
    to(1000);
    expect(await log('fails')).toBe('try 0\n');
    expect(await log('fails', 'previous=true')).toBe('400 previous terminated container "c" in pod "fails" not found');
    to(4000);
    expect(await log('fails')).toBe('try 1\n');
    expect(await log('fails', 'previous=true')).toBe('try 0\nexit 1\n');
    to(60_000);
    expect(await log('fails')).toBe('try 1\ndone\n');
    expect(await log('fails', 'previous=true')).toBe('try 0\nexit 1\n');
  });

  it('is refused in the words of upstream', async () => {
    const { pod, log, by, cluster } = world();
    expect(await log('none')).toBe('404 pods "none" not found');
    await pod('slow', ['c']);
    expect(await log('slow')).toBe('');
    by(1000);
    expect(await log('slow')).toBe('400 container "c" in pod "slow" is waiting to start: ContainerCreating');
    expect(await log('slow', 'container=d')).toBe('400 container d is not valid for pod slow');
    expect(await log('slow', 'tailLines=-1&limitBytes=0')).toBe(
      '422 PodLogOptions "slow" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0]',
    );
    expect(await log('slow', 'sinceSeconds=1&sinceTime=2024-01-01T00:00:00Z')).toContain('Forbidden: at most one of `sinceTime`');
    expect(await log('slow', 'sinceTime=soon')).toBe(
      '400 parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"',
    );
    cluster.runtime.crash('agent/node-0');
    expect(await log('slow')).toMatch(/^500 Get "https:\/\/192[.0-9]+:10250\/containerLogs\/default\/slow\/c": dial tcp .*refused$/);
  });

  it('has its last 10,000 lines, however many were printed', async () => {
    const { pod, log, by } = world();
    await pod('floods', ['c']);
    by(3_600_000);
    const lines = (await log('floods')).trimEnd().split('\n');
    expect(lines).toHaveLength(10_000);
    expect(Number(lines.at(-1)) - Number(lines[0])).toBe(9999);
    expect(Number(lines.at(-1))).toBeGreaterThan(3_590_000);
  });

  it('is followed until the container ends, each line once', async () => {
    const { pod, follow, log, remove, by, timers } = world();
    await pod('web', ['c', 'side']);
    by(1000);
    const seen = await follow('web', 'container=c');
    const tail = await follow('web', 'container=c&tailLines=0&limitBytes=6');
    expect(seen.text).toBe('listening as web/c {other}\n');
    for (const ms of [0, 300, 1000, 9000, 0, 15_000]) {
      by(ms);
      timers.advance(50);
    }
    expect(seen.text).toBe(await log('web', 'container=c'));
    expect(tail).toMatchObject({ text: 'warm\nb', isOver: true });
    await remove('web');
    by(3000);
    expect(seen.text).toMatch(/warm\nbeat 1\nbeat 2\ndraining\n$/);
    expect(seen.isOver).toBe(true);
    await pod('fails', ['c'], { restartPolicy: 'OnFailure' });
    by(1000);
    const first = await follow('fails');
    by(60_000);
    expect(first).toMatchObject({ text: 'try 0\nexit 1\n', isOver: true });
  });

  it('is described where the scenario is wrong', () => {
    const wrong = SCENARIO.replace('{ at: 1500ms, line: warm }', '{ at: 1s, when: soon, lime: warm }');
    expect(() => runScenario(wrong)).toThrow(/log\[1\].*\n?[^]*lime[^]*soon|soon[^]*lime/);
  });
});
