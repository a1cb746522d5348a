import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith, HOLDS } from './cli.ts';

/** Starts `serve`, runs the test against it, and stops it. */
async function serving(
  args: readonly string[],
  cwd: string,
  talk: (server: string) => Promise<void>,
): Promise<{ readonly code: number; readonly err: string }> {
  const stop = new AbortController();
  let reported: (server: string) => void = () => {};
  const listening = new Promise<string>((resolve) => {
    reported = resolve;
  });
  const running = cli(['serve', '--port', '0', '--json', ...args], {
    cwd,
    stop: stop.signal,
    out: (text) => {
      const { server, plain = server } = JSON.parse(text) as { readonly server: string; readonly plain?: string };
      reported(plain);
    },
  });
  await talk(
    await Promise.race([
      listening,
      running.then(({ code, err }) => {
        throw new Error(`ended with ${code}: ${err}`);
      }),
    ]),
  );
  stop.abort();
  return running;
}

/** The fields that are read here. */
interface Seen {
  readonly kind: string;
  readonly metadata: { readonly managedFields: readonly { readonly manager: string }[] };
  readonly spec: { readonly clusterIP?: string };
  readonly status: object;
  readonly items: readonly { readonly reason: string }[];
}

describe('serve', () => {
  it('serves the final state of a scenario', async () => {
    const folder = folderWith({ 'holds.yaml': HOLDS });
    const { code } = await serving(
      ['holds.yaml', '--domain', 'k8s.io', '--clock', 'manual', '--seed', '9', '--kubeconfig', 'config'],
      folder,
      async (server) => {
        expect(await (await fetch(`${server}/apis/batch/v1/namespaces/default/jobs/pi`)).json()).toMatchObject({
          kind: 'Job',
          status: { succeeded: 3 },
        });
        expect(await (await fetch(`${server}/sim/v1/state`)).json()).toMatchObject({
          clock: 'manual',
          domain: 'k8s.io',
          scenario: 'holds',
          seed: 9,
          troubles: [],
        });
      },
    );
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'config'), 'utf8')).toContain('current-context: orchsim\n');
  });

  it('serves neutral names too', async () => {
    await serving(['--domain', 'orch.io', '--clock', 'manual'], '.', async (server) => {
      expect(await (await fetch(`${server}/apis/coordination.orch.io/v1/leases`)).json()).toMatchObject({
        apiVersion: 'coordination.orch.io/v1',
        kind: 'LeaseList',
      });
      expect((await fetch(`${server}/apis/coordination.k8s.io/v1/leases`)).status).toBe(404);
    });
  });

  it('authorizes requests with --auth', async () => {
    const folder = folderWith({ 'tokens.csv': 'secret,jane,1\nmaster,root,2,"system:masters"\n' });
    await serving(['--auth', 'tokens.csv', '--domain', 'k8s.io', '--clock', 'manual'], folder, async (server) => {
      const get = (path: string, token?: string) =>
        fetch(server + path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
      expect(await (await get('/api/v1/nodes')).json()).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
      expect((await get('/api/v1/nodes', 'wrong')).status).toBe(401);
      expect(await (await get('/api/v1/nodes', 'secret')).json()).toMatchObject({
        code: 403,
        message: 'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
      });
      expect((await get('/api/v1/nodes', 'master')).status).toBe(200);
      expect((await get('/version', 'secret')).status).toBe(200);
    });
  });

  it('is a cluster in which a Job ends, with events and owners', async () => {
    await serving(['--domain', 'k8s.io', '--clock', 'manual'], '.', async (server) => {
      const post = async (path: string, body: unknown): Promise<number> =>
        (await fetch(server + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }))
          .status;
      const get = async (path: string): Promise<Seen> => (await (await fetch(server + path)).json()) as Seen;
      const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'pi' }] } };
      expect(await post('/apis/batch/v1/namespaces/default/jobs', { metadata: { name: 'pi' }, spec: { template } })).toBe(201);
      expect(await post('/sim/v1/advance', { by: '20s' })).toBe(200);
      const job = await get('/apis/batch/v1/namespaces/default/jobs/pi');
      expect(job.status).toMatchObject({ succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] });
      expect(job.metadata.managedFields.map(({ manager }) => manager)).toContain('kube-controller-manager');
      const events = await get('/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind=Pod');
      expect(events.items.map(({ reason }) => reason)).toEqual(
        expect.arrayContaining(['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started']),
      );
      expect((await get('/api/v1/namespaces/default/services/kubernetes')).spec.clusterIP).toBe('10.0.0.1');
      expect((await get('/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node')).kind).toBe('ClusterRole');
    });
  });

  it('starts at --start', async () => {
    const begun = async (start: string): Promise<string> => {
      let at = '';
      await serving(['--clock', 'manual', '--start', start], '.', async (server) => {
        at = ((await (await fetch(`${server}/sim/v1/state`)).json()) as { readonly startedAt: string }).startedAt;
      });
      return at;
    };
    expect(await begun('2030-05-06T07:08:09Z')).toBe('2030-05-06T07:08:09.000Z');
    expect(Math.abs(Date.now() - Date.parse(await begun('now')))).toBeLessThan(60_000);
  });

  it('reports wrong options', async () => {
    expect(await cli(['serve', '--clock', 'fast'])).toMatchObject({
      code: 2,
      err: '--clock: expected one of manual, auto, realtime, found "fast"\n',
    });
    expect(await cli(['serve', '--port', 'x'])).toMatchObject({ code: 2 });
    expect(await cli(['serve', '--start', 'noon'])).toMatchObject({
      code: 2,
      err: '--start: expected now or an instant such as 2024-03-01T00:00:00Z, found "noon"\n',
    });
    expect(await cli(['serve', '--speed', '0'])).toMatchObject({ code: 2 });
    expect(await cli(['serve', '--auth', 'nowhere.csv'])).toMatchObject({ code: 2 });
    expect(await cli(['serve', 'nowhere.yaml'])).toMatchObject({ code: 2 });
  });
});
