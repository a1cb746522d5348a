/** Logs in to the real `orchsim serve` with only the kubeconfig that it wrote, over TLS. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthorizationV1Api, CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hasKubectl } from '../../conformance/kubectl/stories.ts';
import { isBuilt, startServing, type Serving } from '../../support/served.ts';
import { goClient, startGoClient } from '../http/go-client.ts';
import { cli, folderWith } from './cli.ts';

const has = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args, { stdio: 'ignore' }).status === 0;
const hasOpenssl = has('openssl', 'version');
const go = goClient();

const folder = mkdtempSync(join(tmpdir(), 'orchsim-tls-'));
const file = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(file(name), 'utf8');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Sends a GET or POST that trusts only `ca`. */
function ask(
  url: string,
  given: { readonly ca: string; readonly token?: string; readonly cert?: string; readonly key?: string; readonly post?: unknown },
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { ca, token, cert, key, post } = given;
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(post === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { ca, cert, key, headers, agent: false, method: post === undefined ? 'GET' : 'POST' }, (answer) => {
      let body = '';
      answer.on('data', (part: Buffer) => {
        body += part.toString('utf8');
      });
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, body: JSON.parse(body) });
      });
    });
    asked.on('error', reject);
    asked.end(post === undefined ? undefined : JSON.stringify(post));
  });
}

const caOf = (config: string): string =>
  Buffer.from(/certificate-authority-data: (\S+)/.exec(config)?.[1] ?? '', 'base64').toString('utf8');

describe.skipIf(!isBuilt)('serve --auth', () => {
  describe.each([
    ['a token of an administrator', 'root-token,root,1,"system:masters"\njane-token,jane,2\n', 'token: '],
    ['a certificate where the file has no administrator', 'jane-token,jane,2\n', 'client-certificate-data: '],
  ])('with %s', (_, tokens, login) => {
    let serving: Serving;
    beforeAll(async () => {
      writeFileSync(file('tokens.csv'), tokens);
      // Other users could read the earlier file.
      writeFileSync(file('config'), `# Written by orchsim serve\n${'old\n'.repeat(5000)}`);
      chmodSync(file('config'), 0o644);
      serving = await startServing(['--auth', 'tokens.csv', '--domain', 'k8s.io', '--clock', 'manual', '--kubeconfig', 'config'], folder);
    });
    afterAll(() => serving.stop());

    it('writes a kubeconfig for its owner alone, over one that others could read', () => {
      expect(statSync(file('config')).mode & 0o777).toBe(0o600);
      expect(text('config')).toContain(login);
      expect(text('config')).not.toContain('old');
      expect(text('config')).not.toContain('insecure');
      expect(serving.server).toBe(`https://127.0.0.1:${serving.port}`);
    });

    it.skipIf(!hasKubectl())('kubectl logs in', () => {
      const kubectl = (...args: readonly string[]): string =>
        execFileSync('kubectl', ['--kubeconfig', file('config'), ...args], {
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], HOME: folder },
        });
      expect(kubectl('get', 'nodes', '-o', 'name')).toBe('node/node-0\nnode/node-1\nnode/node-2\n');
      expect(kubectl('auth', 'can-i', '*', '*')).toBe('yes\n');
      expect(kubectl('create', 'configmap', 'c', '--from-literal=a=b')).toBe('configmap/c created\n');
    });

    it('the JavaScript client logs in', async () => {
      const config = new KubeConfig();
      config.loadFromFile(file('config'));
      expect((await config.makeApiClient(CoreV1Api).listNode()).items).toHaveLength(3);
      const may = await config
        .makeApiClient(AuthorizationV1Api)
        .createSelfSubjectAccessReview({ body: { spec: { resourceAttributes: { verb: '*', resource: '*', group: '*' } } } });
      expect(may.status?.allowed).toBe(true);
    });

    it.skipIf(go === undefined)('the Go client logs in', async () => {
      const client = await startGoClient(go ?? '', text('config'));
      try {
        expect((await client.call('namespaces_list')).text).toContain('kube-system');
      } finally {
        client.close();
      }
    });

    it('other users are identified, and refused without permissions', async () => {
      const ca = caOf(text('config'));
      const nodes = `${serving.server}/api/v1/nodes`;
      expect(await ask(nodes, { ca, token: 'jane-token' })).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('User "jane"') },
      });
      expect((await ask(nodes, { ca, token: 'guessed' })).status).toBe(401);
      expect((await ask(nodes, { ca })).status).toBe(401);
    });

    it('plain HTTP is served too, for scripts', async () => {
      const answer = await fetch(`${serving.plain ?? ''}/version`, { headers: { authorization: 'Bearer jane-token' } });
      expect(answer.status).toBe(200);
    });
  });
});

