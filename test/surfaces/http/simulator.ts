/** A served cluster and its worlds, called without a socket. */
import { simulate } from '../../../src/lab/simulation/index.ts';
import { createSession, createWorlds, kubeconfigFor, type ClockMode, type Session } from '../../../src/surfaces/http/index.ts';
import type { HttpReply, Replied } from '../../../src/surfaces/http/message.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const scenarioWith = (limits: string): string => `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: served }
spec:
  title: A cluster to serve
  domain: k8s.io
  limits: ${limits}
  cluster: { nodes: { count: 1 } }
`;

interface Options {
  readonly clock?: ClockMode;
  readonly speed?: number;
  /** Limits of the scenario, in YAML. */
  readonly limits?: string;
}

type Sent = Readonly<Record<string, string>>;

const wholeOf = (reply: HttpReply) => {
  if ('open' in reply) throw new Error('a stream');
  const text = String(reply.body);
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    json: JSON.parse(text === '' ? '{}' : text) as Readonly<Record<string, unknown>>,
  };
};

/** What a stream has sent so far. */
const opened = (reply: HttpReply) => {
  if (!('open' in reply)) throw new Error(`no stream: ${String(reply.body)}`);
  const state = { text: '', isOver: false };
  const close = reply.open({
    write: (text) => (state.text += text),
    end: () => (state.isOver = true),
  });
  return { ...reply, state, close };
};

function asking(answer: (http: Parameters<Session['answer']>[0]) => Replied) {
  const send = (method: string, target: string, body?: unknown, headers: Sent = {}, onGone?: (act: () => void) => void) =>
    answer({
      method,
      target,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: new TextEncoder().encode(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)),
      ...(onGone === undefined ? {} : { onGone }),
    });
  return {
    ask: async (...args: Parameters<typeof send>) => wholeOf(await send(...args)),
    stream: async (target: string, headers: Sent = {}) => opened(await send('GET', target, undefined, headers)),
  };
}

function sessionOf(
  { clock = 'manual', speed = 1, limits = '{}' }: Options,
  more: Pick<Parameters<typeof createSession>[0], 'worlds' | 'onReset'>,
) {
  const scenario = scenarioIn(scenarioWith(limits));
  return createSession({
    start: (onEntry, also) => ({
      cluster: simulate(scenario, { onEntry, ...also, invariants: [] }).cluster,
      scenario: scenario.name,
      seed: scenario.seed,
      troubles: ['one', 'two'],
    }),
    clock,
    speed,
    watched: () => false,
    ...more,
  });
}

/** One world. */
export function simulator(options: Options = {}) {
  const resets: number[] = [];
  const session = sessionOf(options, { onReset: () => resets.push(resets.length) });
  return { session, resets, ...asking(session.answer) };
}

/** A server with worlds beside the first. */
export function simulators() {
  const worlds = createWorlds({
    open: (streams, list) => sessionOf({}, { worlds: list, onReset: () => streams.end() }),
    kubeconfig: (path, token) => kubeconfigFor(`http://h${path}`, { token }),
  });
  return { worlds, ...asking(worlds.answer) };
}
