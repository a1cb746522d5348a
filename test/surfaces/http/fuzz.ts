/** Hostile bodies, queries, paths and headers for the API as a function, and the properties that must hold after each. */
import { envelopeOf, type ApiRequest } from '../../../src/apiserver/request/index.ts';
import { parse } from 'yaml';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, type Kind, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { createApi, createListeners, type Api, type HttpReply, type HttpRequest } from '../../../src/surfaces/http/index.ts';
import type { Store } from '../../../src/apiserver/store/index.ts';
import { RECORDED_500 } from '../../apiserver/handlers/fuzz.ts';
import { setup } from '../../apiserver/handlers/setup.ts';
import { HOSTILE_TEXTS, hostileValue, mutated, type Tape } from '../../support/hostile.ts';
import { anotherOf, exampleOf } from '../../support/examples.ts';
import { manualTimers } from '../../support/timers.ts';

const names = namesFor('k8s.io');
const kinds = kindsFor(names);

/** Maximum processor time of a request. */
const MOST_MS = 1_500;

/** The subject of generated requests: a kind, and its objects. */
export interface Target {
  readonly kind: Kind;
  current(): ApiObject | undefined;
}

export interface HttpWorld extends Target {
  readonly api: Api;
  readonly store: Store;
}

export function worldOf(kind: Kind): HttpWorld {
  const world = setup('k8s.io', {}, { trackFields: ({ userAgent }) => userAgent !== undefined });
  world.ok({ verb: 'create', kind: kind.kind, body: exampleOf(kind, names), ...(kind.namespaced ? { namespace: 'default' } : {}) });
  const { server, store } = world;
  const backend = {
    kinds,
    names,
    gates: {},
    store,
    now: () => Date.parse('2024-03-01T00:00:00Z'),
    handle: (request: ApiRequest) => server.handle(envelopeOf('client', request)),
    watch: server.watch,
    listen: createListeners(store),
  };
  return { api: createApi({ backend, timers: manualTimers() }), store, kind, current: () => [...store.values(kind.kind)][0] };
}

const repeat = (open: string, inner: string, close: string, count: number): string => open.repeat(count) + inner + close.repeat(count);

/** Texts that are almost JSON, or stress parsers. */
const JSON_TEXTS: readonly string[] = [
  '',
  ' ',
  '{',
  '}',
  '[',
  'null',
  '"',
  '{"a"',
  '{"a":}',
  '{,}',
  '[1,]',
  'nul',
  '01',
  '1e',
  '-',
  '.5',
  '1e99999',
  '-0',
  '"\\ud800"',
  '"\\u12"',
  '"\\x"',
  '"\u0001"',
  '\ufeff{}',
  '{}{}',
  '// {}',
  '{"metadata":{"name":"x"},"metadata":{"name":"y"}}',
  '{"metadata":{"name":"a\\u0000b"}}',
  '{"__proto__":{"polluted":1},"__proto__":{"polluted":2}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"metadata":{"name":"x","__proto__":{"name":"y"}}}',
  repeat('[', '', ']', 9_999),
  repeat('[', '', ']', 20_000),
  repeat('{"a":', '1', '}', 9_999),
  repeat('{"metadata":', '{}', '}', 9_999),
  repeat('{"__proto__":', '1.0', '}', 5_000),
  '['.repeat(100_000),
  '{"a":'.repeat(100_000),
  `"${'x'.repeat(500_000)}"`,
  `{"metadata":{"name":"x","annotations":{"a":"${'é'.repeat(150_000)}"}}}`,
  `{"data":${repeat('{"a":', '1.0', '}', 60)}}`,
  `{"data":${repeat('[', '1e400', ']', 40)}}`,
  `{"data":${repeat('[', '1', ']', 9_990)}}`,
  `{"metadata":{"name":"x","managedFields":[{"fieldsV1":${repeat('{"f:a":', '{}', '}', 9_900)}}]}}`,
  `{"spec":${'{"a":1,'.repeat(2_000)}"b":1${'}'.repeat(2_000)}}`,
  `{${Array.from({ length: 5_000 }, (_, at) => `"k${at}":${at}`).join(',')}}`,
  `{"metadata":{"name":${'9'.repeat(5_000)}}}`,
  `{"apiVersion":"${'a/'.repeat(5_000)}"}`,
];
const YAML_TEXTS: readonly string[] = [
  '',
  '---',
  '--- \n...\n---',
  'a',
  '- a\n- b',
  'a: b: c',
  '\ta: b',
  'a: *x',
  'a: &x [*x]',
  '&a [*a]',
  '? [a]\n: b',
  '? {a: b}\n: c',
  '!!binary x',
  'a: !!js/function x',
  '!!set {a, b}',
  'a: !<tag:yaml.org,2002:int> 5',
  '<<: {a: b}',
  '<<: 7',
  '<<: *x',
  '%YAML 9.9\n---\na: b',
  'a: |\n x\n',
  'a: >9\n x',
  "a: 'x",
  'a: "\\x',
  '{a: b',
  '[',
  'a: 0o17\nb: 0x_1\nc: .inf\nd: -.nan\ne: 1_000\nf: 2001-01-01\ng: ~\nh: 1:30',
  'metadata: {name: x}\nmetadata: {name: y}',
  '__proto__: {polluted: 1}',
  'constructor: {prototype: {polluted: 1}}',
  'metadata: {name: x, ? __proto__ : {polluted: 1}}',
  '<<: {__proto__: {polluted: 1}}',
  [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'
      .split('')
      .map((name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[at] ?? 'a'}`).join(',')}]`),
  ].join('\n'),
  repeat('[', '', ']', 3_000),
  '- '.repeat(2_000),
  repeat('{a: ', '1', '}', 2_000),
  `a: ${'x'.repeat(200_000)}`,
  Array.from({ length: 3_000 }, (_, at) => `k${at}: ${at}`).join('\n'),
  '\u0000',
  '\ufeffa: b',
  '# only a comment',
  'a: \u2028b',
  '? a\n? b\n',
  '"a": 1\n"a": 2',
  '1: a\n1.0: b\ntrue: c\nnull: d',
];

