/**
 * Faults of what a client outside the cluster is shown: broken watches, no bookmarks, a client that reads slowly or is
 * suspended. The server's surface applies them to its answers; in a run without clients they change nothing.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { ClientView, FaultRules } from '../../controlplane/runtime/index.ts';
import { duration, integer, required, type FaultCall } from '../scenario/index.ts';
import { kindsField, kindsOf, milliseconds, ofClient, planEnd, subjectText } from './parameters.ts';

const forField = duration('How long; absent: until the end.');

/** Shows kinds to a client as `view` says, until the end of the fault. */
export function show(cluster: Cluster, call: FaultCall, says: string, view: ClientView): void {
  const client = subjectText(call);
  const kinds = kindsOf(call);
  const forMs = milliseconds(call, 'for');
  const until = forMs === undefined ? {} : { until: cluster.now + forMs };
  const rules: FaultRules = {
    notice: { process: client, says, ...until },
    describe: () => [call.name, client, kinds === undefined ? 'all' : [...kinds], view],
    view: (shown, kind) => (shown === client && (kinds === undefined || kinds.has(kind)) ? view : undefined),
  };
  const lift = cluster.addFaults(rules);
  planEnd(cluster, forMs, `${call.name} of ${client} ends`, lift);
}

export const withholdBookmarks = ofClient({
  name: 'withholdBookmarks',
  description: 'Sends a client no bookmarks: a watch that breaks resumes from the last change that it was sent.',
  overlap: 'Bookmarks are sent again after the last end.',
  parameters: { for: forField, kinds: kindsField },
  apply(cluster, name, call) {
    show(cluster, call, 'gets no bookmarks', { withoutBookmarks: true });
    return { detail: `${name} gets no bookmarks` };
  },
});

export const slowReader = ofClient({
  name: 'slowReader',
  description: 'Makes a client read its watches slowly; the server closes a watch that falls 100 events behind, as upstream does.',
  overlap: 'The slowest applies.',
  parameters: { every: required(duration('The time in which it reads one event.')), for: forField, kinds: kindsField },
  apply(cluster, name, call) {
    const readsEveryMs = milliseconds(call, 'every') ?? 0;
    show(cluster, call, `reads one event in ${readsEveryMs} ms`, { readsEveryMs });
    return { detail: `${name} reads one watch event in ${readsEveryMs} ms` };
  },
});

export const slowRequests = ofClient({
  name: 'slowRequests',
  description: 'Delays the requests of a client on their way to the server.',
  overlap: 'Delays add up.',
  parameters: { by: required(duration('Extra time.')), for: forField, kinds: kindsField },
  apply(cluster, name, call) {
    const requestsTakeMs = milliseconds(call, 'by') ?? 0;
    show(cluster, call, `has requests that take ${requestsTakeMs} ms longer`, { requestsTakeMs });
    return { detail: `requests of ${name} take ${requestsTakeMs} ms longer` };
  },
});

export const closeWatches = ofClient({
  name: 'closeWatches',
  description: 'Closes the watches of a client: the connection is cut, or with code 410 the client is told to list again.',
  overlap: 'Each closes the watches that are open.',
  parameters: {
    code: integer('The code of the error event before the end, such as 410; absent: the connection is cut.', 400, 599),
    kinds: kindsField,
  },
  // What is open is known to the server's surface, which follows the trace.
  apply(_cluster, name, call) {
    const { code } = call.parameters;
    return { detail: `the watches of ${name} are ${typeof code === 'number' ? `closed with ${code}` : 'cut'}` };
  },
});

export const pause = ofClient({
  name: 'pause',
  description:
    'Suspends a client (SIGSTOP) for a while, as a long garbage collection or a frozen machine does; then it goes on with what it knew.',
  overlap: 'It goes on after the last end.',
  parameters: { for: required(duration('How long.')) },
  apply(cluster, name, call) {
    const heldUntil = cluster.now + (milliseconds(call, 'for') ?? 0);
    show(cluster, call, 'is suspended', { heldUntil });
    return { detail: `${name} is suspended` };
  },
});
