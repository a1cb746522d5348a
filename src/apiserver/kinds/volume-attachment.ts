/**
 * VolumeAttachment: the intent to attach a volume to a node. Models: v1.24 storage/v1 VolumeAttachment,
 * pkg/registry/storage/volumeattachment.
 */
import { always, bool, field, type Infer, map, obj, ptr, req, str, time } from '../../schema/shape/index.ts';
import { append, byteLength, isDns1123Subdomain } from '../../schema/values/index.ts';
import { defineKind, keepSpecAndMeta, keepStatus } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { inlineVolumeSpec, type ObjectOf, typeMeta } from '../structs/index.ts';
import { absentErrors, driverNameErrors, forbidden, problemsAt, required, tooLong, validatePersistentSpec } from '../validation/index.ts';

const volumeError = obj('VolumeError', 'A failed attempt.', {
  time: field(1, 'The time of the attempt.', always(time)),
  message: field(2, 'The error; it may be logged, so it must not be confidential.', str()),
});

const volumeAttachmentSchema = obj(
  'VolumeAttachment',
  'Requests that a volume is attached to a node; its deletion requests the detachment.',
  {
    ...typeMeta,
    spec: field(
      2,
      req(
        obj('VolumeAttachmentSpec', 'The volume, the node, and the driver.', {
          attacher: field(1, 'The driver.', req(str())),
          source: field(
            2,
            'The volume.',
            req(
              obj('VolumeAttachmentSource', 'The volume: exactly one of its members.', {
                persistentVolumeName: field(1, 'A PersistentVolume.', ptr(str())),
                inlineVolumeSpec: field(2, 'An inline volume of a pod, translated by CSI migration.', inlineVolumeSpec),
              }),
            ),
          ),
          nodeName: field(3, 'The node.', req(str())),
        }),
      ),
      { fixed: { go: 'storage' } },
    ),
    status: field(
      3,
      always(
        obj('VolumeAttachmentStatus', 'The observed state.', {
          attached: field(1, 'Whether it is attached; set only by the attacher.', req(bool)),
          attachmentMetadata: field(2, 'Data of the driver for mounting; set when it is attached.', map(str())),
          attachError: field(3, 'The error of the last attempt to attach.', volumeError),
          detachError: field(4, 'The error of the last attempt to detach.', volumeError),
        }),
      ),
    ),
  },
);
export type VolumeAttachment = ObjectOf<'VolumeAttachment', Infer<typeof volumeAttachmentSchema>>;

const MAX_TEXT = 1024;
const MAX_MAP = 256 * 1024;

function nameAndSourceErrors({ spec }: VolumeAttachment): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.attacher === '') errors.push(required('spec.attacher'));
  const { inlineVolumeSpec, persistentVolumeName } = spec.source;
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined)
    errors.push(required('spec.source', 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
  else if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined)
    errors.push(forbidden('spec.source', 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
  else if (persistentVolumeName === '')
    errors.push(required('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName'));
  else if (inlineVolumeSpec !== undefined) append(errors, validatePersistentSpec(inlineVolumeSpec, 'spec.source.inlineVolumeSpec', true));
  append(errors, problemsAt(isDns1123Subdomain(spec.nodeName), 'spec.nodeName', spec.nodeName));
  return errors;
}

function statusErrors({ status }: VolumeAttachment): FieldError[] {
  const errors: FieldError[] = [];
  const metadata = status.attachmentMetadata ?? {};
  let size = 0;
  for (const [key, value] of Object.entries(metadata)) {
    size += byteLength(key) + byteLength(value);
  }
  if (size > MAX_MAP) errors.push(tooLong('status.attachmentMetadata', '', MAX_MAP));
  // Upstream prints the limit of the map in place of that of the message.
  for (const name of ['attachError', 'detachError'] as const)
    if (byteLength(status[name]?.message ?? '') > MAX_TEXT) errors.push(tooLong(`status.${name}.message`, '', MAX_MAP));
  return errors;
}

/** The stricter rules of the current version repeat some of those of all versions. */
function currentErrors({ spec: { attacher, source } }: VolumeAttachment): FieldError[] {
  const { persistentVolumeName: name } = source;
  const errors = driverNameErrors(attacher, 'spec.attacher');
  return name === undefined ? errors : [...errors, ...problemsAt(isDns1123Subdomain(name), 'spec.source.persistentVolumeName', name)];
}

const BASIC = ['metadata', nameAndSourceErrors, statusErrors] as const;

export const volumeAttachment = defineKind<VolumeAttachment>({
  groupPrefix: 'storage',
  namespaced: false,
  schema: volumeAttachmentSchema,
  subresources: ['status'],
  allowUnconditionalUpdate: false,
  deleteReturns: 'object',
  prepareForCreate(draft) {
    draft.status = { attached: false };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpecAndMeta,
  create: [...BASIC, currentErrors],
  // The rules of updates include those of creations, and both run.
  update: [...BASIC, ...BASIC, 'fixed'],
  columns: [
    'Name',
    {
      name: 'Attacher',
      type: 'string',
      format: 'name',
      description: 'Driver that attaches.',
      priority: 0,
      cell: ({ spec }) => spec.attacher,
    },
    ['PV', 'string', 'Volume to attach.', ({ spec }) => spec.source.persistentVolumeName ?? ''],
    ['Node', 'string', 'Node to attach it to.', ({ spec }) => spec.nodeName],
    ['Attached', 'boolean', 'Whether the volume is attached.', ({ status }) => status.attached],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/storage/volumeattachment, pkg/apis/storage/validation.',
  specification: [
    {
      name: 'volume-attachment/attached-or-not',
      field: 'status.attached',
      statement: 'A status sets attached.',
      recorded: 'fills in false',
      asSent: true,
      // The server sets the status of a new object, whatever its document has.
      check: (_, { sent, subresource }) => (subresource === 'status' ? absentErrors(sent, ['status?', 'attached']) : []),
    },
    {
      name: 'volume-attachment/metadata-where-there-is-some',
      field: 'status.attachmentMetadata',
      statement: 'attachmentMetadata is set when the attach succeeds.',
      place: 'status.attachmentMetadata; States and transitions',
      recorded: 'sets the metadata that the driver returned, and omits the field where there is none',
      does: 'interpreted as v1.24 does, in either mode: the metadata is that of the driver, and most drivers return none',
    },
  ],
});
