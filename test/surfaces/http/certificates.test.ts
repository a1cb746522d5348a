/** CertificateSigningRequests over the API: who asks, who decides, what is issued and by whom, and when they are removed. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { clusterBackend, createApi, createAuthority, rbacAccess } from '../../../src/surfaces/http/index.ts';
import { REQUEST } from '../../support/examples.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const SCENARIO =
  'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: certificates }\nspec: { domain: k8s.io, until: 1s, cluster: { bootstrap: true, nodes: { count: 1 } } }\n';
const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const TOKENS = new Map([
  ['root', { name: 'root', groups: ['system:masters', 'system:authenticated'] }],
  ['jane', { name: 'jane', groups: ['team', 'system:authenticated'], uid: '7' }],
  ['boot', { name: 'system:bootstrap:ab', groups: ['system:bootstrappers', 'system:authenticated'] }],
]);
const folder = mkdtempSync(join(tmpdir(), 'orchsim-csr-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A request made by openssl, as base64 of its PEM. */
function requestOf(subject: string, more: readonly string[] = []): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = join(folder, 'key.pem');
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return execFileSync('openssl', ['req', '-new', '-key', key, '-subj', subject, ...more]).toString('base64');
}
const hasOpenssl = ((): boolean => {
  try {
    return execFileSync('openssl', ['version']).length > 0;
  } catch {
    return false;
  }
})();

interface Stored {
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: {
    readonly certificate?: string;
    readonly conditions?: readonly { readonly type: string; readonly reason?: string; readonly message?: string }[];
  };
  readonly message?: string;
}

async function world(authority?: Awaited<ReturnType<typeof createAuthority>>) {
  const { cluster } = simulate(scenarioIn(SCENARIO), { invariants: [], certificateAuthority: authority?.signer });
  const backend = clusterBackend(cluster);
  const api = createApi({ backend, ...rbacAccess(backend, { tokens: TOKENS, anonymous: false }) });
  const ask = async (user: string, method: string, target: string, body?: unknown) => {
    const reply = await api({
      method,
      target,
      headers: { authorization: `Bearer ${user}`, 'content-type': 'application/json' },
      body: body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body)),
    });
    if ('open' in reply) throw new Error('a stream');
    return { status: reply.status, body: JSON.parse(String(reply.body)) as Stored };
  };
  await ask('root', 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'asking' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-bootstrapper' },
    subjects: ['team', 'system:bootstrappers'].map((name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name })),
  });
  const decide = async (user: string, name: string, type: string) => {
    const { body } = await ask('root', 'GET', `${CSRS}/${name}`);
    const conditions = [...(body.status.conditions ?? []), { type, status: 'True', reason: 'Tested', message: 'm' }];
    return ask(user, 'PUT', `${CSRS}/${name}/approval`, { ...body, status: { ...body.status, conditions } });
  };
  return {
    ask,
    decide,
    by: (ms: number) => cluster.runUntil(cluster.now + ms),
    create: (user: string, name: string, spec: object) => ask(user, 'POST', CSRS, { metadata: { name }, spec }),
    get: async (name: string) => (await ask('root', 'GET', `${CSRS}/${name}`)).body,
  };
}

const CLIENT = { request: REQUEST, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };

