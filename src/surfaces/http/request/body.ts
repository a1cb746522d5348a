/** Request bodies. Models: apiserver limitedReadBody, negotiation.NegotiateInputSerializer, apimachinery serializer/json. */
import type { Kind } from '../../../apiserver/machinery/index.ts';
import { own } from '../../../schema/values/index.ts';
import { unknownBodyType, unknownPatchType, tooLarge, tooManyValues, yamlTooLarge } from '../refusals.ts';
import { parseJson, JsonSyntaxError, TooManyValues } from '../../../schema/shape/index.ts';
import { noKind, unrecognized } from '../../../apiserver/handlers/index.ts';
import type { Refusal } from '../../../apiserver/request/index.ts';
import { readYaml, type Problem } from '../../../schema/yaml/index.ts';

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const PATCH_TYPES: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

const CUSTOM_PATCH_TYPES = Object.keys(PATCH_TYPES).filter((type) => PATCH_TYPES[type] !== 'strategic');

/**
 * Returns the type of a patch. The media type is matched exactly, without its parameters. Custom resources have their own handlers
 * upstream, with their own list of types. Models: apiserver pkg/endpoints/handlers/patch.go, apiextensions customresource_handler.go
 * servePatch.
 */
export function patchTypeOf(contentType: string | undefined, { unstructured }: Kind): PatchType {
  const found = own(PATCH_TYPES, mediaType(contentType));
  if (unstructured === true && (found === undefined || found === 'strategic')) throw unknownBodyType(CUSTOM_PATCH_TYPES);
  if (found === undefined) throw unknownPatchType();
  return found;
}

/** 3 MiB. */
export const BODY_LIMIT = 3 * 1024 * 1024;

/** The most values in a body. Not of upstream, whose store has a limit of 1.5 MiB; here each value passes a dozen rules. */
export const VALUES_LIMIT = 16_000;

/** Of a JSON patch: upstream's limit of ten thousand operations, with their members. Each is read once. */
export const OPERATION_VALUES_LIMIT = 60_000;

export type BodyType = 'json' | 'yaml' | 'protobuf';

export interface ReadBody {
  readonly value: unknown;
  /** The text as sent, which errors quote. */
  readonly text: string;
  /** Paths of duplicate keys. */
  readonly duplicates: readonly string[];
}

/** Why a text has no value. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly text: string | Uint8Array;
  readonly language: BodyType;
  constructor(language: BodyType, why: string, text: string | Uint8Array) {
    super(why);
    this.language = language;
    this.text = text;
  }
}

/** Maximum bytes of a YAML body, because YAML takes longer to parse than JSON. */
const YAML_LIMIT = 512 * 1024;
/** From this size on a YAML text that begins as JSON is read as JSON, because YAML takes longer to parse. */
const LONG = 8 * 1024;

export function checkSize(body: Uint8Array): void {
  if (body.length > BODY_LIMIT) throw tooLarge(BODY_LIMIT);
}

/** Returns the media type of a header without its parameters, in lower case. Without a header a body is JSON. */
export function bodyType(contentType: string | undefined): BodyType {
  const found = own(BODY_TYPES, mediaType(contentType).toLowerCase());
  if (found === undefined) throw unknownBodyType();
  return found;
}

const mediaType = (contentType = ''): string => contentType.split(';', 1)[0]?.trim() ?? '';

const BODY_TYPES: Readonly<Record<string, BodyType>> = {
  '': 'json',
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
};

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the value of a text body; throws `Unreadable`. */
export function readBody(type: 'json' | 'yaml', body: Uint8Array, mostValues = VALUES_LIMIT): ReadBody {
  const text = utf8.decode(body);
  const json = type === 'yaml' && body.length > LONG ? asJson(text, mostValues) : undefined;
  if (json !== undefined) return json;
  if (type === 'yaml' && body.length > YAML_LIMIT) throw yamlTooLarge(YAML_LIMIT);
  return type === 'json' ? readJson(text, body, mostValues) : readYamlBody(text, mostValues);
}

