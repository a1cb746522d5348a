import { checkTerms } from '../../apiserver/handlers/index.ts';
import type { Backend } from './backend.ts';
import type { Area, Call } from './call.ts';
import { exactFieldMatch, parseFieldSelector, parseLabelSelector } from '../../schema/values/index.ts';
import { reply } from './answer/encode.ts';
import type { HttpReply } from './message.ts';
import { badRequest, methodNotAllowed, unknownResource, notFound } from './refusals.ts';
import { checkAcceptable } from './request/accept.ts';
import { listQuery } from './request/options.ts';
import { warned } from './versions/index.ts';

interface Component {
  readonly name: string;
  readonly well: boolean;
  /** The answer of the health check; for a failed one, the error. */
  readonly message: string;
}

const PORTS: Readonly<Record<string, number>> = { 'controller-manager': 10_257, scheduler: 10_259 };
const DEPRECATED = 'v1 ComponentStatus is deprecated in v1.19+';

/** The store is in this process, so it is always healthy. */
const componentsOf = ({ isUp }: Backend): readonly Component[] => [
  { name: 'etcd-0', well: true, message: '{"health":"true"}' },
  ...Object.entries(PORTS).map(([name, port]) =>
    (isUp?.(name) ?? true)
      ? { name, well: true, message: 'ok' }
      : {
          name,
          well: false,
          message: `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`,
        },
  ),
];

const metadataOf = (name: string) => ({ name, creationTimestamp: null });
const objectOf = ({ name, well, message }: Component) => ({
  metadata: metadataOf(name),
  conditions: [{ type: 'Healthy', status: well ? 'True' : 'False', message }],
});
const typed = (component: Component) => ({ kind: 'ComponentStatus', apiVersion: 'v1', ...objectOf(component) });

export const componentStatuses: Area = (call) => {
  const { below } = call;
  if (below?.group !== '' || below.version !== 'v1' || below.resource !== 'componentstatuses') return undefined;
  const { special, namespace, name, subresource } = below;
  if (special !== undefined || namespace !== undefined || subresource !== undefined) throw unknownResource();
  if (call.http.method !== 'GET') throw methodNotAllowed();
  checkAcceptable(call.http.headers['accept']);
  return warned(name === undefined || name === '' ? listed(call) : one(call, name), DEPRECATED);
};

function one(call: Call, name: string): HttpReply {
  const found = componentsOf(call.backend).find((each) => each.name === name);
  if (found === undefined) throw notFound(`Component not found: ${name}`, {});
  return toReply(call, [found], typed(found));
}

function listed(call: Call): HttpReply {
  const { labelSelector, fieldSelector, watch } = listQuery(call.query);
  if (watch) throw methodNotAllowed();
  const fields = parseFieldSelector(fieldSelector ?? '');
  if (fields.value === undefined) throw badRequest(`invalid field selector: ${fields.error}`);
  checkTerms(fields.value);
  const wanted = exactFieldMatch(fields.value, 'metadata.name');
  const labels = parseLabelSelector(labelSelector ?? '');
  if (labels.value === undefined) throw badRequest(`invalid label selector: ${labels.error}`);
  checkTerms(labels.value);
  // No component has labels.
  const all = labels.value.matches(undefined) ? componentsOf(call.backend) : [];
  const chosen = all.filter(({ name }) => wanted === undefined || name === wanted);
  const list = { kind: 'ComponentStatusList', apiVersion: 'v1', metadata: {}, items: chosen.map(objectOf) };
  return toReply(call, chosen, list);
}

const COLUMNS = [
  { name: 'Name', type: 'string', format: 'name', description: 'The name of the component.', priority: 0 },
  { name: 'Status', type: 'string', format: '', description: 'Healthy, Unhealthy, or Unknown.', priority: 0 },
  { name: 'Message', type: 'string', format: '', description: 'The answer of the component.', priority: 0 },
  { name: 'Error', type: 'string', format: '', description: 'The error of the check.', priority: 0 },
];

/** Returns the reply in the negotiated format: a table, only metadata, or the whole objects. */
function toReply(call: Call, components: readonly Component[], whole: object): HttpReply {
  const format = call.format();
  if (format.as === undefined) return reply(200, whole, format);
  if (format.as === 'Table') {
    const rows = components.map(({ name, well, message }) => ({
      cells: [name, well ? 'Healthy' : 'Unhealthy', message, ''],
      object: { kind: 'PartialObjectMetadata', apiVersion: format.asVersion, metadata: metadataOf(name) },
    }));
    return reply(200, { kind: 'Table', apiVersion: format.asVersion, metadata: {}, columnDefinitions: COLUMNS, rows }, format);
  }
  const items = components.map(({ name }) => ({ kind: 'PartialObjectMetadata', apiVersion: format.asVersion, metadata: metadataOf(name) }));
  return reply(
    200,
    format.as === 'PartialObjectMetadata' ? (items[0] ?? {}) : { kind: format.as, apiVersion: format.asVersion, metadata: {}, items },
    format,
  );
}
