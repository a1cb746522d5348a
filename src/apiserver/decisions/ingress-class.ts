/**
 * Whose an Ingress is. The older annotation counts before the field; an Ingress of no class is nobody's, except that one class may be
 * marked as the default, which fills the field of new Ingresses. Models: networking/v1 IngressClass, v1.24
 * plugin/pkg/admission/network/defaultingressclass.
 */
import type { Ingress, IngressClass } from '../kinds/index.ts';
import type { Names } from '../machinery/index.ts';
import { compareText } from '../../schema/values/index.ts';

const annotationOf = ({ metadata }: Ingress, names: Names): string | undefined => metadata.annotations?.[names.key('', 'ingress.class')];

/** The class an Ingress names, undefined if none. */
export const ingressClassOf = (ingress: Ingress, names: Names): string | undefined =>
  annotationOf(ingress, names) ?? ingress.spec.ingressClassName;

const isDefault = ({ metadata }: IngressClass, names: Names): boolean =>
  metadata.annotations?.[names.key('ingressclass', 'is-default-class')] === 'true';

/** The class that new Ingresses get, undefined if none is marked, or how many are marked where there should be one. */
export function defaultIngressClass(classes: Iterable<IngressClass>, names: Names): string | undefined | { readonly tooMany: number } {
  const marked = [...classes]
    .filter((one) => isDefault(one, names))
    .map(({ metadata }) => metadata.name)
    .toSorted(compareText);
  return marked.length > 1 ? { tooMany: marked.length } : marked[0];
}

/** Whether the class of an Ingress is a real one: a field must name an IngressClass, the annotation is the implementation's own affair. */
export function isServed(ingress: Ingress, classes: ReadonlySet<string>, names: Names): boolean {
  const legacy = annotationOf(ingress, names);
  if (legacy !== undefined) return legacy !== '';
  const { ingressClassName } = ingress.spec;
  return ingressClassName !== undefined && classes.has(ingressClassName);
}