/** Parses long YAML that is JSON, as many clients send it; undefined for other texts. */
function asJson(text: string, mostValues: number): ReadBody | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return { value: parseJson(text, mostValues).value, text, duplicates: [] };
  } catch (error) {
    if (error instanceof TooManyValues) throw tooManyValues(mostValues);
    return undefined;
  }
}

function readJson(text: string, body: Uint8Array, mostValues: number): ReadBody {
  if (body.length === 0) return { value: undefined, text, duplicates: [] };
  try {
    const { value, duplicates } = parseJson(text, mostValues);
    return { value, text, duplicates };
  } catch (error) {
    if (error instanceof TooManyValues) throw tooManyValues(mostValues);
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new Unreadable('json', byteWise(body, error.message), text);
  }
}

/** The error that Go reports: it reads bytes and names a byte, which need not be valid UTF-8. */
function byteWise(body: Uint8Array, otherwise: string): string {
  try {
    parseJson(Buffer.from(body).toString('latin1'), VALUES_LIMIT, true);
    return otherwise;
  } catch (error) {
    return error instanceof JsonSyntaxError ? error.message : otherwise;
  }
}

/** Only the first document is used. */
function readYamlBody(text: string, mostValues: number): ReadBody {
  const {
    documents: [first],
    problems: [problem],
    tooMany = false,
  } = readYaml(text, 'body', { repeatedKeys: 'last', errors: 'parser', mostValues });
  if (tooMany) throw tooManyValues(mostValues);
  if (problem !== undefined) throw new Unreadable('yaml', yamlError(problem, text), text);
  return { value: first?.plain ?? null, text, duplicates: [] };
}

/** Errors of the library, with the errors of go-yaml about the same places. */
const YAML_WORDS: readonly (readonly [RegExp, string])[] = [
  [/flow/i, 'did not find expected node content'],
  [/compact mappings|Implicit map key|implicit key|block collection/i, 'did not find expected key'],
];

const TAB = /^Tabs are not allowed/;

/** The error of go-yaml's scanner about a tab: it depends on the token, which the end of the last non-empty line before shows. */
function tabProblem(text: string, line: number): string {
  const before = text
    .split('\n')
    .slice(0, line - 1)
    .findLast((each) => each.trim() !== '');
  return before === undefined || /(?:^|\s)#|[:?-]\s*$|["'}\]]\s*$/.test(before)
    ? 'found character that cannot start any token'
    : 'found a tab character that violates indentation';
}

const BLOCK = /^Block scalar/;
const BLOCK_HEAD = /(?:^|\s)[|>][-+\d]*(?:\s+#.*|\s*)$/;

/** The error of go-yaml's scanner about a tab before a line of a block scalar: it names the line of its head, unless that is the first. */
function blockProblem(text: string, line: number): string | undefined {
  const lines = text.split('\n').slice(0, line);
  if (!/^ *\t/.test(lines.pop() ?? '')) return undefined;
  const head = lines.findLastIndex((each) => BLOCK_HEAD.test(each));
  return `yaml: line ${head > 0 ? head + 1 : line}: found a tab character where an indentation space is expected`;
}

/** The error in the words of go-yaml, which counts lines of these errors from 0, with the first two as one. */
function yamlError({ line, expected, found }: Problem, text: string): string {
  if (TAB.test(found)) return `yaml: ${line > 1 ? `line ${line}: ` : ''}${tabProblem(text, line)}`;
  const ofBlock = BLOCK.test(found) ? blockProblem(text, line) : undefined;
  if (ofBlock !== undefined) return ofBlock;
  const words = YAML_WORDS.find(([pattern]) => pattern.test(found))?.[1];
  return words === undefined ? `yaml: line ${line}: expected ${expected}, found ${found}` : `yaml: line ${Math.max(1, line - 1)}: ${words}`;
}

export const unreadable = (kind: string, { language, message, text }: Unreadable): Refusal =>
  language === 'json' && typeof text === 'string' ? noKind(kind, message, text) : unrecognized(kind, message, text);