describe('a request for a certificate', () => {
  it('is validated in the words of upstream, all problems at once', async () => {
    const { create } = await world();
    const wrong = {
      request: Buffer.from('x').toString('base64'),
      signerName: 'nobody',
      usages: ['client auth', 'client auth', 'magic'],
      expirationSeconds: 5,
    };
    const { status, body } = await create('root', 'a', wrong);
    expect(status).toBe(422);
    for (const problem of [
      'spec.request: Invalid value: []byte{0x78}: PEM block type must be CERTIFICATE REQUEST',
      'spec.usages[2]: Unsupported value: "magic": supported values: "any", "cert sign", "client auth"',
      'spec.usages[1]: Duplicate value: "client auth"',
      'spec.signerName: Invalid value: "nobody": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
      'spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 600 seconds (10 minutes)',
    ])
      expect(body.message).toContain(problem);
    const nothing = await create('root', 'a', {});
    expect([nothing.status, nothing.body.message]).toEqual([
      422,
      expect.stringContaining('spec.request: Invalid value: []byte(nil): PEM block type must be CERTIFICATE REQUEST') as string,
    ]);
  });

  it('says who made it, whatever it says itself, and does not change', async () => {
    const { create, ask, get } = await world();
    expect((await create('jane', 'a', { ...CLIENT, username: 'root', groups: ['system:masters'] })).status).toBe(201);
    expect((await get('a')).spec).toMatchObject({ username: 'jane', uid: '7', groups: ['team', 'system:authenticated'] });
    const changed = { ...(await get('a')), spec: { ...CLIENT, signerName: 'example.com/other' } };
    expect((await ask('root', 'PUT', `${CSRS}/a`, changed)).body.spec).toMatchObject({ signerName: CLIENT.signerName });
  });

  it('is approved only by who may approve for its signer, and approved and signed only where each belongs', async () => {
    const { create, decide, ask, get, by } = await world();
    await create('jane', 'a', { ...CLIENT, signerName: 'example.com/signer' });
    const forbidden = await decide('jane', 'a', 'Approved');
    expect(forbidden.status).toBe(403);
    await ask('root', 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'updates' },
      rules: [{ apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests/approval'], verbs: ['update'] }],
    });
    await ask('root', 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'updates' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'updates' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
    });
    expect((await decide('jane', 'a', 'Approved')).body.message).toBe(
      'certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not permitted to approve requests with signerName "example.com/signer"',
    );
    const stored = await get('a');
    const approved = { ...stored, status: { conditions: [{ type: 'Approved', status: 'True' }] } };
    expect((await ask('root', 'PUT', `${CSRS}/a/status`, approved)).body.message).toContain(
      'updates may not add a condition of type "Approved"',
    );
    expect((await decide('root', 'a', 'Approved')).status).toBe(200);
    expect((await decide('root', 'a', 'Denied')).body.message).toContain('Approved and Denied conditions are mutually exclusive');
    const gone = { ...(await get('a')), status: {} };
    expect((await ask('root', 'PUT', `${CSRS}/a/approval`, gone)).body.message).toContain(
      'updates may not remove a condition of type "Approved"',
    );
    by(5000);
    expect((await get('a')).status.certificate).toBeUndefined();
  });

  it('gets a certificate of the authority once it is approved; elsewhere one that can be read', async () => {
    const authority = await createAuthority();
    for (const by of [authority, undefined]) {
      const here = await world(by);
      await here.create('jane', 'a', { ...CLIENT, usages: ['client auth', 'digital signature'], expirationSeconds: 3600 });
      here.by(5000);
      expect((await here.get('a')).status).toEqual({});
      await here.decide('root', 'a', 'Approved');
      here.by(5000);
      const certificate = new X509Certificate(Buffer.from((await here.get('a')).status.certificate ?? '', 'base64'));
      expect(certificate.subject).toBe('O=team-web\nCN=orchsim-example');
      expect(certificate.ca).toBe(false);
      expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
      expect(Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)).toBe(3_900_000);
      if (by === undefined) continue;
      expect(certificate.verify(new X509Certificate(by.certificate).publicKey)).toBe(true);
      expect(certificate.checkIssued(new X509Certificate(by.certificate))).toBe(true);
      expect(Math.abs(Date.parse(certificate.validTo) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    }
  });

  it('fails where its signer does not sign it, and is refused for the administrators', async () => {
    const { create, decide, get, by } = await world();
    await create('jane', 'a', { ...CLIENT, usages: ['client auth', 'server auth'] });
    await decide('root', 'a', 'Approved');
    by(5000);
    expect((await get('a')).status.conditions?.[1]).toMatchObject({ type: 'Failed', reason: 'SignerValidationFailure' });
    expect((await get('a')).status.certificate).toBeUndefined();
  });

  it.skipIf(!hasOpenssl)('of another key fails, of a node agent is approved by itself', async () => {
    const { create, decide, get, by } = await world(await createAuthority());
    const masters = await create('jane', 'masters', { ...CLIENT, request: requestOf('/O=system:masters/CN=x') });
    expect(masters.body.message).toContain('use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed');
    const bytes = Buffer.from(
      Buffer.from(REQUEST, 'base64')
        .toString()
        .replace(/-----[^-]+-----|\n/g, ''),
      'base64',
    );
    bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1;
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    await create('jane', 'forged', { ...CLIENT, request: Buffer.from(pem).toString('base64') });
    await decide('root', 'forged', 'Approved');
    const agent = { signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['digital signature', 'client auth'] };
    await create('boot', 'agent', { ...agent, request: requestOf('/O=system:nodes/CN=system:node:n1') });
    await create('jane', 'other', { ...agent, request: requestOf('/O=system:nodes/CN=system:node:n1') });
    by(5000);
    expect((await get('forged')).status.conditions?.[1]?.message).toBe('its signature is not that of its key');
    expect((await get('agent')).status).toMatchObject({
      conditions: [{ type: 'Approved', reason: 'AutoApproved' }],
      certificate: expect.any(String),
    });
    expect((await get('other')).status).toEqual({});
  });

  it('is removed an hour after it is decided, or a day after nobody did', async () => {
    const { create, decide, ask, by } = await world();
    await create('jane', 'denied', CLIENT);
    await create('jane', 'pending', CLIENT);
    await decide('root', 'denied', 'Denied');
    const there = async (name: string): Promise<number> => (await ask('root', 'GET', `${CSRS}/${name}`)).status;
    by(3_500_000);
    expect([await there('denied'), await there('pending')]).toEqual([200, 200]);
    by(200_000);
    expect([await there('denied'), await there('pending')]).toEqual([404, 200]);
    by(86_400_000);
    expect(await there('pending')).toBe(404);
  });
});
