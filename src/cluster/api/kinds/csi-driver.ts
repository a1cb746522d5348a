/** CSIDriver: a storage driver installed in the cluster. Models: v1.24 storage/v1 CSIDriver, pkg/registry/storage/csidriver. */
import { atomicList, bool, filled, int64, obj, ptr, req, setList, str, type Complete, type Infer } from '../../schema/index.ts';
import type { GoType } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind, readDraft } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { duplicate, invalid, notSupported, tooLong } from '../validation/field-errors.ts';
import { immutableText, subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';
import { shown } from '../validation/go-shapes.ts';

const complete: Complete = ({ volumeLifecycleModes }) => (volumeLifecycleModes === undefined ? { volumeLifecycleModes: ['Persistent'] } : undefined);

export const csiDriverSchema = obj('CSIDriver', {
  ...typeMeta,
  spec: req(obj('CSIDriverSpec', {
    attachRequired: filled(ptr(bool), true),
    podInfoOnMount: filled(ptr(bool), false),
    volumeLifecycleModes: setList(str('VolumeLifecycleMode')),
    storageCapacity: filled(ptr(bool), false),
    fsGroupPolicy: filled(ptr(str('FSGroupPolicy')), 'ReadWriteOnceWithFSType'),
    tokenRequests: atomicList(obj('TokenRequest', { audience: req(str()), expirationSeconds: ptr(int64) })),
    requiresRepublish: filled(ptr(bool), false),
  }, { complete })),
});
export type CSIDriver = ObjectOf<'CSIDriver', Infer<typeof csiDriverSchema>>;

const modesType: GoType = { type: 'list', of: { type: 'string' }, name: '[]storage.VolumeLifecycleMode' };
const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const LIFECYCLES = ['Persistent', 'Ephemeral'];
const MAX_NAME = 63;
const TEN_MINUTES = 600;
const TWO_TO_32 = 4294967296;

function tokenErrors({ spec }: CSIDriver): FieldError[] {
  const errors: FieldError[] = [];
  const audiences = new Set<string>();
  for (const [at, { audience, expirationSeconds }] of (spec.tokenRequests ?? []).entries()) {
    const field = `spec.tokenRequests[${at}]`;
    if (audiences.has(audience)) {
      errors.push(duplicate(`${field}.audience`, audience));
      continue;
    }
    audiences.add(audience);
    if (expirationSeconds === undefined) continue;
    if (expirationSeconds < TEN_MINUTES) errors.push(invalid(`${field}.expirationSeconds`, expirationSeconds, 'may not specify a duration less than 10 minutes'));
    if (expirationSeconds > TWO_TO_32) errors.push(invalid(`${field}.expirationSeconds`, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  return errors;
}

function specErrors(driver: CSIDriver): FieldError[] {
  const { spec } = driver;
  const errors: FieldError[] = [];
  if (!GROUP_POLICIES.includes(spec.fsGroupPolicy)) errors.push(notSupported('spec.fsGroupPolicy', spec.fsGroupPolicy, GROUP_POLICIES));
  errors.push(...tokenErrors(driver));
  for (const mode of spec.volumeLifecycleModes ?? []) if (!LIFECYCLES.includes(mode)) errors.push(notSupported('spec.volumeLifecycleModes', mode, LIFECYCLES));
  return errors;
}

function validate(object: CSIDriver, context: KindContext): FieldError[] {
  const errors = validateMeta(object, false, subdomainName, context);
  // The specification's limit; upstream knows only that of subdomains.
  if (errors.length === 0 && object.metadata.name.length > MAX_NAME) errors.push(tooLong('metadata.name', object.metadata.name, MAX_NAME));
  return [...errors, ...specErrors(object)];
}

const FIXED = ['attachRequired', 'fsGroupPolicy', 'podInfoOnMount', 'volumeLifecycleModes'] as const;

function validateUpdate(object: CSIDriver, old: CSIDriver, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  const before = old.spec;
  // Upstream spells this path its own way, and judges the token requests of a change twice.
  const errors = [...validateMetaUpdate(object, old, context), ...specErrors(object), ...tokenErrors(object)];
  for (const name of FIXED) {
    if (!sameValue(spec[name], before[name])) errors.push(invalid(`spec.${name === 'attachRequired' ? 'attachedRequired' : name}`, name === 'volumeLifecycleModes' ? shown(spec[name], modesType) : spec[name], immutableText));
  }
  return errors;
}

export const csiDriver = defineKind<CSIDriver>({
  kind: 'CSIDriver',
  plural: 'csidrivers',
  groupPrefix: 'storage',
  version: 'v1',
  namespaced: false,
  schema: csiDriverSchema,
  allowUnconditionalUpdate: false,
  deleteReturns: 'object',
  prepareForUpdate(draft, old) {
    const { spec } = readDraft<CSIDriver>(draft);
    const before = old.spec;
    // The one kind whose generation begins with its first change.
    if (!sameValue(spec.tokenRequests, before.tokenRequests) || spec.requiresRepublish !== before.requiresRepublish) draft.metadata['generation'] = (old.metadata.generation ?? 0) + 1;
  },
  validateName: subdomainName,
  validate,
  validateUpdate,
  columns: [
    nameColumn,
    { name: 'AttachRequired', type: 'boolean', description: 'Whether the driver needs an attach operation.', priority: 0, cell: (object) => object.spec.attachRequired },
    { name: 'PodInfoOnMount', type: 'boolean', description: 'Whether the driver is told about the pod it mounts for.', priority: 0, cell: (object) => object.spec.podInfoOnMount },
    { name: 'StorageCapacity', type: 'boolean', description: 'Whether scheduling considers the capacity the driver reports.', priority: 0, cell: (object) => object.spec.storageCapacity },
    { name: 'TokenRequests', type: 'string', description: 'Audiences the driver needs tokens for.', priority: 0, cell: (object) => object.spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>' },
    { name: 'RequiresRepublish', type: 'boolean', description: 'Whether mounted volumes are published again and again.', priority: 0, cell: (object) => object.spec.requiresRepublish },
    { name: 'Modes', type: 'string', description: 'Kinds of volumes the driver supports.', priority: 0, cell: (object) => (object.spec.volumeLifecycleModes ?? []).join(',') || '<none>' },
    ageColumn,
  ],
  models: 'Complete. Names are held to 63 characters as the specification asks. Upstream: pkg/registry/storage/csidriver, pkg/apis/storage/validation.',
});
