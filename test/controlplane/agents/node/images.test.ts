/** Images with sizes: how long pods wait for them, events, the images in a node's status, and garbage collection. */
import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../../src/controlplane/cluster.ts';
import type { Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { CredentialsFor } from '../../../../src/controlplane/agents/index.ts';
import { collect, ImageStore } from '../../../../src/controlplane/agents/node/images/store.ts';
import { simulate, type Run } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const run = (agent: string, images: string, pods: string, until = '2m', node = ''): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: images }
spec:
  until: ${until}
  cluster:
    nodes: [{ name: a, agent: ${agent} ${node} }]
    images: ${images}
${pods}`),
  );
const pod = (name: string, image: string, more = ''): string =>
  `---\n{ apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { containers: [{ name: c, image: "${image}" ${more} }] } }\n`;
const WEB = '[{ name: "web:1", size: 1Gi, pullTime: 10s }, { name: "db:1", size: 1Gi, pullTime: 5s }]';

/** When containers of pods started, in seconds since the start. */
const began = ({ cluster }: Run): Readonly<Record<string, number | undefined>> =>
  Object.fromEntries(
    [...cluster.store.values('Pod')].map(({ metadata, status }: Pod) => {
      const at = status.containerStatuses?.[0]?.state?.running?.startedAt;
      return [metadata.name, typeof at === 'string' ? (Date.parse(at) - cluster.startAt) / 1000 : undefined];
    }),
  );

describe('pulls', () => {
  const two = pod('a', 'web:1') + pod('b', 'db:1');

  it('are serial with serializeImagePulls, parallel without', () => {
    expect(began(run('{}', WEB, two))).toEqual({ a: 10, b: 15 });
    expect(began(run('{ serializeImagePulls: false }', WEB, two))).toEqual({ a: 10, b: 5 });
  });

  it('of one image by two pods take the time of one', () => {
    const same = pod('a', 'web:1') + pod('b', 'web:1');
    expect(began(run('{}', WEB, same))).toEqual({ a: 10, b: 10 });
    expect(began(run('{ serializeImagePulls: false }', WEB, same))).toEqual({ a: 10, b: 10 });
  });

  it('wait for init containers first, and for volumes before', () => {
    const ran = run(
      '{}',
      WEB,
      '---\n{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { initContainers: [{ name: i, image: "db:1" }], containers: [{ name: c, image: "web:1" }] } }\n',
    );
    expect(began(ran)).toEqual({ p: 15 });
  });
});

describe('a pull that fails', () => {
  const LATE = '[{ name: "web:1", from: 1m }]';

  it('succeeds once the registry has the image', () => {
    const at = began(run('{}', LATE, pod('a', 'web:1'), '5m'))['a'];
    expect(at).toBeGreaterThan(60);
    expect(at).toBeLessThan(150);
  });

  it('stops when its pod is deleted', () => {
    const ran = run('{}', LATE, pod('a', 'web:1'), '5m');
    expect(ran.failures).toEqual([]);
    const gone = simulate(
      scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: gone }
spec:
  until: 1m
  cluster: { nodes: [{ name: a }], images: [{ name: "web:1", missing: true }] }
  steps:
    - { at: 5s, delete: Pod/a }
${pod('a', 'web:1')}`),
    );
    expect([...gone.cluster.store.values('Pod')]).toEqual([]);
  });
});

