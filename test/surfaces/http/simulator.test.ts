/** `/sim/v1` of one world: its state, its clock, and what is refused, in whole answers. */
import { afterAll, describe, expect, it } from 'vitest';
import { simulator } from './simulator.ts';

const JOBS = '/apis/batch/v1/namespaces/default/cronjobs';
/** Something that happens every minute, for ever. */
const CRON_JOB = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'c' },
  spec: {
    schedule: '* * * * *',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } },
  },
};
const REPLICAS = (replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'r' },
  spec: {
    replicas,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});
const SETS = '/apis/apps/v1/namespaces/default/replicasets';
const MESSAGE = (json: Readonly<Record<string, unknown>>): unknown => json['message'];

/** Worlds that refusals leave as they are; time in the second ends after an hour. */
const [plain, short] = [simulator(), simulator({ limits: '{ time: 1h }' })];
afterAll(() => {
  plain.session.stop();
  short.session.stop();
});

describe('the state', () => {
  it('is that of the cluster', async () => {
    const { ask, session } = simulator();
    const { cluster } = session.current.start;
    const { status, headers, json } = await ask('GET', '/sim/v1/state');
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(json).toEqual({
      now: '2024-03-01T00:00:00.000Z',
      startedAt: '2024-03-01T00:00:00.000Z',
      sinceStartSeconds: 0,
      clock: 'manual',
      settled: cluster.kernel.settled,
      next: new Date(cluster.kernel.nextAt() ?? 0).toISOString(),
      objects: { used: cluster.server.capacity.used, limit: 150_000 },
      resourceVersion: String(cluster.store.revision),
      steps: cluster.kernel.steps,
      counters: cluster.counters,
      digest: cluster.digest(),
      domain: 'k8s.io',
      scenario: 'served',
      seed: 1,
      troubles: ['one', 'two'],
    });
    session.stop();
  });

  it('has the speed of a clock in real time, and what stands in the way of one that is stuck', async () => {
    const { ask, session } = simulator({ clock: 'realtime', speed: 7, limits: '{ time: 1h }' });
    expect((await ask('GET', '/sim/v1/state')).json).toMatchObject({ clock: 'realtime', speed: 7 });
    session.stop();
  });
});

