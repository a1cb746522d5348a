/**
 * Links: the view of a page, in the fragment of its address, which browsers do not send to servers. A scenario of the page is named;
 * another one is included, deflated. The contents of a link are validated.
 */
import type { CarriedScenario, InjectedFault, Second } from '../protocol.ts';
import { jsonIn, present } from '../../../schema/values/index.ts';
import { letterOf, type Answers } from './lesson.ts';

export interface Linked {
  /** The name of a scenario in the page, or an included scenario. */
  readonly scenario: string | Pick<CarriedScenario, 'title' | 'file' | 'text' | 'scenario' | 'files'>;
  readonly seed?: number;
  /** Absent: where the page opens the run by itself. */
  readonly step?: number;
  /** The process whose cache is shown. */
  readonly lens?: string;
  readonly marks: readonly number[];
  /** The answers to the questions of a lesson. */
  readonly answers?: Answers;
  /** Another theme than that of the system. */
  readonly theme?: 'light' | 'dark';
  readonly second?: Second;
  /** The first characters of the run's digest, to detect that another build runs differently. */
  readonly digest?: string;
}

const DIGEST = 8;
/** Maximum bytes of an inflated scenario. */
const LARGEST = 1 << 20;
const MOST_MARKS = 100;

export class BrokenLink extends Error {}

/** A page of recordings runs nothing; tests in Node are built for neither. */
const RUNS = typeof BUILT_WITH_ENGINE === 'undefined' || BUILT_WITH_ENGINE;

export async function linkOf({ scenario, seed, step, lens, marks, answers, theme, second, digest }: Linked): Promise<string> {
  const link = new URLSearchParams();
  if (typeof scenario === 'string') link.set('file', scenario);
  else link.set('s', await packed(JSON.stringify(scenario)));
  if (seed !== undefined) link.set('seed', String(seed));
  if (step !== undefined) link.set('step', String(step));
  if (lens !== undefined) link.set('as', lens);
  if (marks.length > 0) link.set('marks', marks.slice(0, MOST_MARKS).join('.'));
  if (answers !== undefined && answers.size > 0) link.set('answers', answersText(answers));
  if (theme !== undefined) link.set('theme', theme);
  if (second !== undefined) link.set('beside', JSON.stringify(second));
  if (digest !== undefined) link.set('digest', digest.slice(0, DIGEST));
  return link.toString();
}

/** Parses a fragment; undefined: it is empty. Throws BrokenLink with the reason. */
export async function readLink(text: string): Promise<Linked | undefined> {
  if (text === '') return undefined;
  const link = new URLSearchParams(text);
  const file = link.get('file');
  const own = link.get('s');
  if (file === null && own === null) throw new BrokenLink('it names no scenario');
  const seed = numberIn(link, 'seed');
  const step = numberIn(link, 'step');
  const lens = link.get('as');
  const second = link.get('beside');
  const digest = link.get('digest');
  const answers = link.get('answers');
  const theme = link.get('theme');
  const marks = (link.get('marks') ?? '').split('.').slice(0, MOST_MARKS);
  return {
    scenario: file ?? (await carriedScenario(own ?? '')),
    marks: marks.flatMap((mark) => (/^\d{1,9}$/.test(mark) ? [Number(mark)] : [])),
    ...present({ seed, step, lens: lens ?? undefined, digest: digest?.slice(0, DIGEST) }),
    ...(answers === null ? {} : { answers: answersIn(answers) }),
    ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
    ...(second === null ? {} : { second: secondOf(parsed(second, 'its second run')) }),
  };
}

/** `1a.3-`: the question of the narration step 1 was answered with a; that of 3 was not answered, and its answer is shown. */
const answersText = (answers: Answers): string =>
  [...answers].map(([narrationStep, choice]) => `${narrationStep}${choice === undefined ? '-' : letterOf(choice)}`).join('.');

function answersIn(text: string): Answers {
  const answers = new Map<number, number | undefined>();
  for (const each of text.split('.').slice(0, MOST_MARKS)) {
    const [, narrationStep, letter] = /^(\d{1,4})([a-d-])$/.exec(each) ?? [];
    if (letter !== undefined) answers.set(Number(narrationStep), letter === '-' ? undefined : letter.charCodeAt(0) - 97);
  }
  return answers;
}

function numberIn(link: URLSearchParams, name: string): number | undefined {
  const text = link.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new BrokenLink(`its ${name} is not a number`);
  return Number(text);
}

function parsed(text: string, what: string): unknown {
  const read = jsonIn(text);
  if (read === undefined) throw new BrokenLink(`${what} cannot be read`);
  return read;
}

async function carriedScenario(text: string): Promise<Exclude<Linked['scenario'], string>> {
  if (!RUNS) throw new BrokenLink('it carries a scenario, and this page of recordings runs none');
  const { title, file, text: yaml, scenario, files } = fieldsOf(parsed(await unpacked(text), 'its scenario'));
  if (typeof yaml !== 'string') throw new BrokenLink('its scenario has no text');
  const named = Object.entries(fieldsOf(files)).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    title: typeof title === 'string' ? title : 'A scenario',
    file: typeof file === 'string' ? file : 'scenario.yaml',
    text: yaml,
    ...(typeof scenario === 'string' ? { scenario } : {}),
    ...(named.length === 0 ? {} : { files: Object.fromEntries(named) }),
  };
}

export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function secondOf(value: unknown): Second {
  const { is, seed, gate, on, step, said, first, injectedFault } = fieldsOf(value);
  if (is === 'recording' && typeof said === 'string') return { is, said, ...(typeof first === 'string' ? { first } : {}) };
  if (!RUNS) throw new BrokenLink('its second run is none of this page');
  if (is === 'seed' && isCount(seed)) return { is, seed };
  if (is === 'gate' && typeof gate === 'string' && typeof on === 'boolean') return { is, gate, on };
  const done = injectedFaultOf(injectedFault);
  if (is === 'fork' && isCount(step) && typeof said === 'string' && done !== undefined) return { is, step, said, injectedFault: done };
  throw new BrokenLink('its second run is of an unknown kind');
}

function injectedFaultOf(value: unknown): InjectedFault | undefined {
  const { try: tried, typed } = fieldsOf(value);
  if (typeof typed === 'string') return { typed };
  const { 0: taken, 1: at } = fieldsOf(tried);
  return isCount(taken) && isCount(at) ? { try: [taken, at] } : undefined;
}

export const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

export async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Inflates a scenario, up to its maximum size. */
async function unpacked(text: string): Promise<string> {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const reader = new Blob([bytes])
      .stream()
      .pipeThrough(new DecompressionStream('deflate-raw'))
      .pipeThrough(new TextDecoderStream())
      .getReader();
    let all = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      all += part.value;
      if (all.length > LARGEST) throw new BrokenLink('its scenario is too large');
    }
    return all;
  } catch (error) {
    throw error instanceof BrokenLink ? error : new BrokenLink('its scenario is truncated or changed');
  }
}