describe('a private image', () => {
  const pulled = (credentialsFor?: CredentialsFor): Pod | undefined => {
    const images = [{ name: 'web:1', sizeBytes: 1, pullMs: 1_000, access: { username: 'ci', password: 'word' } }];
    const agents = { images, ...(credentialsFor === undefined ? {} : { credentialsFor }) };
    const cluster = createCluster({ nodes: [{ name: 'a', capacity: {} }], agents });
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { nodeName: 'a', containers: [{ name: 'c', image: 'web:1' }] },
    };
    cluster.request('me', { verb: 'create', kind: 'Pod', namespace: 'default', body, user: { name: 'me', groups: ['system:masters'] } });
    cluster.runUntil(cluster.startAt + 4_000);
    return cluster.store.get('Pod', 'default/p');
  };

  it('is refused without its credentials', () => {
    const state = (found: Pod | undefined) => found?.status.containerStatuses?.[0]?.state?.waiting?.message;
    expect(state(pulled())).toContain('insufficient_scope: authorization failed');
    expect(state(pulled(() => ({ credentials: [{ username: 'ci', password: 'other' }] })))).toContain('pull access denied');
  });

  it('is pulled with credentials by image, node and instant, after their delay', () => {
    const asked: unknown[] = [];
    const credentials = [
      { username: 'x', password: 'y' },
      { username: 'ci', password: 'word' },
    ];
    const found = pulled((image, node, at) => {
      asked.push([image, node, at > 0]);
      return { credentials, delayMs: 2_000 };
    });
    expect(found?.status.phase).toBe('Running');
    expect(asked).toEqual([['web:1', 'a', true]]);
    expect(pulled(() => ({ credentials, delayMs: 5_000 }))?.status.phase).toBe('Pending');
  });
});

describe('a node', () => {
  const THREE = '[{ name: "a:1", size: 3Mi, nodes: [a] }, { name: "b:1", size: 5Mi, nodes: [a] }, { name: c, size: 4Mi, nodes: [a] }]';
  const stated = (agent: string) =>
    ([...run(agent, THREE, '', '30s').cluster.store.values('Node')][0] as Node).status.images?.map(({ names }) => names?.[0]);

  it('reports its images, the largest first, at most nodeStatusMaxImages', () => {
    expect(stated('{}')).toEqual(['b:1', 'c:latest', 'a:1']);
    expect(stated('{ nodeStatusMaxImages: 2 }')).toEqual(['b:1', 'c:latest']);
    expect(stated('{ nodeStatusMaxImages: 0 }') ?? []).toEqual([]);
    expect(stated('{ nodeStatusMaxImages: -1 }')).toHaveLength(3);
  });
});

describe('unused images', () => {
  const FULL = '[{ name: "old:1", size: 3Gi, nodes: [a] }, { name: "new:1", size: 3Gi, nodes: [a] }, { name: "used:1", size: 3Gi }]';
  const left = (agent: string, until: string) =>
    (
      [...run(agent, FULL, pod('p', 'used:1'), until, ', capacity: { ephemeral-storage: 10Gi }').cluster.store.values('Node')][0] as Node
    ).status.images?.map(({ names }) => names?.[0]);

  it('are removed between imageGCHighThresholdPercent and imageGCLowThresholdPercent', () => {
    expect(left('{}', '4m')).toHaveLength(3);
    expect(left('{}', '6m')).toEqual(['old:1', 'used:1']);
    expect(left('{ imageGCLowThresholdPercent: 50 }', '6m')).toEqual(['used:1']);
    expect(left('{ imageGCHighThresholdPercent: 95 }', '6m')).toHaveLength(3);
  });

  it('stay until they have imageMinimumGCAge, and the failure is reported', () => {
    const images = new ImageStore([], 0);
    const spec = (name: string) => ({ name, sizeBytes: 10, pullMs: 0 });
    images.act({ does: 'pull', image: spec('a:1'), endsAt: 0, fails: false });
    images.act({ does: 'pull', image: spec('b:1'), endsAt: 100, fails: false });
    expect(collect(images, 20, 150, 120).remove.map(({ name }) => name)).toEqual(['a:1']);
    expect(collect(images, 20, 250, 120)).toMatchObject({ freed: 20 });
    images.act({ does: 'useImage', uid: 'u', image: 'a:1' });
    expect(collect(images, 20, 250, 120).remove.map(({ name }) => name)).toEqual(['b:1']);
    images.release('u', 240);
    expect(collect(images, 10, 250, 120).remove.map(({ name }) => name)).toEqual(['b:1']);
    const events = [
      ...run('{ imageMinimumGCAge: 1h }', FULL, pod('p', 'used:1'), '6m', ', capacity: { ephemeral-storage: 10Gi }').cluster.store.values(
        'Event',
      ),
    ];
    expect(events.map(({ reason }) => reason)).toContain('FreeDiskSpaceFailed');
  });
});
