/** Access decisions of processes by their settings: the status, the user, and how it came to that. */
import { describe, expect, it } from 'vitest';
import { accessToAgent, accessToScheduler, parseAgentConfig, parseSchedulerFlags } from '../../../src/controlplane/config/index.ts';
import type { AccessRequest } from '../../../src/controlplane/config/index.ts';

type Answer = readonly string[];
type Request = Partial<AccessRequest>;
const answered = ({ code, user, steps }: ReturnType<typeof accessToAgent>): Answer => [
  [code, user].filter((one) => one !== undefined).join(' '),
  ...steps,
];
const agent = (file: object | undefined, request: Request, ...flags: string[]): Answer =>
  answered(accessToAgent(parseAgentConfig(file, { fragment: true, flags }).config, { path: '/pods', ...request }));
const scheduler = (request: Request, ...flags: string[]): Answer =>
  answered(accessToScheduler(parseSchedulerFlags(flags).config, { path: '/metrics', ...request }));

const ANONYMOUS = 'no method authenticates the request: system:anonymous of system:unauthenticated';
const UNKNOWN = 'no method authenticates the request, and anonymous requests are refused';
const REJECTED = 'a request with a rejected certificate does not become anonymous';
const REFUSED = 'the request is refused';
const ALWAYS = 'AlwaysAllow: every authenticated request is allowed';
const user = (name: string): string => `the API server reviews the token: user ${name}`;
const allowed = (ttl = '5m0s'): string => `the API server allows it; the approval is cached for ${ttl}`;
const denied = (ttl = '30s'): string => `the API server does not allow it; the refusal is cached for ${ttl}`;
const unsigned = (name: string, by = 'client'): string => `the certificate of ${name} is not signed by an authority of the ${by} CA file`;
const alice = { token: 'alice', review: 'allowed' } as const;
type Row = readonly [string, () => Answer, Answer];

