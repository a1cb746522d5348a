/** Lists of 10,000 objects over HTTP: whole, in pages, as kubectl's tables. The client uses one connection and reads every byte. */
import { Agent, get } from 'node:http';
import { kindsFor } from '../src/apiserver/kinds/index.ts';
import type { ObjectInput } from '../src/apiserver/machinery/index.ts';
import { exampleOf } from '../test/support/examples.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { ask, names } from './server.ts';
import { serve } from './http.ts';
import { liveBytes } from './measure.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PODS = '/api/v1/namespaces/default/pods';

interface Read {
  readonly ms: number;
  readonly bytes: number;
  readonly items: number;
  readonly requests: number;
}

export const httpList: Benchmark = {
  name: 'http-list',
  asks: 'lists of 10,000 pods over HTTP, by the clock, client and server in one process; pages of one moment while objects change against pages in peace',
  async run(scale) {
    const count = scale.size(10_000);
    const { server, listening } = await serve();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const base = `http://127.0.0.1:${listening.port}`;
    const pod = kindsFor(names).byKind('Pod');
    if (pod === undefined) throw new Error('there are no pods');
    const text = JSON.stringify(exampleOf(pod, names));
    for (let at = 0; at < count; at++) {
      const body = JSON.parse(text) as ObjectInput;
      ask(server, {
        verb: 'create',
        kind: 'Pod',
        namespace: 'default',
        body: { ...body, metadata: { ...body.metadata, name: `x-${at}` } },
      });
    }
    const body = (path: string, accept: string): Promise<string> =>
      new Promise((resolve, reject) => {
        get(`${base}${path}`, { agent, headers: { accept } }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => {
            parts.push(part);
          });
          response.on('end', () => {
            resolve(Buffer.concat(parts).toString('utf8'));
          });
          response.on('error', reject);
        }).on('error', reject);
      });
    /** Reads a list to its end; only requests and reading are timed. */
    const read = async (accept: string, limit: number | undefined, between: () => void): Promise<Read> => {
      const seen = { ms: 0, bytes: 0, items: 0, requests: 0 };
      for (let token: string | undefined = ''; token !== undefined;) {
        const before = process.hrtime.bigint();
        const page = await body(`${PODS}?${limit === undefined ? '' : `limit=${limit}&continue=${token}`}`, accept);
        seen.ms += Number(process.hrtime.bigint() - before) / 1e6;
        const list = JSON.parse(page) as {
          readonly metadata: { readonly continue?: string };
          readonly items?: readonly unknown[];
          readonly rows?: readonly unknown[];
        };
        seen.bytes += page.length;
        seen.items += (list.items ?? list.rows ?? []).length;
        seen.requests += 1;
        token = list.metadata.continue;
        between();
      }
      return seen;
    };
    let labels = 0;
    /** Another client changes a pod: the next page must be of the earlier revision. */
    const change = (): void => {
      ask(server, {
        verb: 'patch',
        kind: 'Pod',
        namespace: 'default',
        name: 'x-0',
        patchType: 'merge',
        body: { metadata: { labels: { changed: String(labels++) } } },
      });
    };
    const nothing = (): void => {};
    const cases = [
      ['whole', 'application/json', undefined, nothing],
      ['in pages of 500', 'application/json', 500, nothing],
      ['in pages of 500 while a pod changes', 'application/json', 500, change],
      ['as a table', TABLE, undefined, nothing],
      ['as tables of 500 rows', TABLE, 500, nothing],
    ] as const;
    const rows: Row[] = [];
    for (const [label, accept, limit, between] of cases) {
      let best: Read | undefined;
      for (let round = 0; round < scale.rounds; round++) {
        liveBytes();
        const one = await read(accept, limit, between);
        if (one.items !== count) throw new Error(`${label}: ${one.items} of ${count} pods were listed`);
        if (best === undefined || one.ms < best.ms) best = one;
      }
      if (best !== undefined)
        rows.push({
          label,
          ms: best.ms,
          units: count,
          unit: 'pod',
          work: { requests: best.requests, MB: best.bytes / 1e6, 'MB a second': best.bytes / 1000 / best.ms },
        });
    }
    agent.destroy();
    await listening.close();
    return { rows, score: { value: (rows[2]?.ms ?? 0) / (rows[1]?.ms ?? 1), limit: 2, is: 'most', unit: 'x' } };
  },
};
