/**
 * EndpointSlices of a controller: whose they are, their content, and how they are compared: by their ports, by the identity of an endpoint,
 * and by its state. Models: v1.24 pkg/controller/util/endpointslice.
 */
import { type ApiObject, type Names, namespacedName, storeKey } from '../../apiserver/machinery/index.ts';
import type { EndpointSlice } from '../../apiserver/kinds/index.ts';
import { compareText, copyWith, present } from '../../schema/values/index.ts';
import { create, type Delta, type Write } from '../runtime/index.ts';
import { controllerReference } from './owned-set.ts';

export type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];
export type SlicePort = NonNullable<EndpointSlice['ports']>[number];
export type Texts = Readonly<Record<string, string>>;

/** A set of ports as one text, independent of their order. */
export const portsText = (ports: readonly SlicePort[] | undefined | null): string =>
  [...(ports ?? [])]
    .map(({ name, protocol, port, appProtocol }) => `${name ?? ''}/${protocol ?? 'TCP'}/${port ?? ''}/${appProtocol ?? ''}`)
    .sort(compareText)
    .join(',');

/** The identity of an endpoint, independent of its state. */
export const identityOf = ({ addresses, targetRef, hostname }: Endpoint): string =>
  `${addresses.join()}|${hostname ?? ''}|${namespacedName(targetRef ?? {})}`;

/** The state of an endpoint: a slice is written when it differs. */
export const stateOf = ({ conditions, targetRef }: Endpoint): string =>
  `${conditions.ready ?? ''}/${conditions.serving ?? ''}/${conditions.terminating ?? ''}/${targetRef?.uid ?? ''}`;

export const sameLabels = (a: Texts | undefined, b: Texts | undefined): boolean =>
  Object.keys(a ?? {}).length === Object.keys(b ?? {}).length && Object.entries(b ?? {}).every(([key, value]) => a?.[key] === value);

/** The labels by which a controller finds its slices of a service. */
export const sliceLabels = (service: string, manager: string, names: Names): Texts => ({
  [names.key('', 'service-name')]: service,
  [names.key('endpointslice', 'managed-by')]: `${manager}.${names.domain}`,
});

/** The key of the service that a slice of this controller belongs to. */
export function serviceOfSlice({ metadata: { namespace, labels } }: ApiObject, manager: string, names: Names): string | undefined {
  const name = labels?.[names.key('', 'service-name')];
  return name === undefined || labels?.[names.key('endpointslice', 'managed-by')] !== `${manager}.${names.domain}`
    ? undefined
    : storeKey(namespace, name);
}

/** The services that a slice of this controller belonged to before a change, and belongs to after it. */
export const servicesOfSlice = ({ type, object, old }: Delta<'EndpointSlice'>, manager: string, names: Names) => ({
  before: old === undefined ? undefined : serviceOfSlice(old, manager, names),
  after: type === 'DELETED' || object.metadata.deletionTimestamp !== undefined ? undefined : serviceOfSlice(object, manager, names),
});

interface Content extends Partial<Pick<EndpointSlice, 'endpoints' | 'ports'>> {
  readonly labels: Texts;
  readonly annotations: Texts;
}

const noted = (annotations: Texts): { readonly annotations?: Texts } => (Object.keys(annotations).length === 0 ? {} : { annotations });

export function createSlice(
  owner: ApiObject,
  addressType: string,
  { labels, annotations, ...content }: Content,
  names: Names,
  more: Pick<Write & { readonly op: 'create' }, 'otherwise'> = {},
): Write {
  const { name, namespace } = owner.metadata;
  const ownerReferences = [controllerReference(owner)];
  const metadata = present({ generateName: `${name}-`, namespace, labels, ...noted(annotations), ownerReferences });
  const object = { apiVersion: `${names.group('discovery')}/v1`, kind: 'EndpointSlice', addressType, ...content, metadata };
  return create(object, { tolerate: ['Forbidden'], ...more });
}

export function fillSlice(slice: EndpointSlice, { labels, annotations, ...content }: Content) {
  const metadata = present({ ...slice.metadata, labels, annotations: noted(annotations).annotations });
  const object = copyWith(slice, { metadata, ...content });
  return { op: 'update', object, awaited: true } as const;
}
