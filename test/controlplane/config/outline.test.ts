/** Listeners, authentication and authorization of processes by their settings: flags and file have different defaults. */
import { describe, expect, it } from 'vitest';
import { parseAgentConfig, parseSchedulerFlags } from '../../../src/controlplane/config/index.ts';

const agent = (file?: object, ...flags: string[]) => parseAgentConfig(file, { fragment: true, flags }).outline;
const scheduler = (...flags: string[]) => parseSchedulerFlags(flags).outline;
const listed = (outline: ReturnType<typeof agent>) =>
  outline.listeners.map(({ name, address = 'closed', protocol }) => `${name} ${protocol} ${address}`);

describe('listeners of an agent', () => {
  it('are three, of which the read-only port is closed', () => {
    expect(listed(agent({}))).toEqual([
      'server https 0.0.0.0:10250 (all addresses)',
      'read-only http closed',
      'health http 127.0.0.1:10248',
    ]);
  });

  it('follow its settings, and say what closes them', () => {
    expect(listed(agent({ address: 'fd00::1', port: 1, readOnlyPort: 2, healthzPort: 0 }))).toEqual([
      'server https [fd00::1]:1',
      'read-only http [fd00::1]:2',
      'health http closed',
    ]);
    const closed = agent({ enableServer: false, readOnlyPort: 2 }).listeners;
    expect(closed.map(({ address, says }) => [address, says])).toEqual([
      [undefined, 'closed: enableServer is false'],
      [undefined, 'closed: enableServer is false'],
      ['127.0.0.1:10248', 'answers /healthz'],
    ]);
    expect(agent({}, '--address=::').listeners[0]?.address).toBe('[::]:10250 (all addresses)');
  });

  it('show the configured certificate, a self-signed one, or a requested one', () => {
    const says = (file: object, ...flags: string[]) => agent(file, ...flags).listeners[0]?.says.split('; ')[0];
    expect(says({})).toBe('shows a self-signed certificate from /var/lib/agent/pki');
    expect(says({}, '--cert-dir=/x')).toBe('shows a self-signed certificate from /x');
    expect(says({ tlsCertFile: 'a.crt', tlsPrivateKeyFile: 'a.key' })).toBe('shows a.crt');
    expect(says({ serverTLSBootstrap: true })).toBe('requests its certificate from the cluster, where a signer must approve it');
    expect(agent({ enableDebuggingHandlers: false }).listeners[0]?.says).toContain('are refused');
  });
});

describe('access to an agent', () => {
  const lines = (file?: object, ...flags: string[]) => {
    const { authentication, authorization } = agent(file, ...flags);
    return [...authentication, ...authorization].map(({ method, is, why }) => `${method}: ${is} (${why})`);
  };

  it('is anonymous and unrestricted without a file', () => {
    expect(lines()).toEqual([
      'client certificate: off (no client CA file)',
      'bearer token: off (default without a file; in a file it would be on)',
      'anonymous: requests that no method rejects are system:anonymous of system:unauthenticated (default without a file; in a file it would be off)',
      'AlwaysAllow: every authenticated request is allowed (default without a file; in a file it would be Webhook)',
    ]);
  });

  it('is reviewed by the API server with a file', () => {
    expect(lines({})).toEqual([
      'client certificate: off (no client CA file)',
      'bearer token: reviewed by the API server; the result is cached for 2m0s (default of a file; without a file it would be off)',
      'anonymous: refused: 401 (default of a file; without a file it would be on)',
      'Webhook: the API server reviews access; an approval is cached for 5m0s, a refusal for 30s (default of a file; without a file it would be AlwaysAllow)',
    ]);
  });

  it('follows flags over the file', () => {
    const said = lines({ authentication: { x509: { clientCAFile: 'ca.crt' } } }, '--anonymous-auth', '--authorization-mode=AlwaysAllow');
    expect(said[0]).toBe('client certificate: signed by an authority of ca.crt: its common name (set in the file)');
    expect(said.slice(2)).toEqual([
      'anonymous: requests that no method rejects are system:anonymous of system:unauthenticated (set by --anonymous-auth)',
      'AlwaysAllow: every authenticated request is allowed (set by --authorization-mode)',
    ]);
  });

  it('is not authenticated at the read-only port', () => {
    expect(agent({ readOnlyPort: 10_255 }).listeners[1]).toMatchObject({
      address: '0.0.0.0:10255 (all addresses)',
      says: 'without authentication',
    });
  });
});

