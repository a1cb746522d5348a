/** An incident replayed: the audit log of a run, imported again, is what the run did; of another world, it says where they part. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { cli } from '../cli.ts';
import { clusterDump } from '../what-if/dump.ts';

const DEPLOYMENT = `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: 3, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: web }] } } } }`;
const JOB = `{ apiVersion: batch/v1, kind: Job, metadata: { name: pi }, spec: { backoffLimit: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: pi }] } } } }`;
const WEB_POD = (nth: number) => `{ kind: Pod, labels: { app: web }, nth: ${nth} }`;

/** A day with a rollout, a job that fails once, an eviction, a refused request and a lost node. */
const DAY = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: day }
spec:
  domain: k8s.io
  until: 3m
  cluster:
    nodes: { count: 3 }
    podBehaviors:
      - { selector: { matchExpressions: [{ key: job-name, operator: Exists }] }, startDelay: 1s, runFor: 20s, exitCodes: [1, 0] }
      - { startDelay: 2s, readyDelay: 3s }
  steps:
    - { at: 1s, create: ${DEPLOYMENT}, as: { user: alice, userAgent: kubectl/v1.24.0 } }
    - { at: 5s, create: ${JOB} }
    - { at: 6s, create: ${JOB}, code: 409 }
    - { at: 8s, create: { apiVersion: v1, kind: Secret, metadata: { name: key }, stringData: { word: swordfish } } }
    - { at: 40s, delete: { target: ${WEB_POD(2)} } }
    - { at: 60s, scale: { target: Deployment/web, replicas: 5 } }
    - { at: 80s, evict: ${WEB_POD(1)} }
    - { at: 90s, patch: { target: Deployment/web, patch: { spec: { template: { spec: { containers: [{ name: c, image: "web:2" }] } } } } } }
    - { at: 100s, fault: { nodeDown: node-2 } }
