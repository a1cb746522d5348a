/** Tokens of service accounts: only the server can sign one, and each ends with its account and bound object. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../../../src/controlplane/cluster.ts';
import { clusterBackend, createApi, rbacAccess, type Api } from '../../../../src/surfaces/http/index.ts';

interface Review {
  readonly authenticated?: boolean;
  readonly user: { readonly extra?: object };
}

/** The fields of all responses that are read here. */
interface Body {
  readonly metadata: { readonly uid: string };
  readonly status: Review & { readonly token: string };
}

interface Reported {
  readonly status: number;
  readonly body: Body;
}

interface Claims {
  readonly exp: number;
  readonly 'kubernetes.io': { readonly serviceaccount: { readonly uid: string } };
}

interface World {
  readonly cluster: Cluster;
  readonly api: Api;
  ask(method: string, path: string, token: string, body?: unknown): Reported;
  /** Requests a token of an account with a duration; refusals are returned whole. */
  issue(name: string, spec?: object): Reported;
  /** Reviews a token. */
  review(token: string, audiences?: readonly string[]): Review;
  /** Whether a request with the token is accepted. */
  opens(token: string): boolean;
}

const ROOT = 'root';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';

/** `key`: the same for two servers that share it. */
function world(key?: Uint8Array): World {
  const cluster = createCluster({ domain: 'k8s.io', nodes: [{ name: 'node-0', capacity: { cpu: '4', memory: '8Gi', pods: '110' } }] });
  const backend = clusterBackend(cluster);
  const tokens = new Map([[ROOT, { name: 'root', groups: ['system:masters', 'system:authenticated'] }]]);
  const api = createApi({ backend, ...rbacAccess(backend, { tokens, anonymous: false, ...(key === undefined ? {} : { key }) }) });
  const ask: World['ask'] = (method, path, token, body) => {
    const reply = api({
      method,
      target: path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
    });
    if (reply instanceof Promise || 'open' in reply) throw new Error('expected an answer at once');
    return { status: reply.status, body: JSON.parse(String(reply.body)) as Body };
  };
  return {
    cluster,
    api,
    ask,
    issue: (name, spec = {}) => ask('POST', `${ACCOUNTS}/${name}/token`, ROOT, { spec }),
    review: (token, audiences) =>
      ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', ROOT, { spec: { token, audiences } }).body.status,
    opens: (token) => ask('GET', '/version', token).status === 200,
  };
}

const tokenIn = ({ status, body }: Reported): string => {
  expect(status).toBe(201);
  return body.status.token;
};
const claimsIn = (token: string): Claims => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Claims;
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const pod = (name: string, serviceAccountName = 'default') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { serviceAccountName, containers: [{ name: 'c', image: 'i' }] },
});

