/** Who may ask a served cluster, and how it is reached: tokens, TLS, certificates, origins, and what is said of options that do not fit. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createAuthority, listen } from '../../../src/surfaces/http/index.ts';
import { text } from '../../../src/surfaces/http/message.ts';
import { accessFrom, gateFor, readFile, securedBy, type TlsArguments, writeKubeconfig } from '../../../src/surfaces/cli/serve/access.ts';
import { openAuditLog, requestLog } from '../../../src/surfaces/cli/serve/log.ts';
import { servedCluster } from '../../../src/surfaces/cli/serve/start.ts';
import { readInstant } from '../../../src/surfaces/cli/commands/serve.ts';
import { BadInput } from '../../../src/surfaces/cli/exit.ts';
import { cli, folderWith, silentIo } from './cli.ts';

const ask = async (act: () => unknown): Promise<string> => {
  try {
    await act();
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
  return '';
};
const authority = await createAuthority();
const pair = await authority.forServer(['127.0.0.1']);
const other = await authority.forServer(['example.com']);
/** Files by name. */
const FILES: Readonly<Record<string, string>> = {
  cert: pair.certificate,
  key: pair.key,
  'other.key': other.key,
  ca: authority.certificate,
  empty: '',
  text: 'not a certificate',
};
const read = (name: string): string => FILES[name] ?? '';
const secured = (more: Partial<TlsArguments> = {}) => securedBy({ host: '127.0.0.1', ...more }, read);
/** The mode, by what is served: plain HTTP, HTTPS, or both. */
const modeOf = async (more: Partial<TlsArguments>): Promise<string> => {
  const { tls } = await secured(more);
  return tls === undefined ? 'off' : tls.plainToo ? 'both' : 'on';
};

