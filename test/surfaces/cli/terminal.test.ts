/** Text of users is sanitised before it reaches a terminal: every view, over objects, words and files with control characters. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import picocolors from 'picocolors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Palette } from '../../../src/surfaces/report/index.ts';
import { cli, folderWith } from './cli.ts';

const EVIL = '\u001B]0;owned\u0007\u001B[2J\u001B[31mred\u009B31m\u0000\u007F\u202Egnp\u2066\r✓';
const Q = JSON.stringify(EVIL)
  .replaceAll('\u007F', '\\x7f')
  .replaceAll('\u009B', '\\x9b')
  .replaceAll('\u202E', '\\u202e')
  .replaceAll('\u2066', '\\u2066');

const SCENARIO = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: evil }
spec:
  title: ${Q}
  teaches: ${Q}
  domain: k8s.io
  invariants:
    - { name: no-data, foreach: ConfigMap, always: "!has(self.data)", description: ${Q} }
  steps:
    - apply: { apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: ${Q} }, rules: [{ verbs: [${Q}], apiGroups: [${Q}], resources: [${Q}] }] }
    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: c, annotations: { evil: ${Q} } } }
    - apply: { apiVersion: v1, kind: Event, metadata: { name: e }, involvedObject: { kind: ConfigMap, name: c, namespace: default }, reason: ${Q}, message: ${Q}, type: Normal }
      note: ${Q}
    - at: 5s
      patch: { target: ConfigMap/c, patch: { data: { evil: ${Q} } } }
    - when: settled
      expect: { match: { kind: ConfigMap, metadata: { name: c }, data: { evil: ${Q.replace('red', 'blue')} } } }
`;

// oxlint-disable-next-line no-control-regex -- control characters are the subject
const STEERING = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/;
const PROGRESS = '\r\u001B[K';
const colours = picocolors.createColors(true);
const PALETTE: Palette = {
  good: colours.green,
  bad: colours.red,
  warn: colours.yellow,
  accent: colours.cyan,
  dim: colours.dim,
  strong: colours.bold,
};

/** Each view: of the scenario, and of its trace if possible. */
const VIEWS: readonly (readonly [string, ...(readonly string[])])[] = [
  ['run', 'evil.yaml'],
  ['run', 'evil.yaml', '-v'],
  ['run', 'evil.yaml', '-vv'],
  ['run', 'evil.yaml', '--coverage'],
  ['run', 'evil.yaml', '--json'],
  ['run', 'evil.yaml', '--format', 'junit'],
  ['run', 'evil.yaml', '--log', '-', '--log-level', 'trace'],
  ['run', 'evil.yaml', '--trace', '-'],
  ['run', 'evil.yaml', '--events', '-'],
  ['run', 'evil.yaml', '--perfetto', '-'],
  ['run', 'evil.yaml', '--shiviz', '-'],
  ['run', 'evil.yaml', '--seeds', '1..2', '--jobs', '1'],
  ['list', '.'],
  ['search', 'evil.yaml'],
  ['check-determinism', 'evil.yaml'],
  ...['evil.yaml', 'evil.trace'].flatMap((path) => [
    ['why', 'ConfigMap/c', path] as const,
    ['why', `Role/${EVIL}`, path] as const,
    ['why', '--not', `Role/${EVIL}`, path] as const,
    ['diff', 'ConfigMap/c', path, '--from', 'start'] as const,
    ['diff', path, '--from', 'start'] as const,
    ['state', path] as const,
    ['state', 'Role', path] as const,
    ['state', 'Event', path] as const,
    ['state', 'ConfigMap/c', path] as const,
    ['state', `Role/${EVIL}`, path] as const,
    ['state', 'ConfigMap', path, '--json'] as const,
    [
      'walk',
      path,
      '--script',
      'n n n n state; state Role; state ConfigMap/c; state Event; why ConfigMap/c; timeline; diff ConfigMap/c; step 20; q',
    ] as const,
  ]),
  ['run', `${EVIL.replaceAll('\0', '')}.yaml`],
  ['list', EVIL.replaceAll('\0', '')],
  ...[
    'run',
    'list',
    'why',
    'diff',
    'state',
    'walk',
    'search',
    'help',
    'kinds',
    'serve',
    'page',
    'init',
    'config',
    'schema',
    'check-determinism',
  ].flatMap((name) => [[name, EVIL] as const, [name, `--${EVIL}`] as const]),
  ['run', 'evil.yaml', '--scenario', EVIL],
  ['run', 'evil.yaml', '--grep', EVIL],
  ['run', 'bad.yaml'],
  ['run', 'evil.trace'],
  ['state', 'evil.yaml', '--as', EVIL],
  ['state', 'evil.yaml', '--at', EVIL],
  ['walk', 'evil.yaml', '--script', `goto ${EVIL}`],
  ['walk', 'evil.yaml', '--script', `fork ${EVIL}`],
  [EVIL],
];

describe('control characters', () => {
  let cwd = '';
  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'orchsim-test-'));
    writeFileSync(join(cwd, 'evil.yaml'), SCENARIO);
    writeFileSync(join(cwd, 'bad.yaml'), SCENARIO.replaceAll('apiVersion: v1', `${Q}: v1`).replace('title', Q));
    await cli(['run', 'evil.yaml', '--trace', 'evil.trace', '--force'], { cwd });
  });

  afterAll(() => {
    rmSync(cwd, { recursive: true });
  });

  it.each(
    VIEWS.map(
      (view) =>
        [
          JSON.stringify(view.join(' '))
            .replaceAll(/[^ -~]/g, '?')
            .slice(0, 90),
          view,
        ] as const,
    ),
  )('%s', async (_, view) => {
    const plain = await cli(view, { cwd, terminal: true, columns: 100 });
    expect(plain.out + plain.err.replaceAll(PROGRESS, '')).not.toMatch(STEERING);
    expect(plain.code).not.toBe(70);
  });

  it('are escaped, except our colours', async () => {
    const { out } = await cli(['run', 'evil.yaml', '-v'], { cwd, palette: PALETTE });
    expect(out).toContain('\u001B[1m');
    expect(out).not.toContain('\u001B[31mred');
    expect(out.replaceAll(/\u001B\[(?:1|2|22|31|32|33|36|39)m/g, '')).not.toMatch(STEERING);
  });

  it('are escaped without changing the meaning of JSON and YAML', async () => {
    const json = await cli(['state', 'ConfigMap', 'evil.yaml', '--json'], { cwd });
    const [object] = (JSON.parse(json.out) as { readonly objects: readonly { readonly data: object }[] }).objects.slice(-1);
    expect(object?.data).toEqual({ evil: EVIL });
    const yaml = await cli(['state', 'ConfigMap/c', 'evil.yaml'], { cwd });
    expect((parse(yaml.out) as { readonly data: object }).data).toEqual({ evil: EVIL });
  });

  it('are escaped in file names', async () => {
    const folder = folderWith({ '\u001B[31mx.yaml': 'kind: Nothing\n' });
    const { err, code } = await cli(['run', '.'], { cwd: folder });
    expect([code, err.includes('\\u001b[31mx.yaml'), STEERING.test(err)]).toEqual([2, true, false]);
  });
});
