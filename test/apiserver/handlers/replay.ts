/**
 * Replays recorded transcripts in process: paths and queries become requests, and responses are compared as by the replayer of the
 * recordings. Parts that only HTTP determines (content types, tables, YAML) are skipped.
 */
import { deleteOptionsOf } from '../../../src/apiserver/handlers/index.ts';
import { type KindRegistry, kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { isRuleWarning, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { parseJson } from '../../../src/schema/shape/index.ts';
import { envelopeOf, Refusal, type ApiRequest, type ApiResponse } from '../../../src/apiserver/request/index.ts';
import { setup, type Setup } from './setup.ts';

type Json = Record<string, unknown>;
interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: unknown;
  readonly token?: unknown;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly bodyFrom?: { readonly from: number; readonly set?: readonly (readonly [string, unknown])[]; readonly unset?: readonly string[] };
  readonly bodyGen?: unknown;
  readonly templated?: boolean;
}
interface Step {
  readonly request?: RecordedRequest;
  readonly response?: Json;
  readonly op?: string;
  readonly note?: string;
  readonly unordered?: boolean;
  readonly watchStart?: string;
  readonly watchEnd?: string;
}
export interface Recorded {
  readonly id: string;
  readonly kind?: string;
  readonly case?: string;
  readonly server?: string;
  readonly hints?: readonly string[];
  readonly steps?: readonly Step[];
  readonly request?: RecordedRequest;
  readonly response?: Json;
}

export interface Outcome {
  readonly id: string;
  readonly verdict: 'same' | 'different' | 'skipped';
  readonly step?: number;
  readonly why?: string;
}

const at = (value: unknown, path: string): unknown =>
  path.split('|').reduce<unknown>((here, key) => (here as Json | undefined)?.[key], value);

function setAt(value: unknown, path: string, given: unknown): void {
  const keys = path.split('|');
  let here = value as Json;
  for (const key of keys.slice(0, -1)) here = (here[key] ??= {}) as Json;
  const last = keys.at(-1) ?? '';
  if (Array.isArray(here) && Number(last) >= here.length) here.push(given);
  else here[last] = given;
}

function unsetAt(value: unknown, path: string): void {
  const keys = path.split('|');
  let here: unknown = value;
  for (const key of keys.slice(0, -1)) here = (here as Json | undefined)?.[key];
  if (here === undefined || here === null) return;
  const last = keys.at(-1) ?? '';
  if (Array.isArray(here)) here.splice(Number(last), 1);
  else delete (here as Json)[last];
}

const TEMPLATE = /\{\{(\d+)\.([^}]+)\}\}/g;
function substitute(value: unknown, answers: readonly unknown[]): unknown {
  if (typeof value === 'string') {
    const whole = /^\{\{(\d+)\.([^}]+)\}\}$/.exec(value);
    if (whole !== null) return at(answers[Number(whole[1])], whole[2] ?? '');
    return value.replace(TEMPLATE, (_, n: string, path: string) => String(at(answers[Number(n)], path)));
  }
  if (Array.isArray(value)) return value.map((item) => substitute(item, answers));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substitute(item, answers)]));
  return value;
}

class Skip extends Error {}

