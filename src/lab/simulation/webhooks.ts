/** Webhooks that a scenario answers itself, by conditions in CEL. */
import type { AskWebhook } from '../../apiserver/admission/index.ts';
import { applyMergePatch } from '../../apiserver/patch/index.ts';
import { Refusal } from '../../apiserver/request/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { base64OfText } from '../../schema/values/index.ts';
import { compileExpression, type Expression, type WebhookAnswer } from '../scenario/index.ts';
import { expressionFacts } from './facts.ts';

interface Request {
  readonly uid: string;
  readonly object: object | null;
  readonly oldObject: object | null;
}

/** Returns who asks webhooks: the answers of the scenario come first. `cluster`: the one that conditions read. */
export function askedIn(
  answers: readonly WebhookAnswer[] | undefined,
  cluster: () => Cluster,
  otherwise?: AskWebhook,
): AskWebhook | undefined {
  if (answers === undefined) return otherwise;
  const byName = new Map(answers.map((answer) => [answer.name, answer]));
  return (call) => {
    const answer = byName.get(call.name);
    if (answer !== undefined)
      return (call.review as { readonly kind?: unknown }).kind === 'ConversionReview'
        ? convertedBy(answer, call.review, cluster())
        : answered(answer, call.review, cluster());
    return otherwise?.(call) ?? { failure: `spec.webhooks of the scenario has no answer for ${call.name}` };
  };
}

function answered({ allow, message, warn, when, mutate, fails }: WebhookAnswer, review: object, cluster: Cluster): ReturnType<AskWebhook> {
  if (fails !== undefined) return { failure: fails };
  const { apiVersion, request } = review as { readonly apiVersion: string; readonly request: Request };
  const { uid, object, oldObject } = request;
  const holds = judging(cluster, object ?? oldObject ?? {}, object === null ? null : oldObject);
  const allowed = holds(allow);
  if (typeof allowed === 'string') return { failure: `its condition: ${allowed}` };
  const changes = allowed && mutate !== undefined && object !== null && holds(when);
  if (typeof changes === 'string') return { failure: `its condition: ${changes}` };
  const patch = changes && object !== null ? operationsOf(object, mutate) : undefined;
  const response = {
    uid,
    allowed,
    ...(message === undefined ? {} : { status: { message } }),
    ...(warn === undefined ? {} : { warnings: warn }),
    ...(patch === undefined ? {} : { patchType: 'JSONPatch', patch: base64OfText(JSON.stringify(patch)) }),
  };
  return { review: { apiVersion, kind: 'AdmissionReview', response } };
}

const judging =
  (cluster: Cluster, self: object, old: object | null) =>
  (condition: Expression | undefined): boolean | string => {
    if (condition === undefined) return true;
    const compiled = compileExpression(condition.cel, { about: 'change' });
    if ('error' in compiled) return compiled.error.message;
    const found = compiled.expression.evaluate(expressionFacts(cluster), self, old);
    return 'error' in found ? found.error : found.holds;
  };

interface Conversion {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly object[] };
}

/** The conversion of objects of a definition: apiVersion is rewritten, and `mutate` merged where `when` holds for the object as it was. */
function convertedBy({ allow, message, when, mutate, fails }: WebhookAnswer, review: object, cluster: Cluster): ReturnType<AskWebhook> {
  if (fails !== undefined) return { failure: fails };
  const { apiVersion, request } = review as Conversion;
  const { uid, desiredAPIVersion, objects } = request;
  const convertedObjects: unknown[] = [];
  let refused = false;
  for (const object of objects) {
    const holds = judging(cluster, object, null);
    const [allowed, changes] = [holds(allow), mutate === undefined ? false : holds(when)];
    for (const each of [allowed, changes]) if (typeof each === 'string') return { failure: `its condition: ${each}` };
    refused ||= allowed === false;
    const renamed = { ...object, apiVersion: desiredAPIVersion };
    convertedObjects.push(changes === true ? merged(renamed, mutate) : renamed);
  }
  const result = refused ? { status: 'Failure', ...(message === undefined ? {} : { message }) } : { status: 'Success' };
  const response = { uid, result, convertedObjects: refused ? [] : convertedObjects };
  return { review: { apiVersion, kind: 'ConversionReview', response } };
}

/** Returns the merged object; undefined: what is no object, or nests too deep, is no merge patch. */
function merged(object: object, mutate: unknown): unknown {
  try {
    return applyMergePatch(object, mutate);
  } catch (thrown) {
    if (thrown instanceof Refusal) return undefined;
    throw thrown;
  }
}

/** A merge patch as operations: each member that it names is replaced whole. */
function operationsOf(object: object, mutate: unknown): readonly object[] | undefined {
  const ok = merged(object, mutate);
  if (typeof mutate !== 'object' || mutate === null || typeof ok !== 'object' || ok === null) return undefined;
  return Object.keys(mutate).map((member) => {
    const path = `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return Object.hasOwn(ok, member)
      ? { op: 'add', path, value: (ok as Readonly<Record<string, unknown>>)[member] }
      : { op: 'remove', path };
  });
}
