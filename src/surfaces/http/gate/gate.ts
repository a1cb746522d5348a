/**
 * Whom a server on a developer's machine lets ask: programs, its own pages, and pages that it was told of. A browser sends what any page
 * wants to the loopback address; it says whose page it was (Origin, Sec-Fetch-Site) and under which name it found the server (Host).
 * Follows: Fetch, CORS protocol; Fetch Metadata Request Headers.
 */
import { failure, type Refusal } from '../../../apiserver/request/index.ts';
import { refusalReply } from '../answer/encode.ts';
import type { HttpReply, HttpRequest, WholeReply } from '../message.ts';
import { pathOf } from '../request/path.ts';
import { authorityOf } from './origins.ts';
import type { OwnHosts } from './hosts.ts';

export interface GateOptions {
  readonly own: OwnHosts;
  /** Host and port it listens on, for messages. */
  readonly address: string;
  /** Origins that may ask besides its own. */
  readonly allowed: ReadonlySet<string>;
}

type Head = Pick<HttpRequest, 'method' | 'headers'>;

export interface Gate {
  /** What to answer before anything is read; undefined: it may go on. */
  admit(head: Head): WholeReply | undefined;
  /** What to answer when a body has come that nobody says what it is; undefined: it may go on. */
  admitBody(http: HttpRequest): WholeReply | undefined;
  /** A reply as a page of an allowed origin may read it. */
  shown<R extends HttpReply>(reply: R, head: Head): R;
}

/** How long a browser may remember that it may ask. */
const PREFLIGHT_SECONDS = 600;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const SHOWN_HEADERS = 'Audit-Id, Date, Retry-After, Warning';
/** Names of headers, as many as a client has use for. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{0,2000}$/;
const CHANGES_NOTHING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createGate(options: GateOptions): Gate {
  const { allowed } = options;
  return {
    admit(head) {
      const refusal = refusalFor(head, options);
      if (refusal !== undefined) return refusalReply(refusal, undefined);
      const { origin } = head.headers;
      const asks = head.method === 'OPTIONS' && head.headers['access-control-request-method'] !== undefined;
      return asks && origin !== undefined && allowed.has(origin) ? preflight(origin, head) : undefined;
    },
    admitBody({ method, target, headers, body }) {
      if (CHANGES_NOTHING.has(method) || body.length === 0) return undefined;
      const refusal = refusalForBody(target, headers);
      return refusal === undefined ? undefined : refusalReply(refusal, undefined);
    },
    shown(reply, { headers: { origin } }) {
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

const forbidden = (message: string): Refusal => failure({ code: 403, reason: 'Forbidden', message });

/** Host first, then whose page it was. */
function refusalFor({ headers }: Head, { own, address, allowed }: GateOptions): Refusal | undefined {
  const { host, origin } = headers;
  const isOwn = (authority: string): boolean =>
    own(authority) || [...allowed].some((each) => authorityOf(each) === authority.toLowerCase());
  if (host !== undefined && !isOwn(host))
    return forbidden(
      `this server is ${address}, and was asked as ${JSON.stringify(host)}: ask it by its own address, or start it with --host, or with --allow-origin http://${host}`,
    );
  if (origin !== undefined) {
    const authority = authorityOf(origin);
    if (allowed.has(origin) || (authority !== undefined && own(authority))) return undefined;
    return forbidden(
      `a page of ${JSON.stringify(origin)} may not ask this server${origin === 'null' ? ': open the page from a server of its own, not from a file' : `; start it with --allow-origin ${origin} if that page is yours`}`,
    );
  }
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  return forbidden(
    'a page of another site may not ask this server: type its address, or start it with --allow-origin and the origin of the page if that is yours, and ask with fetch in mode "cors"',
  );
}

/** Types that a page can send without being asked for leave first, and none at all, are those of a form. */
const TYPED = /^application\/(?:[\w.+-]+\+)?(?:json|yaml)$/;

/**
 * The simulator's own paths take JSON and YAML, nothing else. The API's own answer (415) is as recorded, where what comes without a type is
 * JSON; but from a browser.
 */
function refusalForBody(target: string, headers: Head['headers']): Refusal | undefined {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isOurs = /^\/sim(?:\/|$)/.test(pathOf(target.split('?', 1)[0] ?? '') ?? target);
  const fromBrowser = headers['origin'] !== undefined || headers['sec-fetch-site'] !== undefined;
  if (isOurs ? TYPED.test(type) : type !== '' || !fromBrowser) return undefined;
  return failure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `a body needs its type, and this one says ${type === '' ? 'none' : JSON.stringify(type)}: send it with the header Content-Type: application/json (curl --json '…', or -H 'Content-Type: application/json' -d '…')`,
  });
}
