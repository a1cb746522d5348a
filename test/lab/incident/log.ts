/** Logs of a few requests, and the incidents that they are. */
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { type AuditLog, createLogReader, type Incident, incidentOf } from '../../../src/lab/incident/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

export const KINDS = kindsFor(namesFor('k8s.io'));
const BASE = scenarioIn(`
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: incident }
spec: { domain: k8s.io, startTime: 2024-03-01T00:00:00Z, steps: [] }
`);
export const START = Date.parse('2024-03-01T00:00:00Z');

/** The time of a log, this many seconds after the start. */
export const timeAt = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('Z', '000Z');

/** A request as these tests write it: what it is about, who made it, what was sent and what was answered. */
export interface Sent {
  readonly verb: string;
  /** `pods`, `deployments/scale`. */
  readonly of: string;
  readonly group?: string;
  readonly version?: string;
  readonly namespace?: string | undefined;
  readonly name?: string;
  readonly user?: string;
  readonly code?: number;
  readonly body?: unknown;
  readonly answer?: object | undefined;
  /** Seconds after the start; absent: a second after the request before. */
  readonly at?: number;
  /** Further members of the event. */
  readonly more?: object;
}

export function eventOf(sent: Sent, nth: number): object {
  const { verb, of, group, version = 'v1', name, user = 'jane', code = 200, body, answer, at = nth + 1, more } = sent;
  const [resource = '', subresource] = of.split('/');
  const namespace = 'namespace' in sent ? sent.namespace : 'default';
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    auditID: `id-${nth}`,
    stage: 'ResponseComplete',
    requestURI: `/api/v1/namespaces/default/${resource}`,
    verb,
    user: { username: user },
    objectRef: { resource, namespace, name, apiGroup: group, apiVersion: version, subresource },
    responseStatus: { code },
    requestObject: body,
    responseObject: answer,
    requestReceivedTimestamp: timeAt(at),
    stageTimestamp: timeAt(at),
    ...more,
  };
}

export function logOf(sent: readonly Sent[]): AuditLog {
  const reader = createLogReader(({ group, resource }) => KINDS.byPlural(group, resource)?.kind);
  sent.forEach((each, nth) => {
    reader.line(JSON.stringify(eventOf(each, nth)), 'audit.log', nth + 1);
  });
  return reader.end();
}

export const incidentIn = (sent: readonly Sent[], base = BASE): Incident =>
  incidentOf(logOf(sent), base, KINDS, { withinMs: 10_000, secrets: false });

/** The user of a controller. */
export const controller = (name: string): string => `system:serviceaccount:kube-system:${name}-controller`;
/** An object of the namespace default, with the controller that owns it. */
export const owned = (kind: string, name: string, owner?: readonly [kind: string, name: string], more: object = {}) => ({
  kind,
  metadata: {
    name,
    namespace: 'default',
    ...(owner === undefined
      ? {}
      : {
          generateName: `${owner[1]}-`,
          ownerReferences: [{ apiVersion: 'x/v1', kind: owner[0], name: owner[1], uid: 'u', controller: true }],
        }),
    ...more,
  },
});
/** The creation of an object, with its whole answer. */
export const create = (
  of: string,
  object: { readonly kind: string; readonly metadata: { readonly name: string } },
  more: Partial<Sent> = {},
): Sent => ({
  verb: 'create',
  of,
  name: object.metadata.name,
  code: 201,
  body: object,
  answer: object,
  ...more,
});
