/**
 * Keeps a certificate of an agent: asks for the first one, asks for another in good time, and puts it in the place of the one before.
 * Models: v1.24 client-go util/certificate certificate_manager.go (nextRotationDeadline, rotateCerts), pkg/kubelet/certificate bootstrap
 * and transport. Simplified: a request that nobody has answered is asked again when its time is over, and an answer is heard at once.
 */
import { defineController, type Outcome, type ReconcileInput } from '../../../runtime/index.ts';
import type { CertificateSigner } from '../../specs.ts';
import { type Answer, answerTo, type Certificate, type Usage } from './signers.ts';

/** Where an agent keeps its certificates: on its machine, which outlives it. */
export type Folder = Partial<Record<Usage, Certificate>>;

export interface KeeperOptions {
  readonly usage: Usage;
  readonly machine: string;
  readonly folder: Folder;
  readonly signers: readonly CertificateSigner[];
  readonly startAt: number;
  /** It asks with a configuration made for that while it has none that is valid; serving certificates are asked for with the client's. */
  readonly mayBootstrap: boolean;
  readonly rotates: boolean;
  /** The other parts of the agent wait until it has one. */
  readonly opens: boolean;
}

interface Memory {
  readonly askedAt?: number;
  readonly answer?: Answer;
  /** When it asks for the next one. */
  readonly rotateAt?: number;
  /** It has worked with a good one since it started. */
  readonly held?: true;
}

interface Put {
  readonly does: 'certificate';
  readonly usage: Usage;
  readonly is: Certificate;
}

/** A request that is not answered for so long is given up, and made anew. */
const PATIENCE_MS = 15 * 60_000;
const BOOTSTRAP_PATIENCE_MS = 60 * 60_000;
const AFTER_DENIAL_MS = 60_000;
/** An agent whose certificate ran out, and who is told so by a server that is well, gives up after this long. */
const EXIT_MS = 5 * 60_000;

const MODELS = 'v1.24 client-go util/certificate, pkg/kubelet/certificate; there are no keys: a certificate is a validity period.';

/** Whether a certificate is good at an instant. */
export const isGood = (certificate: Certificate | undefined, now: number): certificate is Certificate =>
  certificate !== undefined && now < certificate.until;

const spanOf = ({ from, until }: Certificate): string => `${Math.round((until - from) / 1_000)} s`;
type Decision = Outcome<Memory, Put>;
type Look = Pick<ReconcileInput<never, Memory>, 'now' | 'memory' | 'random'>;

/** The controller that keeps it. Its one key is the certificate's usage. */
export function certificateKeeper(options: KeeperOptions) {
  const { usage, folder } = options;
  return defineController<string, Memory, undefined, Put>({
    name: `${usage}-certificate`,
    component: ({ agentName }) => agentName,
    host: () => options.machine,
    writes: [],
    models: MODELS,
    startKeys: () => [usage],
    act: ({ is }) => {
      folder[usage] = is;
    },
    reconcile: ({ now, memory, random }) => {
      const look = { now, memory, random };
      const held = folder[usage];
      return isGood(held, now) ? keep(held, look, options) : lack(held, look, options);
    },
  });
}

/** It has one, and remembers that it had. */
function keep(held: Certificate, look: Look, options: KeeperOptions): Decision {
  const decision = keeps(held, look, options);
  return { ...decision, memory: { ...decision.memory, held: true } };
}

