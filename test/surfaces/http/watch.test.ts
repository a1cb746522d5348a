import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listen } from '../../../src/surfaces/http/index.ts';
import { createStreams } from '../../../src/surfaces/http/sim/worlds.ts';
import { LEASES, lease, setup } from './setup.ts';
import { through } from './sockets.ts';

const types = (lines: readonly unknown[]): readonly string[] => lines.map((line) => (line as { type: string }).type);

describe('watches', () => {
  it('send existing objects, then changes, then nothing more', async () => {
    const { ask, stream } = setup();
    await ask('POST', LEASES, lease('a'));
    const watch = await stream(`${LEASES}?watch=1`);
    await ask('POST', LEASES, lease('b'));
    await ask('DELETE', `${LEASES}/a`);
    watch.close();
    await ask('DELETE', `${LEASES}/b`);
    expect(types(watch.lines())).toEqual(['ADDED', 'ADDED', 'DELETED']);
  });

  it('end when their time is up, with a bookmark shortly before', async () => {
    const { stream, timers } = setup();
    const watch = await stream(`${LEASES}?watch=1&timeoutSeconds=5&allowWatchBookmarks=true`);
    timers.advance(4000);
    expect(types(watch.lines())).toEqual(['BOOKMARK']);
    expect(watch.ended()).toBe(false);
    timers.advance(1000);
    expect(watch.ended()).toBe(true);
  });

  it('has an object in its bookmarks on which no defaults are set', async () => {
    const { stream, timers, store } = setup();
    const watch = await stream('/api/v1/pods?watch=1&timeoutSeconds=5&allowWatchBookmarks=true');
    timers.advance(4000);
    const metadata = { creationTimestamp: null, resourceVersion: String(store.revision) };
    const object = { kind: 'Pod', apiVersion: 'v1', metadata, spec: { containers: null }, status: {} };
    expect(watch.lines()).toEqual([{ type: 'BOOKMARK', object }]);
  });

  it('from a compacted revision send an error', async () => {
    const { ask, stream, store } = setup();
    await ask('POST', LEASES, lease('a'));
    store.compact(store.revision);
    const watch = await stream(`${LEASES}?watch=1&resourceVersion=1`);
    expect(watch.lines()).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    expect(watch.ended()).toBe(true);
  });

  it('send objects in the version of their path', async () => {
    const { ask, stream } = setup();
    await ask('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'c' },
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } },
      },
    });
    const versions = ['v1', 'v1beta1'];
    const watches = await Promise.all(versions.map((version) => stream(`/apis/batch/${version}/cronjobs?watch=1`)));
    await ask('DELETE', '/apis/batch/v1/namespaces/default/cronjobs/c');
    expect(watches.map((watch) => watch.lines())).toMatchObject(
      versions.map((version) =>
        ['ADDED', 'DELETED'].map((type) => ({ type, object: { apiVersion: `batch/${version}`, metadata: { name: 'c' } } })),
      ),
    );
  });

  it('send columns once', async () => {
    const { ask, stream } = setup();
    await ask('POST', LEASES, lease('a'));
    const watch = await stream(`${LEASES}?watch=1`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    await ask('POST', LEASES, lease('b'));
    const [first, second] = watch.lines() as { object: { columnDefinitions: unknown } }[];
    expect(first?.object.columnDefinitions).toHaveLength(3);
    expect(second?.object.columnDefinitions).toBeNull();
  });
});

