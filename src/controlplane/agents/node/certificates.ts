/**
 * Maintains one certificate of an agent: requests the first one, requests the next one in time, and replaces it. Models: v1.24 client-go
 * util/certificate certificate_manager.go (nextRotationDeadline, rotateCerts), pkg/kubelet/certificate bootstrap and transport. Simplified:
 * a request without a response is repeated when its time limit is over, and a response is noticed at once.
 */
import { defineController, idle, type Outcome, type ReconcileInput } from '../../runtime/index.ts';
import { present } from '../../../schema/values/index.ts';
import type { CertificateSigner } from '../specs.ts';

/** The certificates of an agent: on its machine, so they outlive the agent. */
export type Folder = Partial<Record<Usage, Certificate>>;

interface KeeperOptions {
  readonly usage: Usage;
  readonly machine: string;
  readonly folder: Folder;
  readonly signers: readonly CertificateSigner[];
  readonly startAt: number;
  /**
   * Without a valid certificate it requests one with its bootstrap configuration; serving certificates are requested with the client
   * certificate.
   */
  readonly mayBootstrap: boolean;
  readonly rotates: boolean;
  /** The other controllers of the agent start only with a valid certificate. */
  readonly opens: boolean;
}

interface Memory {
  readonly askedAt?: number;
  readonly answer?: Answer;
  readonly rotateAt?: number;
  /** The agent has had a valid certificate since its start. */
  readonly held?: true;
}

interface Put {
  readonly does: 'certificate';
  readonly usage: Usage;
  readonly is: Certificate;
}

/** The time limit of a request, milliseconds; after it the request is repeated. */
const PATIENCE_MS = 15 * 60_000;
const BOOTSTRAP_PATIENCE_MS = 60 * 60_000;
const AFTER_DENIAL_MS = 60_000;
/** An agent exits after so long with an expired certificate, while the server answers its requests with 401. Milliseconds. */
const EXIT_MS = 5 * 60_000;

export const isGood = (certificate: Certificate | undefined, now: number): certificate is Certificate =>
  certificate !== undefined && now < certificate.until;

const spanOf = ({ from, until }: Certificate): string => `${Math.round((until - from) / 1_000)} s`;
type Decision = Outcome<Memory, Put>;
const later = (at: number, why: string, memory: Memory = {}): Decision => ({ why, writes: [], memory, wakeAt: at, background: true });
type Look = Pick<ReconcileInput<never, Memory>, 'now' | 'memory' | 'random'>;

/** The controller of one certificate. Its only key is the certificate's usage. */
export function certificateKeeper(options: KeeperOptions) {
  const { usage, folder } = options;
  return defineController<string, Memory, undefined, Put>({
    name: `${usage}-certificate`,
    component: ({ agentName }) => agentName,
    host: () => options.machine,
    writes: [],
    models: 'v1.24 client-go util/certificate, pkg/kubelet/certificate; there are no keys: a certificate is a validity period.',
    startKeys: () => [usage],
    act: ({ is }) => {
      folder[usage] = is;
    },
    reconcile: (look) => {
      const held = folder[usage];
      if (!isGood(held, look.now)) return lack(held, look, options);
      const decision = keep(held, look, options);
      return { ...decision, memory: { ...decision.memory, held: true } };
    },
  });
}

/** There is a valid certificate: waits until its renewal, and then for the response. */
function keep(held: Certificate, { now, memory, random }: Look, options: KeeperOptions): Decision {
  const lead = options.opens ? ({ process: 'lead' } as const) : {};
  if (!options.rotates) {
    const span = spanOf({ from: now, until: held.until });
    return { ...later(held.until, `its ${options.usage} certificate is good for ${span}, and certificate rotation is off`), ...lead };
  }
  if (memory?.askedAt !== undefined) return { ...(receive(memory, now, options) ?? wait(memory, now, options, held.until)), ...lead };
  // After 70 to 90 % of its validity, so that agents do not all renew at once.
  const rotateAt = memory?.rotateAt ?? held.from + Math.round((held.until - held.from) * (0.7 + random.below(201) / 1_000));
  if (now < rotateAt) {
    const why = `its ${options.usage} certificate is good: the next one is requested when 70 to 90 % of its lifetime has passed`;
    return { ...later(rotateAt, why, { rotateAt }), ...lead };
  }
  return { ...request(now, options, `most of the lifetime of its ${options.usage} certificate has passed: request the next one`), ...lead };
}

