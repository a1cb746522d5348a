/** Real clients, unchanged: the JavaScript client, and kubectl if it is installed. The Go client has its own file. */
import {
  CoordinationV1Api,
  BatchV1Api,
  CoreV1Api,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  Watch,
} from '@kubernetes/client-node';
import type { V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storyDeviation } from '../../conformance/kubectl/deviations.ts';
import { hasKubectl, printStories, type StoryStep } from '../../conformance/kubectl/stories.ts';
import { oracleLines } from '../../support/oracle.ts';
import { serveCluster, type ServedCluster } from './served.ts';

describe('the JavaScript client', () => {
  let served: ServedCluster;
  const config = new KubeConfig();

  beforeAll(async () => {
    served = await serveCluster('auto');
    config.loadFromString(served.kubeconfig);
  });
  afterAll(async () => {
    await served.close();
  });

  it('typed calls and patches', async () => {
    const core = config.makeApiClient(CoreV1Api);
    expect((await core.listNode()).items.map(({ metadata }) => metadata?.name)).toEqual(['node-0', 'node-1']);
    const made = await core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'c' }, data: { a: '1' } } });
    expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const patched = await core.patchNamespacedConfigMap(
      { namespace: 'default', name: 'c', body: { data: { b: '2' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    expect(patched.data).toEqual({ a: '1', b: '2' });
    const pages = await core.listNamespace({ limit: 2 });
    expect(pages.items).toHaveLength(2);
    expect(pages.metadata).toMatchObject({ _continue: expect.stringMatching(/./u) });
    await expect(core.readNamespacedConfigMap({ namespace: 'default', name: 'nope' })).rejects.toMatchObject({ code: 404 });
  });

  it('an informer sees a Job run to its end', { timeout: 20_000 }, async () => {
    const core = config.makeApiClient(CoreV1Api);
    const phases: string[] = [];
    const done = new Promise<void>((resolve) => {
      const informer = makeInformer<V1Pod>(config, '/api/v1/namespaces/default/pods', () =>
        core.listNamespacedPod({ namespace: 'default' }),
      );
      informer.on('add', (pod) => {
        phases.push(`add ${pod.status?.phase ?? ''}`);
      });
      informer.on('update', (pod) => {
        phases.push(pod.status?.phase ?? '');
        if (pod.status?.phase === 'Succeeded') void informer.stop().then(resolve);
      });
      informer
        .start()
        .then(() =>
          config.makeApiClient(BatchV1Api).createNamespacedJob({
            namespace: 'default',
            body: {
              metadata: { name: 'j' },
              spec: {
                template: {
                  metadata: { annotations: { 'sim.orch.io/exit-after': '5' } },
                  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
                },
              },
            },
          }),
        )
        .catch((error: unknown) => {
          phases.push(String(error));
          resolve();
        });
    });
    await done;
    expect(phases[0]).toBe('add Pending');
    expect(phases.at(-1)).toBe('Succeeded');
  });

  it('a lease has one leader at a time', async () => {
    const leases = config.makeApiClient(CoordinationV1Api);
    const first = await leases.createNamespacedLease({
      namespace: 'default',
      body: { metadata: { name: 'lock' }, spec: { holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 } },
    });
    const renewed = await leases.replaceNamespacedLease({
      namespace: 'default',
      name: 'lock',
      body: { ...first, spec: { ...first.spec, leaseTransitions: 1 } },
    });
    expect(renewed.metadata?.resourceVersion).not.toBe(first.metadata?.resourceVersion);
    // A client with an older version must not acquire it.
    await expect(
      leases.replaceNamespacedLease({
        namespace: 'default',
        name: 'lock',
        body: { ...first, spec: { ...first.spec, holderIdentity: 'b' } },
      }),
    ).rejects.toMatchObject({ code: 409 });
  });

  it('a watch ends on request', async () => {
    const seen: string[] = [];
    const request = await new Watch(config).watch(
      '/api/v1/namespaces',
      { timeoutSeconds: 30 },
      (type: string) => {
        seen.push(type);
      },
      () => {},
    );
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    request.abort();
    expect(new Set(seen)).toEqual(new Set(['ADDED']));
  });
});

// A call of kubectl costs a quarter of a second: `npm run conformance:api` replays all sessions.
describe.skipIf(!hasKubectl())('kubectl', () => {
  it.each([
    ['v1.24', 'job-create'],
    ['v1.24-workloads', 'deploy-rollout'],
    ['v1.24-workloads', 'ds-basic'],
  ])('replays a recorded session of %s with the same output: %s', { timeout: 90_000 }, async (folder, reported) => {
    const steps = oracleLines(`${folder}/kubectl/kubectl.jsonl`) as unknown as readonly StoryStep[];
    const outcomes = await printStories(steps, reported);
    expect(outcomes).toHaveLength(steps.filter(({ story }) => story.includes(reported)).length);
    expect(
      outcomes.flatMap((outcome) =>
        outcome.difference === undefined || storyDeviation(outcome) !== undefined ? [] : [`${outcome.name}\n${outcome.difference}`],
      ),
    ).toEqual([]);
  });
});
