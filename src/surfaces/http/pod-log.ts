/**
 * Logs of containers: options, the checks of the server and of the node's agent, and the text, which is followed as virtual time passes.
 * Models: v1.24 pkg/registry/core/pod strategy.go LogLocation, pkg/apis/core/validation ValidatePodLogOptions, conversions of core/v1
 * PodLogOptions, pkg/kubelet validateContainerLogStatus.
 */
import type { Pod } from '../../apiserver/kinds/index.ts';
import type { ContainerStatus, FieldError } from '../../apiserver/machinery/index.ts';
import { failure, Refusal, invalidAs } from '../../apiserver/request/index.ts';
import type { ContainerLog, LogInstance } from '../../controlplane/agents/index.ts';
import { formatTime, quote, readTime } from '../../schema/values/index.ts';
import type { Backend } from './backend.ts';
import { type Area, type Call, objectFor } from './call.ts';
import { text, type HttpReply, type Sink } from './message.ts';
import { badRequest, methodNotAllowed, missing } from './refusals.ts';
import { checkAcceptable } from './request/accept.ts';
import { forbidden, invalid } from '../../apiserver/validation/index.ts';
import { firstOf, flagOf, integerOf, type Query } from './request/query.ts';

type LogQuery = ReturnType<typeof logQuery>;

const logQuery = (query: Query) => ({
  /** Empty: the only one. */
  container: firstOf(query, 'container') ?? '',
  follow: flagOf(query, 'follow') === true,
  previous: flagOf(query, 'previous') === true,
  timestamps: flagOf(query, 'timestamps') === true,
  sinceSeconds: integerOf(query, 'sinceSeconds'),
  /** Milliseconds since the epoch. */
  sinceTime: timeOf(query, 'sinceTime'),
  tailLines: integerOf(query, 'tailLines'),
  limitBytes: integerOf(query, 'limitBytes'),
});

function errorsOf({ tailLines, limitBytes, sinceSeconds, sinceTime }: LogQuery): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1) errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && sinceSeconds < 1) errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  return errors;
}

function timeOf(query: Query, name: string): number | undefined {
  const text = firstOf(query, name);
  if (text === undefined) return undefined;
  const read = readTime(text);
  if (read.error !== undefined) throw badRequest(read.error);
  return read.value;
}

/** The lines of one instance that are kept, as a runtime rotates its files. */
const MOST_LINES = 10_000;
/** The most lines of one instant, because a behaviour names at most so many. */
const MOST_AT_ONCE = 100;
/** Real milliseconds between two looks whether time has passed. */
const LOOK_EVERY_MS = 50;
const HEADERS = { 'cache-control': 'no-cache, private', 'content-type': 'text/plain' };

export const podLogs: Area = (call) => {
  const { below, http } = call;
  if (below?.group !== '' || below.resource !== 'pods' || below.subresource !== 'log') return undefined;
  const routed = call.routed();
  if (routed === undefined || routed instanceof Refusal) return undefined;
  if (http.method !== 'GET') throw methodNotAllowed();
  const { accept } = http.headers;
  if (!(accept ?? '').includes('text/plain')) checkAcceptable(accept);
  const { namespace = '', name = '' } = routed.route;
  return answer(call, namespace, name);
};

function answer(call: Call, namespace: string, name: string): HttpReply {
  const options = logQuery(call.query);
  const errors = errorsOf(options);
  if (errors.length > 0) throw invalidAs('', 'PodLogOptions', name, errors);
  const pod = objectFor(call, 'Pod', namespace, name) as Pod;
  const container = containerIn(pod, options.container);
  const { nodeName = '' } = pod.spec;
  // A pod that is bound to no node has an empty log.
  if (nodeName === '') return text(200, '', HEADERS['content-type']);
  const { backend } = call;
  checkAgent(backend, pod, container, nodeName);
  const log = backend.logOf?.(pod, container, backend.now());
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status;
  const status = [...containerStatuses, ...initContainerStatuses].find((each) => each.name === container);
  if (status === undefined) throw badRequest(`container ${quote(container)} in pod ${quote(name)} is not available`);
  const instance = options.previous ? log?.previous : log?.current;
  if (log === undefined || instance === undefined) throw badRequest(whyNone(status, container, name, options.previous));
  const reading: Reading = { pod, container, options, sent: 0 };
  if (!options.follow || options.previous || instance.exitCode !== undefined)
    return { status: 200, headers: HEADERS, body: written(reading, log, instance, backend.now()) };
  return { status: 200, headers: HEADERS, open: (sink) => follow(call, reading, instance, sink) };
}

