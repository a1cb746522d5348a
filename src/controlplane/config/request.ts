/**
 * Whether a process answers a request, and why, as far as its settings decide: authentication of the sender, then authorization. The
 * request includes what only the API server knows (the user of a token, the result of an access review). Models: v1.24 apiserver's union of
 * authenticators (front proxy, certificate, token, anonymous) and delegating authorizer; pkg/kubelet/server for the agent's listeners.
 */
import type { AgentConfiguration } from './agent-fields.ts';
import type { SchedulerConfiguration } from './scheduler-flags.ts';

/** A request to a process, with the API server's knowledge about its sender. */
export interface AccessRequest {
  readonly path: string;
  /** Of an agent: default `server`. */
  readonly listener?: 'server' | 'read-only' | 'health';
  /** The user of the bearer token by a token review; `invalid`: no user. */
  readonly token?: string;
  /** Common name of a certificate that an authority of the client CA file signed. */
  readonly cert?: string;
  /** Common name of a certificate that an authority of the request-header CA file signed, and the user its headers name. */
  readonly proxy?: string;
  readonly user?: string;
  /** The result of a subject access review; absent: unknown. */
  readonly review?: 'allowed' | 'denied';
}

export interface AccessAnswer {
  /** The HTTP status; absent: the port is closed, or the API server decides. */
  readonly code?: number;
  readonly user?: string;
  readonly steps: readonly string[];
}

interface Methods {
  readonly proxy: ((name: string) => string | undefined) | string;
  readonly certificates: boolean | string;
  readonly tokens: boolean | string;
  readonly anonymous: boolean;
}

interface Identity {
  readonly user: string | undefined;
  readonly steps: readonly string[];
}

/**
 * Authenticates the sender; no user: 401. A certificate that a method checks and rejects is an error: unless another method authenticates
 * the sender, the request is refused and does not become anonymous.
 */
function identify({ proxy, cert, user = '', token }: AccessRequest, methods: Methods): Identity {
  const steps: string[] = [];
  const is = (name: string | undefined, why: string): Identity => ({ user: name, steps: [...steps, why] });
  let rejected = false;
  const reject = (why: string): void => {
    rejected = true;
    steps.push(why);
  };
  if (proxy !== undefined) {
    const problem = typeof methods.proxy === 'string' ? methods.proxy : methods.proxy(proxy);
    if (problem === undefined && user !== '') return is(user, `request headers with the certificate of ${proxy} name ${user}`);
    if (problem !== undefined && typeof methods.proxy !== 'string') reject(problem);
    else steps.push(problem ?? 'no request header names a user');
    if (methods.certificates === true) reject(`the certificate of ${proxy} is not signed by an authority of the client CA file`);
  }
  if (cert !== undefined) {
    if (methods.certificates === true) return is(cert, `the client certificate names ${cert}`);
    steps.push(`the client certificate is ignored: ${String(methods.certificates)}`);
    if (typeof methods.proxy !== 'string') reject(`the certificate of ${cert} is not signed by an authority of the request-header CA file`);
  }
  if (token !== undefined) {
    if (methods.tokens === true && token === 'invalid') return is(undefined, 'the API server reviews the token: invalid');
    if (methods.tokens === true) return is(token, `the API server reviews the token: user ${token}`);
    steps.push(`the token is ignored: ${String(methods.tokens)}`);
  }
  if (rejected) return is(undefined, 'a request with a rejected certificate does not become anonymous');
  if (methods.anonymous) return is('system:anonymous', 'no method authenticates the request: system:anonymous of system:unauthenticated');
  return is(undefined, 'no method authenticates the request, and anonymous requests are refused');
}

const answer = (code: number, { user, steps }: Identity, why: string): AccessAnswer => ({
  code,
  ...(user === undefined ? {} : { user }),
  steps: [...steps, why],
});

/** Applies the API server's access review. */
function reviewed(identity: Identity, review: AccessRequest['review'], allowedFor: string, deniedFor: string): AccessAnswer {
  if (review === 'allowed') return answer(200, identity, `the API server allows it; the approval is cached for ${allowedFor}`);
  if (review === 'denied') return answer(403, identity, `the API server does not allow it; the refusal is cached for ${deniedFor}`);
  const { user = '', steps } = identity;
  return { user, steps: [...steps, `the API server reviews the access of ${user} (give review=allowed or review=denied)`] };
}

/** Prefixes of the debugging paths. Models: v1.24 pkg/kubelet/server InstallDebuggingDisabledHandlers. */
const DEBUGGING = ['/run/', '/exec/', '/attach/', '/portForward/', '/containerLogs/', '/runningpods/', '/debug/pprof/', '/logs/'];

