/**
 * The playground at `/`, for browsers that ask for a page; programs get the API's paths there, as ever. It stands behind the same gate as
 * everything else, and knows nothing of the cluster that is served: with `--auth`, where a browser could not log in, it is not shown.
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
    page ??= playground();
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
