/** Limits of time and memory of a served cluster: cancelled advances, full clusters, slow readers that are cut off, compacted history. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith } from '../../cli/cli.ts';
import { eventually, JOBS, jobOf, notBuilt, pause, readAll, startServing, type Process } from './serving.ts';

/** A set has a governing service. */
const SERVICE = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } };

const ADVANCE = '/sim/v1/advance';
const MAPS = '/api/v1/namespaces/default/configmaps';

interface State {
  readonly advancingTo?: string;
  readonly steps: number;
  readonly objects: { readonly used: number; readonly limit: number; readonly refused?: number };
}

if (notBuilt !== undefined) console.log(`bounds.test.ts skipped: ${notBuilt}`);

/** More of its pods may be requested later. */
const withoutCompletions = (job: object): object => {
  const { spec, ...rest } = job as { readonly spec: { readonly completions?: number } };
  const { completions: _, ...open } = spec;
  return { ...rest, spec: open };
};

describe.skipIf(notBuilt !== undefined)('advances', () => {
  let served: Process;
  beforeAll(async () => {
    served = await startServing();
  });
  afterAll(() => served.stop());
  const state = async (): Promise<State> => (await served.ask('GET', '/sim/v1/state')).body as unknown as State;

  it('are cancelled, run one at a time, and do not delay other requests', async () => {
    expect((await served.ask('DELETE', ADVANCE)).status).toBe(404);
    await served.ask('POST', JOBS, jobOf('crowd', 60_000));
    const advance = served.ask('POST', ADVANCE, { by: '1h' });
    await eventually(state, ({ advancingTo, objects }) => advancingTo !== undefined && objects.used > 200);
    const second = await served.ask('POST', ADVANCE, { by: '1s' });
    expect(second.status).toBe(409);
    expect(second.body['message']).toMatch(/^an advance to \S+ is under way, at \S+: wait for its answer, or cancel it with DELETE/);
    const waits: number[] = [];
    for (let asked = 0; asked < 40; asked++) {
      const at = performance.now();
      expect((await served.ask('GET', '/api/v1/namespaces')).status).toBe(200);
      waits.push(performance.now() - at);
    }
    waits.sort((a, b) => a - b);
    console.log(`answers while time is moved: median ${Math.round(waits[20] ?? 0)} ms, worst ${Math.round(waits[39] ?? 0)} ms`);
    // The worst latency counts; a machine that is busy with other tests may be late once.
    expect(waits[20]).toBeLessThan(100);
    expect((await state()).advancingTo).toBeDefined();
    expect((await served.ask('DELETE', ADVANCE)).status).toBe(200);
    const called = await advance;
    expect(called.status).toBe(409);
    expect(called.body['message']).toMatch(
      /^the advance was cancelled \(DELETE \/sim\/v1\/advance\): the time is \S+, \d.* s towards \S+; everything before it has happened/,
    );
    const before = await state();
    await pause(60);
    expect((await state()).steps).toBe(before.steps);
    expect(before.advancingTo).toBeUndefined();
  }, 60_000);

  it('end with their client', async () => {
    const leaving = new AbortController();
    const advance = served.ask('POST', ADVANCE, { by: '1h' }, {}, leaving.signal).catch(() => 'left');
    await eventually(state, ({ advancingTo }) => advancingTo !== undefined);
    leaving.abort();
    expect(await advance).toBe('left');
    expect((await eventually(state, ({ advancingTo }) => advancingTo === undefined)).advancingTo).toBeUndefined();
  }, 60_000);

  it('end with a reset', async () => {
    const advance = served.ask('POST', ADVANCE, { by: '1h' });
    await eventually(state, ({ advancingTo }) => advancingTo !== undefined);
    expect((await served.ask('POST', '/sim/v1/reset')).status).toBe(200);
    expect((await advance).body['message']).toContain('cancelled (the cluster was reset)');
    const far = await served.ask('POST', ADVANCE, { by: '10000000h' });
    expect([far.status, far.body['message']]).toEqual([400, expect.stringMatching(/^time ends at 2124-\S+: advance at most to that/)]);
  }, 60_000);

  it('and long lists do not block other requests', async () => {
    await served.ask('POST', '/sim/v1/reset');
    const count = 1_500;
    await served.ask('POST', JOBS, jobOf('many', count));
    await served.ask('POST', ADVANCE, { by: '2s' });
    const tables = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    let listing = true;
    const list = served.ask('GET', '/api/v1/pods?labelSelector=job-name%3Dmany', undefined, tables).finally(() => (listing = false));
    let meanwhile = 0;
    let worst = 0;
    while (listing) {
      const at = performance.now();
      await served.ask('GET', '/api/v1/namespaces/default');
      worst = Math.max(worst, performance.now() - at);
      meanwhile++;
    }
    expect((await list).body['rows']).toHaveLength(count);
    console.log(`answers while ${count} rows are listed: ${meanwhile}, worst ${Math.round(worst)} ms`);
    // In one piece it would be the response before.
    expect(meanwhile).toBeGreaterThan(3);
  }, 60_000);
});

