/**
 * Hostile requests of any size: for every list, map and text of every kind a body that consists mainly of it, and other large inputs, by
 * verb and content type.
 */
import { exampleOf } from '../../test/support/examples.ts';
import type { Kind } from '../../src/apiserver/machinery/index.ts';
import type { Schema } from '../../src/schema/shape/index.ts';
import type { HttpRequest } from '../../src/surfaces/http/index.ts';
import { kinds, names } from '../server.ts';
import { protobufOf } from './protobuf.ts';

/** A request that grows with a number of bytes. */
export interface Hostile {
  readonly verb: string;
  readonly type: string;
  readonly name: string;
  /** The request whose body, or path, has about so many bytes. */
  request(bytes: number): HttpRequest;
}

type Path = readonly string[];
interface Place {
  readonly path: Path;
  readonly schema: Schema;
  /** The struct with the field: the same field of the same struct needs the same work. */
  readonly struct: string;
}

const MOST_NESTED = 12;

/** All parts of a schema that a sender may fill at will: lists, maps, texts. */
function* placesIn(schema: Schema, path: Path = [], struct = ''): Generator<Place> {
  if (path.length > MOST_NESTED) return;
  switch (schema.type) {
    case 'object':
      for (const [name, field] of Object.entries(schema.fields)) yield* placesIn(field, [...path, name], `${schema.go}.${name}`);
      return;
    case 'list':
      yield { path, schema, struct };
      yield* placesIn(schema.items, [...path, '0'], `${struct}[]`);
      return;
    case 'map':
      yield { path, schema, struct };
      if (schema.values.type !== 'string') yield* placesIn(schema.values, [...path, 'k'], `${struct}{}`);
      return;
    case 'string':
    case 'quantity':
    case 'intOrString':
    case 'bytes':
    case 'duration':
    case 'time':
    case 'microTime':
    case 'any':
      yield { path, schema, struct };
      return;
    default:
  }
}

/** How the items of a list are made: all equal, each with distinct texts, or empty. */
type Flavour = 'equal' | 'distinct' | 'empty' | 'full';

function item(schema: Schema, at: number, flavour: Flavour, depth = 0): unknown {
  switch (schema.type) {
    case 'string':
      return flavour === 'empty' ? '' : flavour === 'equal' ? 'a' : `a${at}`;
    case 'boolean':
      return true;
    case 'int32':
    case 'int64':
    case 'float64':
      return flavour === 'equal' ? 1 : at + 1;
    case 'quantity':
      return '1';
    case 'time':
      return '2024-01-01T00:00:00Z';
    case 'microTime':
      return '2024-01-01T00:00:00.000000Z';
    case 'duration':
      return '1s';
    case 'intOrString':
      return flavour === 'equal' ? 1 : at + 1;
    case 'bytes':
      return 'YQ==';
    case 'any':
      return {};
    case 'list':
      return flavour === 'empty' ? [] : [item(schema.items, at, flavour, depth + 1)];
    case 'map':
      return flavour === 'empty' ? {} : { k: item(schema.values, at, flavour, depth + 1) };
    case 'object': {
      if (flavour === 'empty' || depth > 1) return {};
      const made: Record<string, unknown> = {};
      for (const [name, field] of Object.entries(schema.fields)) {
        const scalar = field.type !== 'object' && field.type !== 'list' && field.type !== 'map' && field.type !== 'any';
        if (
          flavour === 'full'
            ? depth === 0 || scalar
            : scalar &&
              (field.required === true ||
                /^(name|key|uid|kind|type|topologyKey|ip|port|protocol|path|apiVersion|whenUnsatisfiable|operator|mountPath|containerPort)$/.test(
                  name,
                ))
        )
          made[name] = item(field, at, flavour, depth + 1);
      }
      return made;
    }
  }
}

/** As many values as the server accepts, with a margin for the rest of the object. */
const MOST_VALUES = 19_500;

const valuesIn = (value: unknown): number =>
  typeof value !== 'object' || value === null ? 1 : Object.values(value).reduce((sum: number, each) => sum + valuesIn(each), 1);