/** There is no certificate, or it has expired. */
function lack(held: Certificate | undefined, { now, memory }: Look, options: KeeperOptions): Decision {
  const { usage, mayBootstrap } = options;
  if (held !== undefined && now >= held.until && memory?.held === true && options.opens) {
    const exitsAt = held.until + EXIT_MS;
    if (now < exitsAt) return later(exitsAt, 'its client certificate has expired: the API server refuses its requests', { held: true });
    return {
      ...idle('its client certificate expired five minutes ago, and the API server is healthy: the agent exits and restarts'),
      process: 'exit',
    };
  }
  if (!mayBootstrap) return idle(`its ${usage} certificate has expired, and there is no bootstrap configuration to request another`);
  if (memory?.askedAt === undefined) return request(now, options, `it has no valid ${usage} certificate: request one`);
  return receive(memory, now, options) ?? wait(memory, now, options, Infinity);
}

function request(now: number, options: KeeperOptions, why: string): Decision {
  const answer = answerTo(options.signers, { ...options, askedAt: now });
  const memory: Memory = present({ askedAt: now, answer });
  return receive(memory, now, options) ?? { ...wait(memory, now, options, options.folder[options.usage]?.until ?? Infinity), why };
}

function receive({ answer }: Memory, now: number, { usage, opens }: KeeperOptions): Decision | undefined {
  if (answer === undefined || answer.at > now) return undefined;
  if ('denied' in answer) {
    const rotateAt = now + AFTER_DENIAL_MS;
    return later(rotateAt, `its request for a ${usage} certificate was denied; the next request is in a minute`, { rotateAt });
  }
  const { certificate: is } = answer;
  return {
    ...later(now + 1, `its request for a ${usage} certificate was approved: the certificate is valid for ${spanOf(is)}`),
    actions: [{ does: 'certificate', usage, is }],
    ...(opens ? { process: 'lead' } : {}),
  };
}

function wait(memory: Memory, now: number, { usage, opens }: KeeperOptions, until: number): Decision {
  const patience = until === Infinity && opens ? BOOTSTRAP_PATIENCE_MS : PATIENCE_MS;
  const { askedAt = now, answer } = memory;
  const again = askedAt + patience;
  if (now >= again) return later(now + 1, `its request for a ${usage} certificate is unanswered: request again`, { rotateAt: now });
  const wakeAt = Math.min(again, answer?.at ?? Infinity, until > now ? until : Infinity);
  return {
    why: `its request for a ${usage} certificate is pending`,
    writes: [],
    memory,
    wakeAt,
    ...(answer === undefined || answer.at > again ? { background: true } : {}),
  };
}

/**
 * Signers of agents' certificates, as data: there are no keys, and no requests among the objects; a certificate is only its validity
 * period. Models: the result of v1.24 pkg/controller/certificates (approver, signer) and of manual `certificate approve`.
 */
type Usage = 'client' | 'serving';

/** A certificate: its validity period, milliseconds since the epoch. */
interface Certificate {
  readonly from: number;
  readonly until: number;
}

/** The result of a request: a response at an instant; undefined: none as far as is known. */
type Answer = { readonly at: number; readonly certificate: Certificate } | { readonly at: number; readonly denied: true } | undefined;

/** A year: the default of upstream's signer. */
const USUAL_MS = 365 * 24 * 3_600_000;

/**
 * The first signer that is active for the request responds; a signer that becomes active later responds to pending requests. `startAt`: the
 * time from which times of signers count.
 */
function answerTo(
  signers: readonly CertificateSigner[],
  { usage, machine, startAt, askedAt }: Pick<KeeperOptions, 'usage' | 'machine' | 'startAt'> & { readonly askedAt: number },
): Answer {
  const fitting = signers
    .filter(({ signs, nodes }) => (signs === undefined || signs === usage) && nodes?.includes(machine) !== false)
    .map((signer) => ({ signer, at: Math.max(askedAt, startAt + (signer.fromMs ?? 0)) + signer.delayMs }))
    .filter(({ signer, at }) => at < startAt + (signer.untilMs ?? Infinity));
  const first = fitting.reduce<(typeof fitting)[number] | undefined>(
    (found, each) => (found === undefined || each.at < found.at ? each : found),
    undefined,
  );
  if (first === undefined) return undefined;
  const { signer, at } = first;
  if (signer.denies === true) return { at, denied: true };
  return { at, certificate: { from: at, until: at + (signer.lastsMs ?? USUAL_MS) } };
}
