/**
 * The class of an Ingress. The older annotation takes precedence over the field. An Ingress without a class is not served, but one class
 * may be marked as default, which sets the field of new Ingresses. Models: networking/v1 IngressClass, v1.24
 * plugin/pkg/admission/network/defaultingressclass.
 */
import type { Ingress, IngressClass } from '../kinds/index.ts';
import type { Names } from '../machinery/index.ts';
import { compareText } from '../../schema/values/index.ts';

const annotationOf = ({ metadata }: Ingress, names: Names): string | undefined => metadata.annotations?.[names.key('', 'ingress.class')];

/** Returns the class that an Ingress names; undefined: none. */
export const ingressClassOf = (ingress: Ingress, names: Names): string | undefined =>
  annotationOf(ingress, names) ?? ingress.spec.ingressClassName;

const isDefault = ({ metadata }: IngressClass, names: Names): boolean =>
  metadata.annotations?.[names.key('ingressclass', 'is-default-class')] === 'true';

/** Returns the class of new Ingresses; undefined: none is marked as default; or the number of marked ones if there are several. */
export function defaultIngressClass(classes: Iterable<IngressClass>, names: Names): string | undefined | { readonly tooMany: number } {
  const marked = [...classes]
    .filter((one) => isDefault(one, names))
    .map(({ metadata }) => metadata.name)
    .toSorted(compareText);
  return marked.length > 1 ? { tooMany: marked.length } : marked[0];
}

/**
 * Whether the class of an Ingress is valid: a field must name an existing IngressClass; an annotation may have any value, which the
 * implementation interprets.
 */
export function isServed(ingress: Ingress, classes: ReadonlySet<string>, names: Names): boolean {
  const legacy = annotationOf(ingress, names);
  if (legacy !== undefined) return legacy !== '';
  const { ingressClassName } = ingress.spec;
  return ingressClassName !== undefined && classes.has(ingressClassName);
}
