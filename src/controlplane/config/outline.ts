/**
 * A summary of what a process's settings mean together: its listeners, authentication, authorization and certificate. Models: v1.24
 * cmd/kubelet/app/auth.go and pkg/kubelet/server, apiserver's delegating authentication and authorization options.
 */
import type { AgentConfiguration } from './agent-fields.ts';
import type { AccessLine, EffectiveValue, Listener, Outline } from './report.ts';
import type { SchedulerConfiguration } from './scheduler-flags.ts';
import type { CertKey } from './settings.ts';

/** An address with its port, for people; an empty address and both wildcards mean all addresses. */
function at(address: string, port: number): string {
  if (address === '' || address === '0.0.0.0' || address === '::')
    return `${address === '' ? '0.0.0.0' : bracketed(address)}:${port} (all addresses)`;
  return `${bracketed(address)}:${port}`;
}
const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** The source of a value, and the default in the other case: with a file the defaults of access differ from those of the flags alone. */
function sourceOf(values: readonly EffectiveValue[], path: string, hasFile: boolean, otherwise: string): string {
  const value = values.find((each) => each.path === path);
  if (value?.source === 'flag') return `set by ${value.flag ?? 'a flag'}`;
  if (value?.source === 'file') return 'set in the file';
  return hasFile
    ? `default of a file; without a file it would be ${otherwise}`
    : `default without a file; in a file it would be ${otherwise}`;
}

const certificate = (cert: string, directory: string): string =>
  cert !== '' ? `shows ${cert}` : `shows a self-signed certificate ${directory === '' ? 'that it keeps in memory' : `from ${directory}`}`;

const open = (name: string, address: string, protocol: Listener['protocol'], says: string): Listener => ({ name, address, protocol, says });
const closed = (name: string, protocol: Listener['protocol'], why: string): Listener => ({ name, protocol, says: `closed: ${why}` });
const line = (method: string, is: string, why: string): AccessLine => ({ method, is, why });
const signedBy = (ca: string): string => `signed by an authority of ${ca}: its common name`;
const reviewedFor = (ttl: string): string => `reviewed by the API server; the result is cached for ${ttl}`;
const accessFor = (allowed: string, denied: string): string =>
  `the API server reviews access; an approval is cached for ${allowed}, a refusal for ${denied}`;
const ANONYMOUS = 'requests that no method rejects are system:anonymous of system:unauthenticated';

/** The outline of an agent. `hasFile`: it was started with a file. */
export function agentOutline(config: AgentConfiguration, values: readonly EffectiveValue[], hasFile: boolean): Outline {
  const { authentication, authorization, tlsCertFile, serverTLSBootstrap } = config;
  const certDir = String(values.find(({ path }) => path === '--cert-dir')?.value ?? '');
  const handlers = config.enableDebuggingHandlers
    ? 'logs, exec, attach and port-forward too'
    : 'logs, exec, attach and port-forward are refused';
  const shows =
    serverTLSBootstrap && tlsCertFile === ''
      ? 'requests its certificate from the cluster, where a signer must approve it'
      : certificate(tlsCertFile, certDir);
  const cacheTTL = authentication.webhook.cacheTTL;
  const from = (path: string, otherwise: string): string => sourceOf(values, path, hasFile, otherwise);
  const ca = authentication.x509.clientCAFile;
  return {
    listeners: [
      config.enableServer
        ? open('server', at(config.address, config.port), 'https', `${shows}; ${handlers}`)
        : closed('server', 'https', 'enableServer is false'),
      config.enableServer && config.readOnlyPort !== 0
        ? open('read-only', at(config.address, config.readOnlyPort), 'http', 'without authentication')
        : closed('read-only', 'http', config.enableServer ? 'readOnlyPort is 0' : 'enableServer is false'),
      config.healthzPort === 0
        ? closed('health', 'http', 'healthzPort is 0')
        : open('health', at(config.healthzBindAddress, config.healthzPort), 'http', 'answers /healthz'),
    ],
    authentication: [
      ca === ''
        ? line('client certificate', 'off', 'no client CA file')
        : line('client certificate', signedBy(ca), from('authentication.x509.clientCAFile', 'off')),
      line(
        'bearer token',
        authentication.webhook.enabled ? reviewedFor(cacheTTL) : 'off',
        from('authentication.webhook.enabled', hasFile ? 'off' : 'on'),
      ),
      line(
        'anonymous',
        authentication.anonymous.enabled ? ANONYMOUS : 'refused: 401',
        from('authentication.anonymous.enabled', hasFile ? 'on' : 'off'),
      ),
    ],
    authorization: [
      line(
        authorization.mode,
        authorization.mode === 'AlwaysAllow'
          ? 'every authenticated request is allowed'
          : accessFor(authorization.webhook.cacheAuthorizedTTL, authorization.webhook.cacheUnauthorizedTTL),
        from('authorization.mode', hasFile ? 'AlwaysAllow' : 'Webhook'),
      ),
    ],
  };
}

