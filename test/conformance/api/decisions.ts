/** Recorded access decisions: sets of roles and bindings, what users may do with them, and the replies to their requests. */
import type { User } from '../../../src/apiserver/request/index.ts';
import { compareText } from '../../../src/schema/values/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import type { Tokens } from '../../../src/surfaces/http/index.ts';
import { recordedCluster, serveProcess } from '../served.ts';
import { bytesOf, exchange, type Sent } from './exchange.ts';
import { compactJson } from './json.ts';
import type { RecordedDecision, RecordedSet } from './recorded-decisions.ts';
import { authorizedWorld } from './worlds.ts';

export interface DecisionOutcome {
  readonly name: string;
  readonly difference?: string;
}

const ADMIN: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
const tokenOf = ({ name, groups }: User): string => Buffer.from(JSON.stringify([name, groups])).toString('base64url');

/** Tokens that encode their user. */
const tokens: Tokens = {
  get(token) {
    try {
      const [name, groups] = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as [string, string[]];
      return typeof name === 'string' && Array.isArray(groups) ? { name, groups } : undefined;
    } catch {
      return undefined;
    }
  },
};

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** A server with access control. */
export interface RequestAuthorizer {
  send(request: Sent): Promise<{ readonly status: number; readonly body: string | undefined }>;
  /** Waits until controllers have nothing left to do. */
  settle(): Promise<void>;
}

/** Returns a new server in this process. */
export async function authorizeHere(): Promise<RequestAuthorizer> {
  const { api, world } = authorizedWorld(tokens);
  return {
    async send(request) {
      const reply = await api(request);
      if ('open' in reply) {
        reply.open({ write: () => {}, end: () => {} })();
        return { status: reply.status, body: undefined };
      }
      return { status: reply.status, body: typeof reply.body === 'string' ? reply.body : Buffer.from(reply.body).toString('utf8') };
    },
    async settle() {
      world.settle();
    },
  };
}

/** Returns a real `orchsim serve --auth` with all users of the recordings; `open` resets it. */
export async function servedAuthorizer(
  sets: readonly RecordedSet[],
): Promise<{ open(): Promise<RequestAuthorizer>; close(): Promise<void> }> {
  const users = new Map<string, User>([[tokenOf(ADMIN), ADMIN]]);
  for (const { decisions, requests = [] } of sets)
    for (const { user: name, groups = [] } of [...decisions, ...requests])
      if (name !== undefined) users.set(tokenOf({ name, groups }), { name, groups });
  const { port, sim, close } = await serveProcess({
    scenario: recordedCluster(),
    tokens: [...users].map(([token, { name, groups }], at) =>
      [token, name, String(at), groups.join(',')].map((part) => JSON.stringify(part)).join(','),
    ),
    adminToken: tokenOf(ADMIN),
    words: ['--clock', 'manual', '--anonymous'],
  });
  const authorizer: RequestAuthorizer = {
    async send(request) {
      const { status, body } = await exchange(port, { ...request, headers: { ...request.headers, host: `127.0.0.1:${port}` } });
      return { status, body };
    },
    async settle() {
      await sim('advance', { by: '0s' });
    },
  };
  return {
    async open() {
      await sim('reset', {});
      return authorizer;
    },
    close,
  };
}

const kinds = kindsFor(namesFor('k8s.io'));

