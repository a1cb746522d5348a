/** What is valid of the address of a webhook. Models: v1.24 apiserver pkg/util/webhook validation.go. */
import { isValidPortNumber } from '../../schema/values/index.ts';
import type { Infer } from '../../schema/shape/index.ts';
import type { FieldError } from '../objects/index.ts';
import type { webhookClient } from '../structs/index.ts';
import { invalid, required } from './field-errors.ts';

export function webhookClientErrors({ url, service }: Infer<typeof webhookClient>, path: string): readonly FieldError[] {
  if ((url === undefined) === (service === undefined)) return [required(path, 'exactly one of url or service is required')];
  if (url !== undefined)
    return /^https:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/.test(url)
      ? []
      : [invalid(`${path}.url`, url, "'https' is the only allowed URL scheme; desired format: https://host[/path]")];
  const { name, namespace, path: below, port = 443 } = service ?? { name: '', namespace: '' };
  const problems = isValidPortNumber(port);
  return [
    ...(name === '' ? [required(`${path}.service.name`, 'service name is required')] : []),
    ...(namespace === '' ? [required(`${path}.service.namespace`, 'service namespace is required')] : []),
    ...(below !== undefined && !below.startsWith('/') ? [invalid(`${path}.service.path`, below, "must start with a '/'")] : []),
    ...(problems.length > 0 ? [invalid(`${path}.service.port`, port, `port is not valid: ${problems.join(', ')}`)] : []),
  ];
}