/** JSON of a value, with one error in the text. */
function spoiled(text: string, tape: Tape): string {
  const at = tape.below(Math.max(1, text.length));
  switch (tape.below(9)) {
    case 0:
      return text;
    case 1:
      return text.slice(0, at);
    case 2:
      return text.slice(0, at) + tape.pick(['"', '{', '[', ',', ':', '\\', '}', '\u0000', '\ud800', 'é', '1.0']) + text.slice(at);
    case 3:
      return text.slice(0, at) + text.slice(at + 1 + tape.below(20));
    case 4:
      return text.replace(/\{/, '{"metadata":{"name":"x","labels":{"a":"b"}},"__proto__":{"polluted":1},');
    case 5:
      return text.replace(/("name":"[^"]*")/, '$1,$1,"name":null');
    case 6:
      return text.replace(/:(\d+)/, tape.pick([':1e400', ':1.0', ':-0', ':12345678901234567890', ':1E+2', `:${'9'.repeat(3_000)}`]));
    case 7:
      return text.replace(/"([a-z]+)":/i, '"\\u005f_proto__":');
    default:
      return text + tape.pick([text, '\n', 'x', '\u0000']);
  }
}

/** JSON that a YAML parser reads in block style. */
const yamlish = (text: string): string => text.replaceAll(/"([a-zA-Z0-9/.]+)":/g, '$1: ').replaceAll(',', ', ');

const utf8 = new TextEncoder();
const bytes = (text: string, tape: Tape): Uint8Array => {
  const made = utf8.encode(text);
  if (tape.once(8) && made.length > 0) made[tape.below(made.length)] = tape.pick([0xff, 0xc0, 0x80, 0xed]);
  return made;
};

const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '{"too":"deep"}';
  }
};

const KEYS = [
  'limit',
  'continue',
  'labelSelector',
  'fieldSelector',
  'resourceVersion',
  'resourceVersionMatch',
  'fieldValidation',
  'fieldManager',
  'dryRun',
  'propagationPolicy',
  'orphanDependents',
  'gracePeriodSeconds',
  'force',
  'pretty',
  'timeout',
  'watch',
  'allowWatchBookmarks',
  'timeoutSeconds',
  'includeObject',
  'export',
  '__proto__',
  '',
  'preconditions.uid',
];
const RAW_VALUES = [
  '%',
  '%zz',
  '%00',
  '%ff%fe',
  '%ed%a0%80',
  '+',
  '=',
  ';',
  'a;b',
  '%26',
  '1',
  '0',
  '-1',
  '+5',
  'true',
  'All',
  'x',
  '9223372036854775807',
  '9223372036854775808',
  '1e3',
  'a%3Db',
  'app+in+(web)',
  'metadata.name%3Dx',
  'status.phase!=a',
  'Exact',
  'NotOlderThan',
  'Foreground',
  'Strict',
  '5s',
  '-5s',
  '1h1',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJ4XHUwMDAwIn0',
  '%F0%9F%92%A9',
];

