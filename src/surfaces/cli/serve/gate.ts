/** `--allow-origin URL`: whose pages may ask a served cluster besides its own. */
import { createGate, ownHosts, readOrigin, type ListenOptions } from '../../http/index.ts';
import { BadInput } from '../exit.ts';

export interface GateArguments {
  readonly allowOrigin: readonly string[];
}

/** The value of an option that may be given several times. */
export const severalTimes = (url: string, before: readonly string[]): readonly string[] => [...before, url];

/** Throws BadInput for what is no origin. */
export function gateFor({ allowOrigin }: GateArguments): NonNullable<ListenOptions['gate']> {
  const allowed = new Set(
    allowOrigin.map((text) => {
      const read = readOrigin(text);
      if ('error' in read) throw new BadInput(`--allow-origin: ${read.error}`);
      return read.origin;
    }),
  );
  return ({ host, port }) =>
    createGate({ own: ownHosts(host, port), address: `${host.includes(':') ? `[${host}]` : host}:${port}`, allowed });
}
