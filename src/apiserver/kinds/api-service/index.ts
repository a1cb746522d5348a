/** APIService: the server of a group and version. Models: v1.24 apiregistration/v1 APIService, kube-aggregator pkg/registry/apiservice. */
import { formatTime } from '../../../schema/values/index.ts';
import { defineKind, keepSpecAndMeta, keepStatus, notSupported, validateMetaUpdate } from '../../machinery/index.ts';
import { apiServiceSpecification } from './specification.ts';
import type { Endpoints } from '../endpoints/shape.ts';
import type { Service } from '../service/shape.ts';
import { availabilityOf, withAvailability } from './availability.ts';
import { apiServiceColumns } from './columns.ts';
import { fieldErrors, STATES } from './rules.ts';
import { type APIService, apiServiceSchema } from './shape.ts';
import { apiServiceExample } from './example.ts';

export const apiService = defineKind<APIService>({
  kind: 'APIService',
  plural: 'apiservices',
  categories: ['api-extensions'],
  groupPrefix: 'apiregistration',
  version: 'v1',
  namespaced: false,
  schema: apiServiceSchema,
  subresources: ['status'],
  allowUnconditionalUpdate: false,
  prepareForCreate(draft, { now }) {
    const local = draft.spec.service === undefined;
    // A group that this server serves itself is available at once.
    draft.status = local
      ? {
          conditions: [
            {
              type: 'Available',
              status: 'True',
              lastTransitionTime: formatTime(now),
              reason: 'Local',
              message: 'Local APIServices are always available',
            },
          ],
        }
      : {};
  },
  // The aggregator is part of the server and computes availability at once; its controller handles later changes of the service.
  settle(object, lookup, { now }) {
    const found = availabilityOf(object, {
      service: (namespace, name) => lookup('Service', namespace, name) as Service | undefined,
      endpoints: (namespace, name) => lookup('Endpoints', namespace, name) as Endpoints | undefined,
    });
    const conditions = withAvailability(object.status.conditions, found, formatTime(now));
    return conditions === object.status.conditions ? object : { ...object, status: { ...object.status, conditions } };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpecAndMeta,
  validate: fieldErrors,
  validateUpdate: (object, old, context) => [
    ...validateMetaUpdate(object, old, context, 'metadata', false),
    ...fieldErrors(object, context),
  ],
  validateStatusUpdate: (object, old, context) => [
    ...validateMetaUpdate(object, old, context, 'metadata', false),
    ...(object.status.conditions ?? []).flatMap(({ status }, at) =>
      STATES.includes(status) ? [] : [notSupported(`status.conditions[${at}].status`, status, STATES)],
    ),
  ],
  columns: apiServiceColumns,
  models:
    'Complete; nothing is proxied, so remote services never become available. Upstream: kube-aggregator pkg/registry/apiservice, pkg/apis/apiregistration/validation.',
  specification: apiServiceSpecification,
  example: apiServiceExample,
});