describe('TLS', () => {
  it.each<[Partial<TlsArguments>, string]>([
    [{}, 'off'],
    [{ tls: 'on' }, 'on'],
    [{ tls: 'both' }, 'both'],
    [{ tls: 'off', auth: 'tokens' }, 'off'],
    [{ auth: 'tokens' }, 'both'],
    [{ auth: 'tokens', host: 'localhost' }, 'both'],
    [{ auth: 'tokens', host: '::1' }, 'both'],
    [{ auth: 'tokens', host: '127.1.2.3' }, 'both'],
    [{ auth: 'tokens', host: '0.0.0.0' }, 'on'],
    [{ auth: 'tokens', host: '127.example.com' }, 'on'],
    [{ auth: 'tokens', host: '192.168.0.1' }, 'on'],
    [{ tlsCert: 'cert', tlsKey: 'key' }, 'on'],
    [{ tlsCert: 'cert', tlsKey: 'key', tls: 'both' }, 'both'],
  ])('with %j is %s', async (given, mode) => {
    expect(await modeOf(given)).toBe(mode);
  });

  it.each<[Partial<TlsArguments>, string]>([
    [{ tls: 'yes' }, '--tls: expected one of on, off, both, found "yes"'],
    [{ tlsCa: 'ca' }, '--tls-ca: it needs --tls-cert and --tls-key'],
    [{ tlsCert: 'cert' }, '--tls-cert: it needs --tls-key'],
    [{ tlsKey: 'key' }, '--tls-key: it needs --tls-cert'],
    [{ tls: 'off', tlsCert: 'cert', tlsKey: 'key' }, '--tls-cert: it needs TLS, which is off: add --tls on'],
    [{ tls: 'off', clientCa: 'ca' }, '--client-ca: it needs TLS, which is off: add --tls on'],
    [{ clientCa: 'ca' }, '--client-ca: it needs TLS, which is off: add --tls on'],
    [{ tls: 'on', clientCa: 'text' }, '--client-ca: expected a certificate as PEM: '],
    [{ tls: 'on', clientCa: 'empty' }, '--client-ca: expected a certificate as PEM: error:0480006C:PEM routines::no start line'],
    [{ tlsCert: 'text', tlsKey: 'key' }, '--tls-cert: expected a certificate as PEM: '],
    [{ tlsCert: 'cert', tlsKey: 'key', tlsCa: 'text' }, '--tls-ca: expected a certificate as PEM: '],
    [{ tlsCert: 'cert', tlsKey: 'other.key' }, '--tls-key: other.key holds no key for cert: '],
    [{ tlsCert: 'cert', tlsKey: 'text' }, '--tls-key: text holds no key for cert: '],
  ])('is refused with %j', async (given, said) => {
    expect((await ask(() => secured(given))).slice(0, said.length)).toBe(said);
  });

  it('makes a certificate for the address and for the names of the service', async () => {
    const { tls, credentials, signer } = await secured({ tls: 'on', host: 'my.host' });
    const { subjectAltName = '' } = new X509Certificate(tls?.certificate ?? '');
    expect(subjectAltName.split(', ').toSorted()).toEqual([
      'DNS:kubernetes',
      'DNS:kubernetes.default',
      'DNS:kubernetes.default.svc',
      'DNS:localhost',
      'DNS:my.host',
      'IP Address:0:0:0:0:0:0:0:1',
      'IP Address:127.0.0.1',
    ]);
    expect(tls?.clientCas).toEqual([credentials.ca]);
    expect([credentials.client, signer === undefined]).toEqual([undefined, false]);
    expect(new X509Certificate(tls?.certificate ?? '').verify(new X509Certificate(credentials.ca ?? '').publicKey)).toBe(true);
  });

  it('takes given certificates: clients trust the server certificate itself, or the CA that is named', async () => {
    const given = { tlsCert: 'cert', tlsKey: 'key' };
    const own = await secured(given);
    expect([own.tls?.certificate, own.tls?.key, own.credentials.ca]).toEqual([pair.certificate, pair.key, pair.certificate]);
    expect((await secured({ ...given, tlsCa: 'ca' })).credentials.ca).toBe(authority.certificate);
    const { tls } = await secured({ ...given, clientCa: 'ca' });
    expect([tls?.clientCas.length, tls?.clientCas[1]]).toEqual([2, authority.certificate]);
    expect(await secured()).toEqual({ tls: undefined, credentials: {} });
  });

  it('gives the administrator a certificate where requests are authorized', async () => {
    const { client } = (await secured({ auth: 'tokens' })).credentials;
    const { subject } = new X509Certificate(client?.certificate ?? '');
    expect(subject.split('\n').toSorted()).toEqual(['CN=orchsim-admin', 'O=system:masters']);
  });
});

describe('tokens', () => {
  const tokens = (text: string) => accessFrom('tokens', false, () => text);

  it('are read, and that of the first administrator is found', () => {
    expect(accessFrom(undefined, false, read)).toBeUndefined();
    expect(tokens('a,jane,1\nb,root,2,"x,system:masters"\nc,root,3,"system:masters"\n')).toMatchObject({ adminToken: 'b' });
    expect(tokens('a,jane,1\n')?.adminToken).toBeUndefined();
  });

  it('are wrong', async () => {
    expect(await ask(() => accessFrom(undefined, true, read))).toBe('--anonymous: it needs --auth');
    expect(await ask(() => tokens('a'))).toMatch(/^tokens: /);
  });
});

