/**
 * Requests of an audit log, one record each: what is needed of a line, so that a log of a gigabyte fits into memory. Bodies are kept for
 * requests of clients only; of components it is kept what their write made true.
 */
import { membersOf, present } from '../../schema/values/index.ts';
import { factsOf, type Identity, identityIn, type ObjectFacts } from '../invariants/index.ts';
import { parseInstant } from '../scenario/index.ts';
import { type Component, componentOf } from './authors.ts';

export type Members = Readonly<Record<string, unknown>>;

export const textIn = (value: Members, name: string): string | undefined => {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
};

/** What a request is about, as the log says it. */
export interface Ref {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** A node as its agent reports it. */
export interface NodeReport {
  readonly capacity: Members;
  readonly labels: Members;
  readonly taints: unknown;
}

/** A write of a log that reached the server. */
export interface LogRecord {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The same to a microsecond, for the order. */
  readonly time: string;
  /** `FILE:LINE`. */
  readonly place: string;
  readonly verb: string;
  readonly ref: Ref;
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly user: string;
  readonly userAgent: string;
  /** Absent: a client made it. */
  readonly by?: Component;
  /** The level Metadata: what was asked is not known. */
  readonly isBare: boolean;
  /** Of its object, as far as it is known: the name, also a drawn one; who it is; what is true of it after the write. */
  readonly name?: string;
  readonly identity?: Identity;
  readonly labels: Members;
  readonly facts: ObjectFacts;
  readonly exitCodes: readonly number[];
  readonly node?: NodeReport;
  /** What a client sent, and the query of its path. */
  readonly body?: unknown;
  readonly query: URLSearchParams | undefined;
}

/** Why a line is no write to replay. */
export type LeftOut =
  | 'other stages of a request'
  | 'reads'
  | 'requests for no object'
  | 'dry runs'
  | 'renewals of leases'
  | 'Events'
  | 'requests of the server itself'
  | 'requests that change nothing (exec, logs, tokens, reviews)'
  | 'static pods of nodes';

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const STAGES: ReadonlySet<string> = new Set(['ResponseComplete', 'Panic']);
const NOTHING: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy', 'log', 'token']);
const REVIEWS = /^(?:tokenreviews|(?:self|local)?subjectaccessreviews|selfsubjectrulesreviews)$/;
const NO_FACTS: ObjectFacts = new Map();
const NO_MEMBERS: Members = {};

/** Who asked, or in whose name. */
export const userOf = (event: Members): string => textIn(membersOf(event['impersonatedUser'] ?? event['user']), 'username') ?? 'unknown';

/** Why an event is no write to replay, by what it says beside its bodies; undefined: it may be one. */
export function leftOutBy(event: Members): LeftOut | undefined {
  if (!STAGES.has(textIn(event, 'stage') ?? '')) return 'other stages of a request';
  if (!WRITES.has(textIn(event, 'verb') ?? '')) return 'reads';
  const { resource, subresource = '' } = refOf(membersOf(event['objectRef'])) ?? {};
  if (resource === undefined) return 'requests for no object';
  const uri = textIn(event, 'requestURI');
  if (uri?.includes('dryRun=') === true && queryIn(uri)?.has('dryRun') === true) return 'dry runs';
  if (resource === 'events') return 'Events';
  if (resource === 'leases') return 'renewals of leases';
  if (NOTHING.has(subresource) || REVIEWS.test(resource)) return 'requests that change nothing (exec, logs, tokens, reviews)';
  return undefined;
}

/** Reads an event of the log; a text: why it is none; `wrong`: it is no audit event at all. */
export function recordOf(
  event: unknown,
  place: string,
  kindOf: (ref: Ref) => string | undefined,
): LogRecord | LeftOut | { readonly wrong: string } {
  const e = membersOf(event);
  const stage = textIn(e, 'stage');
  const verb = textIn(e, 'verb');
  if (stage === undefined || verb === undefined) return { wrong: 'a line of audit.k8s.io/v1, with a stage and a verb' };
  const leftOut = leftOutBy(e);
  if (leftOut !== undefined) return leftOut;
  const ref = refOf(membersOf(e['objectRef']));
  if (ref === undefined) return 'requests for no object';
  const level = textIn(e, 'level');
  const isBare = level !== 'Request' && level !== 'RequestResponse';
  const time = textIn(e, 'requestReceivedTimestamp') ?? textIn(e, 'stageTimestamp') ?? '';
  const at = parseInstant(time);
  if (at === undefined) return { wrong: 'a requestReceivedTimestamp, such as 2024-03-01T00:00:00.000000Z' };
  const query = queryIn(textIn(e, 'requestURI'));
  const user = userOf(e);
  const userAgent = textIn(e, 'userAgent') ?? '';
  const by = componentOf(user, userAgent);
  if (by?.sort === 'server') return 'requests of the server itself';
  const status = membersOf(e['responseStatus']);
  const code = stage === 'Panic' ? 500 : typeof status['code'] === 'number' ? status['code'] : 200;
  const known = objectIn(verb, ref, e['requestObject'], e['responseObject'], code, kindOf(ref));
  if (known.isStatic) return 'static pods of nodes';
  return {
    at,
    time,
    place,
    verb,
    ref,
    code,
    reason: textIn(status, 'reason') ?? '',
    message: textIn(status, 'message') ?? '',
    user,
    userAgent,
    ...(by === undefined ? { body: isBare ? undefined : e['requestObject'] } : { by }),
    isBare,
    query,
    ...known,
  };
}

/** What `objectRef` says. */
export function refOf(ref: Members): Ref | undefined {
  const resource = textIn(ref, 'resource');
  if (resource === undefined) return undefined;
  const [subresource, namespace, name] = [textIn(ref, 'subresource'), textIn(ref, 'namespace'), textIn(ref, 'name')];
  return {
    group: textIn(ref, 'apiGroup') ?? '',
    version: textIn(ref, 'apiVersion') ?? 'v1',
    resource,
    ...present({ subresource, namespace, name }),
  };
}

function queryIn(uri: string | undefined): URLSearchParams | undefined {
  const at = uri?.indexOf('?') ?? -1;
  return uri === undefined || at < 0 ? undefined : new URLSearchParams(uri.slice(at + 1, at + 8192));
}

const MIRROR = /(?:^|\.)(?:kubernetes|orch)\.io\/config\.mirror$/;

/** What a line says of its object: the response if there is one, otherwise what was sent. */
function objectIn(verb: string, ref: Ref, sent: unknown, answer: unknown, code: number, kind: string | undefined) {
  const body = membersOf(sent);
  const response = membersOf(answer);
  const isAnswered = code < 300 && textIn(response, 'kind') === kind && kind !== undefined;
  const object = isAnswered ? response : body;
  const metadata = membersOf(object['metadata']);
  const isCreate = verb === 'create' && ref.subresource === undefined;
  const name = textIn(metadata, 'name') ?? ref.name;
  const placed = { ...object, metadata: { ...metadata, ...present({ namespace: ref.namespace, name }) } };
  // What a patch says of the owners and labels is only a part.
  const isWhole = isAnswered || isCreate;
  const bound = ref.subresource === 'binding' ? textIn(membersOf(body['target']), 'name') : undefined;
  return {
    isStatic: isCreate && Object.keys(membersOf(metadata['annotations'])).some((key) => MIRROR.test(key)),
    ...(name === undefined ? {} : { name }),
    ...(kind !== undefined && isWhole ? { identity: identityIn(placed) } : {}),
    labels: isWhole ? membersOf(metadata['labels']) : NO_MEMBERS,
    facts:
      bound !== undefined
        ? new Map([['bound to', bound]])
        : kind === undefined || !SAYS_STATE.has(ref.subresource)
          ? NO_FACTS
          : factsOf(kind, scaled(ref, body, object)),
    exitCodes: kind === 'Pod' ? exitCodesIn(membersOf(object['status'])) : [],
    ...(kind === 'Node' && isAnswered ? { node: reportIn(metadata, membersOf(response['spec']), membersOf(response['status'])) } : {}),
  };
}

const SAYS_STATE: ReadonlySet<string | undefined> = new Set([undefined, 'status', 'scale']);

const scaled = ({ subresource }: Ref, body: Members, object: Members): Members =>
  subresource === 'scale' ? { spec: body['spec'] } : object;

function exitCodesIn({ containerStatuses }: Members): readonly number[] {
  if (!Array.isArray(containerStatuses)) return [];
  return (containerStatuses as readonly unknown[]).flatMap((each) => {
    const { exitCode } = membersOf(membersOf(membersOf(each)['state'])['terminated']);
    return typeof exitCode === 'number' && Number.isInteger(exitCode) ? [exitCode] : [];
  });
}

const reportIn = (metadata: Members, spec: Members, status: Members): NodeReport => ({
  capacity: membersOf(status['capacity']),
  labels: membersOf(metadata['labels']),
  taints: spec['taints'],
});
