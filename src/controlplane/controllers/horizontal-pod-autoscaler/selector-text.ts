/** A label selector in Go's text format. Models: v1.24 apimachinery pkg/apis/meta/v1 generated.pb.go String. */
import type { LabelSelector } from '../../../apiserver/machinery/index.ts';
import { compareText } from '../../../schema/values/index.ts';

export function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {})
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
