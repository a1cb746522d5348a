/**
 * `npm run fuzz -- [--requests N] [--seed N]`: hostile requests against a real `orchsim serve`, one after the other. Reports their number,
 * their status codes, unexpected failures, changes by refused requests, and the most expensive request. Exit 1 when there is a failure or a
 * change.
 */
import { kindsFor } from '../src/apiserver/kinds/index.ts';
import { exampleOf } from '../test/support/examples.ts';
import { type ApiObject, type Kind, namesFor } from '../src/apiserver/machinery/index.ts';
import { createRandom } from '../src/engine/index.ts';
import { readOptions, wrongUsage } from './arguments.ts';
import { recordedCluster, serveProcess, type Served } from '../test/conformance/served.ts';
import type { HttpRequest } from '../src/surfaces/http/index.ts';
import { hostileHttp, isForeseen, isShownTooLate, messageOf, shown } from '../test/surfaces/http/fuzz.ts';
import { tapeOf } from '../test/support/hostile.ts';
import { client, type Client } from './ask.ts';
import { collectionOf } from './hostile/generate.ts';
import { cpuMsOf } from './process.ts';

export interface FuzzReport {
  readonly requests: number;
  readonly codes: ReadonlyMap<number, number>;
  /** Unexpected failures, and changes by refused requests, one line each. */
  readonly problems: readonly string[];
  /** Milliseconds of processor time; undefined where the system does not report it. */
  readonly worst: { readonly ms: number; readonly request: string } | undefined;
}

/** Requests about one kind before the server is reset. */
const A_KIND = 60;
const NUMBERS = 96;

/** Sends so many requests, generated from a seed. */
export async function fuzzServed(count: number, seed: number): Promise<FuzzReport> {
  const random = createRandom(seed).stream('fuzz');
  const served = await serveProcess({ scenario: recordedCluster(), words: ['--clock', 'manual'] });
  const asking = client(served.port);
  const kinds = kindsFor(namesFor('k8s.io')).list();
  const found: Found = { codes: new Map(), problems: [], worst: undefined, revision: undefined };
  try {
    for (let done = 0; done < count;) {
      const kind = kinds[Math.floor(done / A_KIND) % kinds.length];
      if (kind === undefined) break;
      const target = await worldOf(served, asking, kind);
      found.revision = (await served.sim('state'))['resourceVersion'];
      for (let at = 0; at < A_KIND && done < count; at++, done++) {
        const tape = tapeOf(Array.from({ length: NUMBERS }, () => random.below(0x10000)));
        await one(served, asking, hostileHttp(target, tape), found);
      }
    }
    if (served.failures() !== '') found.problems.push(`the server's log: ${served.failures().slice(0, 2000)}`);
  } finally {
    asking.close();
    await served.close();
  }
  const { codes, problems, worst } = found;
  return { requests: count, codes, problems, worst };
}

interface Found {
  readonly codes: Map<number, number>;
  readonly problems: string[];
  /** The last assigned revision. */
  revision: unknown;
  worst: { readonly ms: number; readonly request: string } | undefined;
}

const utf8 = new TextEncoder();

/** Resets the server, with one object of a kind. */
async function worldOf({ sim }: Served, asking: Client, kind: Kind): Promise<{ readonly kind: Kind; current(): ApiObject | undefined }> {
  await sim('reset', {});
  const { text } = await asking.ask({
    method: 'POST',
    target: collectionOf(kind),
    headers: { host: '127.0.0.1', 'content-type': 'application/json' },
    body: utf8.encode(JSON.stringify(exampleOf(kind, namesFor('k8s.io')))),
  });
  const made = JSON.parse(text) as ApiObject & { readonly code?: number };
  return { kind, current: () => (made.code === undefined ? made : undefined) };
}

async function one({ pid, sim }: Served, asking: Client, request: HttpRequest, found: Found): Promise<void> {
  const revision = found.revision;
  const before = cpuMsOf(pid);
  const { status, text } = await asking.ask({ ...request, headers: { host: '127.0.0.1', ...request.headers } });
  const after = cpuMsOf(pid);
  found.codes.set(status, (found.codes.get(status) ?? 0) + 1);
  if (before !== undefined && after !== undefined && after - before > (found.worst?.ms ?? 0))
    found.worst = { ms: after - before, request: shown(request).slice(0, 300) };
  found.revision = (await sim('state'))['resourceVersion'];
  if (status < 400) return;
  const message = request.method === 'HEAD' ? '' : messageOf(text);
  if (request.method !== 'HEAD' && !isForeseen(request, status, message))
    found.problems.push(`an unforeseen ${status} ${message.slice(0, 200)}: ${shown(request)}`);
  if (found.revision !== revision && !isShownTooLate(message))
    found.problems.push(`changed something, yet answered ${status} ${message.slice(0, 200)}: ${shown(request)}`);
}

/** The report as text. */
function fuzzText({ requests, codes, problems, worst }: FuzzReport): string {
  const answers = [...codes].sort(([a], [b]) => a - b).map(([code, times]) => `${code} ${times}`);
  return [
    ...problems.slice(0, 20),
    `${requests} requests: ${answers.join(', ')}`,
    `${problems.filter((problem) => problem.startsWith('an unforeseen')).length} unforeseen failures, ${problems.filter((problem) => problem.startsWith('changed')).length} changed on an error`,
    worst === undefined
      ? 'the most expensive is not known on this system'
      : `the most expensive: ${worst.ms.toFixed(0)} ms of CPU: ${worst.request}`,
  ].join('\n');
}

const USAGE = `usage: npm run fuzz -- [--requests N] [--seed N]
  --requests  of any shape, to a cluster that serves them (default: 50000)
  --seed      of what they are (default: 1)`;

/** The command. */
export async function fuzzMain(args: readonly string[]): Promise<number> {
  const values = readOptions(args, { requests: { type: 'string' }, seed: { type: 'string' } }, USAGE);
  if (typeof values === 'number') return values;
  const [requests, seed] = [Number(values.requests ?? 50_000), Number(values.seed ?? 1)];
  if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed)) return wrongUsage('numbers are whole and positive', USAGE);
  const report = await fuzzServed(requests, seed);
  console.log(fuzzText(report));
  return report.problems.length === 0 ? 0 : 1;
}