describe('an advance', () => {
  it('ends after a duration, at an instant, or when all is settled, and answers with the state', async () => {
    const { ask, session } = simulator();
    await ask('POST', SETS, REPLICAS(1));
    const reached = async (body: unknown, headers = {}) => {
      const { status, json } = await ask('POST', '/sim/v1/advance', body, headers);
      return [status, json['sinceStartSeconds'], json['settled']];
    };
    expect([
      await reached({ by: '500ms' }),
      await reached({ to: '2024-03-01T00:01:00Z' }),
      await reached({ to: '2024-03-01T00:01:00Z' }),
      await reached('by: 30s', { 'content-type': 'application/yaml' }),
      await reached('{"by":"1s"}', { 'content-type': 'text/plain' }),
      await reached({ until: 'settled' }),
      await reached({ until: 'settled', by: '1h' }),
      await reached({ by: '1m30s', to: '2024-03-01T00:02:00Z' }),
    ]).toEqual([
      [200, 0.5, true],
      [200, 60, true],
      [200, 60, true],
      [200, 90, true],
      [200, 91, true],
      [200, 91, true],
      [200, 91, true],
      [200, 120, true],
    ]);
    await ask('POST', JOBS, CRON_JOB);
    // What never settles ends with its last event before the limit: here an hour after the two minutes.
    const [status, seconds, settled] = await reached({ until: 'settled', by: '1h' });
    expect([status, Math.floor(Number(seconds) / 60), settled]).toEqual([200, 61, false]);
    session.stop();
  });

  it.each<[unknown, number, string]>([
    ['', 400, 'expected by, to or until, such as {"by":"1h"}'],
    [{}, 400, 'expected by, to or until, such as {"by":"1h"}'],
    ['[]', 400, 'expected a JSON object such as {"by":"1h"}'],
    ['null', 400, 'expected a JSON object such as {"by":"1h"}'],
    ['3', 400, 'expected a JSON object such as {"by":"1h"}'],
    ['{', 400, 'expected a JSON object such as {"by":"1h"}'],
    [{ bye: '1h' }, 400, 'unknown field "bye"; did you mean by? (known: by, to and until)'],
    [{ duration: '1h' }, 400, 'unknown field "duration" (known: by, to and until)'],
    [{ by: 'soon' }, 400, 'by: expected a duration such as 500ms, 90s or 1h30m, found "soon"'],
    [{ by: 3 }, 400, 'by: expected a duration such as 500ms, 90s or 1h30m, found 3'],
    [{ to: 'soon' }, 400, 'to: expected an instant such as 2024-03-01T00:00:00Z, found "soon"'],
    [{ to: 3 }, 400, 'to: expected an instant such as 2024-03-01T00:00:00Z, found 3'],
    [{ until: 'done' }, 400, 'until: expected settled, found "done"'],
    [
      { to: '2024-02-29T23:59:59.999Z' },
      400,
      'time does not run backwards: it is 2024-03-01T00:00:00.000Z; POST /sim/v1/reset returns to the start',
    ],
    [{ by: '3601s' }, 400, 'time ends at 2024-03-01T01:00:00.000Z: advance at most to that'],
    [`{"by":"${'1'.repeat(4088)}"}`, 413, 'Request entity too large: limit is 4096'],
  ])('of %j is refused', async (body, code, message) => {
    const { status, json } = await short.ask('POST', '/sim/v1/advance', body);
    expect([status, json['message']]).toEqual([code, message]);
  });

  it('to the very end of time is possible, also with a body of the largest size', async () => {
    const { ask, session } = simulator({ limits: '{ time: 1h }' });
    expect((await ask('POST', '/sim/v1/advance', '{"by":"1h"}'.padEnd(4096))).json['sinceStartSeconds']).toBe(3600);
    session.stop();
  });

  const UNDER_WAY =
    /^an advance to 2024-12-26T00:00:00\.000Z is under way, at 2024-\S+Z: wait for its answer, or cancel it with DELETE \/sim\/v1\/advance$/;
  const CANCELLED = (why: string): RegExp =>
    new RegExp(
      `^the advance was cancelled \\(${why}\\): the time is 2024-\\S+Z, [\\d.]+ s towards 2024-12-26T00:00:00\\.000Z; everything before it has happened\\. The next advance continues from there$`,
    );

  it('is the only one, and is cancelled on request, or when its client leaves', async () => {
    const { ask, session } = simulator();
    await ask('POST', JOBS, CRON_JOB);
    expect(await ask('DELETE', '/sim/v1/advance')).toMatchObject({
      status: 404,
      json: { message: 'no advance is under way: POST /sim/v1/advance begins one' },
    });
    const long = ask('POST', '/sim/v1/advance', { by: '300d' });
    expect((await ask('GET', '/sim/v1/state')).json).toMatchObject({ advancingTo: '2024-12-26T00:00:00.000Z' });
    const second = await ask('POST', '/sim/v1/advance', { by: '1s' });
    expect([second.status, MESSAGE(second.json)]).toEqual([409, expect.stringMatching(UNDER_WAY)]);
    expect((await ask('DELETE', '/sim/v1/advance')).status).toBe(200);
    // The first reason is the one that is given.
    await ask('DELETE', '/sim/v1/advance');
    const first = await long;
    expect([first.status, MESSAGE(first.json)]).toEqual([409, expect.stringMatching(CANCELLED('DELETE /sim/v1/advance'))]);
    expect((await ask('GET', '/sim/v1/state')).json).not.toHaveProperty('advancingTo');

    let leave = (): void => undefined;
    const left = ask('POST', '/sim/v1/advance', { to: '2024-12-26T00:00:00Z' }, {}, (act) => (leave = act));
    leave();
    expect(MESSAGE((await left).json)).toMatch(CANCELLED('its client disconnected'));
    const ended = ask('POST', '/sim/v1/advance', { to: '2024-12-26T00:00:00Z', until: 'settled' });
    await ask('POST', '/sim/v1/reset');
    expect(MESSAGE((await ended).json)).toMatch(CANCELLED('the cluster was reset'));
    session.stop();
  });

  it('ends when the cluster is full, once, and tells how to go on', async () => {
    const limit = 60;
    const { ask, session } = simulator({ limits: `{ objects: ${limit} }` });
    await ask('POST', SETS, REPLICAS(200));
    const { status, json } = await ask('POST', '/sim/v1/advance', { by: '1h' });
    expect([status, json['message']]).toEqual([
      409,
      expect.stringMatching(
        /^this cluster is full: it has 60 objects, the maximum, and Pod "r-\w+" would exceed it: the time is 2024-03-01T00:00:\S+Z, [\d.]+ s towards 2024-03-01T01:\S+Z; everything before it has happened\. Delete what creates them, or allow more with --max-objects; the next advance continues, and refuses objects beyond the limit$/,
      ),
    ]);
    const { objects } = (await ask('GET', '/sim/v1/state')).json;
    expect(objects).toMatchObject({ used: limit, limit, why: expect.stringContaining('this cluster is full') });
    expect((await ask('POST', '/sim/v1/advance', { by: '10m' })).status).toBe(200);
    // With room again, reaching the limit is reported again.
    await ask('DELETE', `${SETS}/r`);
    expect((await ask('POST', '/sim/v1/advance', { by: '10m' })).status).toBe(200);
    await ask('POST', SETS, REPLICAS(200));
    expect((await ask('POST', '/sim/v1/advance', { by: '1h' })).status).toBe(409);
    session.stop();
  });

  it('ends for good at a limit of events', async () => {
    const { ask, session } = simulator({ limits: '{ steps: 2000 }' });
    await ask('POST', JOBS, CRON_JOB);
    const { status, json } = await ask('POST', '/sim/v1/advance', { by: '300d' });
    expect([status, json['message']]).toEqual([400, expect.stringMatching(/^the simulation stopped at one of its limits: .*2000/)]);
    const { stuck } = (await ask('GET', '/sim/v1/state')).json;
    expect(json['message']).toBe(`the simulation stopped at one of its limits: ${String(stuck)}`);
    expect((await ask('POST', '/sim/v1/advance', { by: '1h' })).json['message']).toBe(json['message']);
    session.stop();
  });
});