describe.skipIf(notBuilt !== undefined)('a cluster that grows without limit', () => {
  it('is full in serve, which continues to serve', async () => {
    const served = await startServing('--max-objects', '300');
    const state = async (): Promise<State> => (await served.ask('GET', '/sim/v1/state')).body as unknown as State;
    await served.ask('POST', JOBS, jobOf('endless', 2_147_483_647));
    const full = await served.ask('POST', ADVANCE, { by: '1m' });
    expect(full.status).toBe(409);
    expect(full.body['message']).toMatch(
      /^this cluster is full: it has 300 objects, the maximum, and Pod "endless-\w+" would exceed it: the time is .* Delete what creates them, or allow more with --max-objects/,
    );
    expect((await state()).objects).toMatchObject({ used: 300, limit: 300 });
    const one = await served.ask('POST', JOBS, jobOf('another', 1));
    expect([one.status, one.body['message']]).toEqual([
      403,
      'jobs "another" is forbidden: this cluster is full: it has 300 objects, the maximum, and Job "another" would exceed it; delete some, or allow more (serve --max-objects N, in a scenario spec.limits.objects)',
    ]);
    expect((await served.ask('POST', ADVANCE, { by: '1m' })).status).toBe(200);
    expect((await served.ask('DELETE', `${JOBS}/endless?propagationPolicy=Background`)).status).toBe(200);
    expect((await served.ask('POST', ADVANCE, { by: '10m' })).status).toBe(200);
    // Objects of a fresh cluster, mainly the built-in roles, and no pod of ten thousands.
    expect((await state()).objects.used).toBeLessThan(200);
    expect((await served.ask('POST', JOBS, jobOf('another', 1))).status).toBe(201);
    await served.stop();
  }, 60_000);

  it.each([
    ['Job', 'parallelism', withoutCompletions(jobOf('endless', 1))],
    [
      'StatefulSet',
      'replicas',
      {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'endless' },
        spec: {
          serviceName: 's',
          podManagementPolicy: 'Parallel',
          replicas: 1,
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
    ],
  ])(
    'ends a run of a %s',
    async (kind, member, object) => {
      const { spawnSync } = await import('node:child_process');
      const folder = folderWith({});
      writeFileSync(
        join(folder, 'endless.yaml'),
        JSON.stringify({
          apiVersion: 'scenario.orch.io/v1',
          kind: 'Scenario',
          metadata: { name: 'endless' },
          spec: {
            limits: { objects: 300 },
            cluster: { nodes: { count: 1 } },
            steps: [{ apply: [SERVICE, object] }, { patch: { target: `${kind}/endless`, patch: { spec: { [member]: 2_147_483_647 } } } }],
          },
        }),
      );
      const program = join(import.meta.dirname, '../../../../bin/orchsim.js');
      const { status, stdout } = spawnSync(process.execPath, [program, 'run', 'endless.yaml'], { cwd: folder, encoding: 'utf8' });
      expect(status).toBe(3);
      expect(stdout).toMatch(/the run did not come to an end: this cluster is full: it has 300 objects.*spec\.limits\.objects allows more/);
    },
    60_000,
  );
});

describe.skipIf(notBuilt !== undefined)('history', () => {
  let served: Process;
  beforeAll(async () => {
    served = await startServing();
  });
  afterAll(() => served.stop());

  const write = async (name: string, bytes: number, mark: string): Promise<void> => {
    const path = `${MAPS}/${name}`;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: mark + 'x'.repeat(bytes) } };
    const made = await served.ask('PUT', path, body);
    if (made.status === 404) expect((await served.ask('POST', MAPS, body)).status).toBe(201);
    else expect(made.status).toBe(200);
  };

  it('ends after at most ten minutes, for watches and for continued lists', async () => {
    for (const name of ['a', 'b', 'c']) await write(name, 1, '');
    const page = await served.ask('GET', `${MAPS}?limit=1`);
    const { resourceVersion, continue: rest } = page.body['metadata'] as { readonly resourceVersion: string; readonly continue: string };
    const watch = (): Promise<string> =>
      served.ask('GET', `${MAPS}?watch=1&timeoutSeconds=1&resourceVersion=${resourceVersion}`).then(({ text }) => text);
    await write('a', 1, 'changed');
    await served.ask('POST', ADVANCE, { by: '4m' });
    expect(await watch()).toContain('"type":"MODIFIED"');
    expect((await served.ask('GET', `${MAPS}?limit=1&continue=${rest}`)).status).toBe(200);
    await served.ask('POST', ADVANCE, { by: '7m' });
    expect(JSON.parse(await watch())).toMatchObject({ type: 'ERROR', object: { kind: 'Status', reason: 'Expired', code: 410 } });
    const late = await served.ask('GET', `${MAPS}?limit=1&continue=${rest}`);
    expect([late.status, late.body['reason']]).toEqual([410, 'Expired']);
    expect(late.body['message']).toMatch(/^The provided continue parameter is too old/);
    const now = (await served.ask('GET', MAPS)).body['metadata'] as { readonly resourceVersion: string };
    const quiet = await served.ask('GET', `${MAPS}?watch=1&timeoutSeconds=1&resourceVersion=${now.resourceVersion}`);
    expect(quiet.text).toBe('');
  }, 60_000);

  it('waits for slow readers, cuts off those that fall behind, and gives the reason', async () => {
    const { resourceVersion } = (await served.ask('GET', MAPS)).body['metadata'] as { readonly resourceVersion: string };
    const lazy = served.raw(`GET ${MAPS}?watch=1&resourceVersion=${resourceVersion} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n\r\n`);
    lazy.pause();
    await pause(200);
    // 100 MB of events: more than the limit of a watcher and the buffers of sockets.
    for (let at = 0; at < 100; at++) await write('big', 1_000_000, `${at} `);
    const text = await readAll(lazy, '"code":410');
    lazy.destroy();
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(text).toMatch(/"data":\{"text":"0 x/);
    expect(text).toContain('"type":"ERROR"');
    expect(text).toContain('this watch reads more slowly than things change; list again and watch from there');
  }, 120_000);

  it('is complete in a trace of more than 64 MiB', async () => {
    const trace = await served.ask('GET', '/sim/v1/trace?follow=false');
    expect(trace.text.length).toBeGreaterThan(48 * 1024 * 1024);
    const lines = trace.text.trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'write' });
    expect(trace.text).not.toContain('"type":"cut"');
  }, 60_000);

  it('of a trace that is not read is cut off with a reason', async () => {
    const lazy = served.raw(`GET /sim/v1/trace HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n\r\n`);
    lazy.pause();
    await pause(200);
    for (let at = 0; at < 100; at++) await write('big', 1_000_000, `again ${at} `);
    const text = await readAll(lazy, '"type":"cut"');
    lazy.destroy();
    expect(text).toMatch(
      /\{"type":"cut","reason":"this reader fell behind: \d+ entries that it had not read were dropped","goOn":"\/sim\/v1\/trace\?from=\d+"\}/,
    );
  }, 120_000);

  it('logs no errors when clients disconnect during a body', async () => {
    for (const path of [JOBS, ADVANCE, MAPS]) {
      const socket = served.raw(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":`,
      );
      await pause(50);
      socket.destroy();
    }
    await pause(100);
    expect((await served.ask('GET', '/readyz')).status).toBe(200);
    expect(served.errors()).toBe('');
  });
});
