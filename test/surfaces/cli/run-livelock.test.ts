/** `orchsim run` of a cluster in a livelock: what repeats, and the command that shows it. */
import { describe, expect, it } from 'vitest';
import { cli, folderWith } from './cli.ts';

const FIGHT = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: fight }
spec:
  until: 3s
  cluster: { nodes: { count: 1 }, latency: { api: 2ms, watch: 1ms } }
  steps:
    - at: 1s
      apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: bone }, data: { a: "1" } }
`;
const WANTS = `import { defineConfig, defineController, idle, update, write } from 'orchsim';
const wants = (value) => defineController({
  name: 'wants-' + value, reconciles: 'ConfigMap', writes: ['ConfigMap'],
  reconcile({ self }) {
    if (self.metadata.name !== 'bone' || self.data?.a === value) return idle('it is as it should be');
    return write('it should be ' + value, update(self, (draft) => { draft.data.a = value; }));
  },
});
const stubborn = defineController({
  name: 'stubborn', reconciles: 'Secret', writes: ['Secret'],
  reconcile: ({ self }) => self.metadata.name === 'bone'
    ? write('it is to be another', { op: 'update', object: { ...self, metadata: { ...self.metadata, uid: 'another' } } })
    : idle('it is another one'),
});
export default defineConfig({ controllers: [wants('1'), wants('2'), stubborn] });
`;
/** A pod may stay on a tainted node for five seconds; after its eviction it is created again on the same node. */
const EVICTED = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: evict-loop }
spec:
  until: 10m
  cluster:
    nodes: { count: 1 }
    podBehaviors: [{ selector: { matchLabels: { job-name: w } }, startDelay: 200ms, runFor: 60s, terminationDelay: 500ms }]
  steps:
    - at: 1s
      apply:
        apiVersion: batch/v1
        kind: Job
        metadata: { name: w }
        spec: { backoffLimit: 100, template: { spec: { restartPolicy: OnFailure, tolerations: [{ key: maintenance, operator: Exists, effect: NoExecute, tolerationSeconds: 5 }], containers: [{ name: c, image: "c:1" }] } } }
    - at: 3s
      patch: { target: Node/node-0, type: merge, patch: { spec: { taints: [{ key: maintenance, effect: NoExecute, value: "yes" }] } } }
`;
/** The same, until a user deletes the Job. */
const ENDED = EVICTED.replace('name: evict-loop', 'name: ended').concat('    - { at: 9m, delete: Job/w }\n');
const STARVED = FIGHT.replace('name: fight', 'name: starved')
  .replace('kind: ConfigMap', 'kind: Secret')
  .replace('{ a: "1" }', '{ a: MQ== }');

const folder = (): string =>
  folderWith({ 'fight.yaml': FIGHT, 'evict.yaml': EVICTED, 'ended.yaml': ENDED, 'starved.yaml': STARVED, 'wants.mjs': WANTS });
const orchsim = (cwd: string, ...args: readonly string[]) => cli(args, { cwd });

describe('orchsim run, in a livelock', () => {
  it('reports it in JUnit beside its case', { timeout: 60_000 }, async () => {
    const { code: status, out: stdout } = await orchsim(folder(), 'run', 'fight.yaml', '--with', 'wants.mjs', '--format', 'junit');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /<testcase name="fight"[^>]*>\n {6}<properties>[\s\S]*?<\/properties>\n {6}<system-out>livelock: the cluster was in one state 8 times[^<]*see it: npx orchsim walk fight\.yaml[^<]*<\/system-out>\n {4}<\/testcase>/,
    );
  });

  it('reports a fight of two controllers: their alternating writes, and a round of it', { timeout: 60_000 }, async () => {
    const cwd = folder();
    const { code: status, out: stdout } = await orchsim(cwd, 'run', 'fight.yaml', '--with', 'wants.mjs');
    expect(stdout).toContain('✓ fight');
    expect(stdout).toContain('  note livelock: the cluster was in one state 8 times, with 2 writes between');
    expect(stdout).toContain('wants-1: update ConfigMap default/bone, because "it should be 1"');
    expect(stdout).toContain('wants-2: update ConfigMap default/bone, because "it should be 2"');
    expect(status).toBe(0);
    const [, from = '', to = ''] =
      /see it: npx orchsim walk fight\.yaml --seed 1 --with wants\.mjs --script 'goto (\S+); goto (\S+); timeline'/.exec(stdout) ?? [];
    expect(from, stdout).not.toBe('');
    const { out: shown } = await orchsim(
      cwd,
      'walk',
      'fight.yaml',
      '--with',
      'wants.mjs',
      '--seed',
      '1',
      '--script',
      `goto ${from}; goto ${to}; timeline`,
    );
    expect(shown).toMatch(/wants-1 +bone +update ConfigMap: data\.a 2 → 1/);
    expect(shown).toMatch(/wants-2 +bone +update ConfigMap: data\.a 1 → 2/);
  });

  it('reports a cycle of taint and eviction, as data too, among other runs', { timeout: 60_000 }, async () => {
    const cwd = folder();
    const { out: stdout } = await orchsim(cwd, 'run', 'evict.yaml', 'ended.yaml');
    expect(stdout.match(/livelock: the cluster/g)).toHaveLength(1);
    expect(stdout).toContain('taint-eviction: delete Pod default/w-…, because "its tolerationSeconds have passed"');
    expect(stdout).toContain('job: create Pod default/w-*');
    const { runs } = JSON.parse((await orchsim(cwd, 'run', 'evict.yaml', '--json')).out) as {
      readonly runs: readonly { readonly liveness?: { readonly message: string; readonly detail: readonly string[] } }[];
    };
    expect(runs[0]?.liveness?.message).toMatch(/^livelock: the cluster/);
    expect(runs[0]?.liveness?.detail).toHaveLength(10);
  });

  it('reports a key that always fails', { timeout: 60_000 }, async () => {
    const cwd = folder();
    const { out: stdout } = await orchsim(cwd, 'run', 'starved.yaml', '--with', 'wants.mjs');
    expect(stdout).toMatch(/note starvation: stubborn in controller-manager makes no progress with default\/bone: \d+ failures in a row/);
    expect(stdout).toContain('its reason was "it is to be another"');
    expect(stdout).toMatch(/see it: npx orchsim walk starved\.yaml .*step 20; timeline'/);
  });
});
