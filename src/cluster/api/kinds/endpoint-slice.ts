/** EndpointSlice: some of the endpoints of a service. Models: v1.24 discovery/v1 EndpointSlice, pkg/registry/discovery/endpointslice. */
import { always, atomicList, bool, filled, int32, map, obj, ptr, published, req, setList, str, type Infer } from '../../schema/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind, readDraft } from '../define-kind.ts';
import type { Draft, KindContext } from '../kind.ts';
import { objectReference, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { subdomainName } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate } from './endpoint-slice-validation.ts';

const endpoint = obj('Endpoint', {
  addresses: req(setList(str())),
  conditions: always(obj('EndpointConditions', { ready: ptr(bool), serving: ptr(bool), terminating: ptr(bool) })),
  hostname: ptr(str()),
  targetRef: objectReference,
  deprecatedTopology: map(str()),
  nodeName: ptr(str()),
  zone: ptr(str()),
  hints: obj('EndpointHints', { forZones: atomicList(obj('ForZone', { name: req(str()) })) }),
});
export type Endpoint = Infer<typeof endpoint>;

const endpointPort = obj('EndpointPort', {
  name: filled(ptr(str()), ''),
  protocol: filled(ptr(str('Protocol')), 'TCP'),
  port: ptr(int32),
  appProtocol: ptr(str()),
}, { mapType: 'atomic' });

export const endpointSliceSchema = obj('EndpointSlice', {
  ...typeMeta,
  addressType: req(str('AddressType')),
  endpoints: published(atomicList(endpoint)),
  ports: always(atomicList(endpointPort)),
});
export type EndpointSlice = ObjectOf<'EndpointSlice', Infer<typeof endpointSliceSchema>>;

/** What a writer may not set: the older form's topology, which vanishes without a word, and what gates that are off allow no one who does not have it already. */
function dropFields(draft: Draft, old: EndpointSlice | undefined, { gates }: KindContext): void {
  const all = readDraft<EndpointSlice>(draft).endpoints ?? [];
  const had = (has: (one: Endpoint) => boolean): boolean => old?.endpoints?.some(has) === true;
  const dropStates = gates['EndpointSliceTerminatingCondition'] === false && !had(hasStates);
  const dropHints = gates['TopologyAwareHints'] === false && !had(({ hints }) => hints !== undefined);
  if (!all.some((one) => one.deprecatedTopology !== undefined || (dropStates && hasStates(one)) || (dropHints && one.hints !== undefined))) return;
  draft['endpoints'] = all.map(({ deprecatedTopology: _, conditions, hints, ...rest }) => {
    const { serving: __, terminating: ___, ...ready } = conditions;
    return { ...rest, conditions: dropStates ? ready : conditions, ...(dropHints || hints === undefined ? {} : { hints }) };
  });
}
const hasStates = ({ conditions: { serving, terminating } }: Endpoint): boolean => serving !== undefined || terminating !== undefined;

function portsCell({ ports }: EndpointSlice): string {
  if (ports === null || ports.length === 0) return '<unset>';
  const shown = ports.slice(0, 3).map(({ name, port }) => (port === undefined ? name : String(port)));
  const text = shown.join(',') + (ports.length > 3 ? ` + ${ports.length - 3} more...` : '');
  return text === '' ? '<unset>' : text;
}

function endpointsCell({ endpoints }: EndpointSlice): string {
  const all = (endpoints ?? []).flatMap(({ addresses }) => addresses);
  if (all.length === 0) return '<unset>';
  return all.slice(0, 3).join(',') + (all.length > 3 ? ` + ${all.length - 3} more...` : '');
}

export const endpointSlice = defineKind<EndpointSlice>({
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  groupPrefix: 'discovery',
  version: 'v1',
  namespaced: true,
  schema: endpointSliceSchema,
  generation: 'spec',
  allowUnconditionalUpdate: true,
  prepareForCreate: (draft, context) => { dropFields(draft, undefined, context); },
  prepareForUpdate(draft, old, context) {
    dropFields(draft, old, context);
    // The one kind whose labels are part of what it says.
    if (!sameValue(draft.metadata['labels'], old.metadata.labels)) draft.metadata['generation'] = (old.metadata.generation ?? 0) + 1;
  },
  validateName: subdomainName,
  validate: validateEndpointSlice,
  validateUpdate: validateEndpointSliceUpdate,
  columns: [
    nameColumn,
    { name: 'AddressType', type: 'string', description: 'Kind of the addresses in the slice.', priority: 0, cell: (object) => object.addressType },
    { name: 'Ports', type: 'string', description: 'Ports of every endpoint in the slice.', priority: 0, cell: (object) => portsCell(object) },
    { name: 'Endpoints', type: 'string', description: 'Addresses of the endpoints.', priority: 0, cell: (object) => endpointsCell(object) },
    ageColumn,
  ],
  models: 'Complete. Ports, addresses and endpoints are held to the specification (100 ports, unique endpoints). Upstream: pkg/registry/discovery/endpointslice, pkg/apis/discovery/validation.',
});
