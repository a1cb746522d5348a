/** Small bodies of requests to `/sim/v1`: an object in JSON or YAML, whose fields are known. */
import { nearest } from '../../../schema/values/index.ts';
import type { HttpRequest } from '../message.ts';
import { badRequest } from '../refusals.ts';
import { readBody, Unreadable } from '../request/body.ts';

/** Returns the fields; throws a refusal for another value, and for a field that is not known. An empty body has none. */
export function readFields(http: HttpRequest, known: readonly string[], example: string): Readonly<Record<string, unknown>> {
  const body = http.body.length === 0 ? {} : read(http);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest(`expected a JSON object such as ${example}`);
  for (const key of Object.keys(body)) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    const names = known.length === 1 ? known.join('') : `${known.slice(0, -1).join(', ')} and ${known.at(-1) ?? ''}`;
    throw badRequest(`unknown field ${JSON.stringify(key)}${near === undefined ? '' : `; did you mean ${near}?`} (known: ${names})`);
  }
  return body as Readonly<Record<string, unknown>>;
}

/** Returns the value of a body in JSON or YAML; undefined if it is neither. */
function read({ headers, body }: HttpRequest): unknown {
  try {
    return readBody(/^application\/(?:[\w.+-]+\+)?yaml\b/i.test(headers['content-type'] ?? '') ? 'yaml' : 'json', body).value;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return undefined;
  }
}