`;

let folder = '';
const path = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(path(name), 'utf8');
const lines = (): readonly string[] => read('day.log').trimEnd().split('\n');
const ask = (...words: readonly string[]) => cli(['import', ...words], { cwd: folder });

interface Imported {
  readonly agrees: boolean;
  readonly steps: number;
  readonly writes: number;
  readonly met: number;
  readonly withoutMeaning: Readonly<Record<string, number>>;
  readonly leftOut: readonly { readonly why: string; readonly count: number; readonly first: readonly string[] }[];
  readonly differences: readonly {
    readonly atMs: number;
    readonly lacks: string;
    readonly log?: { readonly of: string; readonly did: string; readonly log: string };
    readonly run?: { readonly of: string; readonly did: string };
  }[];
}
const imported = async (...words: readonly string[]): Promise<Imported & { readonly code: number; readonly err: string }> => {
  const { code, out, err } = await ask(...words, '--json');
  return { ...(JSON.parse(out) as Imported), code, err };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'import-'));
  writeFileSync(path('day.yaml'), DAY);
  const { code, err } = await cli(['run', 'day.yaml', '--audit-log', 'day.log'], { cwd: folder });
  if (code !== 0) throw new Error(err);
});

test('a run logs lines of audit.k8s.io/v1, under the users of a real cluster, without the values of Secrets', () => {
  const events = lines().map(
    (line) =>
      JSON.parse(line) as {
        readonly verb: string;
        readonly user: { readonly username: string };
        readonly objectRef: { readonly resource: string; readonly subresource?: string };
      },
  );
  const of = (verb: string, resource: string, subresource?: string) =>
    events
      .filter(({ verb: is, objectRef }) => is === verb && objectRef.resource === resource && objectRef.subresource === subresource)
      .map(({ user }) => user.username);
  expect(new Set(of('create', 'pods', 'binding'))).toEqual(new Set(['system:kube-scheduler']));
  expect(new Set(of('create', 'pods'))).toEqual(
    new Set(['system:serviceaccount:kube-system:replicaset-controller', 'system:serviceaccount:kube-system:job-controller']),
  );
  expect(of('patch', 'pods', 'status').filter((user) => user.startsWith('system:node:node-')).length).toBeGreaterThan(10);
  expect(events[0]).toMatchObject({
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    stage: 'ResponseComplete',
    requestURI: '/apis/apps/v1/namespaces/default/deployments',
    user: { username: 'alice' },
    userAgent: 'kubectl/v1.24.0',
    responseStatus: { code: 201 },
    requestObject: { kind: 'Deployment' },
    responseObject: { metadata: { generation: 1 } },
    requestReceivedTimestamp: '2024-03-01T00:00:01.000000Z',
  });
  expect(read('day.log')).not.toContain('swordfish');
  expect(read('day.log')).not.toContain(Buffer.from('swordfish').toString('base64'));
});

test('the log of a run is replayed without a difference, and the saved scenario holds', async () => {
  const { code, out } = await ask('day.log', '--save', 'incident.yaml');
  expect(out).toMatch(/8 requests of 2 clients are steps \(alice, user\)/);
  expect(out).toMatch(/✓ the run does what the log says: (\d+) of \1 writes within 10s/);
  expect(code).toBe(0);
  expect(read('incident.yaml')).toMatch(/nth: 2\n(?:.*\n){1,4}.*fault: \{ nodeDown: node-2 \}|fault: \{ nodeDown: node-2 \}/);
  const again = await cli(['run', 'incident.yaml', '--format', 'json'], { cwd: folder });
  expect(again.code).toBe(0);
  const why = await cli(['why', 'Job/pi', 'incident.yaml'], { cwd: folder });
  expect(why.out).toMatch(/scenario +create Job\/pi|create Job\/pi/);
});

test('with the dump from before it, a log is replayed on what was there; the saved incident forks, and is a page', async () => {
  writeFileSync(path('before.json'), clusterDump({ nodes: 3, workloads: 1, replicas: 3 }));
  writeFileSync(
    path('grown.yaml'),
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: grown }
spec:
  from: before.json
  until: 40s
  steps: [{ at: 10s, scale: { target: Deployment/shop/web-0, replicas: 5 } }, { at: 20s, scale: { target: Deployment/shop/web-0, replicas: 2 } }]
`,
  );
  await cli(['run', 'grown.yaml', '--audit-log', 'grown.log'], { cwd: folder });
  const { code, out } = await ask('grown.log', '--from', 'before.json', '--save', 'grown-again.yaml');
  expect(out).toMatch(/2 requests of 1 client are steps/);
  expect(out).toMatch(/✓ the run does what the log says/);
  expect(code).toBe(0);
  const forked = await cli(['walk', 'grown-again.yaml', '--script', 'n n fork delete Deployment/shop/web-0'], { cwd: folder });
  expect(forked.out).toContain('what if, at 20.000s: delete Deployment/shop/web-0');
  const page = await cli(['page', 'grown-again.yaml', '--out', 'grown.html'], { cwd: folder });
  expect(page.err).toBe('');
  // Without the dump its objects are not there, and it says so.
  expect((await ask('grown.log', '--no-run', '--save', 'bare.yaml')).out).toMatch(/from before the log/);
});

test('serve --audit-log writes what clients asked, which is an incident too', async () => {
  const stopped = new AbortController();
  let served: Promise<unknown> = Promise.resolve();
  const said = await new Promise<string>((started) => {
    const words = ['serve', '--domain', 'k8s.io', '--json', '--port', '0', '--audit-log', 'served.log'];
    served = cli(words, { cwd: folder, stop: stopped.signal, out: started });
  });
  const { server } = JSON.parse(said) as { readonly server: string };
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'asked' } });
  const headers = { 'content-type': 'application/json', 'user-agent': 'probe/1' };
  const made = await fetch(`${server}/api/v1/namespaces/default/configmaps`, { method: 'POST', headers, body });
  expect(made.status).toBe(201);
  await made.text();
  stopped.abort();
  await served;
  const line = read('served.log')
    .split('\n')
    .find((each) => each.includes('"probe/1"'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    verb: 'create',
    requestURI: '/api/v1/namespaces/default/configmaps',
    objectRef: { resource: 'configmaps', name: 'asked' },
    responseStatus: { code: 201 },
  });
  expect((await imported('served.log')).steps).toBe(1);
});