describe('listeners of a scheduler', () => {
  it('are one, or none', () => {
    expect(listed(scheduler())).toEqual(['server https 0.0.0.0:10259 (all addresses)']);
    expect(listed(scheduler('--bind-address=127.0.0.1', '--secure-port=7'))).toEqual(['server https 127.0.0.1:7']);
    expect(scheduler('--secure-port=0').listeners).toEqual([{ name: 'server', protocol: 'https', says: 'closed: --secure-port is 0' }]);
    expect(scheduler('--tls-cert-file=a', '--tls-private-key-file=b', '--tls-sni-cert-key=c,d:*.x').listeners[0]?.says).toBe(
      'shows a; c to clients that request *.x',
    );
  });
});

describe('access to a scheduler', () => {
  const KUBECONFIGS = ['--authentication-kubeconfig=k', '--authorization-kubeconfig=k'];
  const HEADERS = 'request headers: x-remote-user; x-remote-group; x-remote-extra-*: behind a certificate signed by an authority of h';
  const ANONYMOUS = 'anonymous: requests that no method rejects are system:anonymous of system:unauthenticated (always)';
  const paths = (which = '/healthz, /readyz, /livez'): string =>
    `paths: ${which}: served without authorization (--authorization-always-allow-paths)`;
  const lookups = (is: string, why: (flag: string) => string): readonly string[] => [
    `client certificate: ${is} (${why('--client-ca-file')})`,
    `request headers: ${is} (${why('--requestheader-client-ca-file')})`,
  ];
  const unsigned = lookups('off', () => 'no --authentication-kubeconfig, so no lookup');
  const IGNORED = 'bearer token: ignored (no --authentication-kubeconfig: all requests are anonymous)';
  const REVIEWED = 'bearer token: reviewed by the API server; the result is cached for 10s (--authentication-kubeconfig)';
  const FORBIDDEN = 'everything else: forbidden: 403 (no --authorization-kubeconfig)';
  const WEBHOOK = 'Webhook: the API server reviews access; an approval is cached for 10s, a refusal for 10s (--authorization-kubeconfig)';
  const reviewed = (...first: readonly string[]): readonly string[] => [...first, REVIEWED, ANONYMOUS, paths(), WEBHOOK];

  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['is limited to health paths without kubeconfigs', [], [...unsigned, IGNORED, ANONYMOUS, paths(), FORBIDDEN]],
    [
      'is reviewed by the API server with them, and looked up',
      KUBECONFIGS,
      reviewed(...lookups('looked up in the cluster, and not required', (flag) => `no ${flag}`)),
    ],
    [
      'is looked up for the start',
      [...KUBECONFIGS, '--authentication-tolerate-lookup-failure=false'],
      reviewed(...lookups('looked up in the cluster, and required for the start', (flag) => `no ${flag}`)),
    ],
    [
      'is not looked up where that is skipped',
      [...KUBECONFIGS, '--authentication-skip-lookup'],
      reviewed(...lookups('off', () => '--authentication-skip-lookup')),
    ],
    [
      'may be authenticated by certificates, and by headers behind one',
      [...KUBECONFIGS, '--client-ca-file=ca', '--requestheader-client-ca-file=h'],
      reviewed(
        'client certificate: signed by an authority of ca: its common name (--client-ca-file)',
        `${HEADERS}, of any name (--requestheader-client-ca-file)`,
      ),
    ],
    [
      'may be limited to certificates of some names, and have no open path',
      ['--requestheader-client-ca-file=h', '--requestheader-allowed-names=x,y', '--authorization-always-allow-paths='],
      [unsigned[0] ?? '', `${HEADERS}, named x or y (--requestheader-client-ca-file)`, IGNORED, ANONYMOUS, paths('none'), FORBIDDEN],
    ],
  ])('of a request: %s', (_, flags, expected) => {
    const { authentication, authorization } = scheduler(...flags);
    expect([...authentication, ...authorization].map(({ method, is, why }) => `${method}: ${is} (${why})`)).toEqual(expected);
  });
});

describe('deprecations', () => {
  it('say which version removes a flag, where that is known', () => {
    const removed = (result: { readonly deprecations: readonly { readonly flag: string; readonly removedIn?: string }[] }) =>
      result.deprecations.map(({ flag, removedIn }) => [flag, removedIn]);
    expect(removed(parseSchedulerFlags(['--pod-max-in-unschedulable-pods-duration=1m', '--profiling']))).toEqual([
      ['--pod-max-in-unschedulable-pods-duration', '1.26'],
      ['--profiling', undefined],
    ]);
    expect(
      removed(parseAgentConfig(undefined, { flags: ['--cloud-provider=x', '--experimental-kernel-memcg-notification', '--max-pods=3'] })),
    ).toEqual([
      ['--cloud-provider', '1.24 or later'],
      ['--experimental-kernel-memcg-notification', '1.24 or later'],
      ['--max-pods', undefined],
    ]);
  });
});
