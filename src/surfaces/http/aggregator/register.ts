/** The APIServices of a server that starts. Models: v1.24 kube-aggregator pkg/controllers/autoregister. */
import type { ObjectInput } from '../../../apiserver/machinery/index.ts';
import type { Backend } from '../backend.ts';
import { rowsOf } from '../rows.ts';
import { ownServices } from './own.ts';

/** Creates them as a server does that starts: once; who deletes one does not get it back. The group they are in has none. */
export function registerOwn(backend: Backend): void {
  const { kinds, names, handle } = backend;
  const label = names.key('kube-aggregator', 'automanaged');
  const [apiVersion, unregistered] = [`${names.group('apiregistration')}/v1`, names.group('apiregistration')];
  for (const {
    metadata: { name },
    spec,
  } of ownServices(kinds, rowsOf(backend))) {
    if (spec.group === unregistered) continue;
    const body: ObjectInput = { apiVersion, kind: 'APIService', metadata: { name, labels: { [label]: 'onstart' } }, spec };
    const answer = handle({ verb: 'create', kind: 'APIService', body, user: { name: 'system:apiserver', groups: ['system:masters'] } });
    if (!answer.ok && answer.code !== 409) throw new Error(`APIService ${name}: ${answer.status.message ?? answer.code}`);
  }
}