test('a log without a write of the control plane is compared with nothing, and does not say that it agrees', async () => {
  const own = read('day.log')
    .split('\n')
    .filter((line) => /"username":"alice"/.test(line));
  writeFileSync(path('alone.log'), own.join('\n'));
  const { code, out } = await ask('alone.log');
  expect(code).toBe(0);
  expect(out).toContain('- the run was compared with nothing');
  expect(out).not.toContain('✓');
});

test('a world with another feature gate parts at the line of its first other decision', async () => {
  const set = `{ apiVersion: apps/v1, kind: StatefulSet, metadata: { name: db }, spec: { replicas: 3, serviceName: db, updateStrategy: { rollingUpdate: { maxUnavailable: 2 } }, selector: { matchLabels: { app: db } }, template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: c, image: db }] } } } }`;
  const world = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: gated }
spec:
  domain: k8s.io
  until: 5m
  featureGates: { MaxUnavailableStatefulSet: true }
  cluster: { nodes: { count: 3 }, podBehaviors: [{ startDelay: 2s, readyDelay: 20s }] }
  steps:
    - { at: 1s, create: ${set} }
    - { at: 100s, patch: { target: StatefulSet/db, patch: { spec: { template: { spec: { containers: [{ name: c, image: "db:2" }] } } } } } }
`;
  writeFileSync(path('gated.yaml'), world);
  expect((await cli(['run', 'gated.yaml', '--audit-log', 'gated.log'], { cwd: folder })).code).toBe(0);
  const { code, differences } = await imported('gated.log', '--save', 'plain.yaml');
  // With the gate two pods go at once; without it the second waits for the first to be ready again.
  const deletions = read('gated.log')
    .split('\n')
    .flatMap((line, at) => (/"verb":"delete".*statefulset-controller/.test(line) ? [`gated.log:${at + 1}`] : []));
  expect(code).toBe(1);
  expect(differences[0]).toMatchObject({ lacks: 'run', log: { of: 'Pod of StatefulSet default/db', did: 'deleted', log: deletions[1] } });
  const gated = read('plain.yaml').replace('  cluster:', '  featureGates: { MaxUnavailableStatefulSet: true }\n  cluster:');
  writeFileSync(path('again.yaml'), gated);
  expect((await cli(['run', 'again.yaml'], { cwd: folder })).code).toBe(0);
});

test('a saved scenario says where it parts from the log, at the line of its file', async () => {
  await ask('day.log', '--save', 'parts.yaml', '--no-run');
  writeFileSync(path('parts.yaml'), read('parts.yaml').replace('  Complete True', '  Failed True'));
  const { code, out } = await cli(['run', 'parts.yaml'], { cwd: folder });
  expect(code).toBe(1);
  expect(out).toMatch(/the run and the log part at \d+\.\d+s: only the run has Job default\/pi: Complete True/);
  expect(out).toMatch(/log +\d+\.\d+s +job-controller: Job default\/pi: Failed True +\(day\.log:\d+\)/);
});

test('a search leaves the record out: under faults a run departs from it', async () => {
  writeFileSync(
    path('small.yaml'),
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: small }
spec:
  until: 5s
  steps: [{ at: 1s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: a } } }]
  recorded: { within: 1s, writes: 2s  Pod default/a  created }
`,
  );
  expect((await cli(['run', 'small.yaml'], { cwd: folder })).out).toMatch(/part at 2\.000s: only the log has Pod default\/a: created/);
  const { out, err } = await cli(['search', 'small.yaml', '--budget', '1 run'], { cwd: folder });
  expect(out + err).not.toMatch(/recorded-writes|only the log/);
});

