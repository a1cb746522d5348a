import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goClient, startGoClient, type GoClient } from './go-client.ts';
import { serveCluster, type ServedCluster } from './served.ts';

const program = goClient();
const job = (name: string, completions: number) =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: { name: ${name}, namespace: default }\nspec: { completions: ${completions}, template: { metadata: { annotations: { sim.orch.io/exit-after: "5" } }, spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } } }\n`;
const named = (kind: 'Job' | 'StatefulSet', name: string) => ({
  apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
  kind,
  namespace: 'default',
  name,
});
/** The cells of a table, a line each, without headers and labels. */
const rows = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/).join(' '));

describe.skipIf(program === undefined)(
  program === undefined ? 'the Go client (its package has no program for this platform)' : 'the Go client',
  () => {
    let served: ServedCluster;
    let client: GoClient;

    beforeAll(async () => {
      served = await serveCluster('manual');
      client = await startGoClient(program ?? '', served.kubeconfig);
    }, 30_000);
    afterAll(async () => {
      client.close();
      await served.close();
    });

    it("finds namespaces through discovery and prints the server's tables", async () => {
      const { text } = await client.call('namespaces_list');
      expect(text).toMatch(/^APIVERSION +KIND +NAME +STATUS +AGE +LABELS\n/);
      expect(rows(text).map((row) => row.split(' ').slice(0, 4).join(' '))).toEqual(
        ['default', 'kube-node-lease', 'kube-public', 'kube-system'].map((name) => `v1 Namespace ${name} Active`),
      );
    });

    it('applies a Job, and follows it and its events while time passes', async () => {
      const applied = await client.call('resources_create_or_update', { resource: job('pi', 2) });
      expect(applied.text).toMatch(/have been created or updated successfully[^]*manager: kubernetes-mcp-server\n +operation: Apply\n/);
      const pods = async (): Promise<readonly string[]> =>
        rows((await client.call('pods_list_in_namespace', { namespace: 'default', labelSelector: 'job-name=pi' })).text).map((row) =>
          row.split(' ').slice(4, 7).join(' '),
        );
      await served.advance('2s');
      expect(await pods()).toEqual(['1/1 Running 0']);
      await served.advance('20s');
      expect(await pods()).toEqual(['0/1 Completed 0', '0/1 Completed 0']);
      expect(rows((await client.call('resources_list', { apiVersion: 'batch/v1', kind: 'Job' })).text)[0]).toMatch(
        /^default batch\/v1 Job pi 2\/2 \d+s 22s c i /,
      );
      const events = (await client.call('events_list', { namespace: 'default' })).text;
      expect([...events.matchAll(/Reason: (\w+)/g)].map(([, reason]) => reason)).toEqual(
        expect.arrayContaining(['Scheduled', 'SuccessfulCreate', 'Completed']),
      );
      expect(events).toContain('Message: Job completed');
    });

    it('reads what it applied, changes it, and gets conflicts between managers', async () => {
      expect(
        (
          await client.call('resources_create_or_update', {
            resource: job('pi', 2).replace('spec: { completions', 'spec: { suspend: true, completions'),
          })
        ).failed,
      ).toBe(false);
      const read = (await client.call('resources_get', named('Job', 'pi'))).text;
      expect(read).toContain('  suspend: true\n');
      expect(read).toContain('  succeeded: 2\n');
      const response = await fetch(`${served.url}/apis/batch/v1/namespaces/default/jobs/pi?fieldManager=another`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: 'apiVersion: batch/v1\nkind: Job\nspec: { suspend: false }\n',
      });
      expect(await response.json()).toMatchObject({ code: 409, message: expect.stringContaining('conflict with "kubernetes-mcp-server"') });
    });

    it('runs, scales and deletes', async () => {
      expect((await client.call('pods_run', { name: 'web', namespace: 'default', image: 'web:1', port: 80 })).failed).toBe(false);
      const set =
        'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: { name: db, namespace: default }\nspec: { serviceName: db, replicas: 1, selector: { matchLabels: { app: db } }, template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: c, image: i }] } } }\n';
      expect((await client.call('resources_create_or_update', { resource: set })).failed).toBe(false);
      expect((await client.call('resources_scale', { ...named('StatefulSet', 'db'), scale: 3 })).text).toContain('replicas: 3');
      await served.advance('10s');
      const names = async (): Promise<readonly string[]> =>
        rows((await client.call('pods_list')).text)
          .map((row) => row.split(' ')[3] ?? '')
          .filter((name) => !name.startsWith('pi-'));
      expect(await names()).toEqual(['db-0', 'db-1', 'db-2', 'web']);
      expect((await client.call('pods_delete', { name: 'web', namespace: 'default' })).text).toBe('Pod deleted successfully');
      expect((await client.call('resources_delete', named('StatefulSet', 'db'))).text).toBe('Resource deleted successfully');
      await served.advance('60s');
      expect(await names()).toEqual([]);
    });

    it.each([
      ['resources_get', named('Job', 'nothing'), 'failed to get resource: jobs.batch "nothing" not found'],
      [
        'resources_create_or_update',
        { resource: job('bad', -2) },
        'failed to create or update resources: Job.batch "bad" is invalid: spec.completions: Invalid value: -2: must be greater than or equal to 0',
      ],
      ['pods_log', { name: 'web', namespace: 'default' }, 'failed to get pod web log in namespace default: pods "web" not found'],
      ['nodes_top', {}, 'failed to get nodes top: metrics API is not available'],
    ])("%s says what is wrong in the server's words", async (tool, given, message) => {
      expect(await client.call(tool, given)).toEqual({ failed: true, text: message });
    });
  },
);
