/** Questions to one small run, each with its whole answer, as text and as JSON; the answers of its trace are the same. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from './cli.ts';

const ASKED = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: asked }
spec:
  cluster: { nodes: { count: 1 }, latency: { api: 2ms, watch: 1ms } }
  steps:
    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: web }, data: { a: "1" } }
    - at: 1s
      apply: { apiVersion: v1, kind: Namespace, metadata: { name: shop } }
    - at: 2s
      apply: { apiVersion: v1, kind: Pod, metadata: { name: big }, spec: { containers: [{ name: c, image: "c:1", resources: { requests: { cpu: "99" } } }] } }
    - at: 3s
      patch: { target: ConfigMap/web, type: merge, patch: { data: { a: "2" } } }
    - at: 4s
      delete: { target: ConfigMap/web }
    - { at: 5s, fault: { crash: controller-manager } }
`;
const cwd = mkdtempSync(join(tmpdir(), 'orchsim-test-'));
beforeAll(async () => {
  writeFileSync(join(cwd, 'a.yaml'), ASKED);
  await cli(['run', 'a.yaml', '--trace', 'a.jsonl'], { cwd });
});
afterAll(() => rmSync(cwd, { recursive: true }));

const ask = async (...words: readonly string[]) => cli(words, { cwd });
const END = '5.000s (step #31)';
const CREATED = '   0.000s  #2     user               web                create ConfigMap  rv 23\n';
const UPDATED = '   3.000s  #24    user               web                update ConfigMap: data.a 1 → 2  rv 31\n';
const DELETED = '   4.000s  #27    user               web                delete ConfigMap  rv 32\n';
const GONE = 'ConfigMap web does not exist: user deleted it at 4.000s (#27)\n';
const SHORT =
  '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod';

describe.each(['a.yaml', 'a.jsonl'])('of %s', (path) => {
  it.each<[readonly string[], string]>([
    [
      ['why', 'ConfigMap/web'],
      `ConfigMap web at ${END}\n${DELETED}\n  what it waits for:\n    ${GONE}\n  1 cause, the latest first:\n   4.000s  #26    scenario                              delete ConfigMap/web\n`,
    ],
    [
      ['why', 'ConfigMap/web', '--at', '3500ms'],
      `ConfigMap web at 3.500s (step #25)\n${UPDATED}\n  1 cause, the latest first:\n   3.000s  #23    scenario                              patch ConfigMap/web\n`,
    ],
    [
      ['why', 'sa/shop/default', '--all'],
      `ServiceAccount shop/default at ${END}
   1.002s  #10    service-account    shop               create ServiceAccount shop/default  rv 26
  because  every namespace has a default ServiceAccount
           decided by service-account in controller-manager, step #8

  4 causes, the latest first:
   1.001s  #8     service-account    shop               decides on 1 write   every namespace has a default ServiceAccount
   1.001s  #6     controller-manager shop               sees added Namespace  rv 25
   1.000s  #5     user               shop               create Namespace  rv 25
   1.000s  #4     scenario                              apply Namespace/shop
`,
    ],
    [
      ['why', '#3'],
      `#3\n   0.001s  #3     controller-manager web                sees added ConfigMap  rv 23\n\n  2 causes, the latest first:\n${CREATED}   0.000s  #1     scenario                              apply ConfigMap/web\n`,
    ],
    [
      ['why', '#1'],
      '#1\n   0.000s  #1     scenario                              apply ConfigMap/web\n\n  it has no cause within the run\n',
    ],
    [
      ['why', 'Pod/big'],
      `Pod big at ${END}
   2.002s  #20    scheduler          big                update Pod: status.conditions[PodScheduled] = False (Unschedulable)  rv 30
  because  found no node: ${SHORT}.
           decided by scheduler in scheduler, step #18

  what it waits for:
    Pod big waits for a node since 2.000s: ${SHORT}

  3 causes, the latest first:
   2.001s  #17    scheduler          big                sees added Pod  rv 28
   2.000s  #15    user               big                create Pod  rv 28
   2.000s  #14    scenario                              apply Pod/big
`,
    ],
    [
      ['why', 'not', 'Pod/big'],
      `Pod big at ${END}

  Pod big waits for a node since 2.000s: ${SHORT}

  the last decision about it:
   2.001s  #18    scheduler          big                decides on 2 writes   found no node: ${SHORT}.
`,
    ],
    [['why', 'not', 'ConfigMap/web'], `ConfigMap web at ${END}\n\n  ${GONE}`],
    [
      ['diff', 'ConfigMap/web'],
      `ConfigMap web between 0.000s (the start) and ${END}\n  it existed at neither moment\n\n  3 writes in between:\n${CREATED}${UPDATED}${DELETED}`,
    ],
    [
      ['diff', 'ConfigMap/web', '--from', '1s', '--to', '3s'],
      `ConfigMap web between 1.000s (step #5) and 3.000s (step #24)\n  ~ data.a 1 → 2\n\n  1 write in between:\n${UPDATED}`,
    ],
    [['diff', 'Pod/big', '--from', '9s'], `Pod big between 9.000s (step #31) and ${END}\n  nothing changed\n`],
    [['diff', 'ConfigMap/web', '--from', '5s'], `ConfigMap web between ${END} and ${END}\n  it existed at neither moment\n`],
    [
      ['state', '--at', '1s'],
      `at 1.000s (step #5)

nodes
NAME     STATUS   ROLES    AGE   VERSION
node-0   Ready    <none>   51s   v1.24.0

namespaces
NAME   STATUS   AGE
shop   Active   0s

configmaps
NAMESPACE         NAME               DATA   AGE
default           orch-root-ca.crt   1      51s
orch-node-lease   orch-root-ca.crt   1      51s
orch-public       orch-root-ca.crt   1      51s
orch-system       orch-root-ca.crt   1      51s
default           web                1      1s

serviceaccounts
NAMESPACE         NAME      SECRETS   AGE
default           default   0         51s
orch-node-lease   default   0         51s
orch-public       default   0         51s
orch-system       default   0         51s

and 1 Lease, 1 Event
`,
    ],
    [
      ['state', 'ConfigMap/web', '--at', '2s'],
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  namespace: default\n  uid: UID\n  resourceVersion: "23"\n  creationTimestamp: "2024-03-01T00:00:00Z"\ndata: { a: "1" }\n',
    ],
    [['state', 'Secret'], `at ${END}\n\nthere is no Secret\n`],
  ])('%j is answered', async (words, answer) => {
    const [command = '', ...rest] = words;
    const at = rest.findIndex((word) => word.startsWith('--'));
    const targets = at < 0 ? rest : rest.slice(0, at);
    const { code, out, err } = await ask(command, ...targets, path, ...rest.slice(targets.length));
    expect({ code, out: out.replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'UID'), err }).toEqual({
      code: 0,
      out: answer,
      err: '',
    });
  });

  const line = (time: string, step: string, who: string, about: string, what: string, tone: string, revision = '', why = '') => ({
    time,
    step,
    about,
    revision,
    why,
    who,
    what,
    tone,
  });

  it('as JSON', async () => {
    const answerTo = async (...words: readonly string[]): Promise<unknown> => JSON.parse((await ask(...words, '--json')).out);
    const update = line('3.000s', '#24', 'user', 'web', 'update ConfigMap: data.a 1 → 2', 'changed', 'rv 31');
    const text = '3.000s  #24    user               web              update ConfigMap: data.a 1 → 2  rv 31';
    expect(await answerTo('why', 'ConfigMap/web', path, '--at', '3s')).toEqual({
      about: 'ConfigMap web at 3.000s (step #24)',
      step: 24,
      line: { ...update, text },
      because: '',
      causes: [{ step: 23, depth: 1, line: line('3.000s', '#23', 'scenario', '', 'patch ConfigMap/web', 'operation') }],
      waits: [],
    });
    expect(await answerTo('diff', 'ConfigMap/web', path, '--from', '1s', '--to', '3s')).toEqual({
      target: { kind: 'ConfigMap', namespace: 'default', name: 'web' },
      from: { step: 5, at: Date.UTC(2024, 2, 1, 0, 0, 1) },
      to: { step: 24, at: Date.UTC(2024, 2, 1, 0, 0, 3) },
      existed: true,
      exists: true,
      changes: [{ path: 'data.a', before: '1', after: '2' }],
      writes: [{ ...update, text }],
    });
    expect(await answerTo('why', 'not', 'Pod/big', path)).toEqual({
      about: `Pod big at ${END}`,
      at: { step: 31, at: Date.UTC(2024, 2, 1, 0, 0, 5) },
      exists: true,
      waits: [
        { about: { kind: 'Pod', namespace: 'default', name: 'big' }, alike: [], depth: 0, text: `waits for a node since 2.000s: ${SHORT}` },
      ],
      lastWord: line('2.001s', '#18', 'scheduler', 'big', 'decides on 2 writes', 'decided', '', `found no node: ${SHORT}.`),
    });
    const state = (await answerTo('state', 'ConfigMap', path, '--at', '1s')) as {
      readonly step: number;
      readonly objects: readonly { readonly metadata: object }[];
    };
    expect([state.step, state.objects.map(({ metadata }) => metadata)]).toEqual([
      5,
      ['default', 'orch-node-lease', 'orch-public', 'orch-system', 'default'].map(
        (namespace, at) => expect.objectContaining({ name: at === 4 ? 'web' : 'orch-root-ca.crt', namespace }) as unknown,
      ),
    ]);
  });

  it.each([
    [['why', 'not', 'Pod/none', path], 'there never was a Pod default/none; did you mean Pod/big?'],
    [['why', 'not', '#3', path], 'why not: expected an object such as Job/pi, found #3: a step has happened'],
    [['why', 'a', 'b', 'c'], 'why: expected TARGET PATH or not TARGET PATH, found a b c'],
    [['why', '#0', path], 'there is no step #0: the run has 31'],
    [
      ['why', 'ConfigMap/web', path, '--field', 'data.b'],
      `nothing changed data.b of ConfigMap web between the start and ${END}; writes before the start have no recorded causes; did you mean "data.a"?`,
    ],
    [
      ['why', 'Node/node-0', path, '--at', 'start'],
      'nothing wrote Node node-0 between the start and 0.000s (the start); writes before the start have no recorded causes',
    ],
    [['state', path, '--as', 'controller-manager'], `controller-manager has no cache at ${END}: it is down`],
    [
      ['state', path, '--as', 'schedulr'],
      'there is no process "schedulr"; did you mean scheduler? (there are controller-manager, scheduler, agent/node-0)',
    ],
    [['state', 'ConfigMap/web', path], `ConfigMap web is not there at ${END}`],
    [
      ['diff', 'ConfigMap/web', path, '--from', '3s', '--to', '1s'],
      '--to: expected a moment from 3.000s (step #24) on, found 1.000s (step #5)',
    ],
  ])('%j is refused', async (words, said) => {
    expect(await ask(...words)).toEqual({ code: 2, out: '', err: `${said}\n` });
  });
});

it('the queues of a process and the inside of a node are those of a run', async () => {
  expect((await ask('state', 'a.yaml', '--as', 'scheduler')).out).toBe(`at ${END}, as scheduler sees it

pods
NAME   READY   STATUS    RESTARTS   AGE
big    0/1     Pending   0          3s

nodes
NAME     STATUS   ROLES    AGE   VERSION
node-0   Ready    <none>   55s   v1.24.0

namespaces
NAME   STATUS   AGE
shop   Active   4s

queues
scheduler  big  has a timer at 5m10.500s
`);
  expect(await ask('state', 'Node/node-0', 'a.yaml', '--inside')).toMatchObject({ code: 0, out: 'containers: []\nstrangers: []\n' });
  expect(await ask('state', 'Node/node-0', 'a.jsonl', '--inside')).toMatchObject({
    code: 2,
    err: 'a trace holds no environments; give the scenario that it was made from\n',
  });
});

it('two runs are compared entry by entry, with what is left of each', async () => {
  writeFileSync(
    join(cwd, 'b.yaml'),
    ASKED.replace('name: asked', 'name: other')
      .replace('data: { a: "2" }', 'data: { b: "2" }')
      .replace('    - at: 4s\n      delete: { target: ConfigMap/web }\n', ''),
  );
  const side = (run: string, change: string, more: string): string =>
    `  ${run}\n   3.000s  #24    user               web                update ConfigMap: ${change}  rv 31\n   3.000s  #23    scenario                              patch ConfigMap/web\n  ${more}\n`;
  expect((await ask('diff', 'a.yaml', 'b.yaml')).out).toBe(
    `asked seed 1 and other seed 1 diverge at 3.000s, after 14 common entries\n\n${side('asked seed 1', 'data.a 1 → 2', "npx orchsim why '#24' a.yaml --seed 1")}\n${side('other seed 1', 'data.b = 2', "npx orchsim why '#24' b.yaml --seed 1")}\n  at the end:\n    5 ConfigMaps and 6 ConfigMaps\n`,
  );
  const { partings, ...rest } = JSON.parse((await ask('diff', 'a.jsonl', 'b.yaml', '--json')).out) as {
    readonly partings: readonly object[];
  };
  expect(rest).toEqual({
    runs: ['asked seed 1', 'other seed 1'],
    identical: false,
    alike: 14,
    sinceStartMs: 3_000,
    left: [{ kind: 'ConfigMap', first: 5, second: 6 }],
  });
  expect(partings[0]).toEqual({
    run: 'asked seed 1',
    step: 24,
    line: '3.000s  #24    user               web              update ConfigMap: data.a 1 → 2  rv 31',
    because: '',
    causes: ['3.000s  #23    scenario                            patch ConfigMap/web'],
    more: "npx orchsim why '#24' a.jsonl",
  });
});
