/** Files of runs do not contain the values of Secrets, unless requested; and truncated files can be read. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../../src/schema/yaml/index.ts';
import { cli, folderWith, HOLDS } from './cli.ts';

const WORDS = ['aHVudGVyMg==', 'c3dvcmRmaXNo', 'b3Blbg=='];
const APPLIED = '{all of it}';
const SECRET = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: keeps }
spec:
  domain: k8s.io
  steps:
    - apply: { apiVersion: v1, kind: Secret, metadata: { name: s, annotations: { kubectl.kubernetes.io/last-applied-configuration: "${APPLIED}" } }, data: { password: ${WORDS[0]}, same: ${WORDS[0]}, other: ${WORDS[1]} } }
    - at: 5s
      patch: { target: Secret/s, patch: { data: { other: ${WORDS[2]} } } }
    - at: 6s
      fault: { crash: controller-manager }
    - when: settled
      expect: { match: { kind: Secret, metadata: { name: s }, data: { password: ${WORDS[0]} } } }
`;
const holds = (text: string): boolean => WORDS.some((word) => text.includes(word));

/** The text of a page with its packed parts. */
const unpacked = (page: string): string =>
  [page, ...[...page.matchAll(/"packed":"([^"]+)"/g)].map(([, text = '']) => inflateRawSync(Buffer.from(text, 'base64')).toString())].join(
    '\n',
  );

describe('values of Secrets', () => {
  it.each([
    ['--trace', 'f.jsonl'],
    ['--events', 'f.jsonl'],
    ['--perfetto', 'f.json'],
    ['--shiviz', 'f.log'],
    ['--log', 'f.log'],
    ['--page', 'f.html'],
  ])('is in no file of %s, and the digest is the same', async (option, file) => {
    const cwd = folderWith({ 'a.yaml': SECRET });
    const digest = /digest \w+/.exec((await cli(['run', 'a.yaml'], { cwd })).out)?.[0];
    const { code, out } = await cli(['run', 'a.yaml', option, file], { cwd });
    expect([code, /digest \w+/.exec(out)?.[0]]).toEqual([0, digest]);
    expect(holds(unpacked(readFileSync(join(cwd, file), 'utf8')))).toBe(false);
    await cli(['run', 'a.yaml', option, file, '--show-secrets'], { cwd });
    if (!['--log', '--shiviz'].includes(option)) expect(holds(unpacked(readFileSync(join(cwd, file), 'utf8')))).toBe(true);
  });

  it('are numbers in a trace: equal for equal values', async () => {
    const cwd = folderWith({ 'a.yaml': SECRET });
    await cli(['run', 'a.yaml', '--trace', 'a.trace'], { cwd });
    expect(readFileSync(join(cwd, 'a.trace'), 'utf8')).not.toContain(APPLIED);
    expect((await cli(['state', 'Secret/s', 'a.trace'], { cwd })).out).toMatch(
      /other: <redacted 4>, password: <redacted 2>, same: <redacted 2>/,
    );
    expect((await cli(['diff', 'Secret/s', 'a.trace', '--from', '1s'], { cwd })).out).toMatch(/<redacted 1>.*<redacted 4>/);
    await cli(['page', 'a.trace', '--out', 'p.html'], { cwd });
    expect(unpacked(readFileSync(join(cwd, 'p.html'), 'utf8'))).toContain('<redacted 4>');
  });

  it('are not in a page of a trace with them, unless requested', async () => {
    const cwd = folderWith({ 'a.yaml': SECRET });
    await cli(['run', 'a.yaml', '--trace', 'a.trace', '--show-secrets'], { cwd });
    await cli(['page', 'a.trace', '--out', 'p.html'], { cwd });
    expect(holds(unpacked(readFileSync(join(cwd, 'p.html'), 'utf8')))).toBe(false);
    await cli(['page', 'a.trace', '--out', 'p.html', '--show-secrets'], { cwd });
    expect(holds(unpacked(readFileSync(join(cwd, 'p.html'), 'utf8')))).toBe(true);
  });

  const BREAKS = SECRET.replace('when: settled', 'at: 20s').replace(`password: ${WORDS[0]} } } }\n`, `password: ${WORDS[2]} } } }\n`);
  it.each<[readonly string[]]>([
    [['state', 'Secret/s', 'a.yaml']],
    [['state', 'Secret/s', 'a.yaml', '--json']],
    [['state', 'a.yaml', '--json']],
    [['diff', 'Secret/s', 'a.yaml']],
    [['why', 'Secret/s', 'a.yaml']],
    [['run', 'a.yaml', '-v']],
    [['run', 'a.yaml', '-vv']],
    [['run', 'a.yaml', '--format', 'json']],
    [['run', 'a.yaml', '--format', 'junit']],
    [['walk', 'a.yaml', '--script', 'n;n;n;n;state Secret/s;why;diff;fork delete Secret/s;diff']],
  ])('is not printed by %j, of a run that breaks', async (args) => {
    const cwd = folderWith({ 'a.yaml': BREAKS });
    const { out, err } = await cli(args, { cwd });
    expect(out).toContain('Secret');
    expect(holds(out + err)).toBe(false);
    if (args.includes('--format')) return;
    const shown = await cli([...args, '--show-secrets'], { cwd });
    expect(holds(shown.out)).toBe(true);
  });

  it('are removed from a text, which is otherwise unchanged', () => {
    const text =
      '# mine\nkind: Secret # so\ndata: {a: x,  b: "y" } # end\nstringData:\n  c: |\n    one\n    two\n  d: z\n---\nkind: ConfigMap\ndata: { a: x }\n';
    expect(withoutSecrets(text)).toBe(
      '# mine\nkind: Secret # so\ndata: {a: "<redacted>",  b: "<redacted>" } # end\nstringData:\n  c: "<redacted>"\n  d: "<redacted>"\n---\nkind: ConfigMap\ndata: { a: x }\n',
    );
  });
});

describe('a truncated trace', () => {
  const torn = async (cut: (text: string) => string) => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    await cli(['run', 'a.yaml', '--trace', 'a.trace'], { cwd });
    writeFileSync(join(cwd, 'a.trace'), cut(readFileSync(join(cwd, 'a.trace'), 'utf8')));
    return cwd;
  };

  it('is read as far as it is complete, with a note about the lost part', async () => {
    const cwd = await torn((text) => text.slice(0, text.trimEnd().lastIndexOf('\n') + 20));
    for (const args of [['state'], ['why', 'Job/pi'], ['diff', 'Job/pi'], ['walk', '--script', 'n'], ['page']]) {
      const [command = '', ...more] = args;
      const { code, err } = await cli([command, ...(more[0]?.includes('/') === true ? [more[0], 'a.trace'] : ['a.trace', ...more])], {
        cwd,
      });
      expect([command, code, err]).toEqual([
        command,
        0,
        expect.stringMatching(
          /^note: a\.trace:\d+:1: the file ends within this line, which is left out: what came after step #\d+, at \d\.\d{3}s, is lost\n$/,
        ),
      ]);
    }
  });

  it.each([
    ['in its middle', (text: string) => text.replace(/\n\{"id":(\d+).*\n/, '\n{"id":$1,\n')],
    ['in its head', (text: string) => text.slice(0, 30)],
    ['by something else', (text: string) => `${text}and so on`],
  ])('is no trace where it is broken %s', async (_, cut) => {
    const { code, err } = await cli(['state', 'a.trace'], { cwd: await torn(cut) });
    expect([code, err]).toEqual([2, expect.stringMatching(/^a\.trace:\d+:1: expected /)]);
  });
});
