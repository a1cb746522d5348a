/** `--allow-origin URL`: origins whose pages may send requests to a served cluster, besides its own page. */
import { createGate, serverHosts, readOrigin, type ListenOptions } from '../../http/index.ts';
import { BadInput } from '../exit.ts';

export interface GateArguments {
  readonly allowOrigin: readonly string[];
}

/** Collects an option that may be given several times. */
export const severalTimes = (url: string, before: readonly string[]): readonly string[] => [...before, url];

/** Returns the gate; throws BadInput for a text that is not an origin. */
export function gateFor({ allowOrigin }: GateArguments): NonNullable<ListenOptions['gate']> {
  const allowed = new Set(
    allowOrigin.map((text) => {
      const read = readOrigin(text);
      if ('error' in read) throw new BadInput(`--allow-origin: ${read.error}`);
      return read.origin;
    }),
  );
  return ({ host, port }) =>
    createGate({ isServerHost: serverHosts(host, port), address: `${host.includes(':') ? `[${host}]` : host}:${port}`, allowed });
}