describe.skipIf(!isBuilt || !hasOpenssl)(`certificates of a user${hasOpenssl ? '' : ' (openssl is not installed)'}`, () => {
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', [...args], { cwd: folder, stdio: 'ignore' });
  };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  /** Creates a certificate of `ca` for a subject. */
  const signed = (name: string, subject: string, ca: string): void => {
    openssl('req', ...curve, '-keyout', `${name}.key`, '-subj', subject, '-out', `${name}.csr`);
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      `${ca}.pem`,
      '-CAkey',
      `${ca}.key`,
      '-days',
      '2',
      '-out',
      `${name}.pem`,
      '-CAcreateserial',
    );
  };
  let serving: Serving;
  beforeAll(async () => {
    for (const ca of ['people', 'strangers'])
      openssl('req', '-x509', ...curve, '-days', '2', '-keyout', `${ca}.key`, '-subj', `/CN=${ca}`, '-out', `${ca}.pem`);
    openssl(
      'req',
      '-x509',
      ...curve,
      '-days',
      '2',
      '-keyout',
      'own.key',
      '-subj',
      '/CN=own',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-out',
      'own.pem',
    );
    signed('ann', '/O=readers/O=writers/CN=ann', 'people');
    signed('boss', '/O=system:masters/CN=boss', 'people');
    signed('mallory', '/O=system:masters/CN=mallory', 'strangers');
    writeFileSync(file('jane.csv'), 'jane-token,jane,2\n');
    serving = await startServing(
      [
        '--auth',
        'jane.csv',
        '--anonymous',
        '--tls',
        'on',
        '--tls-cert',
        'own.pem',
        '--tls-key',
        'own.key',
        '--client-ca',
        'people.pem',
        '--domain',
        'k8s.io',
        '--clock',
        'manual',
        '--kubeconfig',
        'own-config',
      ],
      folder,
    );
  });
  afterAll(() => serving.stop());
  const as = (name: string) => ({ ca: text('own.pem'), cert: text(`${name}.pem`), key: text(`${name}.key`) });

  it('identify the client: the common name is the user, organisations are groups', async () => {
    expect(await ask(`${serving.server}/api/v1/nodes`, as('ann'))).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('User "ann"') },
    });
    expect((await ask(`${serving.server}/api/v1/nodes`, as('boss'))).status).toBe(200);
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'writers-view' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'writers' }],
    };
    expect(
      (await ask(`${serving.server}/apis/rbac.authorization.k8s.io/v1/clusterrolebindings`, { ...as('boss'), post: binding })).status,
    ).toBe(201);
    expect((await ask(`${serving.server}/api/v1/pods`, as('ann'))).status).toBe(200);
  });

  it('of an unknown CA are refused, even if anonymous requests are accepted', async () => {
    expect((await ask(`${serving.server}/version`, as('mallory'))).status).toBe(401);
    expect((await ask(`${serving.server}/version`, { ca: text('own.pem') })).status).toBe(200);
    expect((await ask(`${serving.server}/api/v1/nodes`, { ...as('mallory'), token: 'jane-token' })).status).toBe(403);
  });

  it.skipIf(!hasKubectl())('are trusted by the kubeconfig', () => {
    const out = execFileSync('kubectl', ['--kubeconfig', file('own-config'), 'get', 'nodes', '-o', 'name'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder },
    });
    expect(out).toContain('node/node-0');
  });

  it('plain requests to a secure port are refused with the reason', async () => {
    const answer = await fetch(`http://127.0.0.1:${serving.port}/version`);
    expect([answer.status, await answer.text()]).toEqual([400, 'Client sent an HTTP request to an HTTPS server.\n']);
  });
});

describe.skipIf(!isBuilt)('serve --tls on without --auth', () => {
  let serving: Serving;
  beforeAll(async () => {
    serving = await startServing(['--tls', 'on', '--domain', 'k8s.io', '--clock', 'manual', '--kubeconfig', 'open-config'], folder);
  });
  afterAll(() => serving.stop());

  it.skipIf(!hasKubectl())('kubectl is not asked for a user name', () => {
    const out = execFileSync('kubectl', ['--kubeconfig', file('open-config'), 'get', 'nodes', '-o', 'name'], {
      encoding: 'utf8',
      input: '',
      env: { PATH: process.env['PATH'], HOME: folder },
    });
    expect(out).toContain('node/node-0');
  });

  it('the kubeconfigs of the cluster and of a world beside it have a token', async () => {
    const { ca, user } = { ca: caOf(text('open-config')), user: { name: 'orchsim', user: { token: 'orchsim' } } };
    expect(parse(text('open-config'))).toMatchObject({ users: [user] });
    const { body } = await ask(`${serving.server}/sim/v1/worlds`, { ca, post: { name: 'second' } });
    expect(parse((body as { kubeconfig: string }).kubeconfig)).toMatchObject({ users: [user] });
  });
});

it('reports wrong options of TLS, and writes nothing', async () => {
  const cwd = folderWith({ 'tokens.csv': 'a,b,c\n', 'junk.pem': 'junk\n' });
  const err = async (...args: readonly string[]): Promise<string> => {
    const said = await cli(['serve', '--port', '0', '--kubeconfig', 'never', ...args], { cwd });
    expect(said.code).toBe(2);
    return said.err;
  };
  expect(await err('--tls', 'yes')).toBe('--tls: expected one of on, off, both, found "yes"\n');
  expect(await err('--tls-cert', 'junk.pem')).toBe('--tls-cert: it needs --tls-key\n');
  expect(await err('--tls-key', 'junk.pem')).toBe('--tls-key: it needs --tls-cert\n');
  expect(await err('--tls-cert', 'junk.pem', '--tls-key', 'junk.pem')).toMatch(/^--tls-cert: expected a certificate as PEM: /);
  expect(await err('--client-ca', 'junk.pem')).toBe('--client-ca: it needs TLS, which is off: add --tls on\n');
  expect(await err('--tls', 'on', '--tls-ca', 'junk.pem')).toBe('--tls-ca: it needs --tls-cert and --tls-key\n');
  expect(() => statSync(join(cwd, 'never'))).toThrow('ENOENT');
});
