import { forbidden, unsupportedType } from './refusals.ts';
import type { Refusal } from '../../apiserver/request/index.ts';
import { refusalReply } from './answer/encode.ts';
import type { HttpReply, HttpRequest, WholeReply } from './message.ts';
import { pathOf } from './request/path.ts';

/** Parses an origin as browsers send it, or says what is wrong. */
export function readOrigin(text: string): { readonly origin: string } | { readonly error: string } {
  const expected = `expected an origin such as http://localhost:3000, found ${JSON.stringify(text)}`;
  if (!URL.canParse(text)) return { error: expected };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { error: `${expected}: its scheme is http or https` };
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/')
    return { error: `${expected}: an origin is scheme, host and port; did you mean ${url.origin}?` };
  return { origin: url.origin };
}

/** Returns the host of an origin in the form of a Host header. */
const authorityOf = (origin: string): string | undefined => /^https?:\/\/([^/]+)$/i.exec(origin)?.[1];

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]']);
const USUAL_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Whether `host` or `host:port`, from a Host header or an origin, is the server's own. */
type ServerHosts = (authority: string) => boolean;

/**
 * Accepts the loopback names and the listening address, with the port. On a wildcard address it accepts any IP address (an attacker
 * controls names, not addresses) with any port, because ports of a container are mapped.
 */
export function serverHosts(listensOn: string, port: number): ServerHosts {
  const address = listensOn.includes(':') && !listensOn.startsWith('[') ? `[${listensOn}]` : listensOn;
  const names = new Set([...LOOPBACK, address.toLowerCase()]);
  const everywhere = EVERY_ADDRESS.has(listensOn);
  return (authority) => {
    const [, name = '', itsPort] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority.toLowerCase()) ?? [];
    if (everywhere) return isAddress(name) || name === 'localhost';
    return names.has(name) && (itsPort === undefined ? USUAL_PORTS.has(port) : Number(itsPort) === port);
  };
}

const isAddress = (name: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);

interface GateOptions {
  readonly isServerHost: ServerHosts;
  /** Host and port of the server, for messages. */
  readonly address: string;
  /** Origins that may send requests, besides the server's own. */
  readonly allowed: ReadonlySet<string>;
}

type Head = Pick<HttpRequest, 'method' | 'headers'>;

export type Gate = ReturnType<typeof createGate>;

/** How long a browser may cache the result of a preflight. */
const PREFLIGHT_SECONDS = 600;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const SHOWN_HEADERS = 'Audit-Id, Date, Retry-After, Warning';
/** Header names, limited to a length that every client stays below. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{0,2000}$/;
const CHANGES_NOTHING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createGate(options: GateOptions) {
  const { allowed } = options;
  return {
    /** Returns the reply to a request that is refused before its body is read; undefined: it may continue. */
    admit(head: Head): WholeReply | undefined {
      const refusal = refusalFor(head, options);
      if (refusal !== undefined) return refusalReply(refusal, undefined);
      const { origin } = head.headers;
      const asks = head.method === 'OPTIONS' && head.headers['access-control-request-method'] !== undefined;
      return asks && origin !== undefined && allowed.has(origin) ? preflight(origin, head) : undefined;
    },
    /** Returns the refusal of a body without a declared type; undefined: it may continue. */
    admitBody({ method, target, headers, body }: HttpRequest): WholeReply | undefined {
      if (CHANGES_NOTHING.has(method) || body.length === 0) return undefined;
      const refusal = refusalForBody(target, headers);
      return refusal === undefined ? undefined : refusalReply(refusal, undefined);
    },
    /** Adds the headers that let a page of an allowed origin read the reply. */
    shown<R extends HttpReply>(reply: R, { headers: { origin } }: Head): R {
      if (origin === undefined || !allowed.has(origin)) return reply;
      return { ...reply, headers: { ...reply.headers, ...readable(origin) } };
    },
  };
}

const readable = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': SHOWN_HEADERS,
  vary: 'Origin',
});

function preflight(origin: string, { headers }: Head): WholeReply {
  const wanted = headers['access-control-request-headers'] ?? '';
  return {
    status: 204,
    headers: {
      ...readable(origin),
      'access-control-allow-methods': METHODS,
      ...(HEADER_NAMES.test(wanted) && wanted !== '' ? { 'access-control-allow-headers': wanted } : {}),
      ...(headers['access-control-request-private-network'] === 'true' ? { 'access-control-allow-private-network': 'true' } : {}),
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    },
    body: '',
  };
}

/** Checks the host first, then the origin. */
function refusalFor({ headers }: Head, { isServerHost, address, allowed }: GateOptions): Refusal | undefined {
  const { host, origin } = headers;
  const isAccepted = (authority: string): boolean =>
    isServerHost(authority) || [...allowed].some((each) => authorityOf(each) === authority.toLowerCase());
  if (host !== undefined && !isAccepted(host))
    return forbidden(
      `this server is ${address}, and the request names ${JSON.stringify(host)}: use the server's address, or start it with --host, or with --allow-origin http://${host}`,
    );
  if (origin !== undefined) {
    const authority = authorityOf(origin);
    if (allowed.has(origin) || (authority !== undefined && isServerHost(authority))) return undefined;
    return forbidden(
      `a page of ${JSON.stringify(origin)} may not send requests to this server${origin === 'null' ? ': open the page from a web server, not from a file' : `; start it with --allow-origin ${origin} if that page is yours`}`,
    );
  }
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  return forbidden(
    'a page of another site may not send requests to this server: type its address, or start it with --allow-origin and the origin of the page if that is yours, and use fetch in mode "cors"',
  );
}

/** The types that need a preflight. A form can send the other types, and bodies without a type. */
const TYPED = /^application\/(?:[\w.+-]+\+)?(?:json|yaml)$/;

/** The simulator's own paths accept only JSON and YAML. The API takes bodies without a type as JSON, except from a browser. */
function refusalForBody(target: string, headers: Head['headers']): Refusal | undefined {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isOurs = /^(?:\/worlds\/[^/]+)?\/sim(?:\/|$)/.test(pathOf(target.split('?', 1)[0] ?? '') ?? target);
  const fromBrowser = headers['origin'] !== undefined || headers['sec-fetch-site'] !== undefined;
  if (isOurs ? TYPED.test(type) : type !== '' || !fromBrowser) return undefined;
  return unsupportedType(
    `a request body needs a Content-Type, and this one has ${type === '' ? 'none' : JSON.stringify(type)}: send it with the header Content-Type: application/json (curl --json '…', or -H 'Content-Type: application/json' -d '…')`,
  );
}