describe('a reset, and a compaction', () => {
  it('begin the world again, or end its old revisions, and answer with the state', async () => {
    const { ask, resets, session } = simulator();
    const first = (await ask('GET', '/sim/v1/state')).json;
    await ask('POST', SETS, REPLICAS(1));
    await ask('POST', '/sim/v1/advance', { by: '1m' });
    const old = String(first['resourceVersion']);
    const listAt = (version: string) => ask('GET', `${SETS}?resourceVersion=${version}&resourceVersionMatch=Exact`);
    expect((await listAt(old)).status).toBe(200);
    const { json } = await ask('POST', '/sim/v1/compact');
    expect(json).toMatchObject({ sinceStartSeconds: 60 });
    expect((await listAt(old)).status).toBe(410);
    expect((await listAt(String(json['resourceVersion']))).status).toBe(200);
    expect(resets).toEqual([]);
    expect((await ask('POST', '/sim/v1/reset')).json).toEqual(first);
    expect(resets).toEqual([0]);
    session.stop();
  });
});

describe('a path', () => {
  it('that there is not is refused with those that there are', async () => {
    const { ask } = plain;
    const { status, json } = await ask('GET', '/sim/v1/status');
    const all =
      'POST /sim/v1/advance, DELETE /sim/v1/advance, POST /sim/v1/compact, GET /sim/v1/faults, POST /sim/v1/faults, DELETE /sim/v1/faults, GET /sim/v1/inside, GET /sim/v1/openapi.json, POST /sim/v1/reset, GET /sim/v1/state, GET /sim/v1/trace, GET /sim/v1/worlds, POST /sim/v1/worlds, DELETE /sim/v1/worlds';
    expect([status, json['message']]).toEqual([400, `there is no /sim/v1/status; there are ${all}`]);
    expect((await ask('GET', '/sim/v1/')).json['message']).toBe(`there is no /sim/v1/; there are ${all}`);
  });

  it.each<[string, string, number, string]>([
    ['GET', '/sim/v1/state/', 200, ''],
    ['PUT', '/sim/v1/state', 405, 'the server does not allow this method on the requested resource'],
    ['GET', '/sim/v1/constructor', 400, 'there is no /sim/v1/constructor; there are'],
    ['GET', '/sim/v1/worlds', 404, 'this world has no others in it: /sim/v1/worlds is a path of the server alone'],
    ['GET', '/sim/v1/worlds/x', 404, 'this world has no others in it: /sim/v1/worlds is a path of the server alone'],
    ['POST', '/sim/v1/worlds', 404, 'this world has no others in it: /sim/v1/worlds is a path of the server alone'],
    ['DELETE', '/sim/v1/worlds/x', 404, 'this world has no others in it: /sim/v1/worlds is a path of the server alone'],
    ['POST', '/sim/v1/worlds/x', 405, 'the server does not allow this method on the requested resource'],
    ['DELETE', '/sim/v1/worlds', 405, 'the server does not allow this method on the requested resource'],
  ])('%s %s is answered %d', async (method, path, code, message) => {
    const { ask } = plain;
    const { status, json } = await ask(method, path);
    expect([status, json['message'] ?? '']).toEqual([code, expect.stringContaining(message)]);
  });

  it.each(['/sim/v1/state/x', '/sim/v1', '/sim/v2/state', '/x/sim/v1/state', '/sim/v1/faults/1/2'])(
    '%s is no path of the simulator',
    async (path) => {
      const { session } = plain;
      const { status, body } = (await session.answer({ method: 'GET', target: path, headers: {}, body: new Uint8Array() })) as {
        readonly status: number;
        readonly body: string;
      };
      expect([status, body]).toEqual([404, '404 page not found\n']);
    },
  );

  it('of what happens inside shows processes and pending events', async () => {
    const { ask } = plain;
    const { json } = await ask('GET', '/sim/v1/inside');
    expect(Object.keys(json)).toEqual(expect.arrayContaining(['processes']));
  });
});