export function schedulerOutline(config: SchedulerConfiguration): Outline {
  const reviews = config['authentication-kubeconfig'] !== '';
  const ca = config['client-ca-file'];
  const headerCa = config['requestheader-client-ca-file'];
  const asks = config['authorization-kubeconfig'] !== '';
  const looksUp = reviews && !config['authentication-skip-lookup'];
  const lookup = looksUp
    ? `looked up in the cluster${config['authentication-tolerate-lookup-failure'] ? ', and not required' : ', and required for the start'}`
    : 'off';
  const noLookup = reviews ? '--authentication-skip-lookup' : 'no --authentication-kubeconfig, so no lookup';
  const allowedNames = config['requestheader-allowed-names'];
  const port = config['secure-port'];
  const headers = config['requestheader-extra-headers-prefix'].map((prefix) => `${prefix}*`).join(', ');
  return {
    listeners: [
      port === 0
        ? closed('server', 'https', '--secure-port is 0')
        : open(
            'server',
            at(config['bind-address'], port),
            'https',
            [certificate(config['tls-cert-file'], config['cert-dir']), ...config['tls-sni-cert-key'].map(named)].join('; '),
          ),
    ],
    authentication: [
      ca === ''
        ? line('client certificate', lookup, looksUp ? 'no --client-ca-file' : noLookup)
        : line('client certificate', signedBy(ca), '--client-ca-file'),
      headerCa === ''
        ? line('request headers', lookup, looksUp ? 'no --requestheader-client-ca-file' : noLookup)
        : line(
            'request headers',
            `${config['requestheader-username-headers'].join(', ')}; ${config['requestheader-group-headers'].join(', ')}; ${headers}: behind a certificate signed by an authority of ${headerCa}${allowedNames.length === 0 ? ', of any name' : `, named ${allowedNames.join(' or ')}`}`,
            '--requestheader-client-ca-file',
          ),
      reviews
        ? line('bearer token', reviewedFor(config['authentication-token-webhook-cache-ttl']), '--authentication-kubeconfig')
        : line('bearer token', 'ignored', 'no --authentication-kubeconfig: all requests are anonymous'),
      line('anonymous', ANONYMOUS, 'always'),
    ],
    authorization: [
      line(
        'paths',
        `${config['authorization-always-allow-paths'].join(', ') || 'none'}: served without authorization`,
        '--authorization-always-allow-paths',
      ),
      asks
        ? line(
            'Webhook',
            accessFor(config['authorization-webhook-cache-authorized-ttl'], config['authorization-webhook-cache-unauthorized-ttl']),
            '--authorization-kubeconfig',
          )
        : line('everything else', 'forbidden: 403', 'no --authorization-kubeconfig'),
    ],
  };
}

const named = ({ certFile, names }: CertKey): string =>
  `${certFile} to clients that request ${names.length === 0 ? 'a name in the certificate' : names.join(', ')}`;
