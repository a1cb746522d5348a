/** Validation of APIServices. */
import { append, isDns1035Label, isDns1123Subdomain, isValidPathSegmentName, isValidPortNumber } from '../../../schema/values/index.ts';
import { type FieldError, invalid, type KindContext, type NameRule, required, validateMeta } from '../../machinery/index.ts';
import type { APIService } from './shape.ts';

export const STATES = ['True', 'False', 'Unknown'];
const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;

/** The name must be that of the served group and version. */
const nameRule =
  ({ spec: { version = '', group = '' } }: APIService): NameRule =>
  (name) => {
    const problems = isValidPathSegmentName(name);
    return problems.length > 0 || name === `${version}.${group}`
      ? problems
      : [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(`${version}.${group}`)}`];
  };

function specErrors({ spec }: APIService): FieldError[] {
  const { group = '', version = '', service, caBundle = '', insecureSkipTLSVerify } = spec;
  const errors: FieldError[] = [];
  if (group === '' && version !== 'v1') errors.push(required('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  if (group !== '')
    append(
      errors,
      isDns1123Subdomain(group).map((problem) => invalid('spec.group', group, problem)),
    );
  append(
    errors,
    isDns1035Label(version).map((problem) => invalid('spec.version', version, problem)),
  );
  if (spec.groupPriorityMinimum <= 0 || spec.groupPriorityMinimum > MAX_GROUP_PRIORITY)
    errors.push(invalid('spec.groupPriorityMinimum', spec.groupPriorityMinimum, `must be positive and less than ${MAX_GROUP_PRIORITY}`));
  if (spec.versionPriority <= 0 || spec.versionPriority > MAX_VERSION_PRIORITY)
    errors.push(invalid('spec.versionPriority', spec.versionPriority, `must be positive and less than ${MAX_VERSION_PRIORITY}`));
  if (service === undefined) {
    if (caBundle !== '') errors.push(invalid('spec.caBundle', `${byteCount(caBundle)} bytes`, 'local APIServices may not have a caBundle'));
    if (insecureSkipTLSVerify === true)
      errors.push(invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'));
    return errors;
  }
  if ((service.namespace ?? '') === '') errors.push(required('spec.service.namespace'));
  if ((service.name ?? '') === '') errors.push(required('spec.service.name'));
  const port = service.port ?? 443;
  const problems = isValidPortNumber(port);
  if (problems.length > 0) errors.push(invalid('spec.service.port', port, `port is not valid: ${problems.join(', ')}`));
  if (insecureSkipTLSVerify === true && caBundle !== '')
    errors.push(invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'));
  return errors;
}

const byteCount = (base64: string): number => (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

export function fieldErrors(apiService: APIService, context: KindContext): FieldError[] {
  return [...validateMeta(apiService, false, nameRule(apiService), context, 'metadata', false), ...specErrors(apiService)];
}
