/**
 * Writes the audit log that a real server would write for the requests of a simulated cluster: a line of audit.k8s.io/v1 for each, at the stage
 * ResponseComplete. Writes have the level RequestResponse, reads the level Metadata. The format: upstream's k8s.io/apiserver pkg/apis/audit/v1.
 */
import { type Names, SIM } from '../../apiserver/machinery/index.ts';
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { ApiRequest, ApiResponse, Envelope } from '../../apiserver/request/index.ts';
import type { AnsweredRequest } from '../../controlplane/cluster-options.ts';
import { formatMicroTime, membersOf, present } from '../../schema/values/index.ts';
import { identityOf } from './authors.ts';
import { withoutValues } from '../snapshot/index.ts';

export interface AuditLogOptions {
  /** Requests before this instant are left out: a cluster warms up; milliseconds since the epoch. */
  readonly startAt: number;
  /** Secrets keep their values. */
  readonly secrets?: boolean;
  line(text: string): void;
}

/** The program of a scenario's own requests. */
const PROGRAM = 'orchsim';
const READS: ReadonlySet<string> = new Set<ApiRequest['verb']>(['get', 'list']);

/** Returns what is to be called for each request with its response. */
export function createAuditLog({ startAt, secrets = false, line }: AuditLogOptions) {
  const count = { lines: 0, at: 0, nth: 0 };
  return ({ envelope, response, at, kinds }: AnsweredRequest): void => {
    const { request } = envelope;
    if (at < startAt) return;
    const event = eventOf(envelope, response, kinds);
    if (event === undefined) return;
    count.lines++;
    count.nth = at === count.at ? count.nth + 1 : 0;
    count.at = at;
    const bodies = READS.has(request.verb) ? undefined : bodiesOf(request, response, secrets);
    const level = bodies === undefined ? 'Metadata' : 'RequestResponse';
    line(
      JSON.stringify({
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        level,
        auditID: idOf(count.lines),
        ...event,
        ...bodies,
        ...timesOf(at, count.nth, kinds.names, response.annotations),
      }),
    );
  };
}

/** A number as an id, because ids must not be drawn: the same run writes the same log. */
const idOf = (nth: number): string => `00000000-0000-4000-8000-${nth.toString(16).padStart(12, '0')}`;

/** Requests of one instant are a microsecond apart, so that the times say their order. */
function timesOf(at: number, nth: number, names: Names, annotations: ApiResponse['annotations']): object {
  const time = formatMicroTime(at).replace(/000Z$/, `${String(Math.min(nth, 999)).padStart(3, '0')}Z`);
  const domain = names.domain === 'k8s.io' ? {} : { [`${SIM}/domain`]: names.domain };
  return {
    requestReceivedTimestamp: time,
    stageTimestamp: time,
    annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '', ...domain, ...annotations },
  };
}

function eventOf({ request, by }: Envelope, response: ApiResponse, kinds: KindRegistry): object | undefined {
  const kind = kinds.byKind(request.kind);
  if (kind === undefined) return undefined;
  const { groupPrefix, plural, version, namespaced } = kind;
  const apiGroup = kinds.names.group(groupPrefix);
  const { user, userAgent } = request;
  const body: unknown = 'body' in request ? request.body : undefined;
  const namespace = request.namespace ?? metadataOf(body).namespace;
  const name = 'name' in request && request.name !== undefined ? request.name : metadataOf(body).name;
  const subresource = 'subresource' in request ? request.subresource : undefined;
  const identity = identityOf(by.process, by.controller, request.kind, kinds.names) ?? {
    username: user?.name ?? by.process,
    groups: [...(user?.groups ?? []), 'system:authenticated'],
  };
  const inPath = request.verb === 'create' && subresource === undefined ? undefined : name;
  const path = [
    apiGroup === '' ? `/api/${version}` : `/apis/${apiGroup}/${version}`,
    ...(namespaced && namespace !== undefined ? [`namespaces/${namespace}`] : []),
    plural,
    ...(inPath === undefined || inPath === '' ? [] : [inPath]),
    ...(subresource === undefined ? [] : [subresource]),
  ].join('/');
  return {
    stage: 'ResponseComplete',
    requestURI: `${path}${queryOf(request)}`,
    verb: request.verb,
    user: { username: identity.username, groups: identity.groups },
    sourceIPs: ['127.0.0.1'],
    userAgent: userAgent ?? (by.controller === undefined ? PROGRAM : by.process),
    objectRef: present({
      resource: plural,
      namespace: namespaced ? namespace : undefined,
      name: name === '' ? undefined : name,
      apiGroup: apiGroup === '' ? undefined : apiGroup,
      apiVersion: version,
      subresource,
    }),
    responseStatus: response.ok
      ? { metadata: {}, code: response.code }
      : present({ metadata: {}, status: 'Failure', message: response.status.message, reason: response.status.reason, code: response.code }),
  };
}

interface Named {
  readonly name?: string;
  readonly namespace?: string;
}

const metadataOf = (body: unknown): Named => membersOf(membersOf(body)['metadata']);

function queryOf(request: ApiRequest): string {
  const query: [string, string][] = [];
  if ('fieldManager' in request && request.fieldManager !== undefined) query.push(['fieldManager', request.fieldManager]);
  if (request.verb === 'patch' && request.patchType === 'apply' && request.force === true) query.push(['force', 'true']);
  if ('dryRun' in request && request.dryRun !== undefined && request.dryRun !== false) query.push(['dryRun', 'All']);
  if ('labelSelector' in request && request.labelSelector !== undefined) query.push(['labelSelector', request.labelSelector]);
  return query.length === 0 ? '' : `?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

function bodiesOf(request: ApiRequest, response: ApiResponse, secrets: boolean): object {
  const shown = (body: unknown): unknown => (request.kind === 'Secret' && !secrets ? withoutValues(body) : body);
  const answer = !response.ok
    ? response.status
    : 'object' in response
      ? shown(response.object)
      : 'success' in response
        ? response.success
        : undefined;
  return present({ requestObject: shown(requestBody(request)), responseObject: answer });
}

function requestBody(request: ApiRequest): unknown {
  if ('body' in request) return request.body;
  if (request.verb !== 'delete' && request.verb !== 'deletecollection') return undefined;
  const { gracePeriodSeconds, propagationPolicy, preconditions } = request;
  const given = present({ gracePeriodSeconds, propagationPolicy, preconditions });
  return Object.keys(given).length === 0 ? undefined : { kind: 'DeleteOptions', apiVersion: 'v1', ...given };
}
