/**
 * The page at `/`, for browsers that request HTML; other clients get the paths of the API there. It passes the same gate as every request.
 * It contains no data of the cluster: it requests these like any client, so with `--auth` it shows nothing before a login with a valid
 * token. Shipped scenarios can be opened besides the cluster.
 */
import type { Session } from '../../http/index.ts';
import { playground } from '../page/playground.ts';

type Answer = Session['answer'];

const PAGE = /^\/(?:\?.*)?$/;

/** Adds the page to the answers; it is built at the first request. */
export function withPage(answer: Answer): Answer {
  let page: string | undefined;
  let policy: string | undefined;
  return (http) => {
    const { method, target, headers } = http;
    const wanted = (method === 'GET' || method === 'HEAD') && PAGE.test(target) && /\btext\/html\b/.test(headers['accept'] ?? '');
    if (!wanted) return answer(http);
    page ??= playground(true);
    policy ??= policyOf(page);
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': policy,
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      },
      body: method === 'HEAD' ? '' : page,
    };
  };
}

/** The content security policy of the page. As a header it also restricts framing. */
const policyOf = (page: string): string =>
  `${/<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(page.slice(0, 4096))?.[1] ?? "default-src 'none'"}; frame-ancestors 'none'`;
