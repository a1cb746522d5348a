/**
 * Names with an ordinal: `web-3` is pod 3 of `web`, `data-web-3` its claim. Models: v1.24 pkg/controller/statefulset/stateful_set_utils.go.
 * Differs: `web-03` belongs to no set; upstream takes it for pod 3 and then fails to rename it.
 */

export interface OrdinalName {
  /** The part before the last dash. */
  readonly parent: string;
  readonly ordinal: number;
}

/** Ordinals are int32. */
const MOST = 0x7fffffff;
const CODE_0 = 48;

/**
 * The parts of a name that ends in an ordinal; undefined: it does not. No regular expression, because it runs for every change of every
 * pod.
 */
export function ordinalNameOf(name: string): OrdinalName | undefined {
  let ordinal = 0;
  let unit = 1;
  let at = name.length - 1;
  for (; at >= 0; at--) {
    const digit = name.charCodeAt(at) - CODE_0;
    if (digit < 0 || digit > 9) break;
    ordinal += digit * unit;
    unit *= 10;
  }
  const digits = name.length - 1 - at;
  if (digits === 0 || digits > 10 || ordinal > MOST || at < 1 || name[at] !== '-') return undefined;
  if (digits > 1 && name[at + 1] === '0') return undefined;
  return { parent: name.slice(0, at), ordinal };
}

/** The name of a set's pod. */
export const podName = (setName: string, ordinal: number): string => `${setName}-${ordinal}`;

/** The prefix of a claim's name, before the dash and the ordinal. */
export const claimBase = (template: string, setName: string): string => `${template}-${setName}`;
export const claimName = (template: string, setName: string, ordinal: number): string => `${claimBase(template, setName)}-${ordinal}`;
