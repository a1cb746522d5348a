/**
 * Patterns of images, as in `matchImages`: `*.registry.io`, `registry.io:8080/path`. A star matches within one part of the host, the port
 * must be equal, the path is a prefix. Models: v1.24 pkg/credentialprovider ParseSchemelessURL, URLsMatch; the stars are path.Match's.
 */
import { bad, good, type Parsed } from '../../schema/values/index.ts';

interface ImagePattern {
  readonly host: readonly string[];
  readonly port: string;
  readonly path: string;
}

/** The parts of a pattern or an image, or a syntax error. */
export function parseImagePattern(text: string): Parsed<ImagePattern> {
  const url = JSON.stringify(`https://${text}`);
  const slash = text.indexOf('/');
  const authority = slash < 0 ? text : text.slice(0, slash);
  const [, host = '', port = ''] = /^([^:]*)(?::(.*))?$/.exec(authority) ?? [];
  if (authority !== '' && host === '' && port === '') return bad(`parse ${url}: invalid host`);
  if (port !== '' && !/^\d+$/.test(port)) return bad(`parse ${url}: invalid port ${JSON.stringify(`:${port}`)} after host`);
  if (/[\s<>"\\^`{|}]/.test(host)) return bad(`parse ${url}: invalid character in host name`);
  return good({ host: host.split('.'), port, path: slash < 0 ? '' : text.slice(slash) });
}

/** Whether the pattern matches the image's registry and path. */
export function imageMatches(patternText: string, image: string): boolean {
  const wanted = parseImagePattern(patternText).value;
  const found = parseImagePattern(image).value;
  if (wanted === undefined || found === undefined) return false;
  if (wanted.host.length !== found.host.length || wanted.port !== found.port || !found.path.startsWith(wanted.path)) return false;
  return wanted.host.every((part, at) => partMatches(part, found.host[at] ?? ''));
}

function partMatches(glob: string, part: string): boolean {
  const source = [...glob].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : c.replace(/[\\^$.|+()[\]{}]/g, '\\$&'))).join('');
  return new RegExp(`^${source}$`, 's').test(part);
}
