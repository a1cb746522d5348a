/** What a Date says of the zone and the language of its host. */

/** The host's own, which no trap has replaced. */
const { parse } = Date;

/** Whether a text is read as a time of the host's zone: one that names no zone, but for a date alone. */
export const isLocalTime = (text: unknown): boolean =>
  typeof text === 'string' && !/^[-+]?\d{4,6}(-\d\d){0,2}$|(Z|GMT|UTC|[-+]\d\d:?\d\d)$/i.test(text.trim()) && !Number.isNaN(parse(text));

const PARTS = ['Date', 'Day', 'FullYear', 'Hours', 'Minutes', 'Month', 'Seconds'];
const TEXTS = ['toString', 'toDateString', 'toTimeString', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'];
const LOCAL: readonly string[] = [...PARTS.flatMap((part) => [`get${part}`, `set${part}`]), 'getTimezoneOffset', ...TEXTS];

/** A class of Dates that ask `refuse` before they say anything of their host. In all else they are Dates. */
export function dateRefusing(refuse: (name: string) => void): DateConstructor {
  class Refusing extends Date {}
  for (const name of LOCAL) {
    const original: unknown = Reflect.get(Date.prototype, name);
    if (typeof original !== 'function') continue;
    const value = function (this: Date, ...given: readonly unknown[]): unknown {
      refuse(name);
      return Reflect.apply(original, this, given);
    };
    Object.defineProperty(Refusing.prototype, name, { value, configurable: true, writable: true });
  }
  Object.defineProperty(Refusing.prototype, 'constructor', { value: Date, configurable: true, writable: true });
  return Refusing as DateConstructor;
}
