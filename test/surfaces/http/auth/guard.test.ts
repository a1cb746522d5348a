/** Who sends a request: certificates, tokens, the anonymous user, and users whom another one acts for. */
import { describe, expect, it } from 'vitest';
import type { User } from '../../../../src/apiserver/request/index.ts';
import { readTokens, tokenGuard } from '../../../../src/surfaces/http/index.ts';
import { setup } from '../setup.ts';

const NO_BODY = new Uint8Array();
type Peer = { readonly name: string; readonly groups: readonly string[] } | 'untrusted';
const EVE: User = { name: 'eve', groups: ['system:authenticated'] };
const ACCOUNT: User = { name: 'system:serviceaccount:a:b', groups: ['system:serviceaccounts'] };

function userOf(
  headers: Readonly<Record<string, string>>,
  { peer, anonymous = false }: { peer?: Peer; anonymous?: boolean } = {},
): unknown {
  const guard = tokenGuard({ tokens: new Map([['t', EVE]]), accounts: new Map([['a', ACCOUNT]]), anonymous });
  try {
    return guard.authenticate({ method: 'GET', target: '/', headers, body: NO_BODY, ...(peer === undefined ? {} : { peer }) });
  } catch (thrown) {
    return (thrown as { readonly status: object }).status;
  }
}

const UNAUTHORIZED = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
};
const ANONYMOUS = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

describe('a request', () => {
  it.each<[string | undefined, unknown]>([
    ['Bearer t', EVE],
    ['bearer t', EVE],
    ['  BEARER t and more ', EVE],
    ['Bearer a', ACCOUNT],
    ['Bearer x', UNAUTHORIZED],
    ['Bearer', UNAUTHORIZED],
    ['Bearer ', UNAUTHORIZED],
    ['Basic t', UNAUTHORIZED],
    ['t', UNAUTHORIZED],
    ['', UNAUTHORIZED],
    [undefined, UNAUTHORIZED],
  ])('with the header %s is of its user, or refused', (authorization, expected) => {
    expect(userOf(authorization === undefined ? {} : { authorization })).toEqual(expected);
  });

  it('without a token is of the anonymous user where that is allowed; one with a wrong token, or certificate, is not', () => {
    const anonymous = true;
    expect([
      userOf({}, { anonymous }),
      userOf({ authorization: 'Basic t' }, { anonymous }),
      userOf({ authorization: 'Bearer t' }, { anonymous }),
      userOf({ authorization: 'Bearer x' }, { anonymous }),
      userOf({}, { anonymous, peer: 'untrusted' }),
    ]).toEqual([ANONYMOUS, ANONYMOUS, EVE, UNAUTHORIZED, UNAUTHORIZED]);
  });

  it('with a certificate is of its user, whatever the token says; one that is not trusted leaves it to the token', () => {
    const peer = { name: 'mallory', groups: ['dev'] };
    const token = { authorization: 'Bearer t' };
    expect([
      userOf({}, { peer }),
      userOf(token, { peer }),
      userOf({}, { peer: { name: 'm', groups: ['system:authenticated', 'dev'] } }),
      userOf(token, { peer: 'untrusted' }),
    ]).toEqual([
      { name: 'mallory', groups: ['dev', 'system:authenticated'] },
      { name: 'mallory', groups: ['dev', 'system:authenticated'] },
      { name: 'm', groups: ['system:authenticated', 'dev'] },
      EVE,
    ]);
  });

  it('is of a user of the tokens alone where no accounts have tokens', () => {
    const guard = tokenGuard({ tokens: new Map([['t', EVE]]), anonymous: false });
    expect(guard.authenticate({ method: 'GET', target: '/', headers: { authorization: 'Bearer t' }, body: NO_BODY })).toBe(EVE);
  });
});

describe('a file of tokens', () => {
  it('has a line for each user, with groups in quotes; empty lines and comments are skipped', () => {
    const file = [
      '# token,user,uid,groups',
      't1,alice,1',
      '',
      '   ',
      't2,bob,2,dev',
      't3,carol,3,"dev, ops,,system:authenticated"  ',
      '"t,4","d""ave",4,',
      't1,second,1',
      't5,eve,',
    ].join('\n');
    expect(readTokens(file)).toEqual(
      new Map([
        ['t1', { name: 'second', uid: '1', groups: ['system:authenticated'] }],
        ['t2', { name: 'bob', uid: '2', groups: ['dev', 'system:authenticated'] }],
        ['t3', { name: 'carol', uid: '3', groups: ['dev', 'ops', 'system:authenticated'] }],
        ['t,4', { name: 'd"ave', uid: '4', groups: ['system:authenticated'] }],
        ['t5', { name: 'eve', groups: ['system:authenticated'] }],
      ]),
    );
    expect(readTokens('')).toEqual(new Map());
  });

  it.each([
    ['token,user', 1],
    ['t,u,1\n,user,2', 2],
    ['t,u,1\n\nt2,,2', 3],
    ['t,u,"1', 1],
    ['t,"u"x,1', 1],
  ])('%j is refused with its line', (file, line) => {
    expect(readTokens(file)).toEqual({ error: `line ${line}: expected token,user,uid or token,user,uid,"group1,group2"` });
  });
});