/** Replays one record on a new server. */
export function replayRecord(record: Recorded): Outcome {
  const names = namesFor('k8s.io');
  const gates =
    record.server === 'gates'
      ? { CronJobTimeZone: true, MaxUnavailableStatefulSet: true, StatefulSetAutoDeletePVC: true, ServerSideFieldValidation: true }
      : {};
  if (record.server === 'full') return { id: record.id, verdict: 'skipped', why: 'needs controllers' };
  const world = setup('k8s.io', gates, { trackFields: (request) => (record.case ?? '').startsWith('apply') || request.verb !== 'get' });
  const answers: unknown[] = [];
  const steps: readonly Step[] = record.steps ?? [
    {
      ...(record.request === undefined ? {} : { request: record.request }),
      ...(record.response === undefined ? {} : { response: record.response }),
    },
  ];
  let skipped: string | undefined;
  let wroteElsewhere = false;
  const watches = new Map<string, Json[] | undefined>();
  for (const [index, step] of steps.entries()) {
    if (step.op === 'compact') world.store.compact(world.store.revision);
    if (step.op === 'forgetHistory') world.store.compact(world.store.revision);
    if (step.watchStart !== undefined || step.watchEnd !== undefined) {
      answers.push(undefined);
      const why = step.watchStart === undefined ? endWatch(watches, step) : startWatch(world, kindsFor(names), watches, step, answers);
      if (why === SKIPPED) skipped ??= 'watch';
      else if (why !== undefined) return { id: record.id, verdict: 'different', step: index, why };
      continue;
    }
    if (step.request === undefined) {
      answers.push(undefined);
      continue;
    }
    let got: { code: number; body: unknown; warnings: readonly string[] };
    try {
      got = play(world, kindsFor(names), step.request, answers);
    } catch (thrown) {
      if (!(thrown instanceof Skip))
        return { id: record.id, verdict: 'different', step: index, why: `threw ${String((thrown as Error).stack).slice(0, 400)}` };
      answers.push(step.response?.['body']);
      skipped ??= thrown.message;
      wroteElsewhere ||= step.request.method !== 'GET';
      continue;
    }
    answers.push(got.body);
    if ((step.note ?? '').includes('fixture namespace')) continue;
    const keepFields = (record.case ?? '').startsWith('apply');
    const why = difference(step, got, keepFields, record.hints ?? []);
    if (why !== undefined && wroteElsewhere) break;
    if (why !== undefined)
      return { id: record.id, verdict: 'different', step: index, why: `${step.request.method} ${step.request.path}\n   ${why}` };
  }
  return skipped === undefined ? { id: record.id, verdict: 'same' } : { id: record.id, verdict: 'skipped', why: skipped };
}

const SKIPPED = 'skipped';

