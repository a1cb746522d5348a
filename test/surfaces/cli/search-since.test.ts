/** `search --since`: the scenarios that a change concerns, with JUnit and a page for each finding, as a pull request runs it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith, ROOT } from './cli.ts';

/** Makes a ConfigMap for each Service, whose name is drawn or not. */
const CONFIG = `import { create, defineConfig, defineController, idle, watch, write } from 'orchsim';
import { named } from './named.ts';
export default defineConfig({
  controllers: [
    defineController({
      name: 'greeter',
      reconciles: 'Service',
      writes: ['ConfigMap'],
      watches: [watch('ConfigMap', () => undefined)],
      reconcile({ self, cache }) {
        if (cache.controlledBy('ConfigMap', self).length > 0) return idle('it is there');
        const { namespace, name, uid } = self.metadata;
        const ownerReferences = [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true }];
        return write('it is missing', create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, ...named(name), ownerReferences } }));
      },
    }),
  ],
});
`;
const SAFE = 'export const named = (name) => ({ name });\n';
const DRAWN = "export const named = (name) => ({ generateName: name + '-' });\n";

const scenario = (name: string): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: ${name} }
spec:
  until: 10s
  cluster: { nodes: { count: 0 }, latency: { api: 2ms, watch: 1ms } }
  steps:
    - at: 1s
      apply: { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { ports: [{ port: 80 }] } }
    - at: 2s
      patch: { target: Service/web, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - at: 10s
      expect: { cel: "objects('ConfigMap').filter(c, c.metadata.name.startsWith('web')).size() == 1" }
`;

describe.skipIf(!existsSync(join(ROOT, 'dist/orchsim.js')))('search --since', () => {
  /** A repository with a commit. */
  const repository = () => {
    const cwd = folderWith({ 'orchsim.config.ts': CONFIG, 'named.ts': SAFE, 'one.yaml': scenario('one'), 'two.yaml': scenario('two') });
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-q', '-m', 'first'],
    ])
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd });
    const since = (...args: readonly string[]) =>
      cli(['search', '.', '--since', 'HEAD', '--budget', '32', '--jobs', '1', '--faults', 'hold', ...args], { cwd });
    return { cwd, since };
  };

  it('searches nothing when nothing changed, and what changed when a scenario did', { timeout: 120_000 }, async () => {
    const { cwd, since } = repository();
    expect(await since()).toMatchObject({
      code: 0,
      out: '',
      err: 'nothing that . holds has changed since HEAD: no search of 2 was made\n',
    });
    writeFileSync(join(cwd, 'two.yaml'), scenario('two').replace('at: 2s', 'at: 3s'));
    const { code, out } = await since();
    expect([code, out.match(/^[✓✗] \w+/gm)]).toEqual([0, ['✓ two']]);
    expect(out).toContain('judged: your expectations and invariants, and greeter; built-in code apart (--judge all)');
  });

  it('searches all when a module of a controller changed, with JUnit and a page for each finding', { timeout: 240_000 }, async () => {
    const { cwd, since } = repository();
    writeFileSync(join(cwd, 'named.ts'), DRAWN);
    const { code, out } = await since('--format', 'junit', '--page-on-failure', 'pages');
    expect(code).toBe(1);
    expect(out).toMatch(/^<\?xml[^]*<testsuites name="orchsim" tests="2" failures="2" errors="0">/);
    expect(out).toMatch(/<testcase name="search one"[^]*<failure type="finding"[^]*saw {5}at .* greeter, yours, decided about web/);
    expect(readdirSync(join(cwd, 'pages')).toSorted()).toEqual(['found-one-1.html', 'found-two-1.html']);
    // The findings are scenarios with choices now: they are new files, and are not searched.
    expect((await since('--budget', '1', '--json')).out.match(/"scenario": "\w+/g)).toEqual(['"scenario": "one', '"scenario": "two']);
  });

  it('says what is wrong with its options', async () => {
    const { cwd } = repository();
    for (const [args, says] of [
      [['--since', 'no-such-branch'], '--since: git rev-parse'],
      [['--since', '-x'], 'expected a commit, a branch or a tag'],
      [['--since', 'HEAD', '--shard', '1/2'], '--since and --shard: they exclude each other'],
      [['--since', 'HEAD', '--exhaustive'], '--since and --exhaustive: they exclude each other'],
    ] as const) {
      const { code, err } = await cli(['search', '.', ...args], { cwd });
      expect([code, err]).toEqual([2, expect.stringContaining(says)]);
    }
  });
});