describe('watchers of one change', () => {
  it('get it each in their own form', async () => {
    const { ask, stream } = setup();
    const labelled = (labels: object) => ({ ...lease('a'), metadata: { name: 'a', labels } });
    const [all, blue, red, table] = [
      await stream(`${LEASES}?watch=1`),
      await stream(`${LEASES}?watch=1&labelSelector=c%3Dblue`),
      await stream(`${LEASES}?watch=1&labelSelector=c%3Dred`),
      await stream(`${LEASES}?watch=1`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
    ];
    await ask('POST', LEASES, labelled({ c: 'red' }));
    await ask('PATCH', `${LEASES}/a`, { metadata: { labels: { c: 'blue' } } }, { 'content-type': 'application/merge-patch+json' });
    await ask('DELETE', `${LEASES}/a`);
    expect([all, blue, red, table].map((each) => types(each.lines()))).toEqual([
      ['ADDED', 'MODIFIED', 'DELETED'],
      ['ADDED', 'DELETED'],
      ['ADDED', 'DELETED'],
      ['ADDED', 'MODIFIED', 'DELETED'],
    ]);
    const revisions = [all, blue, red].map((each) =>
      each.lines().map((line) => (line as { object: { metadata: { resourceVersion: string } } }).object.metadata.resourceVersion),
    );
    expect(revisions[1]).toEqual(revisions[0]?.slice(1));
    expect(revisions[2]).toEqual(revisions[0]?.slice(0, 2));
    // The last deletion is one line for both; an object that left a selection is sent in its last selected version.
    expect(blue.lines()[1]).toEqual(all.lines()[2]);
    expect(red.lines()[1]).toMatchObject({ object: { metadata: { labels: { c: 'red' } } } });
    expect(all.lines()[2]).toMatchObject({ object: { metadata: { labels: { c: 'blue' } } } });
  });
});

describe('over a socket', () => {
  it('200 watchers get every one of 200 changes, in order', { timeout: 60_000 }, async () => {
    const { api, ask } = setup();
    const streams = createStreams();
    const listening = await listen(through(streams, api), { port: 0 });
    const seen: string[] = [];
    const agents = Array.from(
      { length: 200 },
      () =>
        new Promise<void>((resolve, reject) => {
          const request = httpRequest({ port: listening.port, path: `${LEASES}?watch=1`, agent: false }, (response) => {
            let text = '';
            response.on('data', (part: Buffer) => {
              text += part.toString('utf8');
              if (text.split('\n').length <= 200) return;
              seen.push(
                text
                  .split('\n')
                  .slice(0, 200)
                  .map((line) => (JSON.parse(line) as { object: { metadata: { name: string } } }).object.metadata.name)
                  .join(),
              );
              response.destroy();
              resolve();
            });
          });
          request.on('error', reject);
          request.end();
        }),
    );
    while (streams.open < 200)
      await new Promise((done) => {
        setTimeout(done, 5);
      });
    for (let i = 0; i < 200; i++) await ask('POST', LEASES, lease(`l-${i}`));
    await Promise.all(agents);
    expect(new Set(seen)).toEqual(new Set([Array.from({ length: 200 }, (_, i) => `l-${i}`).join()]));
    await listening.close();
  });

  it('a watcher that does not read is cut off, without effect on others', { timeout: 60_000 }, async () => {
    const { api, ask } = setup();
    const streams = createStreams();
    const listening = await listen(through(streams, api), { port: 0, maxLag: 200_000 });
    const request = httpRequest({ port: listening.port, path: `${LEASES}?watch=1`, agent: false }, (response) => {
      response.pause();
      response.on('error', () => {});
    });
    request.on('error', () => {});
    request.end();
    while (streams.open < 1)
      await new Promise((done) => {
        setTimeout(done, 5);
      });
    const big = { ...lease('big'), metadata: { name: 'big', annotations: { a: 'x'.repeat(200_000) } } };
    await ask('POST', LEASES, big);
    for (let i = 0; i < 100 && streams.open > 0; i++) {
      await ask('PATCH', `${LEASES}/big`, { metadata: { labels: { i: String(i) } } }, { 'content-type': 'application/merge-patch+json' });
      await new Promise((done) => {
        setTimeout(done, 2);
      });
    }
    expect(streams.open).toBe(0);
    expect((await fetch(`http://127.0.0.1:${listening.port}/healthz`)).status).toBe(200);
    await listening.close();
  });
});

describe('a list as a watch', () => {
  const asking = 'watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

  it('is refused as v1.24 refuses it, so that reflectors list', async () => {
    const { ask } = setup();
    expect((await ask('GET', `${LEASES}?${asking}&resourceVersion=`)).status).toBeGreaterThanOrEqual(400);
  });

  it('begins with the objects and a bookmark that ends them, with compat', async () => {
    const { ask, stream, store } = setup({}, () => ({ compat: true }));
    await ask('POST', LEASES, lease('a'));
    await ask('POST', LEASES, lease('b'));
    const watch = await stream(`${LEASES}?${asking}`);
    const seen = () =>
      (watch.lines() as { type: string; object: { metadata: Record<string, unknown> } }[]).map(({ type, object }) => [
        type,
        object.metadata['name'] ?? object.metadata['annotations'],
      ]);
    expect(seen()).toEqual([
      ['ADDED', 'a'],
      ['ADDED', 'b'],
      ['BOOKMARK', { 'k8s.io/initial-events-end': 'true' }],
    ]);
    expect(watch.lines().at(-1)).toMatchObject({ object: { metadata: { resourceVersion: String(store.revision) } } });
    await ask('POST', LEASES, lease('c'));
    expect(seen().at(-1)).toEqual(['ADDED', 'c']);
    watch.close();
    const later = await stream(`${LEASES}?${asking.replace('Events=true', 'Events=false')}`);
    expect(later.lines()).toEqual([]);
    await ask('POST', LEASES, lease('d'));
    expect(later.lines()).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'd' } } }]);
    later.close();
  });

  it('is refused where its options do not fit together', async () => {
    const { ask } = setup({}, () => ({ compat: true }));
    for (const [query, problem] of [
      ['sendInitialEvents=true', 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
      ['watch=1&sendInitialEvents=true', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'],
      ['watch=1&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1', 'resourceVersionMatch: Unsupported value: "Exact"'],
      ['watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=1', 'is forbidden for watch unless sendInitialEvents is provided'],
    ] as const)
      expect((await ask('GET', `${LEASES}?${query}`)).json).toMatchObject({ code: 422, message: expect.stringContaining(problem) });
  });
});