describe('an agent', () => {
  const NO_HEADERS = 'request headers are ignored: an agent does not authenticate by them';
  it.each<Row>([
    ['allows every request without a file', () => agent(undefined, {}), ['200 system:anonymous', ANONYMOUS, ALWAYS]],
    [
      'reviews no token without a file',
      () => agent(undefined, alice),
      ['200 system:anonymous', 'the token is ignored: token review is off', ANONYMOUS, ALWAYS],
    ],
    ['refuses unauthenticated requests with one', () => agent({}, {}), ['401', UNKNOWN, REFUSED]],
    ['allows what the API server allows', () => agent({}, alice), ['200 alice', user('alice'), allowed()]],
    ['refuses what it does not', () => agent({}, { ...alice, review: 'denied' }), ['403 alice', user('alice'), denied()]],
    [
      'asks the API server',
      () => agent({}, { token: 'alice' }),
      ['alice', user('alice'), 'the API server reviews the access of alice (give review=allowed or review=denied)'],
    ],
    [
      'takes no invalid token for an anonymous request',
      () => agent({}, { token: 'invalid' }, '--anonymous-auth'),
      ['401', 'the API server reviews the token: invalid', REFUSED],
    ],
    [
      'ignores certificates without their authority',
      () => agent({}, { cert: 'bob', review: 'allowed' }),
      ['401', 'the client certificate is ignored: there is no client CA file', UNKNOWN, REFUSED],
    ],
    [
      'authenticates clients by certificates with it',
      () => agent({}, { cert: 'bob', review: 'allowed' }, '--client-ca-file=ca.crt'),
      ['200 bob', 'the client certificate names bob', allowed()],
    ],
    ['ignores request headers', () => agent({}, { proxy: 'front', user: 'eve' }), ['401', NO_HEADERS, UNKNOWN, REFUSED]],
    [
      'rejects the certificate of a front proxy',
      () => agent({}, { proxy: 'front' }, '--client-ca-file=ca.crt', '--anonymous-auth'),
      ['401', NO_HEADERS, unsigned('front'), REJECTED, REFUSED],
    ],
    [
      'takes a front proxy for an anonymous client without that authority',
      () => agent({}, { proxy: 'front', review: 'denied' }, '--anonymous-auth'),
      ['403 system:anonymous', NO_HEADERS, ANONYMOUS, denied()],
    ],
    ['has no listener without a server', () => agent({ enableServer: false }, {}), ['', 'no listener: enableServer is false']],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });

  const READ_ONLY = 'the read-only port does not authenticate';
  const HEALTH = 'the health port does not authenticate';
  const readOnly = (path: string): Answer => agent({ readOnlyPort: 10_255 }, { listener: 'read-only', path });
  const health = (path: string, file: object = {}): Answer => agent(file, { listener: 'health', path });
  const closed = (path: string, more: Request = alice): Answer => agent({ enableDebuggingHandlers: false }, { path, ...more });
  it.each<Row>([
    ['has no read-only port at first', () => agent({}, { listener: 'read-only' }), ['', 'no listener: readOnlyPort is 0']],
    ['serves pods at its read-only port', () => readOnly('/pods'), ['200', READ_ONLY]],
    [
      'serves no logs there',
      () => readOnly('/logs/x'),
      ['405', READ_ONLY, 'Debug endpoints are disabled: the read-only port never serves them'],
    ],
    ['serves its health', () => health('/healthz'), ['200', HEALTH]],
    ['serves its parts', () => health('/healthz/ping'), ['200', HEALTH]],
    ['serves nothing else there', () => health('/healthzz'), ['404', HEALTH, 'it serves only /healthz']],
    ['serves no debugging there', () => health('/run/x', { enableDebuggingHandlers: false }), ['404', HEALTH, 'it serves only /healthz']],
    ['has no health port where that is 0', () => health('/healthz', { healthzPort: 0 }), ['', 'no listener: healthzPort is 0']],
    ['serves debugging', () => agent(undefined, { path: '/run/x' }), ['200 system:anonymous', ANONYMOUS, ALWAYS]],
    [
      'serves none where it is off',
      () => closed('/run/x'),
      ['405 alice', user('alice'), allowed(), 'Debug endpoints are disabled: enableDebuggingHandlers is false'],
    ],
    ['refuses it before that', () => closed('/run/x', {}), ['401', UNKNOWN, REFUSED]],
    ['serves other paths then', () => closed('/runs'), ['200 alice', user('alice'), allowed()]],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});

describe('a scheduler', () => {
  const KUBECONFIGS = ['--authentication-kubeconfig=k', '--authorization-kubeconfig=k'];
  const HEADERS = ['--requestheader-client-ca-file=h.crt', '--requestheader-allowed-names=front,back'];
  const FORBIDDEN = 'there is no --authorization-kubeconfig: other paths are forbidden';
  const NO_CLIENT_CA = 'the client certificate is ignored: there is no --client-ca-file';
  const listed = (path: string): string => `${path} is one of --authorization-always-allow-paths`;
  const wrongName = 'request headers with the certificate of other are not accepted: --requestheader-allowed-names are front, back';
  const profile = (more: Request, ...flags: string[]): Answer =>
    scheduler({ path: '/debug/pprof/x', ...alice, ...more }, ...KUBECONFIGS, ...flags);
  const health = (more: Request, ...flags: string[]): Answer => scheduler({ path: '/healthz', ...more }, ...flags);
  it.each<Row>([
    ['serves its health to every client', () => health({}), ['200 system:anonymous', ANONYMOUS, listed('/healthz')]],
    ['serves nothing else without a kubeconfig', () => scheduler({}), ['403 system:anonymous', ANONYMOUS, FORBIDDEN]],
    [
      'reviews no token without one',
      () => scheduler(alice),
      ['403 system:anonymous', 'the token is ignored: there is no --authentication-kubeconfig', ANONYMOUS, FORBIDDEN],
    ],
    [
      'serves paths that its flag lists, and those below',
      () => scheduler({ path: '/debug/x' }, '--authorization-always-allow-paths=/debug/*'),
      ['200 system:anonymous', ANONYMOUS, listed('/debug/x')],
    ],
    [
      'serves no path above',
      () => scheduler({ path: '/debug' }, '--authorization-always-allow-paths=/debug/*'),
      ['403 system:anonymous', ANONYMOUS, FORBIDDEN],
    ],
    ['has no listener where its port is 0', () => health({}, '--secure-port=0'), ['', 'no listener: --secure-port is 0']],
    ['serves profiles', () => profile({}), ['200 alice', user('alice'), allowed('10s')]],
    [
      'serves none where they are off',
      () => profile({}, '--profiling=false'),
      ['404 alice', user('alice'), allowed('10s'), 'no profiles are served: --profiling is false'],
    ],
    ['refuses them before that', () => profile({ review: 'denied' }, '--profiling=false'), ['403 alice', user('alice'), denied('10s')]],
    [
      'serves other paths then',
      () => profile({ path: '/x/debug/pprof' }, '--profiling=false'),
      ['200 alice', user('alice'), allowed('10s')],
    ],
    [
      'refuses an invalid token also for its health',
      () => health({ token: 'invalid' }, ...KUBECONFIGS),
      ['401', 'the API server reviews the token: invalid', REFUSED],
    ],
    [
      'reads the authority of certificates from the API server',
      () => scheduler({ cert: 'bob', review: 'denied' }, ...KUBECONFIGS),
      ['403 bob', 'the client certificate names bob', denied('10s')],
    ],
    [
      'does not read it where that is skipped',
      () => scheduler({ cert: 'bob', review: 'denied' }, ...KUBECONFIGS, '--authentication-skip-lookup'),
      ['403 system:anonymous', NO_CLIENT_CA, ANONYMOUS, denied('10s')],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });

  it.each<Row>([
    [
      'accepts request headers with a certificate of an allowed name',
      () => scheduler({ proxy: 'front', user: 'eve', review: 'allowed' }, ...KUBECONFIGS, ...HEADERS),
      ['200 eve', 'request headers with the certificate of front name eve', allowed('10s')],
    ],
    [
      'refuses those of another name',
      () => health({ proxy: 'other', user: 'eve' }, ...KUBECONFIGS, ...HEADERS),
      ['401', wrongName, unsigned('other'), REJECTED, REFUSED],
    ],
    [
      'accepts any name where its flag lists none',
      () => scheduler({ proxy: 'other', user: 'eve', review: 'allowed' }, ...KUBECONFIGS),
      ['200 eve', 'request headers with the certificate of other name eve', allowed('10s')],
    ],
    [
      'accepts a valid token beside them',
      () => scheduler({ proxy: 'other', user: 'eve', ...alice }, ...KUBECONFIGS, ...HEADERS),
      ['200 alice', wrongName, unsigned('other'), user('alice'), allowed('10s')],
    ],
    [
      'ignores request headers without an authority',
      () => health({ proxy: 'other', user: 'eve' }),
      ['200 system:anonymous', 'request headers are ignored: there is no --requestheader-client-ca-file', ANONYMOUS, listed('/healthz')],
    ],
    [
      'takes a front proxy without headers for an ordinary client',
      () => health({ proxy: 'front' }, ...HEADERS),
      ['200 system:anonymous', 'no request header names a user', ANONYMOUS, listed('/healthz')],
    ],
    [
      'rejects its certificate where clients have their own authority',
      () => health({ proxy: 'front' }, ...HEADERS, '--client-ca-file=ca.crt'),
      ['401', 'no request header names a user', unsigned('front'), REJECTED, REFUSED],
    ],
    [
      "rejects a client's certificate where only request headers have an authority",
      () => health({ cert: 'bob' }, ...HEADERS),
      ['401', NO_CLIENT_CA, unsigned('bob', 'request-header'), REJECTED, REFUSED],
    ],
    [
      'ignores it without any authority',
      () => health({ cert: 'bob' }),
      ['200 system:anonymous', NO_CLIENT_CA, ANONYMOUS, listed('/healthz')],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});
