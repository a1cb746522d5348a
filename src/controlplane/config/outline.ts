/**
 * A summary of what a process's settings mean together: its listeners, authentication, authorization and certificate. Models: v1.24
 * cmd/kubelet/app/auth.go and pkg/kubelet/server, apiserver's delegating authentication and authorization options.
 */
import type { AgentConfiguration } from './agent-fields.ts';
import type { EffectiveValue, Outline } from './report.ts';
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
        ? { name: 'server', address: at(config.address, config.port), protocol: 'https', says: `${shows}; ${handlers}` }
        : { name: 'server', protocol: 'https', says: 'closed: enableServer is false' },
      config.enableServer && config.readOnlyPort !== 0
        ? { name: 'read-only', address: at(config.address, config.readOnlyPort), protocol: 'http', says: 'without authentication' }
        : {
            name: 'read-only',
            protocol: 'http',
            says: config.enableServer ? 'closed: readOnlyPort is 0' : 'closed: enableServer is false',
          },
      config.healthzPort === 0
        ? { name: 'health', protocol: 'http', says: 'closed: healthzPort is 0' }
        : { name: 'health', address: at(config.healthzBindAddress, config.healthzPort), protocol: 'http', says: 'answers /healthz' },
    ],
    authentication: [
      {
        method: 'client certificate',
        is: ca === '' ? 'off' : `signed by an authority of ${ca}: its common name`,
        why: ca === '' ? 'no client CA file' : from('authentication.x509.clientCAFile', 'off'),
      },
      {
        method: 'bearer token',
        is: authentication.webhook.enabled ? `reviewed by the API server; the result is cached for ${cacheTTL}` : 'off',
        why: from('authentication.webhook.enabled', hasFile ? 'off' : 'on'),
      },
      {
        method: 'anonymous',
        is: authentication.anonymous.enabled
          ? 'requests that no method rejects are system:anonymous of system:unauthenticated'
          : 'refused: 401',
        why: from('authentication.anonymous.enabled', hasFile ? 'on' : 'off'),
      },
    ],
    authorization: [
      authorization.mode === 'AlwaysAllow'
        ? {
            method: 'AlwaysAllow',
            is: 'every authenticated request is allowed',
            why: from('authorization.mode', hasFile ? 'AlwaysAllow' : 'Webhook'),
          }
        : {
            method: authorization.mode,
            is: `the API server reviews access; an approval is cached for ${authorization.webhook.cacheAuthorizedTTL}, a refusal for ${authorization.webhook.cacheUnauthorizedTTL}`,
            why: from('authorization.mode', hasFile ? 'AlwaysAllow' : 'Webhook'),
          },
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
  return {
    listeners: [
      port === 0
        ? { name: 'server', protocol: 'https', says: 'closed: --secure-port is 0' }
        : {
            name: 'server',
            address: at(config['bind-address'], port),
            protocol: 'https',
            says: [certificate(config['tls-cert-file'], config['cert-dir']), ...config['tls-sni-cert-key'].map(named)].join('; '),
          },
    ],
    authentication: [
      {
        method: 'client certificate',
        is: ca === '' ? lookup : `signed by an authority of ${ca}: its common name`,
        why: ca === '' ? (looksUp ? 'no --client-ca-file' : noLookup) : '--client-ca-file',
      },
      {
        method: 'request headers',
        is:
          headerCa === ''
            ? lookup
            : `${config['requestheader-username-headers'].join(', ')}; ${config['requestheader-group-headers'].join(', ')}; ${config['requestheader-extra-headers-prefix'].map((prefix) => `${prefix}*`).join(', ')}: behind a certificate signed by an authority of ${headerCa}${allowedNames.length === 0 ? ', of any name' : `, named ${allowedNames.join(' or ')}`}`,
        why: headerCa === '' ? (looksUp ? 'no --requestheader-client-ca-file' : noLookup) : '--requestheader-client-ca-file',
      },
      reviews
        ? {
            method: 'bearer token',
            is: `reviewed by the API server; the result is cached for ${config['authentication-token-webhook-cache-ttl']}`,
            why: '--authentication-kubeconfig',
          }
        : { method: 'bearer token', is: 'ignored', why: 'no --authentication-kubeconfig: all requests are anonymous' },
      { method: 'anonymous', is: 'requests that no method rejects are system:anonymous of system:unauthenticated', why: 'always' },
    ],
    authorization: [
      {
        method: 'paths',
        is: `${config['authorization-always-allow-paths'].join(', ') || 'none'}: served without authorization`,
        why: '--authorization-always-allow-paths',
      },
      asks
        ? {
            method: 'Webhook',
            is: `the API server reviews access; an approval is cached for ${config['authorization-webhook-cache-authorized-ttl']}, a refusal for ${config['authorization-webhook-cache-unauthorized-ttl']}`,
            why: '--authorization-kubeconfig',
          }
        : { method: 'everything else', is: 'forbidden: 403', why: 'no --authorization-kubeconfig' },
    ],
  };
}

const named = ({ certFile, names }: CertKey): string =>
  `${certFile} to clients that request ${names.length === 0 ? 'a name in the certificate' : names.join(', ')}`;
