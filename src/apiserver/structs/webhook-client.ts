/** How the server calls a webhook: shared by configurations of admission and conversions of definitions. */
import { bytes, def, field, int32, obj, ptr, req, str } from '../../schema/shape/index.ts';

const serviceReference = obj('ServiceReference', 'A service.', {
  namespace: field(1, 'Its namespace.', req(str())),
  name: field(2, 'Its name.', req(str())),
  path: field(3, 'The path of requests.', ptr(str())),
  port: field(4, 'The port.', def(ptr(int32), 443)),
});

export const webhookClient = obj('WebhookClientConfig', 'How a webhook is called: by its URL, or as a service.', {
  url: field(3, 'Its address, https://HOST/PATH.', ptr(str())),
  service: field(1, 'The service that it is behind.', ptr(serviceReference)),
  caBundle: field(2, 'The certificates that its own is verified by; absent: those of the host.', bytes),
});
