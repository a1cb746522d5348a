/** Where processes listen, and whom they let in, as their settings result: flags and file have different defaults there. */
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

  it('show a certificate: their own, a self-signed one, or one that they ask for', () => {
    const says = (file: object, ...flags: string[]) => agent(file, ...flags).listeners[0]?.says.split('; ')[0];
    expect(says({})).toBe('shows a self-signed certificate from /var/lib/agent/pki');
    expect(says({}, '--cert-dir=/x')).toBe('shows a self-signed certificate from /x');
    expect(says({ tlsCertFile: 'a.crt', tlsPrivateKeyFile: 'a.key' })).toBe('shows a.crt');
    expect(says({ serverTLSBootstrap: true })).toBe('asks the cluster for its certificate, which somebody must approve');
    expect(agent({ enableDebuggingHandlers: false }).listeners[0]?.says).toContain('are refused');
  });
});

describe('who an agent lets in', () => {
  const lines = (file?: object, ...flags: string[]) => {
    const { authentication, authorization } = agent(file, ...flags);
    return [...authentication, ...authorization].map(({ method, is, why }) => `${method}: ${is} (${why})`);
  };

  it('is everybody without a file', () => {
    expect(lines()).toEqual([
      'client certificate: off (no client CA file)',
      'bearer token: off (default without a file; in a file it would be on)',
      'anonymous: whom nothing else refuses is system:anonymous of system:unauthenticated (default without a file; in a file it would be off)',
      'AlwaysAllow: whoever is let in may do everything (default without a file; in a file it would be Webhook)',
    ]);
  });

  it('is whom the API server vouches for with one', () => {
    expect(lines({})).toEqual([
      'client certificate: off (no client CA file)',
      'bearer token: reviewed by the API server, which is believed for 2m0s (default of a file; without a file it would be off)',
      'anonymous: refused: 401 (default of a file; without a file it would be on)',
      'Webhook: the API server is asked; it is believed for 5m0s when it allows, 30s when it does not (default of a file; without a file it would be AlwaysAllow)',
    ]);
  });

  it('follows flags over the file', () => {
    const said = lines({ authentication: { x509: { clientCAFile: 'ca.crt' } } }, '--anonymous-auth', '--authorization-mode=AlwaysAllow');
    expect(said[0]).toBe('client certificate: signed by an authority of ca.crt: its common name (set in the file)');
    expect(said.slice(2)).toEqual([
      'anonymous: whom nothing else refuses is system:anonymous of system:unauthenticated (set by --anonymous-auth)',
      'AlwaysAllow: whoever is let in may do everything (set by --authorization-mode)',
    ]);
  });

  it('does not matter at the read-only port', () => {
    expect(agent({ readOnlyPort: 10_255 }).listeners[1]).toMatchObject({
      address: '0.0.0.0:10255 (all addresses)',
      says: 'asks nobody who he is',
    });
  });
});

describe('listeners of a scheduler', () => {
  it('are one, or none', () => {
    expect(listed(scheduler())).toEqual(['server https 0.0.0.0:10259 (all addresses)']);
    expect(listed(scheduler('--bind-address=127.0.0.1', '--secure-port=7'))).toEqual(['server https 127.0.0.1:7']);
    expect(scheduler('--secure-port=0').listeners).toEqual([{ name: 'server', protocol: 'https', says: 'closed: --secure-port is 0' }]);
    expect(scheduler('--tls-cert-file=a', '--tls-private-key-file=b', '--tls-sni-cert-key=c,d:*.x').listeners[0]?.says).toBe(
      'shows a; c to who asks for *.x',
    );
  });
});

describe('who a scheduler lets in', () => {
  it('is everybody at its health, and nobody else, without kubeconfigs', () => {
    const { authentication, authorization } = scheduler();
    expect(authentication.map(({ method, is }) => [method, is]).slice(0, 3)).toEqual([
      ['client certificate', 'off'],
      ['request headers', 'off'],
      ['bearer token', 'not looked at'],
    ]);
    expect(authorization.map(({ method, is }) => [method, is])).toEqual([
      ['paths', '/healthz, /readyz, /livez: answered to anybody'],
      ['everything else', 'forbidden: 403'],
    ]);
  });

  it('is whom the API server vouches for with them', () => {
    const { authentication, authorization } = scheduler('--authentication-kubeconfig=k', '--authorization-kubeconfig=k');
    expect(authentication[0]?.is).toBe('looked up in the cluster, where nothing is found it goes without');
    expect(authentication[2]?.is).toBe('reviewed by the API server, which is believed for 10s');
    expect(authorization[1]?.is).toContain('the API server is asked');
    const strict = scheduler('--authentication-kubeconfig=k', '--authentication-tolerate-lookup-failure=false').authentication[0];
    expect(strict?.is).toBe('looked up in the cluster, where nothing is found it does not start');
    expect(scheduler('--authentication-kubeconfig=k', '--authentication-skip-lookup').authentication[0]).toMatchObject({
      is: 'off',
      why: '--authentication-skip-lookup',
    });
  });

  it('may be told by request headers behind a certificate', () => {
    const flags = ['--requestheader-client-ca-file=h.crt', '--requestheader-allowed-names=front'];
    expect(scheduler(...flags).authentication[1]?.is).toBe(
      'x-remote-user; x-remote-group; x-remote-extra-*: behind a certificate signed by an authority of h.crt, named front',
    );
  });
});

describe('deprecations', () => {
  it('say in which version a flag goes, where that is known', () => {
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
