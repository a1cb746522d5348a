/**
 * The order of API versions: those of the form v1, v2beta3 first (GA, beta, alpha; major; minor), all others by text. Models: v1.24
 * apimachinery pkg/version CompareKubeAwareVersionStrings.
 */
import { compareText } from './texts.ts';
import { parseInt64 } from './go-scalars.ts';

const VERSION = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;
const STAGES = ['alpha', 'beta', ''] as const;

function readVersion(text: string) {
  const [, digits = '', stage = '', minorDigits = '0'] = VERSION.exec(text) ?? [];
  const [major, minor] = [parseInt64(digits), parseInt64(minorDigits)];
  return major === undefined || minor === undefined ? undefined : { stage: STAGES.findIndex((one) => one === stage), major, minor };
}

const descending = <T extends number | bigint>(a: T, b: T): number => (a === b ? 0 : a > b ? -1 : 1);

/** Compares version names, the preferred one first: v10, v2, v1, v11beta2, v3beta1, v12alpha1, foo1, foo10. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [readVersion(a), readVersion(b)];
  if (left === undefined || right === undefined) return left === right ? compareText(a, b) : left === undefined ? 1 : -1;
  return descending(left.stage, right.stage) || descending(left.major, right.major) || descending(left.minor, right.minor);
}
