/** Replays one transcript against a server. Returns the first difference between the responses. */
import { isRuleWarning } from '../../../src/apiserver/machinery/index.ts';
import { compactJson } from './json.ts';
import { difference } from './normal.ts';
import { at, filled, setAt, unsetAt } from './paths.ts';
import { bytesOf, type Answer, type Sent } from './exchange.ts';
import type { Target, Watching } from './target.ts';
import { stepsOf, type RecordedRequest, type RecordedResponse, type Step, type Transcript } from './transcript.ts';

export interface Outcome {
  readonly id: string;
  /** Undefined: equal. */
  readonly difference?: string;
}

/** Maximum milliseconds of a step that waits for controllers. */
const SETTLE_MS = 120_000;

/** Replays a record on a new target. Returns the first difference, if there is one. */
export async function replayTranscript(record: Transcript, open: (record: Transcript) => Target | Promise<Target>): Promise<Outcome> {
  const target = await open(record);
  try {
    const player = new Player(record, target);
    for (const [index, step] of stepsOf(record).entries()) {
      const found = await player.play(step);
      if (found !== undefined) return { id: record.id, difference: `step ${index}: ${found}` };
    }
    return { id: record.id };
  } catch (error) {
    return {
      id: record.id,
      difference: `it could not be played: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    };
  } finally {
    await target.close();
  }
}

class Player {
  readonly #record: Transcript;
  readonly #target: Target;
  readonly #answers: unknown[] = [];
  readonly #watches = new Map<string, Watching>();

  constructor(record: Transcript, target: Target) {
    this.#record = record;
    this.#target = target;
  }

  async play(step: Step): Promise<string | undefined> {
    if (step.op !== undefined) {
      await this.#target.operate(step.op);
      this.#answers.push(undefined);
      return undefined;
    }
    if (step.watchStart !== undefined && step.request !== undefined) {
      this.#watches.set(step.watchStart, await this.#target.watch(await this.#sent(step.request)));
      this.#answers.push(undefined);
      return undefined;
    }
    if (step.watchEnd !== undefined && step.response !== undefined) {
      this.#answers.push(undefined);
      return this.#endWatch(step.watchEnd, step.response);
    }
    const { request, response } = step;
    if (request === undefined || response === undefined) throw new Error('a step without a request');
    const answer = await this.#ask(request, response);
    this.#answers.push(parsed(answer.body));
    if (step.note?.includes('fixture namespace') === true) return undefined;
    return this.#compare(request, response, answer);
  }

  /** Sends a request. Reads of results of controllers are repeated until they have the expected content. */
  async #ask(request: RecordedRequest, response: RecordedResponse): Promise<Answer> {
    const sent = await this.#sent(request);
    let answer = await this.#target.send(sent);
    if (this.#record.server !== 'full') return answer;
    for (
      let passed = 0;
      request.method === 'GET' && passed < SETTLE_MS && this.#compare(request, response, answer) !== undefined;
      passed += 500
    ) {
      await this.#target.pass(500);
      answer = await this.#target.send(sent);
    }
    await this.#target.pass(50);
    return answer;
  }

  #compare(request: RecordedRequest, response: RecordedResponse, answer: Answer): string | undefined {
    const about = `${request.method} ${request.path.slice(0, 160)}`;
    // The recorded server crashed, so any error is accepted.
    if (response.code === 0) return answer.status >= 300 ? undefined : `${about}: succeeded where the real server crashed`;
    const body = parsed(answer.body);
    const codeOnly = request.bodyGen !== undefined;
    const wanted = {
      code: response.code,
      ...(codeOnly ? {} : 'body' in response ? { body: response.body } : 'rawBody' in response ? { rawBody: response.rawBody } : {}),
    };
    const got = {
      code: answer.status,
      ...(codeOnly
        ? {}
        : 'body' in response
          ? { body: body === undefined ? answer.body : body }
          : 'rawBody' in response
            ? { rawBody: answer.body }
            : {}),
    };
    const found = difference(wanted, got, {
      keepFields: this.#keepFields,
      hints: this.#record.hints ?? [],
      generateName: nameBase(request.body),
    });
    if (found !== undefined) return `${about}\n     ${found}`;
    const type = headerOf(answer, 'content-type');
    if (response.contentType !== undefined && response.contentType !== type)
      return `${about}: want ${response.contentType}, got ${type ?? 'no content type'}`;
    // Warnings about rules of the specification are left out: the recorded server has none.
    const said = listOf(answer.headers['warning']).filter((text) => !isRuleWarning(warningText(text)));
    const warnings = difference(response.warnings ?? [], said, {
      keepFields: false,
      hints: [],
      generateName: '',
    });
    return warnings === undefined ? undefined : `${about}: warnings\n     ${warnings}`;
  }

  async #endWatch(name: string, response: RecordedResponse): Promise<string | undefined> {
    const watch = this.#watches.get(name);
    if (watch === undefined) throw new Error(`no watch ${name} was started`);
    await this.#target.pass(response.endedBy === 'server' ? 60_000 : 0);
    const { status, text, ended } = watch.read();
    watch.close();
    const lines = text
      .split('\n')
      .filter((line, at, all) => line !== '' || at < all.length - 1)
      .map((line) => parsed(line) ?? { rawLine: line });
    const marks = this.#record.hints?.includes('bookmarkCountVaries') === true;
    const events = (all: readonly unknown[]): readonly unknown[] => (marks ? withoutRepeatedMarks(all) : all);
    const found = difference(
      { code: response.code, events: events(response.events ?? []) },
      { code: status, events: events(lines) },
      { keepFields: false, hints: [], generateName: '' },
    );
    if (found !== undefined) return `watch ${name}\n     ${found}`;
    return response.endedBy === 'server' && !ended ? `watch ${name}: the server did not end it` : undefined;
  }

  get #keepFields(): boolean {
    return (this.#record.case ?? '').startsWith('apply.');
  }

  async #sent(request: RecordedRequest): Promise<Sent> {
    const target = String(filled(request.path, this.#answers));
    const { token = 'oracle-admin', contentType, accept } = request;
    const headers: Record<string, string> = {};
    if (token !== null) headers['authorization'] = `Bearer ${token}`;
    if (contentType !== undefined && contentType !== '') headers['content-type'] = contentType;
    if (accept !== undefined) headers['accept'] = accept;
    for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
    headers['user-agent'] ??= '';
    headers['host'] = '127.0.0.1:6443';
    const body = await this.#body(request, target);
    return { method: request.method, target, headers, body: bytesOf(body) };
  }

  async #body(request: RecordedRequest, target: string): Promise<string> {
    const { rawBody, bodyFrom, bodyGen, body, templated } = request;
    if (rawBody !== undefined) return rawBody;
    if (bodyFrom !== undefined) {
      const made = structuredClone(this.#answers[bodyFrom.from]);
      unsetAt(made, 'metadata|managedFields');
      for (const path of bodyFrom.unset ?? []) unsetAt(made, path);
      for (const [path, value] of bodyFrom.set ?? [])
        setAt(made, path, value === '{{now}}' ? await this.#revisionNow(target) : filled(value, this.#answers));
      return compactJson(made);
    }
    if (bodyGen !== undefined) {
      const made = structuredClone(bodyGen.base);
      const long = bodyGen.char.repeat(bodyGen.length);
      if (bodyGen.annotation === undefined) setAt(made, `parameters|${bodyGen.parameter ?? ''}`, long);
      else setAt(made, `metadata|annotations|${bodyGen.annotation}`, long);
      return JSON.stringify(made);
    }
    if (body === undefined) return '';
    return compactJson(templated === true ? filled(body, this.#answers) : body);
  }

  /** Returns the current revision of the object at a path. */
  async #revisionNow(target: string): Promise<unknown> {
    const answer = await this.#target.send({
      method: 'GET',
      target: target.split('?')[0] ?? '',
      headers: { host: '127.0.0.1:6443', authorization: 'Bearer oracle-admin' },
      body: new Uint8Array(),
    });
    return at(parsed(answer.body), 'metadata|resourceVersion') ?? '';
  }
}

/** The text in `299 - "…"`. */
const warningText = (header: string): string => /^\d{3} - "(.*)"$/s.exec(header)?.[1] ?? header;

const nameBase = (body: unknown): string => {
  const base = at(body, 'metadata|generateName');
  return typeof base === 'string' ? base : '';
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const headerOf = ({ headers }: Answer, name: string): string | undefined => listOf(headers[name])[0];
/** Over a socket, several headers of one name are joined. */
const listOf = (header: string | readonly string[] | undefined): readonly string[] =>
  header === undefined ? [] : typeof header === 'string' ? header.split(/, (?=\d{3} - ")/) : header;

/** The number of bookmarks before the end depends on timing. */
function withoutRepeatedMarks(events: readonly unknown[]): readonly unknown[] {
  return events.filter((event, index) => at(event, 'type') !== 'BOOKMARK' || at(events[index - 1], 'type') !== 'BOOKMARK');
}
