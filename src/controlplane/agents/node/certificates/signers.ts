/**
 * Signers of agents' certificates, as data: there are no keys, and no requests among the objects; a certificate is only its validity
 * period. Models: the result of v1.24 pkg/controller/certificates (approver, signer) and of manual `certificate approve`.
 */
import type { CertificateSigner } from '../../specs.ts';

export type Usage = 'client' | 'serving';

/** A certificate: its validity period, milliseconds since the epoch. */
export interface Certificate {
  readonly from: number;
  readonly until: number;
}

/** The result of a request: a response at an instant, or none as far as is known. */
export type Answer =
  | { readonly at: number; readonly certificate: Certificate }
  | { readonly at: number; readonly denied: true }
  | undefined;

/** A year: the default of upstream's signer. */
const USUAL_MS = 365 * 24 * 3_600_000;

/**
 * The first signer that is active for the request responds; a signer that becomes active later responds to pending requests. `startAt`: the
 * time from which times of signers count.
 */
export function answerTo(
  signers: readonly CertificateSigner[],
  {
    usage,
    machine,
    askedAt,
    startAt,
  }: { readonly usage: Usage; readonly machine: string; readonly askedAt: number; readonly startAt: number },
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
