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
  return (http) => {
    const { method, target, headers } = http;
    const wanted = (method === 'GET' || method === 'HEAD') && PAGE.test(target) && /\btext\/html\b/.test(headers['accept'] ?? '');
    if (!wanted) return answer(http);
    page ??= playground(true);
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      },
      body: method === 'HEAD' ? '' : page,
    };
  };
}
