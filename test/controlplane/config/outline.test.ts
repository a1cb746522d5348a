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
  it('is limited to health paths without kubeconfigs', () => {
    const { authentication, authorization } = scheduler();
    expect(authentication.map(({ method, is }) => [method, is]).slice(0, 3)).toEqual([
      ['client certificate', 'off'],
      ['request headers', 'off'],
      ['bearer token', 'ignored'],
    ]);
    expect(authorization.map(({ method, is }) => [method, is])).toEqual([
      ['paths', '/healthz, /readyz, /livez: served without authorization'],
      ['everything else', 'forbidden: 403'],
    ]);
  });

  it('is reviewed by the API server with them', () => {
    const { authentication, authorization } = scheduler('--authentication-kubeconfig=k', '--authorization-kubeconfig=k');
    expect(authentication[0]?.is).toBe('looked up in the cluster, and not required');
    expect(authentication[2]?.is).toBe('reviewed by the API server; the result is cached for 10s');
    expect(authorization[1]?.is).toContain('the API server reviews access');
    const strict = scheduler('--authentication-kubeconfig=k', '--authentication-tolerate-lookup-failure=false').authentication[0];
    expect(strict?.is).toBe('looked up in the cluster, and required for the start');
    expect(scheduler('--authentication-kubeconfig=k', '--authentication-skip-lookup').authentication[0]).toMatchObject({
      is: 'off',
      why: '--authentication-skip-lookup',
    });
  });

  it('can be authenticated by request headers with a certificate', () => {
    const flags = ['--requestheader-client-ca-file=h.crt', '--requestheader-allowed-names=front'];
    expect(scheduler(...flags).authentication[1]?.is).toBe(
      'x-remote-user; x-remote-group; x-remote-extra-*: behind a certificate signed by an authority of h.crt, named front',
    );
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
