/** PersistentVolumeClaim: a request for storage. Models: v1.24 core/v1 PersistentVolumeClaim, pkg/registry/core/persistentvolumeclaim. */
import type { Infer } from '../../schema/shape/index.ts';
import { compareQuantities, GoText, quantity, quantityValue } from '../../schema/values/index.ts';
import { currentOf, defineKind, type Draft, keepSpec, keepStatus } from '../machinery/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import { type ObjectOf, persistentVolumeClaim as schema } from '../structs/index.ts';
import {
  forbidden,
  immutableText,
  invalid,
  mayBeOnePod,
  required,
  sameValue,
  subdomainName,
  validateClaimSpec,
  validateMeta,
} from '../validation/index.ts';

export type PersistentVolumeClaim = ObjectOf<'PersistentVolumeClaim', Infer<typeof schema>>;

/**
 * Aligns both data source fields: they must name the same source. The older field accepts only claims and snapshots, others are dropped.
 * Without the gate only the older field is kept, unless the stored claim has the other. Models: v1.24 pkg/api/persistentvolumeclaim
 * NormalizeDataSources.
 */
function alignSources({ spec }: Draft<PersistentVolumeClaim>, old: PersistentVolumeClaim | undefined, { gates }: KindContext): void {
  const dataSource = currentOf(spec.dataSource);
  const dataSourceRef = currentOf(spec.dataSourceRef);
  if (dataSource === undefined && dataSourceRef === undefined) return;
  const kept =
    dataSource !== undefined && (old?.spec.dataSource !== undefined || SOURCES.has(`${dataSource.apiGroup ?? ''}/${dataSource.kind}`))
      ? dataSource
      : undefined;
  const aligns = gates['AnyVolumeDataSource'] !== false;
  const ref = aligns || old?.spec.dataSourceRef !== undefined ? dataSourceRef : undefined;
  // Deleted and set again, so that they come last.
  delete spec.dataSource;
  delete spec.dataSourceRef;
  const [source, other] = aligns ? [kept ?? ref, ref ?? kept] : [kept, ref];
  if (source !== undefined) Object.assign(spec, { dataSource: source });
  if (other !== undefined) Object.assign(spec, { dataSourceRef: other });
}

const SOURCES: ReadonlySet<string> = new Set([
  '/PersistentVolumeClaim',
  'snapshot.storage.k8s.io/VolumeSnapshot',
  'snapshot.storage.orch.io/VolumeSnapshot',
]);

const specErrors = (object: PersistentVolumeClaim, context: KindContext, old?: PersistentVolumeClaim): FieldError[] => [
  ...validateMeta(object, true, subdomainName, context),
  ...validateClaimSpec(object.spec, 'spec', mayBeOnePod(old?.spec, context)),
];
const specErrorsOfUpdate = (object: PersistentVolumeClaim, context: KindContext, old: PersistentVolumeClaim): FieldError[] =>
  object.spec === old.spec && object.metadata === old.metadata ? [] : specErrors(object, context, old);

const amountOf = ({ spec }: PersistentVolumeClaim): string => spec.resources.requests?.['storage'] ?? '0';

/**
 * Returns the new spec with the allowed changes undone: a volume name set once, a request that grows once bound, a class moved from its
 * annotation.
 */
function allowed(object: PersistentVolumeClaim, old: PersistentVolumeClaim, classMoved: boolean): PersistentVolumeClaim['spec'] {
  const { volumeName, storageClassName, ...rest } = object.spec;
  const named = old.spec.volumeName === undefined ? rest : { ...rest, ...(volumeName === undefined ? {} : { volumeName }) };
  const spec = { ...named, ...(classMoved || storageClassName === undefined ? {} : { storageClassName }) };
  const had = old.spec.resources.requests?.['storage'];
  if (object.status.phase !== 'Bound' || spec.resources.requests === undefined || had === undefined) return spec;
  return { ...spec, resources: { ...spec.resources, requests: { ...spec.resources.requests, storage: had } } };
}

/**
 * Returns why a claim may not request less than before. Behind a gate, a request that was never reached may be reduced, because an
 * expansion may fail permanently.
 */
