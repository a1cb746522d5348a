/** Validation of VolumeAttachments. Models: v1.24 pkg/apis/storage/validation. */
import { append, byteLength, isDns1123Subdomain } from '../../../schema/values/index.ts';
import {
  type FieldError,
  forbidden,
  immutableText,
  invalid,
  type KindContext,
  pointer,
  required,
  sameValue,
  shown,
  struct,
  subdomainName,
  text,
  tooLong,
  validateMeta,
  validatePersistentSpec,
} from '../../machinery/index.ts';
import type { VolumeAttachment } from './shape.ts';

const MAX_TEXT = 1024;
const MAX_MAP = 256 * 1024;
/** Driver names are parts of host names. */
const MAX_DRIVER_NAME = 63;

const specType = struct('storage.VolumeAttachmentSpec', {
  Attacher: text,
  Source: struct('storage.VolumeAttachmentSource', {
    PersistentVolumeName: pointer(text),
    InlineVolumeSpec: pointer(struct('core.PersistentVolumeSpec', {})),
  }),
  NodeName: text,
});

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
  for (const problem of isDns1123Subdomain(spec.nodeName)) errors.push(invalid('spec.nodeName', spec.nodeName, problem));
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

/** Validates the name of a driver. */
export function driverNameErrors(name: string, field: string): FieldError[] {
  const errors = name === '' ? [required(field)] : [];
  if (byteLength(name) > MAX_DRIVER_NAME) errors.push(tooLong(field, name, MAX_DRIVER_NAME));
  for (const problem of isDns1123Subdomain(name.toLowerCase())) errors.push(invalid(field, name, problem));
  return errors;
}

/** Validation of all versions of the kind. */
const basicErrors = (object: VolumeAttachment, context: KindContext): FieldError[] => [
  ...validateMeta(object, false, subdomainName, context),
  ...nameAndSourceErrors(object),
  ...statusErrors(object),
];

export function validateVolumeAttachment(attachment: VolumeAttachment, context: KindContext): FieldError[] {
  const { attacher } = attachment.spec;
  return [
    ...basicErrors(attachment, context),
    // The stricter rules of the current version repeat some of the above.
    ...driverNameErrors(attacher, 'spec.attacher'),
    ...(attachment.spec.source.persistentVolumeName === undefined
      ? []
      : isDns1123Subdomain(attachment.spec.source.persistentVolumeName).map((problem) =>
          invalid('spec.source.persistentVolumeName', attachment.spec.source.persistentVolumeName, problem),
        )),
  ];
}

export function validateVolumeAttachmentUpdate(
  attachment: VolumeAttachment,
  old: VolumeAttachment,
  context: KindContext,
): readonly FieldError[] {
  const own = basicErrors(attachment, context);
  // The rules of updates include those of creations, and both run.
  const errors = [...own, ...own];
  if (!sameValue(attachment.spec, old.spec)) errors.push(invalid('spec', shown(attachment.spec, specType), immutableText));
  return errors;
}
