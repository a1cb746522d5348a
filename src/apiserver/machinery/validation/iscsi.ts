/** Validation of iSCSI volumes. Models: v1.24 pkg/apis/core/validation validateISCSIVolumeSource, validateISCSIPersistentVolumeSource. */
import { append } from '../../../schema/values/index.ts';
import type { Volume } from '../structs/volumes.ts';
import type { FieldError } from '../status.ts';
import { invalid, required } from './field-errors.ts';
import { inclusiveRange } from './numbers.ts';

type Iscsi = NonNullable<Volume['iscsi']>;

const SHAPES: ReadonlyMap<string, RegExp> = new Map([
  ['iqn', /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
]);
const TOO_LONG = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
const FORMAT = 'must be valid format';
const BEGINNING = 'must be valid format starting with iqn, eui, or naa';

const shapeOf = (name: string): RegExp | undefined => SHAPES.get(name.slice(0, 3));

function qualified(name: string, field: string, unknown: string): FieldError[] {
  const shape = shapeOf(name);
  if (shape === undefined) return [invalid(field, name, unknown)];
  return shape.test(name) ? [] : [invalid(field, name, FORMAT)];
}

/** All rules except the one about the volume's name. */
export function iscsiErrors(
  { targetPortal, iqn, lun, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName }: Iscsi,
  field: string,
  persistent: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  if (targetPortal === '') errors.push(required(`${field}.targetPortal`));
  if (iqn === '') errors.push(required(`${field}.iqn`));
  else append(errors, qualified(iqn, `${field}.iqn`, persistent ? FORMAT : BEGINNING));
  if (lun < 0 || lun > 255) errors.push(invalid(`${field}.lun`, lun, inclusiveRange(0, 255)));
  if ((chapAuthDiscovery === true || chapAuthSession === true) && secretRef === undefined) errors.push(required(`${field}.secretRef`));
  if (persistent && secretRef !== undefined && (secretRef.name ?? '') === '') errors.push(required(`${field}.secretRef.name`));
  if (initiatorName !== undefined) append(errors, qualified(initiatorName, `${field}.initiatorname`, persistent ? FORMAT : BEGINNING));
  return errors;
}

/** An initiator name with the volume's own session must be short. */
export const iscsiNameTooLong = ({ initiatorName, targetPortal }: Iscsi, name: string, field: string, value: string): FieldError[] =>
  initiatorName !== undefined && `${name}:${targetPortal}`.length > 64 ? [invalid(field, value, TOO_LONG)] : [];
