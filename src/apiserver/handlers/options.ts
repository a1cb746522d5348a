/** Options of requests, validated before anything else. Models: apimachinery meta/v1/validation, pkg/endpoints/handlers/delete.go. */
import type { FieldError } from '../machinery/index.ts';
import { bool, decode, DecodeError, field, int64, list, obj, ptr, str } from '../../schema/shape/index.ts';
import { append, byteLength, goStrings, GoText } from '../../schema/values/index.ts';
import { type ApiRequest, type ApiResponse, type DeleteOptions, internal, invalidAs, Refusal } from '../request/index.ts';
import { metaProblem } from './body.ts';

/** A `dryRun` option: a flag, or the values of a query parameter. */
export type DryRun = boolean | readonly string[];

export const isDryRun = (option: DryRun | undefined): boolean => option === true || (typeof option === 'object' && option.length > 0);

const META = 'meta.k8s.io';
const MAX_MANAGER = 128;

export function dryRunErrors(option: DryRun | undefined): FieldError[] {
  if (typeof option !== 'object' || option.every((text) => text === 'All')) return [];
  return [{ type: 'NotSupported', field: 'dryRun', value: new GoText(goStrings(option)), detail: 'supported values: "All"' }];
}

type Write = Extract<ApiRequest, { verb: 'create' | 'update' | 'patch' }>;
const OPTIONS: Readonly<Record<Write['verb'], string>> = { create: 'CreateOptions', update: 'UpdateOptions', patch: 'PatchOptions' };
const VALIDATIONS: ReadonlySet<string> = new Set(['', 'Ignore', 'Strict', 'Warn']);

/** Refuses invalid options of a write; returns whether it is a dry run. */
export function checkWriteOptions(request: Write): boolean {
  if (
    request.dryRun === undefined &&
    request.fieldManager === undefined &&
    request.fieldValidation === undefined &&
    (request.verb !== 'patch' || (request.patchType !== 'apply' && request.force === undefined))
  )
    return false;
  const errors: FieldError[] = [];
  if (request.verb === 'patch') {
    const apply = request.patchType === 'apply';
    if (!apply && request.force !== undefined)
      errors.push({ type: 'Forbidden', field: 'force', detail: 'may not be specified for non-apply patch' });
    if (apply && (request.fieldManager ?? '') === '')
      errors.push({ type: 'Required', field: 'fieldManager', detail: 'is required for apply patch' });
  }
  append(errors, managerErrors(request.fieldManager), dryRunErrors(request.dryRun));
  const { fieldValidation } = request;
  if (fieldValidation !== undefined && !VALIDATIONS.has(fieldValidation))
    errors.push({
      type: 'NotSupported',
      field: 'fieldValidation',
      value: fieldValidation,
      detail: 'supported values: "", "Ignore", "Strict", "Warn"',
    });
  if (errors.length > 0) throw invalidAs(META, OPTIONS[request.verb], '', errors);
  return isDryRun(request.dryRun);
}

function managerErrors(manager: string | undefined): FieldError[] {
  if (manager === undefined) return [];
  if (byteLength(manager) > MAX_MANAGER)
    return [{ type: 'TooLong', field: 'fieldManager', value: manager, detail: `must have at most ${MAX_MANAGER} bytes` }];
  let at = 0;
  for (const char of manager) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      return [{ type: 'Invalid', field: 'fieldManager', value: manager, detail: `invalid character U+${code} (at position ${at})` }];
    }
    at += byteLength(char);
  }
  return [];
}

export const deleteOptions = obj('DeleteOptions', {
  kind: str(),
  apiVersion: str(),
  gracePeriodSeconds: field(1, ptr(int64)),
  preconditions: field(2, obj('Preconditions', { uid: field(1, ptr(str('types.UID'))), resourceVersion: field(2, ptr(str())) })),
  orphanDependents: field(3, ptr(bool)),
  propagationPolicy: field(4, ptr(str('DeletionPropagation'))),
  dryRun: field(5, list(str())),
});

/** Returns the options in the body of a DELETE request; malformed ones give a bare 500, as recorded. */
export function deleteOptionsOf(body: unknown): DeleteOptions | { readonly refusal: Extract<ApiResponse, { ok: false }> } {
  try {
    return readDeleteOptions(body);
  } catch (thrown) {
    if (thrown instanceof Refusal) return { refusal: { ok: false, code: thrown.status.code ?? 500, status: thrown.status } };
    throw thrown;
  }
}

function readDeleteOptions(body: unknown): DeleteOptions {
  const problem = body === undefined ? undefined : metaProblem(body);
  if (problem !== undefined) throw internal(`couldn't get version/kind; json parse error: ${problem}`);
  const { kind, apiVersion } = (body ?? {}) as { readonly kind?: unknown; readonly apiVersion?: unknown };
  if (typeof kind === 'string' && kind !== '' && kind !== 'DeleteOptions') {
    throw internal(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion ?? 'v1')} in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"`,
    );
  }
  try {
    const {
      kind: _,
      apiVersion: __,
      ...options
    } = decode(deleteOptions, body ?? {}) as DeleteOptions & Partial<Record<'kind' | 'apiVersion', string>>;
    return options;
  } catch (thrown) {
    if (thrown instanceof DecodeError) throw internal(thrown.message);
    throw thrown;
  }
}