/** The JSON of a value that fills a place with about so many bytes. */
function fillingJson(schema: Schema, bytes: number, flavour: Flavour): string {
  const room = Math.max(bytes, 16);
  if (schema.type === 'list') {
    const parts: string[] = [];
    const values = valuesIn(item(schema.items, 0, flavour));
    for (let at = 0, length = 0; length < room && (at + 1) * values < MOST_VALUES; at++) {
      const text = JSON.stringify(item(schema.items, at, flavour));
      parts.push(text);
      length += text.length + 1;
    }
    return `[${parts.join(',')}]`;
  }
  if (schema.type === 'map') {
    const value = JSON.stringify(item(schema.values, 0, flavour === 'full' ? 'distinct' : flavour));
    const parts: string[] = [];
    const values = valuesIn(JSON.parse(value));
    for (let at = 0, length = 0; length < room && (at + 1) * values < MOST_VALUES; at++) {
      const text = `"${flavour === 'empty' ? ` ${at}` : `k${at}`}":${value}`;
      parts.push(text);
      length += text.length + 1;
    }
    return `{${parts.join(',')}}`;
  }
  if (schema.type === 'any') return `{"a":${'['.repeat(Math.min(4000, room / 2))}${']'.repeat(Math.min(4000, room / 2))}}`;
  const digits = flavour === 'equal' || flavour === 'full';
  return JSON.stringify((digits ? '1' : flavour === 'distinct' ? 'a-' : '%').repeat(Math.ceil(room / (flavour === 'distinct' ? 2 : 1))));
}

/** An object's JSON with the text of one place inserted. */
function withFilled(base: unknown, path: Path, text: string): string {
  const MARK = '\u0001here';
  return JSON.stringify(placed(base, path, MARK)).replace(JSON.stringify(MARK), () => text);
}

function placed(base: unknown, [key, ...rest]: Path, mark: string): unknown {
  if (key === undefined) return mark;
  if (key === '0' || Array.isArray(base)) return [placed(Array.isArray(base) ? base[0] : undefined, rest, mark)];
  const known = typeof base === 'object' && base !== null ? (base as Record<string, unknown>) : {};
  return { ...known, [key]: placed(known[key], rest, mark) };
}

const utf8 = new TextEncoder();

export const collectionOf = (kind: Kind): string => {
  const group = names.group(kind.groupPrefix);
  return `/${group === '' ? 'api' : `apis/${group}`}/${kind.version}${kind.namespaced ? '/namespaces/default' : ''}/${kind.plural}`;
};

const nameOf = (kind: Kind): string => exampleOf(kind, names).metadata?.name ?? 'x';

const TYPES = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  'json-patch': 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

const request = (method: string, target: string, type: string, body: string | Uint8Array): HttpRequest => ({
  method,
  target,
  headers: { host: '127.0.0.1', 'user-agent': 'hostile', 'content-type': type },
  body: typeof body === 'string' ? utf8.encode(body) : body,
});

const FLAVOURS: readonly Flavour[] = ['equal', 'distinct', 'empty', 'full'];

/** Every place of every kind; a struct that many kinds have is filled in one of them. */
export function* ofKinds(): Generator<Hostile> {
  const structs = new Set<string>();
  for (const kind of kinds.list()) yield* ofKind(kind, structs);
}

