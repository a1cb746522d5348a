/** `--webhook SERVICE=https://HOST:PORT`, of `serve`, `drive` and searches with programs. */
import type { AskWebhook } from '../../../apiserver/admission/index.ts';
import { askingPrograms, readWebhookRoute } from '../../http/index.ts';
import { BadInput } from '../exit.ts';

export const WEBHOOK = [
  '--webhook <service=url>',
  'asks the webhooks of this service at this address, such as default/my-operator=https://127.0.0.1:9443; may be given several times',
  [],
] as const;

/** Returns who asks the programs; undefined: no webhook is asked. */
export function readWebhooks(given: readonly string[]): AskWebhook | undefined {
  if (given.length === 0) return undefined;
  const routes = given.map((text) => {
    const route = readWebhookRoute(text);
    if (typeof route === 'string') throw new BadInput(`--webhook: ${route}`);
    return route;
  });
  return askingPrograms(new Map(routes));
}