function shrinkError(object: PersistentVolumeClaim, old: PersistentVolumeClaim, { gates }: KindContext): string | undefined {
  const against = (amount: string): number => compareQuantities(quantity(amountOf(object)), quantity(amount));
  if (against(amountOf(old)) >= 0) return undefined;
  if (gates['RecoverVolumeExpansionFailure'] !== true) return 'field can not be less than previous value';
  return against(old.status.capacity?.['storage'] ?? '0') <= 0 ? 'field can not be less than status.capacity' : undefined;
}

function changeErrors(object: PersistentVolumeClaim, context: KindContext, old: PersistentVolumeClaim): FieldError[] {
  const key = context.names.key('volume.beta', 'storage-class');
  const [now, then] = [object.metadata.annotations?.[key], old.metadata.annotations?.[key]];
  const classMoved =
    then !== undefined &&
    old.spec.storageClassName === undefined &&
    object.spec.storageClassName === then &&
    (now === undefined || now === then);
  const errors: FieldError[] = [];
  if (!classMoved && (now ?? '') !== (then ?? '')) errors.push(invalid(`metadata.annotations.${key}`, now ?? '', immutableText));
  if (object.spec === old.spec) return errors;
  if (!sameValue(allowed(object, old, classMoved), old.spec))
    errors.push(forbidden('spec', 'spec is immutable after creation except resources.requests for bound claims\n'));
  const shrunk = shrinkError(object, old, context);
  if (shrunk !== undefined) errors.push(forbidden('spec.resources.requests.storage', shrunk));
  if (object.spec.volumeMode !== old.spec.volumeMode) errors.push(invalid('volumeMode', object.spec.volumeMode, immutableText));
  return errors;
}

const capacityErrors = ({ status: { capacity = {} } }: PersistentVolumeClaim): FieldError[] =>
  Object.entries(capacity).flatMap(([name, amount]) => {
    const value = quantityValue(quantity(amount));
    return value < 0n ? [invalid(`status.capacity[${name}]`, new GoText(String(value)), 'must be a valid resource quantity')] : [];
  });

const SHORT: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Returns `RWO,ROX`, in a fixed order and without repetitions. */
export const shortAccessModes = (modes: readonly string[] | undefined): string =>
  SHORT.filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');

export const persistentVolumeClaim = defineKind<PersistentVolumeClaim>({
  shortNames: ['pvc'],
  schema,
  subresources: ['status'],
  deleteReturns: 'object',
  prepareForCreate(draft, context) {
    draft.status = { phase: 'Pending' };
    alignSources(draft, undefined, context);
  },
  prepareForUpdate(draft, old, context) {
    keepStatus(draft, old);
    if (currentOf(draft.spec) !== old.spec) alignSources(draft, old, context);
  },
  prepareForStatusUpdate: keepSpec,
  create: [(object, context) => specErrors(object, context)],
  // Upstream validates in the strategy, and again with the rules of updates.
  update: [specErrorsOfUpdate, 'changed metadata', specErrorsOfUpdate, changeErrors],
  updateStatus: [
    'changed metadata',
    ({ spec: { accessModes } }) => ((accessModes ?? []).length === 0 ? [required('Spec.accessModes')] : []),
    capacityErrors,
  ],
  columns: [
    'Name',
    [
      'Status',
      'string',
      'Phase of the claim.',
      ({ metadata, status }) => (metadata.deletionTimestamp === undefined ? status.phase : 'Terminating'),
    ],
    ['Volume', 'string', 'Volume the claim is bound to.', ({ spec }) => spec.volumeName ?? ''],
    [
      'Capacity',
      'string',
      'Size of that volume.',
      ({ spec, status }) => (spec.volumeName === undefined ? '' : (status.capacity?.['storage'] ?? '0')),
    ],
    [
      'Access Modes',
      'string',
      'Access modes of that volume.',
      ({ spec, status }) => (spec.volumeName === undefined ? '' : shortAccessModes(status.accessModes)),
    ],
    [
      'StorageClass',
      'string',
      'Requested class.',
      (object, { names }) => object.metadata.annotations?.[names.key('volume.beta', 'storage-class')] ?? object.spec.storageClassName ?? '',
    ],
    'Age',
    ['VolumeMode', 'string', 'File system or raw block device.', ({ spec }) => spec.volumeMode ?? '<unset>', 'wide'],
  ],
  models: 'Complete. Omits: expansion recovery (gated). Upstream: pkg/registry/core/persistentvolumeclaim, pkg/apis/core/validation.',
});