describe('impersonation', () => {
  const asked = async (headers: Readonly<Record<string, string>>) => {
    const seen: unknown[] = [];
    const guard = tokenGuard({
      tokens: new Map([['t', EVE]]),
      anonymous: false,
      authorize: (_, user) => seen.push(user),
      authorizeImpersonation: (user, as) => seen.push([user.name, { ...as, extra: [...as.extra] }]),
    });
    const { ask } = setup({}, () => ({ guard }));
    const { status, text, type } = await ask('GET', '/api/v1/namespaces?limit=1', undefined, { authorization: 'Bearer t', ...headers });
    return status === 200 ? seen : { status, text, type };
  };

  it('is none without its headers', async () => {
    expect(await asked({})).toEqual([EVE]);
    expect(await asked({ 'impersonate-user': '', 'impersonate-group': '', 'impersonate-uid': '' })).toEqual([EVE]);
  });

  it('is authorized with all that the headers say, and the request then with the other user', async () => {
    expect(
      await asked({
        'impersonate-user': 'alice',
        'impersonate-uid': 'u',
        'impersonate-group': 'dev, ops',
        'impersonate-extra-scopes': 'view,edit',
        'impersonate-extra-acme.com%2fproject': 'x',
        'impersonate-extra-bad%zz': 'y',
      }),
    ).toEqual([
      [
        'eve',
        {
          user: 'alice',
          uid: 'u',
          groups: ['dev', 'ops'],
          extra: [
            ['acme.com/project', ['x']],
            ['bad%zz', ['y']],
            ['scopes', ['view', 'edit']],
          ],
        },
      ],
      {
        name: 'alice',
        groups: ['dev', 'ops', 'system:authenticated'],
        uid: 'u',
        extra: { 'acme.com/project': ['x'], 'bad%zz': ['y'], scopes: ['view', 'edit'] },
      },
    ]);
  });

  it.each<[string, string, readonly string[]]>([
    ['alice', '', ['system:authenticated']],
    ['alice', 'dev', ['dev', 'system:authenticated']],
    ['alice', 'system:authenticated', ['system:authenticated']],
    ['alice', 'system:unauthenticated', ['system:unauthenticated']],
    ['system:anonymous', '', ['system:unauthenticated']],
    ['system:anonymous', 'dev', ['dev', 'system:unauthenticated']],
    ['system:anonymous', 'system:unauthenticated', ['system:unauthenticated']],
    ['system:serviceaccount:a:b', '', ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated']],
    ['system:serviceaccount:a:b', 'dev', ['dev', 'system:authenticated']],
    ['system:serviceaccount:a', '', ['system:authenticated']],
    ['x:system:serviceaccount:a:b', '', ['system:authenticated']],
    ['system:serviceaccount:a:b:c', '', ['system:authenticated']],
  ])('of %s with the groups %j gives the groups %j', async (user, groups, expected) => {
    const seen = await asked({ 'impersonate-user': user, ...(groups === '' ? {} : { 'impersonate-group': groups }) });
    expect((seen as readonly unknown[])[1]).toEqual({ name: user, groups: expected });
  });

  it.each<[Readonly<Record<string, string>>, string]>([
    [{ 'impersonate-group': 'dev,ops' }, '{Group  dev    } {Group  ops    }'],
    [{ 'impersonate-uid': 'u' }, '{UID authentication.k8s.io/v1 u    }'],
    [{ 'impersonate-extra-a': 'x,y' }, '{UserExtra authentication.k8s.io/v1 x   a } {UserExtra authentication.k8s.io/v1 y   a }'],
    [
      { 'impersonate-group': 'dev', 'impersonate-uid': 'u', 'impersonate-extra-a': 'x' },
      '{Group  dev    } {UserExtra authentication.k8s.io/v1 x   a } {UID authentication.k8s.io/v1 u    }',
    ],
  ])('without a user is a server error, as upstream: %j', async (headers, references) => {
    expect(await asked(headers)).toEqual({
      status: 500,
      type: 'text/plain; charset=utf-8',
      text: `Internal Server Error: "/api/v1/namespaces?limit=1": requested [${references}] without impersonating a user\n`,
    });
  });
});