/** Opens a watch and collects its events until they are compared. */
function startWatch(
  world: Setup,
  kinds: KindRegistry,
  watches: Map<string, Json[] | undefined>,
  step: Step,
  answers: readonly unknown[],
): string | undefined {
  const { request } = step;
  const name = step.watchStart ?? '';
  watches.set(name, undefined);
  const path = String(substitute(request?.path ?? '', answers)).replace(/\/watch\//, '/');
  if (request === undefined || request.accept !== undefined || request.headers !== undefined) return SKIPPED;
  let made: ReturnType<typeof requestOf>;
  try {
    made = requestOf(kinds, request, path.replace(/([?&])watch=[^&]*&?/, '$1').replace(/[?&]$/, ''), undefined);
  } catch (thrown) {
    if (thrown instanceof Skip) return SKIPPED;
    throw thrown;
  }
  if ('refusal' in made || made.verb !== 'list') return SKIPPED;
  const { continue: _, limit: __, ...rest } = made;
  const opened = world.server.watch({ ...rest, verb: 'watch' });
  const events: Json[] = [];
  watches.set(name, events);
  if (!opened.ok) return undefined;
  const { watch } = opened;
  events.push(...watch.initial.map((event) => structuredClone(event) as unknown as Json));
  if (watch.over) return undefined;
  world.store.onChange((change) => {
    const event = watch.next(change);
    if (event !== undefined) events.push(structuredClone(event) as unknown as Json);
  });
  return undefined;
}

function endWatch(watches: Map<string, Json[] | undefined>, step: Step): string | undefined {
  const events = watches.get(step.watchEnd ?? '');
  if (events === undefined) return SKIPPED;
  const sorted = (list: readonly Json[]): readonly unknown[] =>
    list
      .filter(({ type }) => type !== 'BOOKMARK')
      .map((event) => JSON.stringify(normal(event, '', false)))
      .sort((a, b) => (a < b ? -1 : 1));
  const wanted = sorted((step.response?.['events'] ?? []) as Json[]);
  const got = sorted(events);
  for (const [i, event] of wanted.entries())
    if (event !== got[i]) return `watch ${step.watchEnd}: want ${String(event).slice(0, 300)}\n   got  ${String(got[i]).slice(0, 300)}`;
  return wanted.length === got.length ? undefined : `watch ${step.watchEnd}: want ${wanted.length} events\n   got ${got.length}`;
}

function play(
  world: Setup,
  kinds: KindRegistry,
  recorded: RecordedRequest,
  answers: readonly unknown[],
): { code: number; body: unknown; warnings: readonly string[] } {
  if (recorded.accept !== undefined && recorded.accept !== 'application/json') throw new Skip('accept');
  if (recorded.headers !== undefined || recorded.token !== undefined) throw new Skip('headers');
  const request = requestOf(kinds, recorded, String(substitute(recorded.path, answers)), bodyOf(world, kinds, recorded, answers));
  const response = 'refusal' in request ? request.refusal : world.server.handle(envelopeOf('client', request));
  return { code: response.code, body: bodyFor(response), warnings: (response.warnings ?? []).filter((text) => !isRuleWarning(text)) };
}

function bodyFor(response: ApiResponse): unknown {
  if (!response.ok) return response.status;
  if ('object' in response) return structuredClone(response.object);
  if ('list' in response)
    return { ...response.list, items: response.list.items.map(({ apiVersion: _, kind: __, ...rest }) => structuredClone(rest)) };
  return response.success;
}

function bodyOf(world: Setup, kinds: KindRegistry, recorded: RecordedRequest, answers: readonly unknown[]): unknown {
  if (recorded.rawBody !== undefined) {
    if (recorded.contentType !== undefined && !recorded.contentType.includes('json')) throw new Skip('content type');
    try {
      return parseJson(recorded.rawBody).value;
    } catch {
      throw new Skip('bad JSON');
    }
  }
  if (recorded.bodyGen !== undefined && (recorded.bodyGen as { length: number }).length > 3e6) throw new Skip('body limit');
  if (recorded.bodyGen !== undefined) {
    const { base, annotation, parameter, char, length } = recorded.bodyGen as {
      base: Json;
      annotation?: string;
      parameter?: string;
      char: string;
      length: number;
    };
    const body = structuredClone(base);
    if (annotation === undefined) body['parameters'] = { [parameter ?? '']: char.repeat(length) };
    else (body['metadata'] as Json)['annotations'] = { [annotation]: char.repeat(length) };
    return body;
  }
  if (recorded.bodyFrom !== undefined) {
    // A copy through JSON text, so that subtrees shared by the response are separate objects.
    const body = JSON.parse(JSON.stringify(answers[recorded.bodyFrom.from] ?? null)) as unknown;
    if (typeof body === 'object' && body !== null) unsetAt(body, 'metadata|managedFields');
    for (const path of recorded.bodyFrom.unset ?? []) unsetAt(body, path);
    for (const [path, value] of recorded.bodyFrom.set ?? []) {
      setAt(
        body,
        path,
        value === '{{now}}'
          ? at(
              play(
                world,
                kinds,
                {
                  method: 'GET',
                  path:
                    String(substitute(recorded.path, answers))
                      .split('?')[0]
                      ?.replace(/\/status$/, '') ?? '',
                },
                answers,
              ).body,
              'metadata|resourceVersion',
            )
          : substitute(value, answers),
      );
    }
    return body;
  }
  return structuredClone(recorded.templated === true ? substitute(recorded.body, answers) : recorded.body);
}

function duplicatesIn(text: string): readonly string[] {
  try {
    return parseJson(text).duplicates;
  } catch {
    return [];
  }
}

const PATCHES: Readonly<Record<string, 'json' | 'merge' | 'strategic' | 'apply'>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

function requestOf(
  kinds: KindRegistry,
  recorded: RecordedRequest,
  path: string,
  body: unknown,
): ApiRequest | { readonly refusal: ApiResponse } {
  const [where = '', search = ''] = path.split('?', 2);
  const query = new URLSearchParams(search);
  const parts = where
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const group = parts[0] === 'api' ? '' : (parts[1] ?? '');
  let rest = parts[0] === 'api' ? parts.slice(2) : parts.slice(3);
  let namespace: string | undefined;
  if (rest[0] === 'namespaces' && rest.length > 2 && !['status', 'finalize'].includes(rest[2] ?? '')) {
    namespace = rest[1];
    rest = rest.slice(2);
  }
  const kind = kinds.byPlural(group, rest[0] ?? '');
  if (kind === undefined) throw new Skip(`no such resource ${group}/${rest[0]}`);
  const [, name, subresource] = rest;
  if (query.has('watch') && recorded.method === 'GET' && name === undefined) throw new Skip('watch');
  if (query.has('timeoutSeconds') && !/^\d+$/.test(query.get('timeoutSeconds') ?? '')) throw new Skip('query');
  const oneOf =
    name === undefined
      ? ['GET', 'POST', 'DELETE']
      : subresource === undefined
        ? ['GET', 'PUT', 'PATCH', 'DELETE']
        : ['GET', 'PUT', 'PATCH', 'POST'];
  if (
    !oneOf.includes(recorded.method) ||
    rest.length > 3 ||
    (kind.namespaced && namespace === undefined && (name !== undefined || recorded.method !== 'GET')) ||
    (subresource === 'status' && recorded.method === 'POST') ||
    (subresource === 'binding' && recorded.method !== 'POST')
  )
    throw new Skip('route');
  const base = {
    kind: kind.kind,
    ...(kind.namespaced ? { namespace: namespace ?? '' } : {}),
    user: { name: 'oracle-admin', groups: ['system:masters'] },
    userAgent: '',
  };
  const text = (key: string): Json => (query.has(key) ? { [key]: query.get(key) } : {});
  const write = {
    ...(query.has('dryRun') ? { dryRun: query.getAll('dryRun') } : {}),
    ...text('fieldManager'),
    fieldValidation: query.get('fieldValidation') ?? '',
    ...(query.has('force') ? { force: query.get('force') !== 'false' && query.get('force') !== '0' } : {}),
  };
  const raw = recorded.rawBody === undefined ? {} : { rawBody: recorded.rawBody, duplicateFields: duplicatesIn(recorded.rawBody) };
  if (/%(?![0-9a-f]{2})/i.test(search) || query.has('export') || query.has('timeout')) throw new Skip('query');
  const limit = query.get('limit');
  if (limit !== null && !/^-?\d{1,15}$/.test(limit)) throw new Skip('query');
  const list = {
    ...text('labelSelector'),
    ...text('fieldSelector'),
    ...text('resourceVersion'),
    ...text('resourceVersionMatch'),
    ...text('continue'),
    ...(limit === null ? {} : { limit: Number(limit) }),
  };
  const sub = subresource === undefined ? {} : { subresource };
  const made = (parts: Json): ApiRequest => ({ ...base, ...parts }) as unknown as ApiRequest;
  switch (recorded.method) {
    case 'GET':
      return name === undefined ? made({ verb: 'list', ...list }) : made({ verb: 'get', name, ...sub, ...text('resourceVersion') });
    case 'POST':
      return made({ verb: 'create', body, ...raw, ...write, ...sub, ...(name === undefined ? {} : { name }) });
    case 'PUT':
      return made({ verb: 'update', name, body, ...raw, ...write, ...sub });
    case 'PATCH': {
      const patchType = PATCHES[(recorded.contentType ?? '').split(';')[0]?.trim() ?? ''];
      if (patchType === undefined || name === undefined) throw new Skip('patch type');
      return made({ verb: 'patch', name, body, patchType, ...write, ...sub });
    }
    case 'DELETE': {
      const grace = query.get('gracePeriodSeconds');
      if (grace !== null && !/^-?\d+$/.test(grace)) throw new Skip('query');
      const orphan = query.get('orphanDependents');
      const optionsOf = () =>
        body === undefined || body === null
          ? {
              ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
              ...text('propagationPolicy'),
              ...(orphan === null ? {} : { orphanDependents: orphan !== 'false' && orphan !== '0' }),
              ...(query.has('dryRun') ? { dryRun: query.getAll('dryRun') } : {}),
            }
          : deleteOptionsOf(body);
      let options: ReturnType<typeof optionsOf>;
      try {
        options = optionsOf();
      } catch (thrown) {
        if (thrown instanceof Refusal) return { refusal: { ok: false, code: thrown.status.code ?? 500, status: thrown.status } };
        throw thrown;
      }
      if (name === undefined && (kind.kind === 'Namespace' || (kind.namespaced && namespace === undefined))) throw new Skip('method');
      return name === undefined ? made({ verb: 'deletecollection', ...list, ...options }) : made({ verb: 'delete', name, ...options });
    }
    default:
      throw new Skip(`method ${recorded.method}`);
  }
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const INSTANT = /20(26|24)-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?|20(26|24)-\d\d-\d\d \d\d:\d\d:\d\d[^"]*?UTC/g;

function normal(value: unknown, key: string, keepFields: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => normal(item, key, keepFields));
  if (typeof value === 'object' && value !== null) {
    const result: Json = {};
    for (const name of Object.keys(value).sort()) {
      const item = (value as Json)[name];
      if (item === undefined || (!keepFields && name === 'managedFields')) continue;
      if ((name === 'resourceVersion' || name === 'continue') && typeof item === 'string')
        result[name] = item === '' || item === '0' ? item : '<rv>';
      else result[name] = normal(item, name, keepFields);
    }
    return result;
  }
  if (typeof value !== 'string') return value;
  return value
    .replace(UID, '<uid>')
    .replace(INSTANT, '<ts>')
    .replace(/\\?"resourceVersion\\?":\\?"\d+\\?"/g, '"resourceVersion":"<rv>"')
    .replace(/(in record|current:) \(?\d+\)?/g, '$1 <rv>')
    .replace(/resource version: \d+ \(\d+\)/, 'resource version: <rv>')
    .replace(/0x[0-9a-f]{8,}/g, '<ptr>');
}

const unordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'items' && Array.isArray(item)
        ? item.map((each) => JSON.stringify(unordered(each))).sort((a, b) => (a < b ? -1 : 1))
        : unordered(item),
    ]),
  );
};

