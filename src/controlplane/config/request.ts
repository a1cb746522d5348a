/**
 * Whether a process answers a request, and why, as far as its settings decide: who it takes the sender for, and whether he may. What only
 * the API server knows (whose a token is, what he may) the question says. Models: v1.24 apiserver's union of authenticators (front proxy,
 * certificate, token, anonymous) and delegating authorizer; pkg/kubelet/server for the agent's listeners.
 */
import type { AgentConfiguration } from './agent-fields.ts';
import type { SchedulerConfiguration } from './scheduler-flags.ts';

/** A request. */
export interface AccessRequest {
  readonly path: string;
  /** Of an agent: default `server`. */
  readonly listener?: 'server' | 'read-only' | 'health';
  /** Whose the bearer token is by a token review; `invalid`: nobody's. */
  readonly token?: string;
  /** Common name of a certificate that an authority of the client CA file signed. */
  readonly cert?: string;
  /** Common name of a certificate that an authority of the request-header CA file signed, and the user its headers name. */
  readonly proxy?: string;
  readonly user?: string;
  /** What a subject access review answers; absent: it is not known. */
  readonly review?: 'allowed' | 'denied';
}

export interface AccessAnswer {
  /** The status; absent: nobody listens there, or the API server decides. */
  readonly code?: number;
  readonly user?: string;
  /** How it came to that, a sentence each. */
  readonly steps: readonly string[];
}

/** The methods of a process, as its settings have them. */
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
 * What the methods that go by certificates make of the sender. A certificate that one of them looks at and does not take is an error: unless
 * another method knows the sender, he is refused, and not let in as nobody.
 */
function certified({ proxy, cert, user = '' }: AccessRequest, methods: Methods): Identity & { readonly rejected?: boolean } {
  const steps: string[] = [];
  const is = (name: string, why: string): Identity => ({ user: name, steps: [...steps, why] });
  let rejected = false;
  const reject = (why: string): void => {
    rejected = true;
    steps.push(why);
  };
  if (proxy !== undefined) {
    const problem = typeof methods.proxy === 'string' ? methods.proxy : methods.proxy(proxy);
    if (problem === undefined && user !== '') return is(user, `headers behind the certificate of ${proxy} name ${user}`);
    if (problem !== undefined && typeof methods.proxy !== 'string') reject(problem);
    else steps.push(problem ?? 'no header names a user');
    if (methods.certificates === true) reject(`the certificate of ${proxy} is not signed by an authority of the client CA file`);
  }
  if (cert !== undefined) {
    if (methods.certificates === true) return is(cert, `the client certificate names ${cert}`);
    steps.push(`the client certificate is not looked at: ${String(methods.certificates)}`);
    if (typeof methods.proxy !== 'string') reject(`the certificate of ${cert} is not signed by an authority of the request-header CA file`);
  }
  return { user: undefined, steps, rejected };
}

/** Who the sender is; no user: 401. */
function identify(request: AccessRequest, methods: Methods): Identity {
  const { token } = request;
  const { user, steps: known, rejected = false } = certified(request, methods);
  if (user !== undefined) return { user, steps: known };
  const steps = [...known];
  const is = (name: string, why: string): Identity => ({ user: name, steps: [...steps, why] });
  if (token !== undefined) {
    if (methods.tokens === true) {
      if (token !== 'invalid') return is(token, `the API server says that the token is of ${token}`);
      return { user: undefined, steps: [...steps, "the API server says that the token is nobody's"] };
    }
    steps.push(`the token is not looked at: ${String(methods.tokens)}`);
  }
  if (rejected) return { user: undefined, steps: [...steps, 'whose certificate is rejected is not taken for nobody'] };
  if (methods.anonymous) return is('system:anonymous', 'nothing else says who it is: system:anonymous of system:unauthenticated');
  return { user: undefined, steps: [...steps, 'nothing says who it is, and anonymous requests are refused'] };
}

const answer = (code: number, { user, steps }: Identity, why: string): AccessAnswer => ({
  code,
  ...(user === undefined ? {} : { user }),
  steps: [...steps, why],
});

/** What the API server makes of it. */
function reviewed(identity: Identity, review: AccessRequest['review'], allowedFor: string, deniedFor: string): AccessAnswer {
  if (review === 'allowed') return answer(200, identity, `the API server allows it, which is believed for ${allowedFor}`);
  if (review === 'denied') return answer(403, identity, `the API server does not allow it, which is believed for ${deniedFor}`);
  const { user = '', steps } = identity;
  return { user, steps: [...steps, `the API server is asked whether ${user} may (say review=allowed or review=denied)`] };
}

