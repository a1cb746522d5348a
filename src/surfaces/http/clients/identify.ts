/** Which client a request is of: by its credential, its user, its User-Agent, or the identity that it writes into a Lease. */
import type { User } from '../../../apiserver/request/index.ts';
import type { ClientSpec } from '../../../lab/scenario/index.ts';
import { isMapping } from '../../../schema/values/index.ts';
import type { HttpRequest } from '../message.ts';

export type Identify = (http: HttpRequest, user: User) => string | undefined;

/** Sources of requests whose client is known by a Lease; the oldest is forgotten first. */
const MOST_HOLDERS = 1024;
/** Bytes of a Lease that is read for its holder. */
const LARGEST_LEASE = 16 * 1024;
const LEASES = /^\/apis\/coordination\.[^?]*\/leases(?:\/[^/?]+)?(?:\?|$)/;

/** `credentials`: names of clients by bearer token, for clients that were given their own. */
export function identifier(clients: readonly ClientSpec[], credentials: ReadonlyMap<string, string> = new Map()): Identify {
  const known = clients.flatMap(({ name, userAgent, user, holder }) =>
    userAgent === undefined && user === undefined && holder === undefined
      ? []
      : [{ name, userAgent: glob(userAgent), user: glob(user), holder: glob(holder) }],
  );
  const holders = new Map<string, string>();
  const named = (source: string, http: HttpRequest): string | undefined => {
    const holder = holderIn(http);
    if (holder !== undefined) {
      holders.delete(source);
      holders.set(source, holder);
      if (holders.size > MOST_HOLDERS) for (const [oldest] of [...holders].slice(0, 1)) holders.delete(oldest);
    }
    return holders.get(source);
  };
  return (http, { name: user }) => {
    const authorization = http.headers['authorization'] ?? '';
    const own = credentials.size === 0 ? undefined : credentials.get(authorization.replace(/^bearer\s+/i, ''));
    if (own !== undefined || known.length === 0) return own;
    const agent = http.headers['user-agent'] ?? '';
    const holder = known.some((each) => each.holder !== undefined) ? named(JSON.stringify([user, agent, authorization]), http) : undefined;
    return known.find(
      (each) =>
        each.userAgent?.(agent) !== false &&
        each.user?.(user) !== false &&
        (each.holder === undefined || (holder !== undefined && each.holder(holder))),
    )?.name;
  };
}

/** Returns the test of a pattern in which * matches any text; undefined: nothing is tested. No pattern is slower than linear in its parts. */
function glob(pattern: string | undefined): ((text: string) => boolean) | undefined {
  if (pattern === undefined) return undefined;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > text.length - last.length) return false;
      at = found + part.length;
    }
    return true;
  };
}

/** The holder in a Lease that a request writes; undefined: it writes none. */
function holderIn({ method, target, headers, body }: HttpRequest): string | undefined {
  if (method === 'GET' || method === 'DELETE' || !LEASES.test(target) || body.length > LARGEST_LEASE) return undefined;
  if (!(headers['content-type'] ?? 'application/json').includes('json')) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const spec = isMapping(value) ? value['spec'] : undefined;
    const holder = isMapping(spec) ? spec['holderIdentity'] : undefined;
    return typeof holder === 'string' && holder !== '' ? holder : undefined;
  } catch {
    return undefined;
  }
}
