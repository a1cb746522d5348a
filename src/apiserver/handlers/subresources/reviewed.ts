/**
 * A write of a sub-resource that has a form of its own, after webhooks have seen the form. Simplified: they see it before it is checked, so
 * that they are asked about forms that are then refused. Models: v1.24 apiserver pkg/endpoints/handlers create.go, update.go; admission
 * attributes of pkg/registry/core/pod/storage.
 */
import { reviewedForm } from '../../admission/index.ts';
import type { ApiObject } from '../../machinery/index.ts';
import type { ApiResponse } from '../../request/index.ts';
import type { Place, Scope } from '../../write/index.ts';
import { warned } from '../body.ts';
import type { Subresource } from './contract.ts';

/** The handler of a verb, which gets the form as webhooks leave it. */
export function writeForm(
  scope: Scope,
  place: Place,
  stored: ApiObject,
  { of, subresource, verb }: { readonly of: Subresource; readonly subresource: string; readonly verb: 'create' | 'update' },
): ApiResponse | undefined {
  const write = of[verb];
  if (write === undefined || scope.webhooks === undefined || !isForm(place.sent)) return write?.(scope, place, stored);
  const { resource } = place;
  const { metadata = { name: place.name } } = place.sent;
  const form = of.form?.(scope.names, place.sent);
  const apiVersion = form === undefined ? resource.apiVersion : `${form.group === '' ? '' : `${form.group}/`}${form.version}`;
  const object = { ...place.sent, kind: form?.kind ?? resource.kind.kind, apiVersion, metadata: metadata as ApiObject['metadata'] };
  const oldObject = verb === 'create' ? null : (of.get?.(scope, stored, resource) ?? stored);
  const warnings: string[] = [];
  const sent = reviewedForm(
    scope,
    { ...place, verb, subresource },
    { form, object, oldObject },
    { warn: (texts) => void warnings.push(...texts) },
  );
  return warned(write(scope, { ...place, sent }, stored), warnings);
}

const isForm = (sent: unknown): sent is Partial<ApiObject> => typeof sent === 'object' && sent !== null && !Array.isArray(sent);
