/** A served cluster: manual, automatic and real clocks, reset, the trace. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { createSession, rbacAccess, listen } from '../../../src/surfaces/http/index.ts';
import type { ClockMode, Listening, Session, SessionOptions } from '../../../src/surfaces/http/index.ts';
import { createStreams } from '../../../src/surfaces/http/sim/worlds.ts';
import { through } from './sockets.ts';

const SCENARIO = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: served }
spec:
  title: A cluster to serve
  domain: k8s.io
  cluster: { nodes: { count: 1 } }
`;
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const JOB = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j' },
  spec: {
    template: {
      metadata: { annotations: { 'sim.orch.io/exit-after': '60' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
    },
  },
};

async function serve(
  clock: ClockMode,
  speed = 1,
  access?: SessionOptions['access'],
): Promise<{
  readonly session: Session;
  readonly listening: Listening;
  call(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  close(): Promise<void>;
}> {
  const scenario = scenarioIn(SCENARIO);
  const streams = createStreams();
  const session = createSession({
    start: (onEntry) => ({
      cluster: simulate(scenario, { onEntry, invariants: [] }).cluster,
      scenario: scenario.name,
      seed: scenario.seed,
      troubles: [],
    }),
    clock,
    speed,
    ...(access === undefined ? {} : { access }),
    watched: () => streams.open > 0,
    onReset: streams.end,
  });
  const listening = await listen(through(streams, session.answer), { port: 0 });
  const origin = `http://127.0.0.1:${listening.port}`;
  return {
    session,
    listening,
    async call(method, path, body) {
      const answer = await fetch(origin + path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    async close() {
      session.stop();
      await listening.close();
    },
  };
}

const active = (body: Record<string, unknown>) => body['status'] as { readonly active?: number; readonly succeeded?: number };

describe('manual clock', () => {
  it('nothing happens until time is advanced, and a reset reverts everything', async () => {
    const { call, close } = await serve('manual');
    const {
      body: { digest },
    } = await call('GET', '/sim/v1/state');
    expect((await call('POST', JOBS, JOB)).status).toBe(201);
    expect(active((await call('GET', `${JOBS}/j`)).body)).toEqual({});
    expect((await call('POST', '/sim/v1/advance', { by: '0s' })).body).toMatchObject({ sinceStartSeconds: 0 });
    expect(active((await call('GET', `${JOBS}/j`)).body).active).toBe(1);
    expect((await call('POST', '/sim/v1/advance', { by: '1h' })).body).toMatchObject({
      now: '2024-03-01T01:00:00.000Z',
      sinceStartSeconds: 3600,
    });
    expect(active((await call('GET', `${JOBS}/j`)).body).succeeded).toBe(1);
    expect((await call('POST', '/sim/v1/reset')).body).toMatchObject({ sinceStartSeconds: 0, digest });
    expect((await call('GET', `${JOBS}/j`)).status).toBe(404);
    await close();
  });

  it('begins the same world again and again, also one that was made in advance', async () => {
    const { call, close, session } = await serve('manual');
    const digests = new Set<unknown>();
    for (let round = 0; round < 4; round++) {
      expect((await call('GET', `${JOBS}/j`)).status).toBe(404);
      digests.add((await call('GET', '/sim/v1/state')).body['digest']);
      const { start } = session.current;
      await call('POST', JOBS, JOB);
      await new Promise((go) => setTimeout(go, 60));
      await call('POST', '/sim/v1/reset');
      expect(session.current.start).not.toBe(start);
    }
    expect(digests.size).toBe(1);
    await close();
  });

  it('errors explain what was wrong', async () => {
    const { call, close } = await serve('manual');
    expect((await call('POST', '/sim/v1/advance', { bye: '1h' })).body['message']).toContain('did you mean by?');
    expect((await call('POST', '/sim/v1/advance', { by: 'soon' })).body['message']).toContain('expected a duration such as');
    expect((await call('POST', '/sim/v1/advance', { to: '2020-01-01T00:00:00Z' })).body['message']).toContain(
      'time does not run backwards',
    );
    expect((await call('GET', '/sim/v1/advance')).status).toBe(405);
    await close();
  });

  it('runs until all is settled', async () => {
    const { call, close } = await serve('manual');
    await call('POST', JOBS, JOB);
    expect((await call('POST', '/sim/v1/advance', { until: 'settled' })).body).toMatchObject({ settled: true });
    expect(active((await call('GET', `${JOBS}/j`)).body).succeeded).toBe(1);
    await close();
  });

  it('streams what happens', async () => {
    const { call, listening, close } = await serve('manual');
    const stop = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${listening.port}/sim/v1/trace`, {
      signal: stop.signal,
      headers: { accept: 'text/event-stream' },
    });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    await call('POST', JOBS, JOB);
    let text = '';
    const reader = answer.body?.getReader();
    while (!text.includes('create Job default/j')) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(text).toMatch(/^id: \d+\nevent: write\ndata: \{.*"type":"write"/m);
    stop.abort();
    await close();
  });
});

describe('what Secrets hold', () => {
  const SECRET = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"p":"aHVudGVyMg=="}}' } },
    data: { p: 'aHVudGVyMg==' },
  };
  const traces = ['follow=false', 'follow=false&whole=true', 'follow=false&from=0'];

  it('is in the trace a number, unless it is asked for', async () => {
    const { call, listening, close } = await serve('manual');
    await call('POST', '/api/v1/namespaces/default/secrets', SECRET);
    const told = async (query: string, headers = {}): Promise<string> =>
      (await fetch(`http://127.0.0.1:${listening.port}/sim/v1/trace?${query}`, { headers })).text();
    for (const query of traces) {
      const text = await told(query);
      expect(text).toContain('"data":{"p":"<redacted 1>"}');
      expect(text).not.toContain('aHVudGVyMg');
      expect(await told(`${query}&showSecrets=true`)).toContain('"data":{"p":"aHVudGVyMg=="}');
    }
    expect(await told('follow=false', { accept: 'text/event-stream' })).not.toContain('aHVudGVyMg');
    await close();
  });

  it('is given only to who may list Secrets, where access is judged', async () => {
    const tokens = new Map([
      ['root', { name: 'root', groups: ['system:masters', 'system:authenticated'] }],
      ['eve', { name: 'eve', groups: ['system:authenticated'] }],
    ]);
    const { listening, close } = await serve('manual', 1, (backend) => rbacAccess(backend, { tokens, anonymous: false }));
    const as = async (who: string, method: string, path: string, body?: object) => {
      const answer = await fetch(`http://127.0.0.1:${listening.port}${path}`, {
        method,
        headers: { authorization: `Bearer ${who}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const rbac = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'follower' };
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterrole';
    const metadata = { name: 'follower' };
    await as('root', 'POST', `${path}s`, { metadata, rules: [{ verbs: ['get'], nonResourceURLs: ['/sim/*'] }] });
    await as('root', 'POST', `${path}bindings`, { metadata, roleRef: rbac, subjects: [{ kind: 'User', name: 'eve' }] });
    expect((await as('root', 'POST', '/api/v1/namespaces/default/secrets', SECRET)).status).toBe(201);
    expect((await as('eve', 'GET', '/sim/v1/trace?follow=false')).text).toContain('<redacted 1>');
    expect((await as('eve', 'GET', '/sim/v1/trace?follow=false')).text).not.toContain('aHVudGVyMg');
    expect(await as('eve', 'GET', '/sim/v1/trace?follow=false&showSecrets=true')).toMatchObject({ status: 403 });
    expect((await as('root', 'GET', '/sim/v1/trace?follow=false&showSecrets=true')).text).toContain('aHVudGVyMg');
    await close();
  });
});

describe('automatic clock', () => {
  it('advances while clients read', async () => {
    const { call, close } = await serve('auto');
    await call('POST', JOBS, JOB);
    let succeeded: number | undefined;
    for (let looks = 0; looks < 50 && succeeded === undefined; looks++) {
      succeeded = active((await call('GET', `${JOBS}/j`)).body).succeeded;
      await new Promise((done) => {
        setTimeout(done, 2);
      });
    }
    expect(succeeded).toBe(1);
    const { body: first } = await call('GET', '/sim/v1/state');
    await new Promise((done) => {
      setTimeout(done, 60);
    });
    expect((await call('GET', '/sim/v1/state')).body['now']).toBe(first['now']);
    await close();
  });

  it('does not advance for a look at its own state', async () => {
    const { call, close } = await serve('auto');
    const looked = async (): Promise<unknown> => {
      const { body } = await call('GET', '/sim/v1/state');
      await new Promise((done) => {
        setTimeout(done, 60);
      });
      return body['now'];
    };
    await call('POST', JOBS, JOB);
    const first = await looked();
    expect([await looked(), await looked()]).toEqual([first, first]);
    await close();
  });

  it('advances for a watch', async () => {
    const { call, listening, close } = await serve('auto');
    await call('POST', JOBS, JOB);
    const answer = await fetch(`http://127.0.0.1:${listening.port}${JOBS}?watch=1`);
    let text = '';
    const reader = answer.body?.getReader();
    while (!text.includes('"succeeded":1')) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    await close();
  });
});

describe('real time', () => {
  it('at a multiple', async () => {
    const { call, close } = await serve('realtime', 600);
    await call('POST', JOBS, JOB);
    await new Promise((done) => {
      setTimeout(done, 250);
    });
    expect(active((await call('GET', `${JOBS}/j`)).body).succeeded).toBe(1);
    await close();
  });
});

describe('leases', () => {
  it('are renewed for real while they are watched', async () => {
    const { session, listening, close } = await serve('manual');
    const { cluster } = session.current.start;
    cluster.runUntil(cluster.now + 60_000);
    const commits = (): number => cluster.counters.commits;
    const unseen = commits();
    cluster.runUntil(cluster.now + 120_000);
    const before = commits() - unseen;
    const stop = new AbortController();
    await fetch(`http://127.0.0.1:${listening.port}/apis/coordination.k8s.io/v1/leases?watch=1`, { signal: stop.signal });
    const seen = commits();
    cluster.runUntil(cluster.now + 120_000);
    expect(commits() - seen).toBeGreaterThan(before);
    stop.abort();
    await close();
  });
});