/** Every place of a kind, by verb and content type, whose struct was not filled yet. */
function* ofKind(kind: Kind, structs: Set<string>): Generator<Hostile> {
  const base = exampleOf(kind, names);
  const collection = collectionOf(kind);
  const name = nameOf(kind);
  for (const { path, schema, struct } of placesIn(kind.schema)) {
    if (path[0] === 'apiVersion' || path[0] === 'kind' || structs.has(struct)) continue;
    structs.add(struct);
    for (const flavour of FLAVOURS) {
      if (schema.type !== 'list' && schema.type !== 'map' && flavour === 'full') continue;
      const label = `${kind.kind} ${path.join('.')} ${flavour}`;
      const text = (bytes: number): string => withFilled(base, path, fillingJson(schema, bytes, flavour));
      const alone = (bytes: number): string =>
        withFilled({ apiVersion: base.apiVersion, kind: base.kind }, path, fillingJson(schema, bytes, flavour));
      yield { verb: 'POST', type: 'json', name: label, request: (bytes) => request('POST', collection, TYPES.json, text(bytes)) };
      yield {
        verb: 'PUT',
        type: 'json',
        name: label,
        request: (bytes) => request('PUT', `${collection}/${name}`, TYPES.json, text(bytes)),
      };
      if (flavour === 'empty') continue;
      yield { verb: 'POST', type: 'yaml', name: label, request: (bytes) => request('POST', collection, TYPES.yaml, text(bytes)) };
      yield {
        verb: 'POST',
        type: 'protobuf',
        name: label,
        request: (bytes) => request('POST', collection, TYPES.protobuf, protobufOf(kind, text(bytes))),
      };
      for (const type of ['merge', 'strategic'] as const)
        yield {
          verb: 'PATCH',
          type,
          name: label,
          request: (bytes) => request('PATCH', `${collection}/${name}`, TYPES[type], alone(bytes)),
        };
      yield {
        verb: 'PATCH',
        type: 'apply',
        name: label,
        request: (bytes) => request('PATCH', `${collection}/${name}?fieldManager=m&force=true`, TYPES.apply, text(bytes)),
      };
    }
  }
}