describe('files', () => {
  it('of a kubeconfig are readable for their owner alone', () => {
    const cwd = folderWith({ config: 'old' });
    writeKubeconfig('config', 'kind: Config\n', { cwd });
    expect(readFileSync(join(cwd, 'config'), 'utf8')).toBe(
      '# Written by orchsim serve; the next one with this --kubeconfig replaces it.\nkind: Config\n',
    );
    expect(statSync(join(cwd, 'config')).mode & 0o777).toBe(0o600);
  });

  it('are read, or said to be missing', async () => {
    const cwd = folderWith({ a: 'text' });
    expect(readFile('a', { cwd })).toBe('text');
    expect(await ask(() => readFile('b', { cwd }))).toBe('b: it cannot be read: no such file or folder');
  });

  it('of audit logs are of the first world alone, and keep files of users', async () => {
    const cwd = folderWith({ mine: 'mine\n', audit: '{"kind":"Event","apiVersion":"audit.k8s.io/v1"}\n' });
    const io = { cwd, err: () => undefined };
    expect(await ask(() => openAuditLog('mine', false, io))).toBe('--audit-log: mine exists and has other contents; --force overwrites it');
    expect(await ask(() => openAuditLog('no/where', false, io))).toBe('--audit-log: no/where cannot be written: no such file or folder');
    for (const [name, force] of [
      ['audit', false],
      ['mine', true],
    ] as const) {
      openAuditLog(name, force, io).close();
      expect(readFileSync(join(cwd, name), 'utf8')).toBe('');
    }
    const { observing, close } = openAuditLog('new', false, io);
    expect([observing(0).length, observing(0).length]).toEqual([1, 0]);
    close();
  });
});

it('requests are logged at their level', async () => {
  const logged = (level: string): readonly unknown[] => {
    const lines: object[] = [];
    const { onServed, onFailure } = requestLog(level, { ...silentIo('/'), err: (text) => void lines.push(JSON.parse(text) as object) });
    onServed?.({ method: 'GET', target: '/api', status: 200, ms: 1.26, agent: 'kubectl' });
    onFailure?.('text');
    onFailure?.(Object.assign(new Error('no'), { stack: 'Error: no' }));
    return lines.map((line) => ({ ...line, time: undefined }));
  };
  const errors = [
    { level: 50, time: undefined, error: 'text', msg: 'a request caused an internal error' },
    { level: 50, time: undefined, stack: 'Error: no', msg: 'a request caused an internal error' },
  ];
  expect(logged('warn')).toEqual(errors);
  expect(logged('info')).toEqual([
    { level: 30, time: undefined, method: 'GET', target: '/api', status: 200, ms: 1.3, agent: 'kubectl', msg: 'request' },
    ...errors,
  ]);
  expect(logged('silent')).toEqual([]);
  expect(await ask(() => logged('loud'))).toBe('--log-level: expected one of trace, debug, info, warn, error, silent, found "loud"');
});

it('origins are addresses of pages', async () => {
  expect(await ask(() => gateFor(['http://localhost:3000', 'nothing']))).toMatch(/^--allow-origin: /);
  expect(gateFor(['http://localhost:3000'])({ host: '::1', port: 8_080 })).toBeDefined();
});

it('a served cluster has Events and managed fields, unless its scenario says otherwise', () => {
  expect(servedCluster({ nodes: [] } as never)).toEqual({ nodes: [], bootstrap: true, podEvents: true, managedFields: true });
  expect(servedCluster({ podEvents: false, bootstrap: undefined } as never)).toEqual({
    podEvents: false,
    bootstrap: true,
    managedFields: true,
  });
});

it('the start of virtual time is now, or an instant', async () => {
  expect(readInstant('2024-03-01T00:00:00Z')).toBe(Date.UTC(2024, 2, 1));
  const before = Math.floor(Date.now() / 1000) * 1000;
  const now = readInstant('now');
  expect([now % 1_000, now >= before, now <= Date.now()]).toEqual([0, true, true]);
  expect(await ask(() => readInstant('noon'))).toBe('--start: expected now or an instant such as 2024-03-01T00:00:00Z, found "noon"');
  expect(await ask(() => readInstant('9999-12-31T23:59:59Z'))).toMatch(
    /^--start: expected an instant up to \d{4}-.*Z, found 9999-12-31T23:59:59Z$/,
  );
});

const taken = await listen(() => text(200, ''), { port: 0 });
afterAll(taken.close);

