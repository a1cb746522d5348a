/**
 * Failures of patches as values, which the server converts into a `Status`. Models: apiserver pkg/endpoints/handlers/patch.go, apimachinery
 * pkg/api/errors.
 */
import type { StatusDetails } from '../machinery/index.ts';
import { goJson, goQuoted, jsonKind, goValue } from './go-text.ts';
import { isMap, unboxed } from './values.ts';

export interface PatchError {
  readonly code: 400 | 409 | 413 | 422 | 500;
  /** Absent where upstream returns a plain Go error (500). */
  readonly reason?: 'BadRequest' | 'Conflict' | 'Invalid' | 'RequestEntityTooLarge';
  readonly message: string;
  readonly details?: StatusDetails;
  /** The cause for readers and traces, where upstream's message omits it. It is not part of the `Status`. */
  readonly why?: string;
}

export type Patched = { readonly ok: unknown; readonly error?: never } | { readonly error: PatchError; readonly ok?: never };

/** Thrown only inside this module, to leave a recursion; every public function returns it as a value. */
export class PatchFailure extends Error {
  readonly error: PatchError;
  constructor(error: PatchError) {
    super(error.message);
    this.error = error;
  }
}

/** Runs a patch and returns its failure as a value; any other error is a bug and is rethrown. */
export function attempt(run: () => unknown): Patched {
  try {
    return { ok: run() };
  } catch (thrown) {
    if (thrown instanceof PatchFailure) return { error: thrown.error };
    throw thrown;
  }
}

export const badRequest = (message: string): PatchError => ({ code: 400, reason: 'BadRequest', message });

/** Returns the generic 422 error, whose message omits the reason. */
export const unprocessable = (why: string): PatchError => ({
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
  details: {},
  why,
});

/** Returns a plain Go error: 500 without reason and details. */
export const internal = (message: string): PatchError => ({ code: 500, message });

/** Returns the 413 error of a patch beyond a limit. */
export const tooLarge = (message: string): PatchError => ({
  code: 413,
  reason: 'RequestEntityTooLarge',
  message: `Request entity too large: ${message}`,
});

/** Returns the 422 error for a patched document that does not decode: a field error on `patch` of an object without kind and name. */
export function undecodable(shown: string, detail: string): PatchError {
  const message = `Invalid value: ${goQuoted(shown)}: ${detail}`;
  return {
    code: 422,
    reason: 'Invalid',
    message: ` "" is invalid: patch: ${message}`,
    details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
  };
}

/** The same with the patch as the printed value: for a strategic merge patch, which is applied as a map. */
export const undecodablePatch = (patch: unknown, detail: string): PatchError => undecodable(goValue(unboxed(patch)), detail);

/** Returns the decoding error of a patched document that is not an object; the result of a merge patch may be a list. */
export function notAnObject(document: unknown): PatchError | undefined {
  if (document === null || isMap(document)) return undefined;
  const target = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return undecodable(
    goJson(document),
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonKind(document)} into Go value of type ${target}`,
  );
}

export const tooDeep: PatchError = badRequest('error decoding patch: json: exceeded max depth');