function queryOf(tape: Tape, given: readonly string[]): string {
  const pairs = [
    ...given,
    ...Array.from({ length: tape.below(4) }, () => {
      const key = tape.pick(KEYS);
      // Timeouts of streams are small numbers, because time does not pass here.
      const value =
        key === 'timeoutSeconds'
          ? tape.pick(['0', '-1', '5', '86400', 'x'])
          : tape.once(4)
            ? wellFormed(tape.pick(HOSTILE_TEXTS).slice(0, 2_500))
            : tape.pick(RAW_VALUES);
      return tape.once(10) ? key : `${key}=${value}`;
    }),
  ];
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
const wellFormed = (text: string): string => encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));

const SEGMENTS = [
  '..',
  '.',
  '',
  '%2e%2e',
  '%2f',
  '%00',
  '%',
  '%zz',
  '%ff',
  '__proto__',
  'constructor',
  'x'.repeat(3_000),
  'status',
  'scale',
  'namespaces',
  'watch',
  'proxy',
  'é',
  '*',
];

function pathOf(kind: Kind, item: boolean, tape: Tape): string {
  const group = names.group(kind.groupPrefix);
  const name = kind.kind === 'APIService' ? 'v1.example.com' : 'x';
  const parts = [
    ...(group === '' ? ['api', kind.version] : ['apis', group, kind.version]),
    ...(kind.namespaced ? ['namespaces', 'default'] : []),
    kind.plural,
    ...(item ? [name] : []),
    ...(item && tape.once(4) ? [tape.pick([...kind.subresources, 'status', 'nope'])] : []),
  ];
  if (tape.once(12)) parts.splice(tape.below(parts.length + 1), tape.below(2), tape.pick(SEGMENTS));
  return `/${parts.join('/')}`;
}

const PATCHES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const BODIES = [
  'application/json',
  'application/json; charset=utf-8',
  '',
  'application/yaml',
  'application/yaml',
  'text/plain',
  'application/vnd.kubernetes.protobuf',
];
const ACCEPTS = [
  'application/json',
  'application/json',
  'application/json',
  'application/json',
  'application/yaml',
  '*/*',
  '*/*',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'text/html',
  ';',
  'application/json;q=x,,',
  'application/vnd.kubernetes.protobuf',
];