function containerIn({ metadata: { name }, spec }: Pod, asked: string): string {
  const { initContainers = [], containers } = spec;
  const all = [...initContainers, ...containers].map((each) => each.name);
  if (asked !== '') {
    if (all.includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${name}`);
  }
  const [only] = containers;
  if (only !== undefined && containers.length === 1) return only.name;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`);
}

/** The server asks the agent of the node, which must exist and run. */
function checkAgent({ store, logOf, agentIsUp }: Backend, { metadata, status }: Pod, container: string, node: string): void {
  if (store.get('Node', node) === undefined) throw missing('nodes', '', node);
  if (logOf !== undefined && agentIsUp?.(node) !== false) return;
  const host = status.hostIP ?? node;
  const path = `containerLogs/${metadata.namespace ?? ''}/${metadata.name}/${container}`;
  throw failure({ code: 500, message: `Get "https://${host}:10250/${path}": dial tcp ${host}:10250: connect: connection refused` });
}

const CANNOT_PULL: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: 'trying and failing to pull image',
};

function whyNone({ state }: ContainerStatus, container: string, pod: string, previous: boolean): string {
  const subject = `container ${quote(container)} in pod ${quote(pod)}`;
  if (previous) return `previous terminated ${subject} not found`;
  const reason = state?.waiting?.reason;
  if (reason === undefined) return `${subject} is waiting to start - no logs yet`;
  return `${subject} is waiting to start: ${CANNOT_PULL[reason] ?? reason}`;
}

interface Reading {
  readonly pod: Pod;
  readonly container: string;
  readonly options: LogQuery;
  /** Bytes so far. */
  sent: number;
  /** Until when lines were read, milliseconds since the start of the instance, and those of that very instant. */
  readUntilMs?: number;
  atLast?: ReadonlySet<string>;
}

/** The text that was not read before, within the limits of the request. */
function written(reading: Reading, log: ContainerLog, instance: LogInstance, now: number): string {
  const { options, readUntilMs, atLast } = reading;
  const begins = readUntilMs === undefined;
  const { startedAt, elapsedMs } = instance;
  const tail = begins ? Math.min(options.tailLines ?? MOST_LINES, MOST_LINES) : MOST_LINES;
  const since = options.sinceSeconds === undefined ? (options.sinceTime ?? -Infinity) : now - options.sinceSeconds * 1000;
  // An instant that was read may have more lines by now: a container that is stopped prints at once.
  const all = log.lines(instance, { most: Math.min(tail + MOST_AT_ONCE, MOST_LINES), ...(begins ? {} : { afterMs: readUntilMs - 1 }) });
  const lines = (tail === 0 ? [] : all.slice(-tail)).filter(({ at, text: line }) =>
    begins ? at >= since : at > startedAt + readUntilMs || atLast?.has(line) !== true,
  );
  reading.readUntilMs = Math.max(readUntilMs ?? 0, elapsedMs);
  const last = startedAt + reading.readUntilMs;
  reading.atLast = new Set(all.filter(({ at }) => at === last).map(({ text: line }) => line));
  return limited(reading, lines.map(({ at, text: line }) => (options.timestamps ? `${stamp(at)} ${line}\n` : `${line}\n`)).join(''));
}

/** `2024-01-01T00:00:00.250000000Z`, as runtimes write it. */
const stamp = (at: number): string => `${formatTime(at).slice(0, -1)}.${String(at % 1000).padStart(3, '0')}000000Z`;

function limited(reading: Reading, content: string): string {
  const { limitBytes } = reading.options;
  if (limitBytes === undefined) return content;
  const bytes = Buffer.from(content, 'utf8').subarray(0, Math.max(limitBytes - reading.sent, 0));
  reading.sent += bytes.length;
  // A character that the limit divides is left out.
  return new TextDecoder('utf-8').decode(bytes, { stream: true });
}

const isFull = ({ options: { limitBytes }, sent }: Reading): boolean => limitBytes !== undefined && sent >= limitBytes;

/** Sends what the instance prints until it ends, and nothing of those after it. */
function follow({ backend, timers }: Call, reading: Reading, first: LogInstance, sink: Sink): () => void {
  const { container } = reading;
  const { uid } = reading.pod.metadata;
  let { pod } = reading;
  let lastNow = -1;
  let over = false;
  let cancelNext = (): void => undefined;
  const stop = (): void => {
    over = true;
    cancelNext();
    unlisten();
  };
  const finish = (): void => {
    stop();
    sink.end();
  };
  const look = (isGone = false): void => {
    const now = backend.now();
    if (over || (now === lastNow && !isGone)) return;
    lastNow = now;
    const log = backend.logOf?.(pod, container, now);
    const instance = [log?.current, log?.previous].find((each) => each?.restart === first.restart);
    if (log === undefined || instance === undefined) return finish();
    const content = written(reading, log, instance, now);
    if (content !== '') sink.write(content);
    if (isGone || instance.exitCode !== undefined || isFull(reading)) finish();
  };
  const again = (): void => {
    look();
    if (!over) cancelNext = timers.after(LOOK_EVERY_MS, again);
  };
  const unlisten = backend.listen('Pod', ({ type, object }) => {
    if (object.metadata.uid !== uid) return;
    if (type !== 'DELETED') pod = object as Pod;
    lastNow = -1;
    look(type === 'DELETED');
  });
  again();
  return stop;
}
