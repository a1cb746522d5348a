/**
 * The page at `/`, for browsers that ask for one; programs get the API's paths there, as ever. It stands behind the same gate as everything
 * else, and holds nothing of the cluster that is served: that it asks for like any client, so with `--auth` it shows nothing before
 * somebody has logged in with a token that the guard lets in. Shipped scenarios can be chosen beside the cluster.
 */
import type { Session } from '../../http/index.ts';
import { playground } from '../page/playground.ts';

type Answer = Session['answer'];

const PAGE = /^\/(?:\?.*)?$/;

/** Answers that show the page; it is made when somebody first asks. */
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

/** The page's own policy, as its first lines say it, which as a header also holds for who may frame it. */
const policyOf = (page: string): string =>
  `${/<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(page.slice(0, 4096))?.[1] ?? "default-src 'none'"}; frame-ancestors 'none'`;