describe('a token of a service account', () => {
  it('identifies its account, in requests and in reviews', () => {
    const { issue, review, opens, cluster } = world();
    const answer = issue('default');
    const token = tokenIn(answer);
    expect(answer.body).toMatchObject({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name: 'default', namespace: 'default' },
      spec: { audiences: ['https://kubernetes.default.svc'], expirationSeconds: 3600, boundObjectRef: null },
      status: { expirationTimestamp: '2024-01-01T01:00:00Z' },
    });
    expect(opens(token)).toBe(true);
    expect(review(token)).toEqual({
      authenticated: true,
      audiences: ['https://kubernetes.default.svc'],
      user: {
        username: 'system:serviceaccount:default:default',
        uid: cluster.store.get('ServiceAccount', 'default/default')?.metadata.uid,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      },
    });
  });

  it('cannot be forged from the data of the API', () => {
    const { issue, review, opens } = world();
    const token = tokenIn(issue('default'));
    const [head = '', body = '', signature = ''] = token.split('.');
    const claims = claimsIn(token);
    const forged = [
      // The same claims without a signature, for another account, without expiry, with a guessed key.
      `${encoded({ alg: 'none', typ: 'JWT' })}.${body}.`,
      `${encoded({ alg: 'none', typ: 'JWT' })}.${body}.${signature}`,
      `${head}.${encoded({ ...claims, exp: claims.exp + 1 })}.${signature}`,
      `${head}.${encoded({ ...claims, sub: 'system:serviceaccount:kube-system:default' })}.${signature}`,
      ...['', 'secret', claims['kubernetes.io'].serviceaccount.uid].map(
        (key) => `${head}.${body}.${createHmac('sha256', key).update(`${head}.${body}`).digest('base64url')}`,
      ),
      `${head}.${body}.${signature.slice(0, -1)}`,
      `${head}.${body}.${signature}=`,
      `${head}.${body}`,
      `${head}..${signature}`,
      `${head}.${body}.${signature}.${signature}`,
      '.',
      '..',
    ];
    for (const each of forged) {
      expect(opens(each), each).toBe(false);
      expect(review(each), each).toEqual({ user: {}, error: '[invalid bearer token]' });
    }
    expect(opens(token)).toBe(true);
  });

  it('of one server is invalid for another, unless they share a key', () => {
    const key = new Uint8Array(32).fill(7);
    const token = tokenIn(world().issue('default'));
    expect(world().opens(token)).toBe(false);
    expect(world(key).opens(tokenIn(world(key).issue('default')))).toBe(true);
  });

  it('ends with its expiry', () => {
    const { issue, opens, review, cluster } = world();
    const token = tokenIn(issue('default', { expirationSeconds: 600 }));
    cluster.runUntil(cluster.now + 599_999);
    expect(opens(token)).toBe(true);
    cluster.runUntil(cluster.now + 1);
    expect(opens(token)).toBe(false);
    expect(review(token).authenticated).toBeUndefined();
  });

  it('ends with its account, and is invalid for a new one with the same name', () => {
    const { issue, opens, ask } = world();
    expect(ask('POST', ACCOUNTS, ROOT, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } }).status).toBe(201);
    const token = tokenIn(issue('robot'));
    expect(opens(token)).toBe(true);
    ask('DELETE', `${ACCOUNTS}/robot`, ROOT);
    expect(opens(token)).toBe(false);
    ask('POST', ACCOUNTS, ROOT, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
    expect(opens(token)).toBe(false);
  });

  it('that is bound to a pod names it, and ends with it', () => {
    const { issue, opens, review, ask, cluster } = world();
    const made = ask('POST', '/api/v1/namespaces/default/pods', ROOT, pod('web'));
    expect(made.status).toBe(201);
    const token = tokenIn(
      issue('default', { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web', uid: made.body.metadata.uid } }),
    );
    expect(review(token).user.extra).toEqual({
      'authentication.kubernetes.io/pod-name': ['web'],
      'authentication.kubernetes.io/pod-uid': [made.body.metadata.uid],
    });
    cluster.runUntil(cluster.now + 5_000);
    expect(opens(token)).toBe(true);
    ask('DELETE', '/api/v1/namespaces/default/pods/web', ROOT);
    cluster.runUntil(cluster.now + 60_000);
    expect(ask('GET', '/api/v1/namespaces/default/pods/web', ROOT).status).toBe(404);
    expect(opens(token)).toBe(false);
    expect(review(token)).toEqual({ user: {}, error: '[invalid bearer token]' });
  });

  it('that is bound to a secret ends with it, and names no pod', () => {
    const { issue, opens, review, ask, cluster } = world();
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key' } };
    const made = ask('POST', '/api/v1/namespaces/default/secrets', ROOT, secret);
    const bound = { kind: 'Secret', apiVersion: 'v1', name: 'key', uid: made.body.metadata.uid };
    const token = tokenIn(issue('default', { boundObjectRef: bound }));
    expect([opens(token), review(token).user.extra]).toEqual([true, undefined]);
    ask('DELETE', '/api/v1/namespaces/default/secrets/key', ROOT);
    cluster.runUntil(cluster.now + 1_000);
    expect(opens(token)).toBe(false);
    ask('POST', '/api/v1/namespaces/default/secrets', ROOT, secret);
    expect([opens(token), review(token)]).toEqual([false, { user: {}, error: '[invalid bearer token]' }]);
  });

  it('stays valid for a minute after its secret began to go, while the secret exists', () => {
    const { issue, opens, ask, cluster } = world();
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', finalizers: ['example.com/hold'] } };
    const { uid } = ask('POST', '/api/v1/namespaces/default/secrets', ROOT, secret).body.metadata;
    const token = tokenIn(issue('default', { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'key', uid } }));
    ask('DELETE', '/api/v1/namespaces/default/secrets/key', ROOT);
    cluster.runUntil(cluster.now + 60_000);
    expect(opens(token)).toBe(true);
    cluster.runUntil(cluster.now + 1);
    expect(opens(token)).toBe(false);
  });

  it('for another audience is refused, and a review shows the audience', () => {
    const { issue, opens, review } = world();
    const token = tokenIn(issue('default', { audiences: ['vault', 'bank'] }));
    expect(opens(token)).toBe(false);
    expect(review(token)).toEqual({ user: {}, error: '[invalid bearer token]' });
    expect(review(token, ['bank', 'shop'])).toMatchObject({ authenticated: true, audiences: ['bank'] });
  });

  it('needs no memory: the same request in the same second gives the same token', () => {
    const { issue } = world();
    expect(tokenIn(issue('default'))).toBe(tokenIn(issue('default')));
  });

  it.each([
    [{ expirationSeconds: 599 }, 422, 'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes'],
    [{ expirationSeconds: 2 ** 32 + 1 }, 422, 'may not specify a duration larger than 2^32 seconds'],
    [{ boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'node-0' } }, 400, 'cannot bind token to object of type /v1, Kind=Node'],
    [{ boundObjectRef: { kind: '__proto__', apiVersion: 'v1', name: 'x' } }, 400, 'cannot bind token to object of type'],
    [{ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } }, 404, 'pods "none" not found'],
    [{ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'other' } }, 400, 'pod running with different serviceaccount name'],
    [{ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'own', uid: 'x' } }, 409, 'the UID in the bound object reference (x)'],
  ])('refuses %j', (spec, status, message) => {
    const { issue, ask } = world();
    ask('POST', ACCOUNTS, ROOT, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
    for (const each of [pod('own'), pod('other', 'robot')])
      expect(ask('POST', '/api/v1/namespaces/default/pods', ROOT, each).status).toBe(201);
    expect(issue('default', spec)).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
  });
});