function difference(
  step: Step,
  got: { code: number; body: unknown; warnings: readonly string[] },
  keepFields: boolean,
  hints: readonly string[],
): string | undefined {
  const wanted = step.response ?? {};
  if (wanted['code'] === 0) return got.code >= 300 ? undefined : 'the real server crashed; anything but success is fine';
  if (step.request?.bodyGen !== undefined)
    return wanted['code'] === got.code ? undefined : `want ${String(wanted['code'])} got ${got.code}`;
  const base = String((step.request?.body as { metadata?: { generateName?: unknown } } | undefined)?.metadata?.generateName ?? '').slice(
    0,
    58,
  );
  const drawn = (text: string): string =>
    base === ''
      ? text
      : text.replaceAll(new RegExp(`${base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}[bcdfghjklmnpqrstvwxz2456789]{5}`, 'g'), '<drawn>');
  const a = drawn(
    JSON.stringify(unordered(normal({ code: wanted['code'], ...('body' in wanted ? { body: wanted['body'] } : {}) }, '', keepFields))),
  );
  const b = drawn(JSON.stringify(unordered(normal({ code: got.code, ...('body' in wanted ? { body: got.body } : {}) }, '', keepFields))));
  if (hints.includes('unorderedCauses') && a.length === b.length) return undefined;
  if (a !== b) {
    let from = 0;
    while (a.charAt(from) === b.charAt(from)) from++;
    from = Math.max(0, from - 70);
    return `want ${a.slice(from, from + 240)}\n   got  ${b.slice(from, from + 240)}`;
  }
  const want = ((wanted['warnings'] ?? []) as readonly string[]).map((text) =>
    text.replace(/^299 - "(.*)"$/s, '$1').replaceAll('\\"', '"'),
  );
  if (JSON.stringify(want) !== JSON.stringify(got.warnings))
    return `want warnings ${JSON.stringify(want)}\n   got  ${JSON.stringify(got.warnings)}`;
  return undefined;
}