test('rotated, packed, doubled and disordered files are one log; a cut last line is said, and the rest is read', async () => {
  const all = lines();
  const half = Math.floor(all.length / 2);
  const cut = all.at(-1)?.slice(0, 200) ?? '';
  writeFileSync(path('audit-1.log.gz'), gzipSync(all.slice(0, half + 5).join('\n')));
  writeFileSync(path('audit.log'), [...all.slice(half).reverse(), cut].join('\n'));
  const { code, err, withoutMeaning, writes, differences } = await imported('audit.log', 'audit-1.log.gz');
  expect(err).toBe(`audit.log:${all.length - half + 1}:200: expected a line of JSON, found a line that is cut\n`);
  expect(withoutMeaning['doubles']).toBe(5 - all.slice(half, half + 5).filter((line) => line.includes('"resource":"events"')).length);
  expect(writes).toBe((await imported('day.log')).writes);
  expect([code, differences]).toEqual([0, []]);
});

test('what cannot be replayed is counted and named', async () => {
  const event = (more: object) =>
    JSON.stringify({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Request',
      auditID: JSON.stringify(more),
      stage: 'ResponseComplete',
      verb: 'create',
      user: { username: 'bob' },
      responseStatus: { code: 201 },
      requestReceivedTimestamp: '2024-03-01T00:00:02.000000Z',
      stageTimestamp: '2024-03-01T00:00:02.100000Z',
      ...more,
    });
  const text = [
    event({ level: 'Metadata', objectRef: { resource: 'pods', namespace: 'default', name: 'a', apiVersion: 'v1' } }),
    event({ verb: 'delete', objectRef: { resource: 'pods', namespace: 'default', name: 'old', apiVersion: 'v1' } }),
    event({
      objectRef: { resource: 'widgets', namespace: 'default', name: 'w', apiGroup: 'shop.example.com', apiVersion: 'v1' },
      requestObject: {},
    }),
    event({
      objectRef: { resource: 'horizontalpodautoscalers', namespace: 'default', name: 'h', apiGroup: 'autoscaling', apiVersion: 'v1beta9' },
      requestObject: {},
    }),
    event({
      responseStatus: { code: 403, reason: 'Forbidden' },
      objectRef: { resource: 'pods', namespace: 'default', name: 'b', apiVersion: 'v1' },
      requestObject: {},
    }),
    event({ verb: 'list', objectRef: { resource: 'pods' } }),
    event({ stage: 'RequestReceived' }),
    event({ requestURI: '/api/v1/namespaces/default/pods?dryRun=All', objectRef: { resource: 'pods' } }),
    event({
      objectRef: { resource: 'pods', namespace: 'default', name: 'd', apiVersion: 'v1' },
      requestObject: JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) as object,
    }),
    event({
      objectRef: { resource: 'configmaps', namespace: 'default', name: 'p', apiVersion: 'v1' },
      requestObject: JSON.parse('{"metadata":{"name":"p","__proto__":{"x":1},"uid":"u"},"data":{"__proto__":"x"}}') as object,
    }),
    '[1, 2]',
  ].join('\n');
  const { out, err, code } = await cli(['import', '-', '--json', '--save', 'odd.yaml'], { cwd: folder, stdin: () => text });
  const { leftOut, steps, withoutMeaning } = JSON.parse(out) as Imported;
  expect(Object.fromEntries(leftOut.map(({ why, count }) => [why, count]))).toEqual({
    'requests without a body in the log (level Metadata)': 1,
    'requests about objects from before the log': 1,
    'requests about kinds that are not modelled': 1,
    'requests in another version of their kind': 1,
    'refused: conflicts, permissions, validation, errors of the server': 1,
    'bodies that are too deep': 1,
  });
  expect(leftOut[1]?.first).toEqual(['<stdin>:2: delete pods default/old by bob']);
  expect(withoutMeaning).toEqual({ reads: 1, 'other stages of a request': 1, 'dry runs': 1 });
  expect(err).toMatch(/^<stdin>:11:1: expected a line of audit\.k8s\.io\/v1, with a stage and a verb, found something else\n/);
  expect([steps, code]).toEqual([1, 0]);
  expect(read('odd.yaml')).not.toMatch(/__proto__|uid/);
});

