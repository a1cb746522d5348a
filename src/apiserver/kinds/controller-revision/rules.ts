/** Validation of ControllerRevisions. */
import { GoText } from '../../../schema/values/index.ts';
import { type FieldError, invalid, required } from '../../machinery/index.ts';
import type { ControllerRevision } from './shape.ts';

export function fieldErrors({ data, revision }: ControllerRevision): FieldError[] {
  const errors: FieldError[] = [];
  if (data === undefined || data === null) errors.push(required('data', 'data is mandatory'));
  if (revision < 0) errors.push(invalid('revision', revision, 'must be greater than or equal to 0'));
  return errors;
}

/** Prints any JSON as Go prints the raw bytes that it keeps. */
export function shownRaw(data: unknown): GoText {
  const bytes = [...new TextEncoder().encode(JSON.stringify(data))].map((byte) => `0x${byte.toString(16)}`).join(', ');
  return new GoText(`runtime.RawExtension{Raw:[]uint8{${bytes}}, Object:runtime.Object(nil)}`);
}