/** Checks a set's decisions and replays its requests. */
export async function replaySet(
  { set, namespaces, objects, decisions, requests = [] }: RecordedSet,
  authorizer: RequestAuthorizer,
): Promise<readonly DecisionOutcome[]> {
  const ask = async (
    user: User | undefined,
    method: string,
    target: string,
    body?: unknown,
    more: { readonly contentType?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Answered> => {
    const { status, body: text } = await authorizer.send({
      method,
      target,
      body: bytesOf(body === undefined || body === null ? '' : compactJson(body)),
      headers: {
        host: '127.0.0.1:6443',
        'user-agent': '',
        ...(user === undefined || user.name === 'system:anonymous' ? {} : { authorization: `Bearer ${tokenOf(user)}` }),
        ...(body === undefined || body === null
          ? {}
          : { 'content-type': more.contentType ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json') }),
        ...Object.fromEntries(Object.entries(more.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
      },
    });
    if (method !== 'GET') await authorizer.settle();
    if (text === undefined) return { status, body: undefined };
    try {
      return { status, body: JSON.parse(text) as unknown };
    } catch {
      return { status, body: text };
    }
  };
  for (const name of namespaces)
    await ask(ADMIN, 'POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const object of objects) {
    const made = await ask(ADMIN, 'POST', collectionOf(object), object);
    if (made.status !== 201)
      return [{ name: `${set}: ${object.kind} ${object.metadata.name}`, difference: `was not created: ${messageOf(made) ?? made.status}` }];
  }
  const outcomes: DecisionOutcome[] = [];
  for (const decision of decisions) outcomes.push(await decide(set, decision, ask));
  for (const request of requests) {
    const user = request.user === undefined ? undefined : { name: request.user, groups: request.groups ?? [] };
    const headers = {
      ...(typeof request.token === 'string' && request.user === undefined ? { authorization: `Bearer ${request.token}` } : {}),
      ...request.headers,
    };
    const got = await ask(user, request.method, request.path, request.body, {
      headers,
      ...(request.contentType === undefined ? {} : { contentType: request.contentType }),
    });
    const difference = answerDifference(request.code, request.method === 'HEAD' ? null : request.message, got);
    outcomes.push({
      name: `${set}: ${request.note ?? ''} ${request.method} ${request.path}`,
      ...(difference === undefined ? {} : { difference }),
    });
  }
  return outcomes;
}

type Ask = (user: User | undefined, method: string, target: string, body?: unknown) => Promise<Answered>;

async function decide(set: string, decision: RecordedDecision, ask: Ask): Promise<DecisionOutcome> {
  const {
    user: name,
    groups,
    verb,
    apiGroup = '',
    resource = '',
    subresource = '',
    namespace = '',
    path,
    request,
    reason,
    code,
    message = null,
  } = decision;
  const user: User = { name, groups };
  const question =
    path === undefined
      ? { resourceAttributes: { verb, group: apiGroup, resource, subresource, name: decision.name ?? '', namespace } }
      : { nonResourceAttributes: { verb, path } };
  const label = `${set}: ${name} ${verb} ${path ?? `${resource}.${apiGroup}${subresource === '' ? '' : `/${subresource}`} ${decision.name ?? ''} in ${namespace}`}`;
  const troubles: string[] = [];
  if (reason !== undefined) {
    const review = await ask(ADMIN, 'POST', REVIEWS, {
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      spec: { user: name, groups, ...question },
    });
    const status = statusOf(review);
    const same = words(status.reason ?? '') === words(reason) || (await allows(reason, status.reason ?? '', review.body, ask));
    if (status.allowed !== decision.allowed || !same)
      troubles.push(`review: want ${String(decision.allowed)} ${reason}, got ${String(status.allowed)} ${status.reason ?? ''}`);
    if (decision.ssar === 'same') {
      const selfReview = statusOf(
        await ask(user, 'POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
          kind: 'SelfSubjectAccessReview',
          apiVersion: 'authorization.k8s.io/v1',
          spec: question,
        }),
      );
      if (selfReview.allowed !== status.allowed || selfReview.reason !== status.reason)
        troubles.push(`self review: ${JSON.stringify(selfReview)}`);
    }
  }
  if (request !== undefined && code !== undefined) {
    const found = answerDifference(code, message, await ask(user, request.method, request.path, request.body));
    if (found !== undefined) troubles.push(`${request.method} ${request.path}: ${found}`);
  }
  return { name: label, ...(troubles.length === 0 ? {} : { difference: troubles.join('\n     ') }) };
}

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const ALLOWED_BY = /^RBAC: allowed by (ClusterRoleBinding) "([^"]+)"/;

/**
 * Whether the recorded binding allows the access too. With several matching bindings, the reported one depends on the order of the recorded
 * server's cache; without the binding that is reported here, the other one must be reported.
 */
async function allows(recorded: string, reason: string, review: unknown, ask: Ask): Promise<boolean> {
  const [, kind = '', name = ''] = ALLOWED_BY.exec(reason) ?? [];
  if (name === '' || !ALLOWED_BY.test(recorded)) return false;
  const collection = collectionOf({ apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name } });
  const path = `${collection}/${encodeURIComponent(name)}`;
  const { body } = await ask(ADMIN, 'GET', path);
  await ask(ADMIN, 'DELETE', path);
  const other = statusOf(await ask(ADMIN, 'POST', REVIEWS, review)).reason ?? '';
  const { metadata, ...binding } = body as { readonly metadata: Readonly<Record<string, unknown>> };
  const { labels, annotations } = metadata;
  await ask(ADMIN, 'POST', collection, { ...binding, metadata: { name, labels, annotations } });
  return words(other) === words(recorded);
}

/** The order of missing roles in a message is specific to the recorded server. */
const words = (text: string): string =>
  text
    .split(/[[\],]+ ?/)
    .sort(compareText)
    .join(' ');

function answerDifference(code: number, message: string | null, got: Answered): string | undefined {
  const said = messageOf(got);
  if (got.status !== code) return `want ${code}, got ${got.status} ${said ?? ''}`;
  if (message === null || code < 400) return undefined;
  return words(said ?? '') === words(message.replace(/0x[0-9a-f]{8,}/g, '<ptr>'))
    ? undefined
    : `want ${message}\n       got  ${said ?? ''}`;
}

const messageOf = ({ body }: Answered): string | undefined =>
  typeof body === 'string' ? body : typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : undefined;
const statusOf = ({ body }: Answered): { readonly allowed?: boolean; readonly reason?: string } =>
  typeof body === 'object' && body !== null && 'status' in body && typeof body.status === 'object' && body.status !== null
    ? body.status
    : {};

function collectionOf({ apiVersion, kind, metadata }: RecordedSet['objects'][number]): string {
  const known = kinds.byKind(kind);
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}${metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`}/${known?.plural ?? kind.toLowerCase()}`;
}