describe('a wrong option is refused before anything is served', () => {
  it.each([
    [['--port', 'x'], '--port: expected a whole number from 0 to 65535, found "x"'],
    [['--port', '65536'], '--port: expected a whole number from 0 to 65535, found "65536"'],
    [['--port', '-1'], '--port: expected a whole number from 0 to 65535, found "-1"'],
    [['--speed', '0'], '--speed: expected a number above 0 and at most 100000, found "0"'],
    [['--speed', '100001'], '--speed: expected a number above 0 and at most 100000, found "100001"'],
    [['--clock', 'fast'], '--clock: expected one of manual, auto, realtime, found "fast"'],
    [['--max-objects', '0'], '--max-objects: expected a whole number from 1 on, found "0"'],
    [['--host', '203.0.113.1', '--port', '0'], '--host: listen EADDRNOTAVAIL: address not available 203.0.113.1'],
    [['--port', String(taken.port)], `--port: listen EADDRINUSE: address already in use 127.0.0.1:${taken.port}`],
    [['--anonymous'], '--anonymous: it needs --auth'],
    [['--webhook', 'x'], '--webhook: '],
    [['--kubeconfig', 'mine'], '--kubeconfig: mine exists and has other contents; --force overwrites it'],
  ])('%j', async (words, said) => {
    const { code, out, err } = await cli(['serve', ...words], { cwd: folderWith({ mine: 'mine' }), stop: AbortSignal.abort() });
    expect([code, out, err.slice(0, said.length)]).toEqual([2, '', said]);
  });
});

describe('what is announced', () => {
  const announced = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await cli(['serve', '--port', '0', ...words], {
      cwd: folderWith({ tokens: 'a,root,1,"system:masters"\n', users: 'a,jane,1\n' }),
      stop: AbortSignal.abort(),
    });
    expect([code, err]).toEqual([0, '']);
    return out.replaceAll(/(127\.0\.0\.1):\d+/g, '$1:PORT');
  };

  it('is where it is served, under which names, with which clock', async () => {
    expect(await announced()).toBe('http://127.0.0.1:PORT serves empty-cluster (names of orch.io, clock auto); Ctrl-C ends it\n');
    expect(await announced('--domain', 'k8s.io', '--clock', 'realtime', '--speed', '2.5', '--kubeconfig', 'my config')).toBe(
      "http://127.0.0.1:PORT serves empty-cluster (names of k8s.io, clock realtime at 2.5x); KUBECONFIG='my config'; Ctrl-C ends it\n",
    );
    expect(await announced('--auth', 'tokens', '--clock', 'manual')).toBe(
      'https://127.0.0.1:PORT (and http://127.0.0.1:PORT) serves empty-cluster (names of orch.io, clock manual); Ctrl-C ends it\n',
    );
  });

  it('is a line of JSON for programs', async () => {
    const documentOf = async (...words: readonly string[]) =>
      JSON.parse((await announced('--json', ...words)).replaceAll(/"port":\d+/g, '"port":1')) as Readonly<Record<string, string>>;
    const { kubeconfigText, ...open } = await documentOf();
    expect(open).toEqual({ server: 'http://127.0.0.1:PORT', port: 1, clock: 'auto', domain: 'orch.io', token: 'orchsim' });
    expect(kubeconfigText).toContain('server: http://127.0.0.1:PORT');
    const { kubeconfigText: text, ...closed } = await documentOf('--auth', 'tokens', '--kubeconfig', 'c');
    expect(closed).toEqual({
      server: 'https://127.0.0.1:PORT',
      port: 1,
      clock: 'auto',
      domain: 'orch.io',
      plain: 'http://127.0.0.1:PORT',
      token: 'a',
      kubeconfig: 'c',
    });
    expect(text).toContain('token: a');
    // Without an administrator in the file, a certificate logs in.
    const certified = await documentOf('--auth', 'users');
    expect([certified['token'], certified['kubeconfigText']?.includes('client-certificate-data')]).toEqual([undefined, true]);
  });
});