test('a recorded watch is replayed: states of objects, with or without the events around them', async () => {
  writeFileSync(
    path('one.yaml'),
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: one }
spec:
  domain: k8s.io
  until: 2m
  cluster: { nodes: { count: 1 }, podBehaviors: [{ startDelay: 1s, runFor: 20s, exitCodes: [1, 0] }] }
  steps: [{ at: 1s, create: ${JOB} }]
`,
  );
  expect((await cli(['run', 'one.yaml', '--events', 'one.events'], { cwd: folder })).code).toBe(0);
  const events = read('one.events')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly type: string; readonly object: { readonly kind: string } })
    .filter(({ object: { kind } }) => kind === 'Job' || kind === 'Pod');
  writeFileSync(path('events.json'), events.map((event) => JSON.stringify(event)).join('\n'));
  writeFileSync(path('objects.json'), events.map(({ object }) => JSON.stringify(object, null, 4)).join('\n'));
  for (const file of ['events.json', 'objects.json']) {
    const { code, differences, steps, writes, leftOut } = await imported(file);
    // The Job; its two pods, each created, bound, running, ready and over; and that it is complete.
    expect({ file, code, differences, steps, leftOut }).toEqual({ file, code: 0, differences: [], steps: 1, leftOut: [] });
    expect(writes).toBeGreaterThanOrEqual(9);
  }
  writeFileSync(path('cut.json'), read('objects.json').slice(0, -40));
  expect((await ask('cut.json')).err).toMatch(
    /^cut\.json:\d+:\d+: expected the end of the JSON value that begins at line \d+, found the end of the file/,
  );
});

test('names that were drawn for owners too are told by their prefix', async () => {
  const job = JOB.replace('name: pi', 'generateName: pi-');
  writeFileSync(
    path('drawn.yaml'),
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: drawn }
spec:
  domain: k8s.io
  seed: 5
  until: 2m
  cluster: { nodes: { count: 1 }, podBehaviors: [{ runFor: 20s }] }
  steps: [{ at: 1s, create: ${job} }, { at: 10s, delete: { target: { kind: Job, nth: 1 }, propagationPolicy: Background } }, { at: 20s, create: ${job} }]
`,
  );
  expect((await cli(['run', 'drawn.yaml', '--audit-log', 'drawn.log'], { cwd: folder })).code).toBe(0);
  const { code, differences, steps, met, writes } = await imported('drawn.log', '--seed', '7');
  expect({ code, differences, steps, met }).toEqual({ code: 0, differences: [], steps: 3, met: writes });
});

test('bad input is told', async () => {
  writeFileSync(path('none.log'), 'hello\n');
  expect(await ask('none.log')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/none\.log:1:5: expected a line of JSON[^]*expected lines of audit\.k8s\.io\/v1/) as string,
  });
  expect(await ask('absent.log')).toMatchObject({ code: 2, err: expect.stringContaining('absent.log: no such file or folder') as string });
  expect(await ask('day.log', '--within', 'soon')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--within: expected a duration') as string,
  });
  expect(await ask('day.log', '--no-run')).toMatchObject({ code: 2, err: expect.stringContaining('add --save FILE') as string });
});

