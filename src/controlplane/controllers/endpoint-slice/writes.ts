/**
 * The writes that bring a service's slices to what they are to hold. Models: v1.24 pkg/controller/endpointslice reconciler finalize, utils
 * newEndpointSlice, setEndpointSliceLabels.
 */
import { keyOf, type Names, storeKey } from '../../../apiserver/machinery/index.ts';
import type { EndpointSlice, Service } from '../../../apiserver/kinds/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import { create, remove, type EventText, type Write } from '../../runtime/index.ts';
import { isHeadless, portsText, sameLabels, type Endpoint } from '../../shared/index.ts';
import type { SliceChanges } from './slices.ts';

type Texts = Readonly<Record<string, string>>;

/** What all writes of one sync have in common. */
interface Sync {
  readonly service: Service;
  readonly labels: Texts;
  readonly names: Names;
  /** When the oldest change happened that they tell of; undefined: none did. */
  readonly changedAt: number | undefined;
}

/** Who these slices say they are managed by. */
export const managerOf = (names: Names): string => `endpointslice-controller.${names.domain}`;

/** Labels of a service's slices: its own, and whose they are. */
export const sliceLabels = (service: Service, names: Names): Texts => ({
  ...service.metadata.labels,
  [names.key('', 'service-name')]: service.metadata.name,
  [names.key('endpointslice', 'managed-by')]: managerOf(names),
  ...(isHeadless(service) ? { [names.key('service', 'headless')]: '' } : {}),
});

const failing = (service: Service): EventText => ({
  about: service,
  type: 'Warning',
  reason: 'FailedToUpdateEndpointSlices',
  message: `Error updating Endpoint Slices for Service ${keyOf(service)}: {error}`,
});

const triggerOf = (names: Names): string => names.key('endpoints', 'last-change-trigger-time');

/** The annotation that says when the change happened. */
const stampOf = ({ names, changedAt }: Sync): Texts => (changedAt === undefined ? {} : { [triggerOf(names)]: formatTime(changedAt) });

const annotated = (annotations: Texts): { readonly annotations?: Texts } => (Object.keys(annotations).length === 0 ? {} : { annotations });

function made(sync: Sync, { ports, endpoints }: SliceChanges['create'][number]): Write {
  const { service, labels, names } = sync;
  const { namespace, name, uid } = service.metadata;
  return create(
    {
      apiVersion: `${names.group('discovery')}/v1`,
      kind: 'EndpointSlice',
      addressType: 'IPv4',
      endpoints,
      ports,
      metadata: {
        generateName: `${name}-`,
        ...(namespace === undefined ? {} : { namespace }),
        labels,
        ...annotated(stampOf(sync)),
        ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true }],
      },
    },
    { tolerate: ['Forbidden'], otherwise: failing(service) },
  );
}

/** Whether writing a slice would say nothing new. */
function isStored(sync: Sync, slice: EndpointSlice, endpoints: readonly Endpoint[], stored: EndpointSlice | undefined): boolean {
  if (!sameLabels(slice.metadata.labels, sync.labels)) return false;
  const trigger = triggerOf(sync.names);
  const before = stored?.endpoints ?? [];
  // The empty slice of a service without endpoints is written at every sync; that is something only if the time of the change is.
  const isEmpty = endpoints.length === 0 && before.length === 0;
  if (isEmpty && portsText(stored?.ports) === portsText(slice.ports) && slice.metadata.annotations?.[trigger] === stampOf(sync)[trigger])
    return true;
  // Looked at for its hints, and found to fit.
  return slice === stored && endpoints.length === stored.endpoints?.length && endpoints.every((endpoint, at) => endpoint === before[at]);
}

function updated(sync: Sync, { slice, endpoints }: SliceChanges['update'][number], mine: ReadonlyMap<string, EndpointSlice>): Write[] {
  if (isStored(sync, slice, endpoints, mine.get(storeKey(sync.service.metadata.namespace, slice.metadata.name)))) return [];
  const { annotations: { [triggerOf(sync.names)]: _, ...others } = {}, ...metadata } = slice.metadata;
  const object = {
    ...slice,
    metadata: { ...metadata, labels: sync.labels, ...annotated({ ...others, ...stampOf(sync) }) },
    endpoints,
  };
  return [{ op: 'update', object, awaited: true, otherwise: failing(sync.service) }];
}

/** New slices, changed ones, and those that go. */
export function sliceWrites(
  sync: Sync,
  changes: SliceChanges,
  mine: ReadonlyMap<string, EndpointSlice>,
  strangers: readonly EndpointSlice[],
): readonly Write[] {
  const otherwise = failing(sync.service);
  return [
    ...(sync.service.metadata.deletionTimestamp === undefined ? changes.create.map((slice) => made(sync, slice)) : []),
    ...changes.update.flatMap((change) => updated(sync, change, mine)),
    ...[...changes.remove, ...strangers].map((slice) => remove(slice, { otherwise })),
  ];
}