/** What is there for finding faults, by how its paths begin. Models: v1.24 pkg/kubelet/server InstallDebuggingDisabledHandlers. */
const DEBUGGING = ['/run/', '/exec/', '/attach/', '/portForward/', '/containerLogs/', '/runningpods/', '/debug/pprof/', '/logs/'];

/** Whoever may ask, is told that it is off. */
const withoutDebugging = (answered: AccessAnswer, path: string, why: string): AccessAnswer =>
  answered.code === 200 && DEBUGGING.some((begin) => path.startsWith(begin))
    ? { ...answered, code: 405, steps: [...answered.steps, `Debug endpoints are disabled: ${why}`] }
    : answered;

/** What an agent answers. */
export function askAgent(config: AgentConfiguration, request: AccessRequest): AccessAnswer {
  const answered = admitted(config, request);
  if (request.listener === 'health') return answered;
  if (request.listener === 'read-only') return withoutDebugging(answered, request.path, 'the read-only port never has them');
  return config.enableDebuggingHandlers ? answered : withoutDebugging(answered, request.path, 'enableDebuggingHandlers is false');
}

/** What an agent makes of the sender. */
function admitted(config: AgentConfiguration, request: AccessRequest): AccessAnswer {
  const { authentication, authorization } = config;
  const listener = request.listener ?? 'server';
  const watchOnly = (why: string): AccessAnswer => ({ steps: [`nobody listens: ${why}`] });
  if (listener === 'health') {
    if (config.healthzPort === 0) return watchOnly('healthzPort is 0');
    const known = request.path === '/healthz' || request.path.startsWith('/healthz/');
    return { code: known ? 200 : 404, steps: ['the health port asks nobody who he is', ...(known ? [] : ['it answers /healthz alone'])] };
  }
  if (!config.enableServer) return watchOnly('enableServer is false');
  if (listener === 'read-only')
    return config.readOnlyPort === 0 ? watchOnly('readOnlyPort is 0') : { code: 200, steps: ['the read-only port asks nobody who he is'] };
  const identity = identify(request, {
    proxy: 'headers are not looked at: an agent takes no identities from them',
    certificates: authentication.x509.clientCAFile !== '' || 'there is no client CA file',
    tokens: authentication.webhook.enabled || 'token review is off',
    anonymous: authentication.anonymous.enabled,
  });
  if (identity.user === undefined) return answer(401, identity, 'so it is refused');
  if (authorization.mode === 'AlwaysAllow') return answer(200, identity, 'AlwaysAllow: whoever is let in may do everything');
  return reviewed(identity, request.review, authorization.webhook.cacheAuthorizedTTL, authorization.webhook.cacheUnauthorizedTTL);
}

/** Whether a path is listed: as it is, or below a pattern that ends in `*`. */
const isListed = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path));

/** What a scheduler answers. */
export function askScheduler(config: SchedulerConfiguration, request: AccessRequest): AccessAnswer {
  const answered = vouchedFor(config, request);
  return answered.code === 200 && !config.profiling && request.path.startsWith('/debug/pprof')
    ? { ...answered, code: 404, steps: [...answered.steps, 'there are no profiles: --profiling is false'] }
    : answered;
}

/** What a scheduler makes of the sender. */
function vouchedFor(config: SchedulerConfiguration, request: AccessRequest): AccessAnswer {
  if (config['secure-port'] === 0) return { steps: ['nobody listens: --secure-port is 0'] };
  const allowed = config['requestheader-allowed-names'];
  const reviews = config['authentication-kubeconfig'] !== '';
  const looksUp = reviews && !config['authentication-skip-lookup'];
  const identity = identify(request, {
    proxy:
      config['requestheader-client-ca-file'] === '' && !looksUp
        ? 'headers are not looked at: there is no --requestheader-client-ca-file'
        : (name) =>
            allowed.length === 0 || allowed.includes(name)
              ? undefined
              : `headers behind the certificate of ${name} are not believed: --requestheader-allowed-names are ${allowed.join(', ')}`,
    certificates: config['client-ca-file'] !== '' || looksUp || 'there is no --client-ca-file',
    tokens: reviews || 'there is no --authentication-kubeconfig',
    anonymous: true,
  });
  if (identity.user === undefined) return answer(401, identity, 'so it is refused');
  if (isListed(config['authorization-always-allow-paths'], request.path))
    return answer(200, identity, `${request.path} is one of --authorization-always-allow-paths`);
  if (config['authorization-kubeconfig'] === '')
    return answer(403, identity, 'there is no --authorization-kubeconfig: everything else is forbidden');
  return reviewed(
    identity,
    request.review,
    config['authorization-webhook-cache-authorized-ttl'],
    config['authorization-webhook-cache-unauthorized-ttl'],
  );
}