/** Authorized requests of debugging paths get 405 where debugging is disabled. */
const withoutDebugging = (answered: AccessAnswer, path: string, why: string): AccessAnswer =>
  answered.code === 200 && DEBUGGING.some((begin) => path.startsWith(begin))
    ? { ...answered, code: 405, steps: [...answered.steps, `Debug endpoints are disabled: ${why}`] }
    : answered;

export function accessToAgent(config: AgentConfiguration, request: AccessRequest): AccessAnswer {
  const answered = agentAccess(config, request);
  if (request.listener === 'health') return answered;
  if (request.listener === 'read-only') return withoutDebugging(answered, request.path, 'the read-only port never serves them');
  return config.enableDebuggingHandlers ? answered : withoutDebugging(answered, request.path, 'enableDebuggingHandlers is false');
}

/** An agent's response before debugging paths are considered. */
function agentAccess(config: AgentConfiguration, request: AccessRequest): AccessAnswer {
  const { authentication, authorization } = config;
  const listener = request.listener ?? 'server';
  const closed = (why: string): AccessAnswer => ({ steps: [`no listener: ${why}`] });
  if (listener === 'health') {
    if (config.healthzPort === 0) return closed('healthzPort is 0');
    const known = request.path === '/healthz' || request.path.startsWith('/healthz/');
    return { code: known ? 200 : 404, steps: ['the health port does not authenticate', ...(known ? [] : ['it serves only /healthz'])] };
  }
  if (!config.enableServer) return closed('enableServer is false');
  if (listener === 'read-only')
    return config.readOnlyPort === 0 ? closed('readOnlyPort is 0') : { code: 200, steps: ['the read-only port does not authenticate'] };
  const identity = identify(request, {
    proxy: 'request headers are ignored: an agent does not authenticate by them',
    certificates: authentication.x509.clientCAFile !== '' || 'there is no client CA file',
    tokens: authentication.webhook.enabled || 'token review is off',
    anonymous: authentication.anonymous.enabled,
  });
  if (identity.user === undefined) return answer(401, identity, 'the request is refused');
  if (authorization.mode === 'AlwaysAllow') return answer(200, identity, 'AlwaysAllow: every authenticated request is allowed');
  return reviewed(identity, request.review, authorization.webhook.cacheAuthorizedTTL, authorization.webhook.cacheUnauthorizedTTL);
}

/** Whether a path is in a list: exactly, or below a pattern that ends in `*`. */
const isListed = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path));

export function accessToScheduler(config: SchedulerConfiguration, request: AccessRequest): AccessAnswer {
  const answered = schedulerAccess(config, request);
  return answered.code === 200 && !config.profiling && request.path.startsWith('/debug/pprof')
    ? { ...answered, code: 404, steps: [...answered.steps, 'no profiles are served: --profiling is false'] }
    : answered;
}

/** A scheduler's response before profiling paths are considered. */
function schedulerAccess(config: SchedulerConfiguration, request: AccessRequest): AccessAnswer {
  if (config['secure-port'] === 0) return { steps: ['no listener: --secure-port is 0'] };
  const allowed = config['requestheader-allowed-names'];
  const reviews = config['authentication-kubeconfig'] !== '';
  const looksUp = reviews && !config['authentication-skip-lookup'];
  const identity = identify(request, {
    proxy:
      config['requestheader-client-ca-file'] === '' && !looksUp
        ? 'request headers are ignored: there is no --requestheader-client-ca-file'
        : (name) =>
            allowed.length === 0 || allowed.includes(name)
              ? undefined
              : `request headers with the certificate of ${name} are not accepted: --requestheader-allowed-names are ${allowed.join(', ')}`,
    certificates: config['client-ca-file'] !== '' || looksUp || 'there is no --client-ca-file',
    tokens: reviews || 'there is no --authentication-kubeconfig',
    anonymous: true,
  });
  if (identity.user === undefined) return answer(401, identity, 'the request is refused');
  if (isListed(config['authorization-always-allow-paths'], request.path))
    return answer(200, identity, `${request.path} is one of --authorization-always-allow-paths`);
  if (config['authorization-kubeconfig'] === '')
    return answer(403, identity, 'there is no --authorization-kubeconfig: other paths are forbidden');
  return reviewed(
    identity,
    request.review,
    config['authorization-webhook-cache-authorized-ttl'],
    config['authorization-webhook-cache-unauthorized-ttl'],
  );
}
