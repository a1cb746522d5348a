/** Slow, failing and cut connections between a process and the server. */
import { choice, duration, flag, integer, required } from '../scenario/index.ts';
import type { Status } from '../../apiserver/machinery/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import { shorter, SPANS, type Injection, type Of } from './fault.ts';
import { kindsField, kindsOf, milliseconds, ofProcess, planEnd } from './parameters.ts';

const REASONS: Readonly<Record<number, string>> = {
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

const refusal = (code: number, retryAfterSeconds?: number): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: `a fault answered ${code}`,
  reason: REASONS[code] ?? 'InternalError',
  code,
  ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
});

/** Disconnects a process for `forMs`: its requests time out, and it receives no watch events until the end. */
function cutOff(cluster: Cluster, name: string, forMs: number): undefined {
  const endsAt = cluster.now + forMs;
  const lift = cluster.addFaults({
    notice: { process: name, says: 'is cut off from the server', until: endsAt },
    describe: () => ['cut', name, endsAt],
    request: ({ by }) => (by.process === name ? { fail: refusal(504) } : undefined),
    cutUntil: (process) => (process === name ? endsAt : undefined),
  });
  planEnd(cluster, forMs, `${name} is connected again`, lift);
}

export const lag = ofProcess({
  name: 'lag',
  description: 'Delays the watch events of a process: its caches are stale.',
  overlap: 'Lags add up. Events that a partition holds back arrive after its end, with the lags added.',
  parameters: {
    by: required(duration('Extra delivery time.')),
    for: duration('How long; absent: until the end.'),
    kinds: kindsField,
  },
  apply(cluster, name, call) {
    const by = milliseconds(call, 'by') ?? 0;
    const kinds = kindsOf(call);
    const forMs = milliseconds(call, 'for');
    const what = kinds === undefined ? 'changes' : `changes of ${[...kinds].join(', ')}`;
    const lift = cluster.addFaults({
      notice: { process: name, says: `sees ${what} ${by / 1000} s late`, ...(forMs === undefined ? {} : { until: cluster.now + forMs }) },
      describe: () => ['lag', name, by, kinds === undefined ? 'all' : [...kinds]],
      delivery: (process, change) => (process === name && (kinds === undefined || kinds.has(change.kind)) ? by : undefined),
    });
    planEnd(cluster, forMs, `the lag of ${name} ends`, lift);
    return { detail: `${name} sees changes ${by} ms late` };
  },
});

export const failRequest = ofProcess({
  name: 'failRequest',
  description: 'Refuses requests of a process, or handles them and loses the response.',
  overlap: 'A request is refused if any fault refuses it, and each fault counts it. A refused request has no response to lose.',
  parameters: {
    times: integer('The number of requests; default 1.', 1),
    nth: integer('The first of them is the n-th from now; default 1.', 1),
    code: integer('The status code; default 500.', 400, 599),
    retryAfter: integer('With code 429 or 503: the seconds of Retry-After.', 1, 3_600),
    verb: choice('Only this verb.', 'create', 'update', 'patch', 'delete', 'get', 'list', 'watch'),
    kinds: kindsField,
    loseResponse: flag('The request is handled, and only its response is lost.'),
  },
  apply(cluster, name, call) {
    const { times, code, verb, loseResponse, nth, retryAfter } = call.parameters;
    const kinds = kindsOf(call);
    const status = refusal(typeof code === 'number' ? code : 500, typeof retryAfter === 'number' ? retryAfter : undefined);
    /** Requests before the first that it is about, and those that it is about, from here. */
    const next = { before: typeof nth === 'number' ? nth - 1 : 0, left: typeof times === 'number' ? times : 1 };
    const { before, left } = next;
    const lift = cluster.addFaults({
      describe: () => ['failRequest', name, next.left, { ...call.parameters }, ...(next.before > 0 ? [next.before] : [])],
      request({ by, request }) {
        if (
          by.process !== name ||
          next.left === 0 ||
          (typeof verb === 'string' && request.verb !== verb) ||
          (kinds !== undefined && !kinds.has(request.kind))
        )
          return undefined;
        if (next.before > 0) {
          next.before--;
          return undefined;
        }
        if (--next.left === 0) lift();
        return loseResponse === true ? { loseResponse: true } : { fail: status };
      },
    });
    return { detail: `${requestsFrom(before, left)} of ${name} ${loseResponse === true ? 'will lose the answer' : 'will fail'}` };
  },
});

