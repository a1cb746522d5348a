/** The namespaces that every cluster has, created before the first request. */
import type { Names } from '../machinery/index.ts';
import { envelopeOf } from '../request/index.ts';
import type { Server } from './server.ts';

/**
 * Creates the namespaces.
 * @throws {Error} if the server refuses one, which would be a bug.
 */
export function bootstrap(server: Server, names: Names): void {
  for (const name of [names.systemNamespace, names.publicNamespace, names.nodeLeaseNamespace, 'default']) {
    const response = server.handle(
      envelopeOf('server', { verb: 'create', kind: 'Namespace', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } }),
    );
    if (!response.ok && response.code !== 409) throw new Error(`bootstrap: namespace ${name}: ${response.status.message ?? response.code}`);
  }
}
