/** Validation of CSIDrivers. */
import { append } from '../../../schema/values/index.ts';
import type { GoType } from '../../../schema/values/index.ts';
import {
  duplicate,
  type FieldError,
  immutableText,
  invalid,
  type KindContext,
  notSupported,
  sameValue,
  shown,
  subdomainName,
  validateMeta,
  validateMetaUpdate,
} from '../../machinery/index.ts';
import type { CSIDriver } from './shape.ts';

const modesType: GoType = { type: 'list', of: { type: 'string' }, name: '[]storage.VolumeLifecycleMode' };
const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const LIFECYCLES = ['Persistent', 'Ephemeral'];
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
    if (expirationSeconds < TEN_MINUTES)
      errors.push(invalid(`${field}.expirationSeconds`, expirationSeconds, 'may not specify a duration less than 10 minutes'));
    if (expirationSeconds > TWO_TO_32)
      errors.push(invalid(`${field}.expirationSeconds`, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  return errors;
}

function specErrors(driver: CSIDriver): FieldError[] {
  const { spec } = driver;
  const errors: FieldError[] = [];
  if (!GROUP_POLICIES.includes(spec.fsGroupPolicy)) errors.push(notSupported('spec.fsGroupPolicy', spec.fsGroupPolicy, GROUP_POLICIES));
  append(errors, tokenErrors(driver));
  for (const mode of spec.volumeLifecycleModes ?? [])
    if (!LIFECYCLES.includes(mode)) errors.push(notSupported('spec.volumeLifecycleModes', mode, LIFECYCLES));
  return errors;
}

export function validate(object: CSIDriver, context: KindContext): FieldError[] {
  return [...validateMeta(object, false, subdomainName, context), ...specErrors(object)];
}

const FIXED = ['attachRequired', 'fsGroupPolicy', 'podInfoOnMount', 'volumeLifecycleModes'] as const;

export function validateUpdate(object: CSIDriver, old: CSIDriver, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  const before = old.spec;
  // Upstream spells this path differently, and validates the token requests of an update twice.
  const errors = [...validateMetaUpdate(object, old, context), ...specErrors(object), ...tokenErrors(object)];
  for (const name of FIXED) {
    if (!sameValue(spec[name], before[name]))
      errors.push(
        invalid(
          `spec.${name === 'attachRequired' ? 'attachedRequired' : name}`,
          name === 'volumeLifecycleModes' ? shown(spec[name], modesType) : spec[name],
          immutableText,
        ),
      );
  }
  return errors;
}
