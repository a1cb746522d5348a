/**
 * Validation of references to a pod's own fields, by environment variables and files of volumes. Models: v1.24 pkg/apis/core/validation
 * validateObjectFieldSelector, validateContainerResourceFieldSelector.
 */
import { isQualifiedName, parseQuantity } from '../../schema/values/index.ts';
import type { FieldError } from '../objects/index.ts';
import { invalid, notSupported, problemsAt, required } from './field-errors.ts';

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
]);
export const FILE_FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'] as const;
export const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
export const RESOURCE_PREFIXES = ['limits.hugepages-', 'requests.hugepages-'];

export function validateFieldRef(
  ref: { readonly apiVersion: string; readonly fieldPath: string },
  allowed: readonly string[],
  field: string,
): FieldError[] {
  const { apiVersion, fieldPath } = ref;
  if (apiVersion === '') return [required(`${field}.apiVersion`)];
  if (fieldPath === '') return [required(`${field}.fieldPath`)];
  const refuse = (why: string): FieldError[] => [invalid(`${field}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`)];
  if (apiVersion !== 'v1') return refuse(`unsupported pod version: ${apiVersion}`);
  const subscripted = /^(.+?)\['(.*)'\]$/.exec(fieldPath);
  if (subscripted !== null) {
    const [, path = '', key = ''] = subscripted;
    if (path !== 'metadata.annotations' && path !== 'metadata.labels')
      return refuse(`field label does not support subscript: ${fieldPath}`);
    return problemsAt(isQualifiedName(path === 'metadata.annotations' ? key.toLowerCase() : key), field, key);
  }
  const path = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!KNOWN_FIELDS.has(path)) return refuse(`field label not supported: ${fieldPath}`);
  return allowed.includes(path) ? [] : [notSupported(`${field}.fieldPath`, path, allowed)];
}

const BYTES = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
/** The allowed divisors of each resource, and the resource's name in errors. */
const DIVISORS = [
  { of: /^(limits|requests)\.cpu$/, units: ['1m', '1'], shown: '1m and 1', word: 'cpu' },
  { of: /^(limits|requests)\.memory$/, units: BYTES, shown: BYTES.join(', '), word: 'memory' },
  { of: /^(limits|requests)\.ephemeral-storage$/, units: BYTES, shown: BYTES.join(', '), word: 'local ephemeral storage' },
  { of: /^(limits|requests)\.hugepages-/, units: BYTES, shown: BYTES.join(', '), word: 'hugepages' },
];

export function validateResourceRef(
  ref: { readonly containerName?: string; readonly resource: string; readonly divisor: string },
  inVolume: boolean,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (inVolume && (ref.containerName ?? '') === '') errors.push(required(`${field}.containerName`));
  else if (ref.resource === '') errors.push(required(`${field}.resource`));
  else if (!RESOURCES.includes(ref.resource) && !RESOURCE_PREFIXES.some((prefix) => ref.resource.startsWith(prefix)))
    errors.push(notSupported(`${field}.resource`, ref.resource, RESOURCES));
  const divisor = parseQuantity(ref.divisor);
  if (divisor.error === undefined && divisor.value.amount !== 0n) {
    const rule = DIVISORS.find(({ of }) => of.test(ref.resource));
    if (rule !== undefined && !rule.units.includes(ref.divisor))
      errors.push(
        invalid(`${field}.divisor`, ref.resource, `only divisor's values ${rule.shown} are supported with the ${rule.word} resource`),
      );
  }
  return errors;
}
