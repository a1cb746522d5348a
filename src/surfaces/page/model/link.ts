/**
 * Links: all that somebody needs to see what somebody else sees, behind the `#` of the address, which no server is ever told. A scenario
 * that the page carries is named; another one travels along, deflated. Whatever a link says is looked at before it is believed.
 */
import type { CarriedScenario, InjectedFault, Second } from '../protocol.ts';

export interface Linked {
  /** The name of a carried scenario, or a scenario of its own. */
  readonly scenario: string | Pick<CarriedScenario, 'title' | 'file' | 'text' | 'scenario' | 'files'>;
  readonly seed?: number;
  readonly step: number;
  /** Whose eyes are on. */
  readonly lens?: string;
  readonly marks: readonly number[];
  readonly second?: Second;
  /** The first characters of the run's digest: another build may have another. */
  readonly digest?: string;
}

/** Characters of the digest that a link has. */
const DIGEST = 8;
/** A scenario of a link holds so much when it is inflated. */
const LARGEST = 1 << 20;
const MOST_MARKS = 100;

export class BrokenLink extends Error {}

/** The address behind the `#`. */
export async function linkOf({ scenario, seed, step, lens, marks, second, digest }: Linked): Promise<string> {
  const link = new URLSearchParams();
  if (typeof scenario === 'string') link.set('file', scenario);
  else link.set('s', await packed(JSON.stringify(scenario)));
  if (seed !== undefined) link.set('seed', String(seed));
  link.set('step', String(step));
  if (lens !== undefined) link.set('as', lens);
  if (marks.length > 0) link.set('marks', marks.slice(0, MOST_MARKS).join('.'));
  if (second !== undefined) link.set('beside', JSON.stringify(second));
  if (digest !== undefined) link.set('digest', digest.slice(0, DIGEST));
  return link.toString();
}

/** Reads it; undefined: it is empty. Throws BrokenLink with what is wrong, for whoever followed it. */
export async function readLink(text: string): Promise<Linked | undefined> {
  if (text === '') return undefined;
  const link = new URLSearchParams(text);
  const file = link.get('file');
  const own = link.get('s');
  if (file === null && own === null) throw new BrokenLink('it names no scenario');
  const seed = numberIn(link, 'seed');
  const lens = link.get('as');
  const second = link.get('beside');
  const digest = link.get('digest');
  return {
    scenario: file ?? (await ownScenario(own ?? '')),
    step: numberIn(link, 'step') ?? 0,
    marks: (link.get('marks') ?? '')
      .split('.')
      .slice(0, MOST_MARKS)
      .flatMap((mark) => (/^\d{1,9}$/.test(mark) ? [Number(mark)] : [])),
    ...(seed === undefined ? {} : { seed }),
    ...(lens === null ? {} : { lens }),
    ...(second === null ? {} : { second: secondOf(parsed(second, 'what stands beside it')) }),
    ...(digest === null ? {} : { digest: digest.slice(0, DIGEST) }),
  };
}

function numberIn(link: URLSearchParams, name: string): number | undefined {
  const text = link.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new BrokenLink(`its ${name} is no number`);
  return Number(text);
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenLink(`${what} cannot be read`);
  }
}

async function ownScenario(text: string): Promise<Exclude<Linked['scenario'], string>> {
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

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});

function secondOf(value: unknown): Second {
  const { is, seed, gate, on, step, said, first, injectedFault } = fieldsOf(value);
  if (is === 'seed' && isCount(seed)) return { is, seed };
  if (is === 'gate' && typeof gate === 'string' && typeof on === 'boolean') return { is, gate, on };
  if (is === 'recording' && typeof said === 'string') return { is, said, ...(typeof first === 'string' ? { first } : {}) };
  const done = injectedFaultOf(injectedFault);
  if (is === 'fork' && isCount(step) && typeof said === 'string' && done !== undefined) return { is, step, said, injectedFault: done };
  throw new BrokenLink('what stands beside it is nothing that the page knows');
}

function injectedFaultOf(value: unknown): InjectedFault | undefined {
  const { try: tried, typed } = fieldsOf(value);
  if (typeof typed === 'string') return { typed };
  const { 0: taken, 1: at } = fieldsOf(tried);
  return isCount(taken) && isCount(at) ? { try: [taken, at] } : undefined;
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Stops where more comes out than a scenario may have. */
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
    throw error instanceof BrokenLink ? error : new BrokenLink('its scenario is cut off or changed');
  }
}
