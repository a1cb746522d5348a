/**
 * Who signs what agents ask for, as data: there are no keys here, and no requests among the objects; a certificate is a span of time in
 * which its holder is believed. Models: what v1.24 pkg/controller/certificates (approver, signer) and a person with `certificate approve`
 * come to.
 */
import type { CertificateSigner } from '../../specs.ts';

export type Usage = 'client' | 'serving';

/** A certificate: from when until when its holder is believed, milliseconds since the epoch. */
export interface Certificate {
  readonly from: number;
  readonly until: number;
}

/** What becomes of a request: an answer at an instant, or none as far as anybody knows. */
export type Answer =
  | { readonly at: number; readonly certificate: Certificate }
  | { readonly at: number; readonly denied: true }
  | undefined;

/** A year, as upstream's signer gives unless it is told otherwise. */
const USUAL_MS = 365 * 24 * 3_600_000;

/**
 * The first signer that is there for the request answers it; one that comes later answers what still waits. `startAt`: what times of
 * signers count from.
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