/** A text repeated, separated by commas, up to so many bytes and the accepted number. */
const repeated = (text: (at: number) => string, bytes: number): string => {
  const parts: string[] = [];
  const values = text(0).split(/[:,[{]/).length;
  for (let at = 0, length = 0; length < bytes && (at + 1) * values < MOST_VALUES; at++) {
    const part = text(at);
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join(',');
};

const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const NODE = '/api/v1/nodes/n';
const CONFIG = '/api/v1/namespaces/default/configmaps';
const nested = (open: string, close: string, bytes: number, inner = ''): string => {
  const times = Math.floor(bytes / (open.length + close.length));
  return open.repeat(times) + inner + close.repeat(times);
};

/** Inputs besides the places of kinds: patches, texts that barely parse, paths, queries, headers. */
export function* besidesKinds(): Generator<Hostile> {
  const patches: Readonly<Record<string, (at: number) => string>> = {
    'add members': (at) => `{"op":"add","path":"/data/k${at}","value":"v"}`,
    'add items at the end': (at) => `{"op":"add","path":"/metadata/finalizers/-","value":"a.b/${at}"}`,
    'add items at the beginning': (at) => `{"op":"add","path":"/metadata/finalizers/0","value":"a.b/${at}"}`,
    'replace a member': (at) => `{"op":"replace","path":"/data/a","value":"${at}"}`,
    'test the whole': () => '{"op":"test","path":"","value":{}}',
    'add and remove': (at) => (at % 2 === 0 ? '{"op":"add","path":"/data/x","value":"v"}' : '{"op":"remove","path":"/data/x"}'),
    'copy the data': (at) => `{"op":"copy","from":"/data","path":"/data/c${at}"}`,
    move: (at) => `{"op":"move","from":"/data/${at % 2 === 0 ? 'a' : 'z'}","path":"/data/${at % 2 === 0 ? 'z' : 'a'}"}`,
    'long pointers': () => `{"op":"add","path":"/data${'/x'.repeat(400)}","value":1}`,
    'test a large map': () => '{"op":"test","path":"/data/a","value":"b"}',
  };
  for (const [name, operation] of Object.entries(patches)) {
    const patch = (bytes: number, lead = ''): string => `[${lead}${repeated(operation, bytes)}]`;
    yield {
      verb: 'PATCH',
      type: 'json-patch',
      name,
      request: (bytes) => request('PATCH', `${CONFIG}/x`, TYPES['json-patch'], patch(bytes)),
    };
    yield {
      verb: 'PATCH',
      type: 'json-patch',
      name: `${name}, of much`,
      request: (bytes) =>
        request(
          'PATCH',
          `${CONFIG}/x`,
          TYPES['json-patch'],
          patch(
            bytes / 2,
            `{"op":"add","path":"/data","value":{"a":"b",${repeated((at) => `"m${at}":"v"`, bytes / 2)}}},{"op":"add","path":"/metadata/finalizers","value":[${repeated((at) => `"a.b/f${at}"`, 1000)}]},`,
          ),
        ),
    };
  }
  const texts: Readonly<Record<string, (bytes: number) => string>> = {
    'lists in lists': (bytes) => nested('[', ']', bytes),
    'open lists': (bytes) => '['.repeat(bytes),
    'maps in maps': (bytes) => nested('{"a":', '}', bytes, '1'),
    'empty maps': (bytes) => `{"x":[${'{},'.repeat(bytes / 3)}{}]}`,
    'empty lists': (bytes) => `[${'[],'.repeat(bytes / 3)}[]]`,
    numbers: (bytes) => `{"x":[${'1,'.repeat(bytes / 2)}1]}`,
    decimals: (bytes) => `{"x":[${'1.0,'.repeat(bytes / 4)}1]}`,
    'one long number': (bytes) => `{"metadata":{"generation":${'9'.repeat(bytes)}}}`,
    'one long text': (bytes) => `{"metadata":{"name":"${'x'.repeat(bytes)}"}}`,
    escapes: (bytes) => `{"metadata":{"name":"${'\\u0041'.repeat(bytes / 6)}"}}`,
    'one key again and again': (bytes) => `{${repeated(() => '"a":1', bytes)}}`,
    'one map again and again': (bytes) => `{${repeated((at) => `"metadata":{"k${at}":1}`, bytes)}}`,
    'keys again and again, deep': (bytes) => `${'{"a":{"b":['.repeat(60)}${repeated(() => '{"c":1,"c":2}', bytes)}${']}}'.repeat(60)}`,
    'unknown fields': (bytes) => `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},${repeated((at) => `"k${at}":1`, bytes)}}`,
    'unknown fields of items': (bytes) =>
      `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"template":{"spec":{"containers":[${repeated((at) => `{"k${at}":1}`, bytes)}]}}}}`,
    blanks: (bytes) => `{${' '.repeat(bytes)}}`,
    'a prefix that does not end': (bytes) => `{"metadata":{"annotations":{"a":"${'b'.repeat(bytes)}`,
    'not ASCII and malformed': (bytes) => `{"metadata":{"annotations":{"a":"${'é'.repeat(bytes / 2)}"},}}`,
    'wrong types': (bytes) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","labels":[${'1,'.repeat(bytes / 2)}1]}}`,
    'prototype keys': (bytes) => `{"metadata":{"name":"x","annotations":{${repeated((at) => `"__proto__":"${at}"`, bytes)}}}}`,
  };
  for (const [name, text] of Object.entries(texts)) {
    for (const type of ['json', 'yaml'] as const)
      yield { verb: 'POST', type, name, request: (bytes) => request('POST', JOBS, TYPES[type], text(bytes)) };
    yield {
      verb: 'POST',
      type: 'json',
      name: `${name}, strict`,
      request: (bytes) => request('POST', `${JOBS}?fieldValidation=Strict`, TYPES.json, text(bytes)),
    };
    yield {
      verb: 'POST',
      type: 'json',
      name: `${name}, warned`,
      request: (bytes) => request('POST', `${JOBS}?fieldValidation=Warn`, TYPES.json, text(bytes)),
    };
    for (const type of ['merge', 'strategic', 'json-patch'] as const)
      yield { verb: 'PATCH', type, name, request: (bytes) => request('PATCH', NODE, TYPES[type], text(bytes)) };
    yield { verb: 'PATCH', type: 'apply', name, request: (bytes) => request('PATCH', `${NODE}?fieldManager=m`, TYPES.apply, text(bytes)) };
    yield { verb: 'DELETE', type: 'json', name, request: (bytes) => request('DELETE', `${CONFIG}/none`, TYPES.json, text(bytes)) };
    yield {
      verb: 'POST',
      type: 'review',
      name,
      request: (bytes) => request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', TYPES.json, text(bytes)),
    };
    yield { verb: 'POST', type: 'sim', name, request: (bytes) => request('POST', '/sim/v1/advance', TYPES.json, text(bytes)) };
  }
  const yamls: Readonly<Record<string, (bytes: number) => string>> = {
    'block lists': (bytes) => `a:\n${'- 1\n'.repeat(bytes / 4)}`,
    'block maps': (bytes) => repeated((at) => `k${at}: v`, bytes).replaceAll(',', '\n'),
    'block in block': (bytes) => '- '.repeat(bytes / 2),
    anchors: (bytes) => `a:\n${repeated((at) => `- &a${at} x`, bytes).replaceAll(',', '\n')}`,
    aliases: (bytes) => `a: &a x\nb:\n${'- *a\n'.repeat(bytes / 5)}`,
    'aliases of aliases': (bytes) => {
      const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]'];
      for (let at = 1; at < Math.min(60, bytes / 60); at++) lines.push(`a${at}: &a${at} [${`*a${at - 1},`.repeat(9)}*a${at - 1}]`);
      return lines.join('\n');
    },
    'merge keys': (bytes) => `a: &a {b: c}\nd:\n${'- <<: *a\n'.repeat(bytes / 9)}`,
    documents: (bytes) => '---\na: b\n'.repeat(bytes / 9),
    comments: (bytes) => '# x\n'.repeat(bytes / 4),
    'a long scalar': (bytes) => `a: ${'x '.repeat(bytes / 2)}`,
    'a folded scalar': (bytes) => `a: >\n${' x\n'.repeat(bytes / 3)}`,
    'quoted lines': (bytes) => `a: "${'x\n '.repeat(bytes / 3)}"`,
    'complex keys': (bytes) => '? [a]\n: b\n'.repeat(bytes / 10),
    tags: (bytes) => `a:\n${'- !!str x\n'.repeat(bytes / 10)}`,
    tabs: (bytes) => '\t'.repeat(bytes),
    'blank lines': (bytes) => '\n'.repeat(bytes),
    'open quotes': (bytes) => `a: '${"''".repeat(bytes / 2)}`,
    'flow errors': (bytes) => `{${'a: b: c,'.repeat(bytes / 8)}}`,
    colons: (bytes) => ':'.repeat(bytes),
    'question marks': (bytes) => '? '.repeat(bytes / 2),
    'flow maps': (bytes) => `[${'{a: 1},'.repeat(bytes / 7)}]`,
    numbers: (bytes) => `a: ${'9'.repeat(bytes)}`,
  };
  for (const [name, text] of Object.entries(yamls)) {
    yield { verb: 'POST', type: 'yaml', name, request: (bytes) => request('POST', CONFIG, TYPES.yaml, text(bytes)) };
    yield { verb: 'PATCH', type: 'apply', name, request: (bytes) => request('PATCH', `${NODE}?fieldManager=m`, TYPES.apply, text(bytes)) };
    yield { verb: 'DELETE', type: 'yaml', name, request: (bytes) => request('DELETE', `${CONFIG}/none`, TYPES.yaml, text(bytes)) };
  }
  const strategic: Readonly<Record<string, (bytes: number) => string>> = {
    'containers to merge': (bytes) => `{"spec":{"template":{"spec":{"containers":[${repeated((at) => `{"name":"c${at}"}`, bytes)}]}}}}`,
    'containers to delete': (bytes) =>
      `{"spec":{"template":{"spec":{"containers":[${repeated((at) => `{"$patch":"delete","name":"c${at}"}`, bytes)}]}}}}`,
    'an order': (bytes) =>
      `{"spec":{"template":{"spec":{"$setElementOrder/containers":[${repeated((at) => `{"name":"c${at}"}`, bytes / 2)}],"containers":[${repeated((at) => `{"name":"c${at}"}`, bytes / 2)}]}}}}`,
    'an order of primitives': (bytes) =>
      `{"metadata":{"$setElementOrder/finalizers":[${repeated((at) => `"a.b/${at}"`, bytes / 2)}],"finalizers":[${repeated((at) => `"a.b/${at}"`, bytes / 2)}]}}`,
    'primitives to delete': (bytes) => `{"metadata":{"$deleteFromPrimitiveList/finalizers":[${repeated((at) => `"a.b/${at}"`, bytes)}]}}`,
    finalizers: (bytes) => `{"metadata":{"finalizers":[${repeated((at) => `"a.b/${at}"`, bytes)}]}}`,
    'keys to retain': (bytes) => `{"spec":{"template":{"spec":{"$retainKeys":[${repeated((at) => `"k${at}"`, bytes)}]}}}}`,
    'owner references': (bytes) =>
      `{"metadata":{"ownerReferences":[${repeated((at) => `{"apiVersion":"v1","kind":"Pod","name":"p","uid":"${at}"}`, bytes)}]}}`,
    'owner references in order': (bytes) =>
      `{"metadata":{"$setElementOrder/ownerReferences":[${repeated((at) => `{"uid":"${at}"}`, bytes / 3)}],"ownerReferences":[${repeated((at) => `{"apiVersion":"v1","kind":"Pod","name":"p","uid":"${at}"}`, (bytes * 2) / 3)}]}}`,
    directives: (bytes) => `{"metadata":{${repeated((at) => `"$setElementOrder/k${at}":["a"]`, bytes)}}}`,
  };
  for (const [name, text] of Object.entries(strategic))
    for (const type of ['strategic', 'merge'] as const)
      yield {
        verb: 'PATCH',
        type,
        name,
        request: (bytes) => request('PATCH', `${JOBS}/${nameOf(kindNamed('Job'))}`, TYPES[type], text(bytes)),
      };
  yield* ofRequestLines();
  yield* ofWire();
  yield* ofManagedFields();
}

const kindNamed = (name: string): Kind => {
  const found = kinds.byKind(name);
  if (found === undefined) throw new Error(`no kind ${name}`);
  return found;
};

/** The limit of request line and headers together: 128 KiB. */
const HEAD = 120_000;

function* ofRequestLines(): Generator<Hostile> {
  const queries: Readonly<Record<string, (bytes: number) => string>> = {
    'labelSelector with many requirements': (bytes) => `labelSelector=${repeated((at) => `k${at}`, bytes)}`,
    'labelSelector with many values': (bytes) => `labelSelector=a+in+(${repeated((at) => `v${at}`, bytes)})`,
    'labelSelector of blanks': (bytes) => `labelSelector=${'+'.repeat(bytes)}`,
    'labelSelector of parentheses': (bytes) => `labelSelector=${'('.repeat(bytes)}`,
    'labelSelector of exclamation marks': (bytes) => `labelSelector=${'!'.repeat(bytes)}`,
    'labelSelector of one long key': (bytes) => `labelSelector=${'a'.repeat(bytes)}`,
    'labelSelector of dots': (bytes) => `labelSelector=${'a.'.repeat(bytes / 2)}`,
    'fieldSelector with many terms': (bytes) => `fieldSelector=${repeated((at) => `metadata.name=${at}`, bytes)}`,
    'fieldSelector of escapes': (bytes) => `fieldSelector=metadata.name=${'%5C%5C'.repeat(bytes / 6)}`,
    'fieldSelector of commas': (bytes) => `fieldSelector=${','.repeat(bytes)}`,
    'many parameters': (bytes) => repeated((at) => `k${at}=v`, bytes).replaceAll(',', '&'),
    'one parameter many times': (bytes) => 'dryRun=All&'.repeat(bytes / 11),
    escapes: (bytes) => `labelSelector=${'%41'.repeat(bytes / 3)}`,
    'bad escapes': (bytes) => `labelSelector=${'%ff'.repeat(bytes / 3)}`,
    'limit of many digits': (bytes) => `limit=${'9'.repeat(bytes)}`,
    'resourceVersion of many digits': (bytes) => `resourceVersion=${'9'.repeat(bytes)}`,
    continue: (bytes) => `limit=1&continue=${'A'.repeat(bytes)}`,
    timeout: (bytes) => `timeout=${'1h'.repeat(bytes / 2)}`,
    'timeout of digits': (bytes) => `timeout=${'1'.repeat(bytes)}s`,
    'timeoutSeconds of many digits': (bytes) => `watch=1&timeoutSeconds=${'9'.repeat(bytes)}`,
    fieldManager: (bytes) => `fieldManager=${'m'.repeat(bytes)}`,
    ampersands: (bytes) => '&'.repeat(bytes),
  };
  const ask = (target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): HttpRequest => ({
    method,
    target,
    headers: { host: '127.0.0.1', 'user-agent': 'hostile', ...headers },
    body: new Uint8Array(),
  });
  for (const [name, query] of Object.entries(queries)) {
    const at = (bytes: number): string => `${CONFIG}?${query(Math.min(bytes, HEAD))}`;
    yield { verb: 'GET', type: 'query', name, request: (bytes) => ask(at(bytes)) };
    yield { verb: 'GET', type: 'watch', name, request: (bytes) => ask(`${at(bytes)}&watch=true`) };
    yield { verb: 'DELETE', type: 'query', name, request: (bytes) => ask(`${at(bytes)}&dryRun=All`, {}, 'DELETE') };
    yield {
      verb: 'GET',
      type: 'table',
      name,
      request: (bytes) => ask(at(bytes), { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
    };
  }
  const paths: Readonly<Record<string, (bytes: number) => string>> = {
    slashes: (bytes) => '/'.repeat(bytes),
    'a long name': (bytes) => `${CONFIG}/${'x'.repeat(bytes)}`,
    'many segments': (bytes) => `/api/v1${'/x'.repeat(bytes / 2)}`,
    escapes: (bytes) => `${CONFIG}/${'%41'.repeat(bytes / 3)}`,
    'bad escapes': (bytes) => `${CONFIG}/${'%zz'.repeat(bytes / 3)}`,
    'a long group': (bytes) => `/apis/${'g'.repeat(bytes)}/v1/x`,
    openapi: (bytes) => `/openapi/v3/${'x/'.repeat(bytes / 2)}`,
    sim: (bytes) => `/sim/v1/${'x'.repeat(bytes)}`,
  };
  for (const [name, path] of Object.entries(paths))
    for (const method of ['GET', 'DELETE', 'POST'])
      yield { verb: method, type: 'path', name, request: (bytes) => ask(path(Math.min(bytes, HEAD)), {}, method) };
  const headers: Readonly<Record<string, (bytes: number) => Readonly<Record<string, string>>>> = {
    'accept with many clauses': (bytes) => ({ accept: repeated((at) => `a/${at}`, bytes) }),
    'accept with many parameters': (bytes) => ({ accept: `application/json${';a=b'.repeat(bytes / 4)}` }),
    'user agent': (bytes) => ({ 'user-agent': 'x'.repeat(bytes) }),
    'impersonate groups': (bytes) => ({ 'impersonate-user': 'u', 'impersonate-group': repeated((at) => `g${at}`, bytes) }),
    'impersonate with many extras': (bytes) => ({
      'impersonate-user': 'u',
      ...Object.fromEntries(Array.from({ length: Math.floor(bytes / 30) }, (_, at) => [`impersonate-extra-k${at}`, 'v'])),
    }),
    'impersonate with a bad escape': () => ({ 'impersonate-user': 'u', 'impersonate-extra-%zz': 'v' }),
    token: (bytes) => ({ authorization: `Bearer ${'x'.repeat(bytes)}` }),
    'blanks in authorization': (bytes) => ({ authorization: `Bearer ${' '.repeat(bytes)}x` }),
    'content type': (bytes) => ({ 'content-type': 'a;'.repeat(bytes / 2) }),
    'last event id': (bytes) => ({ 'last-event-id': '9'.repeat(bytes) }),
  };
  for (const [name, made] of Object.entries(headers)) {
    yield { verb: 'GET', type: 'headers', name, request: (bytes) => ask(`${CONFIG}?limit=1`, made(Math.min(bytes, HEAD))) };
    yield { verb: 'POST', type: 'headers', name, request: (bytes) => ask(CONFIG, made(Math.min(bytes, HEAD)), 'POST') };
  }
}

/** Bytes that are almost valid protobuf. */
function* ofWire(): Generator<Hostile> {
  const MAGIC = [0x6b, 0x38, 0x73, 0];
  const bytesOf = (parts: readonly number[], bytes: number): Uint8Array => {
    const made = new Uint8Array(bytes);
    for (let at = 0; at < bytes; at++) made[at] = at < MAGIC.length ? (MAGIC[at] ?? 0) : (parts[(at - MAGIC.length) % parts.length] ?? 0);
    return made;
  };
  const wires: Readonly<Record<string, readonly number[]>> = {
    'the marker and nothing': [],
    'unknown numbers': [0x78, 1],
    'unknown numbers of ten bytes': [0x78, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
    'empty unknowns': [0x7a, 0],
    groups: [0x0b],
    'type metas': [0x0a, 0],
    'type metas with kinds': [0x0a, 6, 0x0a, 1, 0x61, 0x12, 1, 0x62],
    raws: [0x12, 0],
    fixed: [0x79, 0, 0, 0, 0, 0, 0, 0, 0],
    'varints without end': [0x80],
    zeros: [0],
  };
  for (const [name, parts] of Object.entries(wires))
    yield {
      verb: 'POST',
      type: 'protobuf',
      name,
      request: (bytes) => request('POST', CONFIG, TYPES.protobuf, bytesOf(parts, parts.length === 0 ? 4 : bytes)),
    };
}

/** Entries of managedFields from a client. */
function* ofManagedFields(): Generator<Hostile> {
  const entry = (at: number, fields: string): string =>
    `{"manager":"m${at}","operation":"Update","apiVersion":"v1","time":"2024-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":${fields}}`;
  const bodies: Readonly<Record<string, (bytes: number) => string>> = {
    'many managers': (bytes) => repeated((at) => entry(at, '{"f:data":{"f:a":{}}}'), bytes),
    'many fields': (bytes) => entry(0, `{"f:data":{${repeated((at) => `"f:k${at}":{}`, bytes)}}}`),
    'fields in fields': (bytes) => entry(0, nested('{"f:a":', '}', Math.min(bytes, 60_000), '{}')),
    'keyed items': (bytes) => entry(0, `{"f:data":{${repeated((at) => `"k:{\\"a\\":${at}}":{}`, bytes)}}}`),
    values: (bytes) => entry(0, `{"f:data":{${repeated((at) => `"v:\\"a${at}\\"":{}`, bytes)}}}`),
    'bad elements': (bytes) => entry(0, `{"f:data":{${repeated((at) => `"x${at}":{}`, bytes)}}}`),
  };
  for (const [name, made] of Object.entries(bodies)) {
    const body = (bytes: number): string =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","managedFields":[${made(bytes)}]},"data":{"a":"b"}}`;
    yield {
      verb: 'POST',
      type: 'json',
      name: `managedFields: ${name}`,
      request: (bytes) => request('POST', CONFIG, TYPES.json, body(bytes)),
    };
    yield {
      verb: 'PUT',
      type: 'json',
      name: `managedFields: ${name}`,
      request: (bytes) => request('PUT', `${CONFIG}/x`, TYPES.json, body(bytes)),
    };
    yield {
      verb: 'PATCH',
      type: 'merge',
      name: `managedFields: ${name}`,
      request: (bytes) => request('PATCH', `${CONFIG}/x`, TYPES.merge, body(bytes)),
    };
  }
}
