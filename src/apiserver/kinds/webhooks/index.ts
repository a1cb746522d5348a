/** Configurations of admission webhooks. Models: v1.24 pkg/registry/admissionregistration, pkg/apis/admissionregistration/validation. */
import { defineKind } from '../../machinery/index.ts';
import { webhookErrors } from './rules.ts';
import {
  mutatingSchema,
  type MutatingWebhookConfiguration,
  validatingSchema,
  type ValidatingWebhookConfiguration,
  type WebhookConfiguration,
} from './shape.ts';

const COUNT = ['Webhooks', 'integer', 'Webhooks indicates the number of webhooks configured.', countOf] as const;

function countOf({ webhooks }: WebhookConfiguration): number {
  return (webhooks ?? []).length;
}

const SHARED = {
  categories: ['api-extensions'],
  groupPrefix: 'admissionregistration',
  namespaced: false,
  generation: 'spec',
  create: ['metadata', webhookErrors],
  update: ['changed metadata', webhookErrors],
  anyFinalizers: true,
} as const;

const UPSTREAM = 'Upstream: pkg/registry/admissionregistration, apiserver pkg/admission/plugin/webhook.';
export const mutatingWebhookConfiguration = defineKind<MutatingWebhookConfiguration>({
  ...SHARED,
  schema: mutatingSchema,
  columns: ['Name', COUNT, 'Age'],
  models: `Complete. ${UPSTREAM}`,
});

export const validatingWebhookConfiguration = defineKind<ValidatingWebhookConfiguration>({
  ...SHARED,
  schema: validatingSchema,
  columns: ['Name', COUNT, 'Age'],
  models: `Complete. ${UPSTREAM}`,
});
