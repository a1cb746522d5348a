/** A served world with the clients `op` and `leader` outside the cluster, and its entries. */
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { NO_DEFINITIONS } from '../../../src/lab/definitions/index.ts';
import { stage } from '../../../src/lab/simulation/index.ts';
import type { Entry } from '../../../src/lab/trace/index.ts';
import { createSession, type ClientEvent, type HttpReply } from '../../../src/surfaces/http/index.ts';

const SCENARIO = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: outside }
spec:
  until: 1h
  clients:
    op: { userAgent: "op/*" }
    leader: { holder: "leader-*" }
`;

export function clientWorld(text = SCENARIO) {
  const read = readScenarios(text);
  if (!('scenarios' in read) || read.scenarios[0] === undefined) throw new Error(JSON.stringify(read));
  const [scenario] = read.scenarios;
  const entries: Entry[] = [];
  const prologue: Entry[] = [];
  const clientFaults: ClientEvent[] = [];
  const session = createSession({
    start(onEntry) {
      const add = (entry: Entry): void => {
        onEntry(entry);
        entries.push(entry);
      };
      const { cluster } = stage(scenario, { with: NO_DEFINITIONS, onEntry: add, onPrologue: (entry) => prologue.push(entry) });
      return { cluster, scenario: scenario.name, clients: scenario.clients ?? [], troubles: [] };
    },
    clock: 'manual',
    speed: 1,
    watched: () => false,
    onReset: () => undefined,
    onClient: (event) => clientFaults.push(event),
  });
  const { cluster } = session.current.start;
  const send = (method: string, target: string, body?: unknown, agent = 'op/1', more: Record<string, string> = {}) =>
    session.answer({
      method,
      target,
      headers: { 'user-agent': agent, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more },
      body: body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body)),
    });
  const read2 = (reply: HttpReply) => {
    if ('open' in reply) throw new Error('a stream');
    return { ...reply, json: JSON.parse(reply.body === '' ? '{}' : String(reply.body)) as Json };
  };
  const ask = async (...args: Parameters<typeof send>) => read2(await send(...args));
  return {
    cluster,
    entries,
    clientFaults,
    trace: () => ({ startAt: scenario.startAt, prologue, entries, renewalIntervals: [] }),
    send,
    ask,
    fault: (call: object) => ask('POST', '/sim/v1/faults', call, 'curl'),
    make: (name: string, agent = 'user') => ask('POST', MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }, agent),
    async names(agent = 'op/1', query = ''): Promise<readonly string[]> {
      const { json } = await ask('GET', `${MAPS}${query}`, undefined, agent);
      return (json.items ?? []).map(({ metadata }) => metadata.name).filter((name) => name.length === 1);
    },
    async watch(version: string) {
      const reply = await send('GET', `${MAPS}?watch=1&allowWatchBookmarks=true&resourceVersion=${version}`);
      if (!('open' in reply)) throw new Error(String(reply.body));
      const lines: { readonly type: string; readonly object: Json }[] = [];
      const ended = { how: '' };
      reply.open({
        write: (line) => lines.push(JSON.parse(line) as (typeof lines)[number]),
        end: () => (ended.how ||= 'end'),
        cut: () => (ended.how = 'cut'),
      });
      return { ended, lines, seen: () => lines.map(({ type, object }) => `${type} ${object.metadata?.name ?? object.code ?? ''}`) };
    },
    pass: (ms: number) => cluster.runUntil(cluster.now + ms),
    version: () => String(cluster.store.revision),
  };
}

interface Json {
  readonly items?: readonly { readonly metadata: { readonly name: string } }[];
  readonly metadata?: { readonly name: string };
  readonly code?: number;
  readonly message?: string;
  readonly id?: number;
}

export const MAPS = '/api/v1/namespaces/default/configmaps';
