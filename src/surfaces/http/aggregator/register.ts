/** Registers the local APIServices at start. Models: v1.24 kube-aggregator pkg/controllers/autoregister. */
import type { ObjectInput } from '../../../apiserver/machinery/index.ts';
import type { Backend } from '../backend.ts';
import { rowsOf } from '../rows.ts';
import { localServices } from './local.ts';

/**
 * Creates the local APIServices once, as at the start of a server; one that a client deletes is not created again. The group of the
 * APIServices themselves has none.
 */
export function registerLocal(backend: Backend): void {
  const { kinds, names, handle } = backend;
  const label = names.key('kube-aggregator', 'automanaged');
  const [apiVersion, unregistered] = [`${names.group('apiregistration')}/v1`, names.group('apiregistration')];
  for (const {
    metadata: { name },
    spec,
  } of localServices(kinds, rowsOf(backend))) {
    if (spec.group === unregistered) continue;
    const body: ObjectInput = { apiVersion, kind: 'APIService', metadata: { name, labels: { [label]: 'onstart' } }, spec };
    const answer = handle({ verb: 'create', kind: 'APIService', body, user: { name: 'system:apiserver', groups: ['system:masters'] } });
    if (!answer.ok && answer.code !== 409) throw new Error(`APIService ${name}: ${answer.status.message ?? answer.code}`);
  }
}
