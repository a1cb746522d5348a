/** What is valid of the address of a webhook. Models: v1.24 apiserver pkg/util/webhook validation.go. */
import { isDns1123Subdomain, isValidPortNumber, quote } from '../../schema/values/index.ts';
import type { Infer } from '../../schema/shape/index.ts';
import type { FieldError } from '../objects/index.ts';
import type { webhookClient } from '../structs/index.ts';
import { invalid, required } from './field-errors.ts';

const FORM = '; desired format: https://host[/path]';
const PARTS = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/(?:([^/?#]*)@)?([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/i;

function urlErrors(url: string, field: string): readonly FieldError[] {
  const malformed = (why: string): readonly FieldError[] => [
    required(field, `url must be a valid URL: parse ${quote(url)}: ${why}${FORM}`),
  ];
  if (/[\u0000-\u001f\u007f]/.test(url)) return malformed('net/url: invalid control character in URL');
  const [, scheme = '', user, host = '', query = '', fragment = ''] = PARTS.exec(url) ?? [];
  if (host.includes(' ')) return malformed('invalid character " " in host name');
  return [
    ...(scheme.toLowerCase() === 'https' ? [] : [invalid(field, scheme, `'https' is the only allowed URL scheme${FORM}`)]),
    ...(host === '' ? [invalid(field, host, `host must be specified${FORM}`)] : []),
    ...(user === undefined ? [] : [invalid(field, user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalid(field, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalid(field, query, 'query parameters are not permitted in the URL')]),
  ];
}

function pathErrors(path: string, field: string): readonly FieldError[] {
  if (path === '' || path === '/') return [];
  // Upstream looks at the segments behind the first character, whatever it is.
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  const refuse = (why: string): FieldError => invalid(field, path, why);
  return [
    ...(path.startsWith('/') ? [] : [refuse("must start with a '/'")]),
    ...steps.flatMap((step, at) =>
      step === ''
        ? [refuse(`segment[${at}] may not be empty`)]
        : isDns1123Subdomain(step).map((problem) => refuse(`segment[${at}]: ${problem}`)),
    ),
  ];
}

export function webhookClientErrors({ url, service }: Infer<typeof webhookClient>, path: string): readonly FieldError[] {
  if ((url === undefined) === (service === undefined)) return [required(path, 'exactly one of url or service is required')];
  if (url !== undefined) return urlErrors(url, `${path}.url`);
  const { name, namespace, path: below = '', port = 443 } = service ?? { name: '', namespace: '' };
  const problems = isValidPortNumber(port);
  return [
    ...(name === '' ? [required(`${path}.service.name`)] : []),
    ...(namespace === '' ? [required(`${path}.service.namespace`)] : []),
    ...(problems.length > 0 ? [invalid(`${path}.service.port`, port, `port is not valid: ${problems.join(', ')}`)] : []),
    ...pathErrors(below, `${path}.service.path`),
  ];
}