test('pods land where they landed, although the scores of nodes are equal; a question and a search are about the same placements', async () => {
  const nodesIn = (name: string) =>
    lines()
      .map(
        (line) =>
          JSON.parse(line) as {
            readonly objectRef: { readonly subresource?: string };
            readonly requestObject?: { readonly target?: { readonly name: string } };
          },
      )
      .flatMap(({ objectRef, requestObject }) => (objectRef.subresource === 'binding' ? [requestObject?.target?.name ?? ''] : []))
      .filter((node) => node === name).length;
  // Another draw of the same equal scores, so that the run by itself would place them otherwise.
  const { code, out } = await ask('day.log', '--seed', '7', '--save', 'placed.yaml', '--force');
  expect(out).toMatch(/✓ the run does what the log says: (\d+) of \1 writes/);
  expect(code).toBe(0);
  expect(read('placed.yaml')).toMatch(/nodes:\n +- node-\d/);
  const stated = read('placed.yaml').match(/^ +- node-0$/gm) ?? [];
  expect(stated).toHaveLength(nodesIn('node-0'));
  const why = await cli(['run', 'placed.yaml', '-vv'], { cwd: folder });
  expect(why.out).toMatch(/node-\d is stated for the next of these pods, and it is feasible/);
  const asked = await cli(['what-if', 'placed.yaml', 'scale', 'deploy/web', '1', '--at', '70s', '--json'], { cwd: folder });
  expect((JSON.parse(asked.out) as { readonly askedAtMs: number; readonly gone: number }).gone).toBeGreaterThan(4);
  const wrong = await cli(['what-if', 'placed.yaml', 'scale', 'deploy/wep', '1', '--at', '70s'], { cwd: folder });
  expect(wrong.err).toMatch(/there is no Deployment "wep"; did you mean "web"\?/);
  expect(wrong.code).toBe(2);
  const played = await cli(['play', 'placed.yaml', '--out', 'placed.html', '--no-open'], { cwd: folder });
  expect(played.code).toBe(0);
  expect(read('placed.html')).toContain('An incident, replayed');
  const late = await cli(['what-if', 'placed.yaml', 'drain', 'node-0', '--at', '9h'], { cwd: folder });
  expect(late.err).toMatch(/--at: expected a time before the scenario ends/);
});

test('a stated node that the cluster lacks, and a line that is no write, are reported with their places', async () => {
  writeFileSync(
    path('wrong.yaml'),
    `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: wrong }
spec:
  until: 5s
  cluster: { nodes: { count: 2 }, podBehaviors: [{ nodes: [node-1, node-9] }] }
  recorded:
    writes: |
      1s  Pod default/a  created
      soon  Pod default/a  bound to node-1
`,
  );
  const { code, err } = await cli(['run', 'wrong.yaml'], { cwd: folder });
  expect(code).toBe(2);
  expect(err).toMatch(
    /wrong\.yaml:6:\d+: spec\.cluster\.podBehaviors\[0\]\.nodes\[1\]: expected a node of this cluster \(node-0, node-1\), found "node-9"; did you mean "node-\d"\?/,
  );
  expect(err).toMatch(
    /wrong\.yaml:10:\d+: spec\.recorded\.writes: expected TIME {2}OBJECT {2}WHAT {2}AUTHOR {2}FILE:LINE, found "soon {2}Pod default\/a {2}bound to node-1"/,
  );
});

test('a line is read alike whatever the order of its members, and without what is not needed of it', async () => {
  const shuffled = lines().map((line) => {
    const members = Object.entries(JSON.parse(line) as Readonly<Record<string, unknown>>);
    return JSON.stringify(Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1))));
  });
  writeFileSync(path('sorted.log'), `${shuffled.join('\n')}\n`);
  const [plain, sorted] = [
    await imported('day.log', '--no-run', '--save', 'ordered.yaml'),
    await imported('sorted.log', '--no-run', '--save', 'sorted.yaml'),
  ];
  expect({ ...sorted, files: [], err: '' }).toEqual({ ...plain, files: [], err: '' });
  expect(read('sorted.yaml').replaceAll('sorted.log', 'day.log')).toBe(read('ordered.yaml'));
  // Names of members inside of texts and bodies mislead no reader.
  const tricky = lines().map((line) =>
    line
      .replace('"verb":', '"x":{"requestObject":1,"responseObject":2},"verb":')
      .replace('"userAgent":"', '"userAgent":",\\"requestObject\\":'),
  );
  writeFileSync(path('tricky.log'), `${tricky.join('\n')}\n`);
  expect((await imported('tricky.log', '--no-run', '--save', 'tricky.yaml')).writes).toBe(plain.writes);
});