export function hostileHttp({ kind, current: currentOf }: Target, tape: Tape): HttpRequest {
  const method = tape.pick(['POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'GET', 'DELETE', 'HEAD']);
  const item = method === 'PUT' || method === 'PATCH' ? !tape.once(20) : method !== 'POST' && tape.once(2);
  const current = currentOf();
  const type = tape.once(30) ? tape.pick(HOSTILE_TEXTS).slice(0, 100) : method === 'PATCH' ? tape.pick(PATCHES) : tape.pick(BODIES);
  const base = method === 'POST' && !tape.once(4) ? anotherOf(kind, names) : (current ?? exampleOf(kind, names));
  const value = (): unknown =>
    tape.once(10)
      ? hostileValue(tape, true)
      : type === PATCHES[0]
        ? [
            {
              op: tape.pick(['add', 'replace', 'test', 'copy']),
              path: tape.pick(['/metadata/labels/a', '/__proto__/polluted', '/metadata', '']),
              value: hostileValue(tape, true),
              from: '/metadata',
            },
          ]
        : mutated(tape.once(2) ? base : mutated(base, kind.schema, tape), kind.schema, tape);
  const yaml = type.includes('yaml');
  const text = tape.once(4) ? tape.pick(yaml && tape.once(2) ? YAML_TEXTS : JSON_TEXTS) : spoiled(jsonOf(value()), tape);
  const empty = method === 'GET' || method === 'HEAD' || (method === 'DELETE' && !tape.once(2));
  return {
    method,
    target: `${pathOf(kind, item, tape)}${queryOf(tape, type === PATCHES[3] && !tape.once(6) ? ['fieldManager=m'] : [])}`,
    headers: {
      ...(type === '' ? {} : { 'content-type': type }),
      accept: tape.pick(ACCEPTS),
      'user-agent': tape.once(10) ? tape.pick(HOSTILE_TEXTS).slice(0, 200) : 'fuzz/1.0',
    },
    body: empty ? new Uint8Array() : bytes(yaml && tape.once(2) ? yamlish(text) : text, tape),
  };
}

/** Requests that need a real machine. */
const NOT_SIMULATED = 501;

/** Malformed delete options are a server error, as recorded. */
const OF_DELETE_OPTIONS = [
  /^json: cannot unmarshal .* into Go value of type v1\.DeleteOptions/s,
  /^couldn't get version\/kind; json parse error: /,
  /^yaml: /,
  /^provided data does not appear to be a protobuf message, expected prefix \[107 56 115 0\]$/,
  /^empty body$/,
  /^illegal base64 data /,
  /into Go struct field DeleteOptions\./,
];
/** Like upstream, which checks the requested form only when it has the response. */
const SHOWN_TOO_LATE = /^(you requested \w+, but the requested object is|Unable to convert to Table as requested: )/;

/** Checks the reply to a request; undefined if it is valid. */
export async function problemWith(
  { api, store }: HttpWorld,
  request: HttpRequest,
  answered: (status: number) => void = () => {},
): Promise<string | undefined> {
  const before = everything(store);
  const revision = store.revision;
  const from = process.cpuUsage();
  let reply: HttpReply;
  let body = '';
  try {
    const asked = api(request);
    reply = asked instanceof Promise ? await asked : asked;
    body = read(reply);
  } catch (thrown) {
    return `threw ${String((thrown as Error).stack).slice(0, 900)}`;
  }
  answered(reply.status);
  const { user, system } = process.cpuUsage(from);
  if ((user + system) / 1000 > MOST_MS) return `took ${((user + system) / 1000).toFixed(0)} ms`;
  if (Object.keys(Object.prototype).length > 0 || Object.hasOwn(Object.prototype, 'polluted')) return 'polluted a prototype';
  if (reply.status < 400) return undefined;
  const message = messageOf(body);
  const after = everything(store);
  const same = store.revision === revision && after.length === before.length && after.every((each, at) => each === before[at]);
  if (!same && !SHOWN_TOO_LATE.test(message)) return `changed something, yet answered ${reply.status} ${message}`;
  return isForeseen(request, reply.status, message) ? undefined : `an unknown ${reply.status}: ${message.slice(0, 300)}`;
}

/** Whether it is a client error, or a recorded server error. */
export function isForeseen(request: HttpRequest, status: number, message: string): boolean {
  if (status < 500 || status === 504 || status === NOT_SIMULATED) return true;
  const known = request.method === 'DELETE' && request.body.length > 0 ? [...OF_DELETE_OPTIONS, ...RECORDED_500] : RECORDED_500;
  return known.some((each) => each.test(message));
}

/** Whether the server may have handled the request before it found that it cannot convert the response. */
export const isShownTooLate = (message: string): boolean => SHOWN_TOO_LATE.test(message);

const everything = (store: Store): readonly ApiObject[] => store.kinds().flatMap((kind) => [...store.values(kind)]);

/** The message of a Status in JSON or YAML. */
export const messageOf = (body: string): string => String((parse(body) as { readonly message?: unknown } | null)?.message);

/** The text of a reply; of a stream, the text so far. */
function read(reply: HttpReply): string {
  if ('body' in reply) return typeof reply.body === 'string' ? reply.body : new TextDecoder().decode(reply.body);
  let text = '';
  reply.open({
    write: (more) => {
      text += more;
    },
    end: () => {},
  })();
  return text;
}

/** A short text for failures. */
export const shown = ({ method, target, headers, body }: HttpRequest): string =>
  `${method} ${target.slice(0, 400)} ${JSON.stringify(headers)} ${body.length} bytes: ${new TextDecoder().decode(body.subarray(0, 400))}`;
