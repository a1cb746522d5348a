/**
 * The writes that bring a service's slices to their wanted content. Models: v1.24 pkg/controller/endpointslice reconciler finalize, utils
 * newEndpointSlice, setEndpointSliceLabels.
 */
import { keyOf, type Names, storeKey } from '../../../apiserver/machinery/index.ts';
import type { EndpointSlice, Service } from '../../../apiserver/kinds/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import { create, remove, type EventText, type Write } from '../../runtime/index.ts';
import { isHeadless, portsText, sameLabels, type Endpoint } from '../../shared/index.ts';
import type { SliceChanges } from './slices.ts';

type Texts = Readonly<Record<string, string>>;

/** What all writes of one sync share. */
interface Sync {
  readonly service: Service;
  readonly labels: Texts;
  readonly names: Names;
  /** When the oldest change in these writes happened; undefined: there was none. */
  readonly changedAt: number | undefined;
}

/** The value of the managed-by label. */
export const managerOf = (names: Names): string => `endpointslice-controller.${names.domain}`;

/** The labels of a service's slices: the service's own, its name, and the managing controller. */
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

/** The annotation with the time of the change. */
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

/** Whether a write of a slice would change nothing. */
function isStored(sync: Sync, slice: EndpointSlice, endpoints: readonly Endpoint[], stored: EndpointSlice | undefined): boolean {
  if (!sameLabels(slice.metadata.labels, sync.labels)) return false;
  const trigger = triggerOf(sync.names);
  const before = stored?.endpoints ?? [];
  // The empty slice of a service without endpoints is written at every sync, which has an effect only if the time of the change is written.
  const isEmpty = endpoints.length === 0 && before.length === 0;
  if (isEmpty && portsText(stored?.ports) === portsText(slice.ports) && slice.metadata.annotations?.[trigger] === stampOf(sync)[trigger])
    return true;
  // The slice was visited for its hints, which are unchanged.
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

/** Writes for new, changed and deleted slices. */
export function sliceWrites(
  sync: Sync,
  changes: SliceChanges,
  mine: ReadonlyMap<string, EndpointSlice>,
  foreign: readonly EndpointSlice[],
): readonly Write[] {
  const otherwise = failing(sync.service);
  return [
    ...(sync.service.metadata.deletionTimestamp === undefined ? changes.create.map((slice) => made(sync, slice)) : []),
    ...changes.update.flatMap((change) => updated(sync, change, mine)),
    ...[...changes.remove, ...foreign].map((slice) => remove(slice, { otherwise })),
  ];
}
