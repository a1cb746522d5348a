import { checkTerms } from '../../apiserver/handlers/index.ts';
import type { Backend } from './backend.ts';
import type { Area, Call } from './call.ts';
import { parseLabelSelector } from '../../schema/values/index.ts';
import { type ApiObject, column, nameColumn } from '../../apiserver/machinery/index.ts';
import { type MadeKind, many, namesIn, one } from './metrics-api/made.ts';
import type { HttpReply } from './message.ts';
import { badRequest, methodNotAllowed, unknownResource, notFound } from './refusals.ts';
import { checkAcceptable } from './request/accept.ts';
import { listQuery } from './request/options.ts';
import { warned } from './versions/index.ts';

const PORTS: Readonly<Record<string, number>> = { 'controller-manager': 10_257, scheduler: 10_259 };
const DEPRECATED = 'v1 ComponentStatus is deprecated in v1.19+';

/** `message`: the answer of the health check; of a failed one, the error. The store is in this process, so it is always healthy. */
const componentsOf = ({ isUp }: Backend) => [
  { name: 'etcd-0', well: true, message: '{"health":"true"}' },
  ...Object.entries(PORTS).map(([name, port]) => {
    const well = isUp?.(name) ?? true;
    const error = `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`;
    return { name, well, message: well ? 'ok' : error };
  }),
];

const objectOf = ({ name, well, message }: ReturnType<typeof componentsOf>[number]) => ({
  kind: 'ComponentStatus',
  apiVersion: 'v1',
  metadata: { name, creationTimestamp: null },
  conditions: [{ type: 'Healthy', status: well ? 'True' : 'False', message }],
});

export const componentStatuses: Area = (call) => {
  const { below } = call;
  if (below?.group !== '' || below.version !== 'v1' || below.resource !== 'componentstatuses') return undefined;
  const { special, namespace, name, subresource } = below;
  if (special !== undefined || namespace !== undefined || subresource !== undefined) throw unknownResource();
  if (call.http.method !== 'GET') throw methodNotAllowed();
  checkAcceptable(call.http.headers['accept']);
  return warned(name === undefined || name === '' ? listed(call) : oneOf(call, name), DEPRECATED);
};

function oneOf(call: Call, name: string): HttpReply {
  const found = componentsOf(call.backend).find((each) => each.name === name);
  if (found === undefined) throw notFound(`Component not found: ${name}`, {});
  return one(call, KIND, objectOf(found));
}

function listed(call: Call): HttpReply {
  const { labelSelector, watch } = listQuery(call.query);
  if (watch) throw methodNotAllowed();
  const isNamed = namesIn(call);
  const labels = parseLabelSelector(labelSelector ?? '');
  if (labels.value === undefined) throw badRequest(`invalid label selector: ${labels.error}`);
  checkTerms(labels.value);
  // No component has labels.
  const all = labels.value.matches(undefined) ? componentsOf(call.backend).filter(isNamed) : [];
  return many(call, KIND, 'v1', all.map(objectOf));
}

const conditionOf = (object: ApiObject) => (object as object as ReturnType<typeof objectOf>).conditions[0];
const KIND: MadeKind = {
  kind: 'ComponentStatus',
  groupPrefix: '',
  columns: [
    { ...nameColumn, description: 'The name of the component.' },
    column('Status', 'string', 'Healthy, Unhealthy, or Unknown.', (object) =>
      conditionOf(object)?.status === 'True' ? 'Healthy' : 'Unhealthy',
    ),
    column('Message', 'string', 'The answer of the component.', (object) => conditionOf(object)?.message),
    column('Error', 'string', 'The error of the check.', () => ''),
  ],
};
