/** Continue tokens: the key where a list continues, and its revision, as base64url of JSON. Models: apiserver pkg/storage/continue.go. */
import { badRequest } from '../request/index.ts';
import { jsonWord } from '../../schema/shape/index.ts';
import { base64OfText, textOfBase64 } from '../../schema/values/index.ts';

const VERSION = 'meta.k8s.io/v1';

export interface Place {
  /** The revision of the list; -1 for the current one. */
  readonly revision: number;
  /** The first key that may follow, relative to the listed collection. */
  readonly start: string;
}

/** Returns the token of a position. The start key ends in NUL, which makes it the smallest key after the last key listed. */
export const writeToken = ({ revision, start }: Place): string =>
  encode(`{"v":"${VERSION}","rv":${revision},"start":${JSON.stringify(start)}}`);

/** Returns the position of a token; refuses a malformed one with upstream's texts. */
export function readToken(token: string): Place {
  const text = decodeBase64(token);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw bad(jsonProblem(text));
  }
  const { v, rv, start } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Readonly<Record<string, unknown>>;
  for (const [name, value, type] of [
    ['v', v, 'string'],
    ['rv', rv, 'int64'],
    ['start', start, 'string'],
  ] as const) {
    const fits = value === undefined || value === null || (type === 'string' ? typeof value === 'string' : Number.isInteger(value));
    if (!fits) throw bad(`json: cannot unmarshal ${jsonWord(value, true)} into Go struct field continueToken.${name} of type ${type}`);
  }
  if (v !== VERSION) throw bad(`server does not recognize this encoded version ${JSON.stringify(v ?? '')}`);
  if (rv === undefined || rv === null || rv === 0) throw bad(`incorrect encoded start resourceVersion (version ${VERSION})`);
  if (typeof start !== 'string' || start === '') throw bad(`encoded start key empty (version ${VERSION})`);
  if (cleaned(`/${start}`) !== `/${start}`) throw bad(start);
  return { revision: rv as number, start };
}

const bad = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);

/** Returns a path without `.`, `..` and empty elements; a final NUL is kept. */
function cleaned(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/').slice(1)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Returns Go's error for text that is not JSON: it names the first character that is not allowed. */
function jsonProblem(text: string): string {
  const first = text.trimStart().charAt(0);
  if (first === '') return 'unexpected end of JSON input';
  for (const literal of ['null', 'true', 'false']) {
    if (first !== literal.charAt(0)) continue;
    for (let at = 1; at < literal.length; at++) {
      const char = text.charAt(at);
      if (char === '') return 'unexpected end of JSON input';
      if (char !== literal.charAt(at))
        return `invalid character ${shown(char)} in literal ${literal} (expecting ${shown(literal.charAt(at))})`;
    }
  }
  return first === '{' || first === '[' || first === '"'
    ? 'unexpected end of JSON input'
    : `invalid character ${shown(first)} looking for beginning of value`;
}

const shown = (char: string): string => {
  const code = char.charCodeAt(0);
  return code < 0x20 || code === 0x7f ? `'\\x${code.toString(16).padStart(2, '0')}'` : `'${char}'`;
};

const encode = (text: string): string => base64OfText(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

function decodeBase64(token: string): string {
  const wrong = token.search(/[^\w-]/);
  if (wrong >= 0) throw bad(`illegal base64 data at input byte ${wrong}`);
  if (token.length % 4 === 1) throw bad(`illegal base64 data at input byte ${token.length - 1}`);
  return textOfBase64(token.replaceAll('-', '+').replaceAll('_', '/'));
}