/** It has one: it waits until the time to ask for the next, and then for the answer. */
function keeps(held: Certificate, { now, memory, random }: Look, options: KeeperOptions): Decision {
  const lead = options.opens ? ({ process: 'lead' } as const) : {};
  if (!options.rotates)
    return {
      why: `its ${options.usage} certificate is good for ${spanOf({ from: now, until: held.until })}, and certificate rotation is off`,
      writes: [],
      ...lead,
      memory: {},
      wakeAt: held.until,
      background: true,
    };
  if (memory?.askedAt !== undefined) {
    const received = receive(memory, now, options);
    return received === undefined ? { ...wait(memory, now, options, held.until), ...lead } : { ...received, ...lead };
  }
  // Between 70 and 90 % of its time have passed then, so that not all ask at once.
  const rotateAt = memory?.rotateAt ?? held.from + Math.round((held.until - held.from) * (0.7 + random.below(201) / 1_000));
  if (now < rotateAt)
    return {
      why: `its ${options.usage} certificate is good: the next one is requested when 70 to 90 % of its lifetime has passed`,
      writes: [],
      ...lead,
      memory: { rotateAt },
      wakeAt: rotateAt,
      background: true,
    };
  return { ...ask(now, options, `most of the lifetime of its ${options.usage} certificate has passed: request the next one`), ...lead };
}

/** It has none, or one that ran out. */
function lack(held: Certificate | undefined, { now, memory }: Look, options: KeeperOptions): Decision {
  const { usage, mayBootstrap } = options;
  const expired = held !== undefined && now >= held.until;
  if (expired && memory?.held === true && options.opens && now < held.until + EXIT_MS)
    return {
      why: 'its client certificate has expired: the API server refuses its requests',
      writes: [],
      memory: { held: true },
      wakeAt: held.until + EXIT_MS,
      background: true,
    };
  if (expired && memory?.held === true && options.opens)
    return {
      why: 'its client certificate expired five minutes ago, and the API server is healthy: the agent exits and restarts',
      writes: [],
      process: 'exit',
    };
  if (!mayBootstrap)
    return {
      why: `its ${usage} certificate has expired, and there is no bootstrap configuration to request another`,
      writes: [],
    };
  if (memory?.askedAt === undefined) return ask(now, options, `it has no valid ${usage} certificate: request one`);
  return receive(memory, now, options) ?? wait(memory, now, options, Infinity);
}

function ask(now: number, options: KeeperOptions, why: string): Decision {
  const answer = answerTo(options.signers, { ...options, askedAt: now });
  const memory: Memory = { askedAt: now, ...(answer === undefined ? {} : { answer }) };
  return receive(memory, now, options) ?? { ...wait(memory, now, options, options.folder[options.usage]?.until ?? Infinity), why };
}

/** The answer, if it has come. */
function receive({ answer }: Memory, now: number, { usage, opens }: KeeperOptions): Decision | undefined {
  if (answer === undefined || answer.at > now) return undefined;
  if ('denied' in answer)
    return {
      why: `its request for a ${usage} certificate was denied; the next request is in a minute`,
      writes: [],
      memory: { rotateAt: now + AFTER_DENIAL_MS },
      wakeAt: now + AFTER_DENIAL_MS,
      background: true,
    };
  return {
    why: `its request for a ${usage} certificate was approved: the certificate is valid for ${spanOf(answer.certificate)}`,
    writes: [],
    actions: [{ does: 'certificate', usage, is: answer.certificate }],
    memory: {},
    ...(opens ? { process: 'lead' } : {}),
    wakeAt: now + 1,
    background: true,
  };
}

/** Nobody has answered yet. */
function wait(memory: Memory, now: number, { usage, opens }: KeeperOptions, until: number): Decision {
  const patience = until === Infinity && opens ? BOOTSTRAP_PATIENCE_MS : PATIENCE_MS;
  const { askedAt = now, answer } = memory;
  const again = askedAt + patience;
  if (now >= again)
    return {
      why: `its request for a ${usage} certificate is unanswered: request again`,
      writes: [],
      memory: { rotateAt: now },
      wakeAt: now + 1,
      background: true,
    };
  const wakeAt = Math.min(again, answer?.at ?? Infinity, until > now ? until : Infinity);
  return {
    why: `its request for a ${usage} certificate is pending`,
    writes: [],
    memory,
    wakeAt,
    ...(answer === undefined || answer.at > again ? { background: true } : {}),
  };
}