/** Names `count` requests, before which `before` others come. */
function requestsFrom(before: number, count: number): string {
  if (count === 1) return before === 0 ? 'the next request' : `request ${before + 1} from now`;
  return before === 0 ? `the next ${count} requests` : `from request ${before + 1} on, ${count} requests`;
}

export const partition = ofProcess({
  name: 'partition',
  description: 'Disconnects a process: its requests time out, and it receives no watch events until the end.',
  overlap: 'The process is disconnected until the latest end.',
  parameters: { for: required(duration('How long.')) },
  apply(cluster, name, call) {
    cutOff(cluster, name, milliseconds(call, 'for') ?? 0);
    return { detail: `${name} is cut off` };
  },
});

const heldFor = (ms: number): Of<'hold'> => ({ do: 'hold', ms });

export const holdInjection: Injection<'hold'> = {
  name: 'hold',
  sorts: ['see', 'decide'],
  description: 'A watch event reaches a process late, or a decision is delayed.',
  drawn: (sort) => (sort === 'see' ? SPANS : [0, 1, 100, 1_000, 3_000]).map(heldFor),
  weaker: ({ ms }) => shorter(ms).map(heldFor),
  says: ({ ms }) => (ms === 0 ? 'waits for the end of its instant' : `comes ${formatDurationMs(ms)} late`),
  see: (_cluster, { ms }) => ms,
  decide: (_cluster, { ms }) => ({ hold: ms }),
};

const SLOWNESS: readonly number[] = [10, 100, 1_000, 5_000];

export const slowInjection: Injection<'slow'> = {
  name: 'slow',
  sorts: ['actor'],
  description: 'All watch events of a kind for a process, or all decisions or writes of a controller, are delayed.',
  drawn: () => SLOWNESS.map((ms) => ({ do: 'slow', ms })),
  weaker: (injectedFault) => SLOWNESS.filter((ms) => ms < injectedFault.ms).map((ms) => ({ ...injectedFault, ms })),
  says: ({ ms }) => `each comes ${formatDurationMs(ms)} late`,
};

const lateBy = (ms: number): Of<'late'> => ({ do: 'late', ms });

export const lateInjection: Injection<'late'> = {
  name: 'late',
  sorts: ['write'],
  description: 'A request reaches the server late.',
  drawn: () => SPANS.map(lateBy),
  weaker: ({ ms }) => shorter(ms).map(lateBy),
  says: ({ ms }) => `reaches the server ${formatDurationMs(ms)} late`,
  write: (_cluster, { ms }) => ({ delayMs: ms }),
};

export const refuseInjection: Injection<'refuse'> = {
  name: 'refuse',
  sorts: ['write'],
  description: 'A request is refused with an error.',
  drawn: () => [409, 500].map((code): Of<'refuse'> => ({ do: 'refuse', code })),
  weaker: () => [],
  says: ({ code }) => `is answered ${code}`,
  write: (_cluster, { code }) => ({ fail: refusal(code) }),
};

export const loseInjection: Injection<'lose'> = {
  name: 'lose',
  sorts: ['write'],
  description: 'A request is handled, and its response is lost.',
  drawn: () => [{ do: 'lose' }],
  weaker: () => [],
  says: () => 'is handled, and its answer is lost',
  write: () => ({ loseResponse: true }),
};

const CUTS: readonly number[] = [1_000, 5_000, 20_000, 60_000];
const cutFor = (ms: number): Of<'cut'> => ({ do: 'cut', ms });

export const cutInjection: Injection<'cut'> = {
  name: 'cut',
  sorts: ['decide'],
  description: 'A process is disconnected from the server for a while.',
  drawn: () => CUTS.map(cutFor),
  weaker: ({ ms }) => CUTS.filter((each) => each < ms).map(cutFor),
  says: ({ ms }) => `the process is cut off before it, for ${formatDurationMs(ms)}`,
  decide: (cluster, { ms }, { process }) => cutOff(cluster, process, ms),
};
