/**
 * The grammar of single values: quantities, durations, instants, names, addresses, selectors, percentages.
 * Pure functions of their arguments; nothing here knows a kind, a clock or another room.
 * Readers answer `Parsed<T>`: a value, or the text a user is shown, in upstream's words. Checks answer lists of
 * what is wrong, empty when nothing is. Functions that take stored texts (`parseTime`, `unitsOf`, `labelMatcher`) remember
 * their answers and are made for hot paths; they throw where validation was skipped.
 */
export { bad, good, memoised, type Parsed } from './parsed.ts';
export { byteLength, compareText } from './bytes.ts';
export { civilFromDays, daysFromCivil, daysInMonth, type CivilDate } from './calendar.ts';
export {
  cidrContains,
  formatCidr,
  formatIp,
  ipBlockContains,
  isIpv4,
  parseCidr,
  parseIp,
  validateIpBlock,
  validateIpv4,
  validateIpv6,
  validateNonSpecialIp,
  type Cidr,
  type Ip,
} from './cidr.ts';
export {
  asPrefix,
  isCIdentifier,
  isConfigMapKey,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isEnvVarName,
  isHttpHeaderName,
  isInRange,
  isQualifiedName,
  isValidIp,
  isValidLabelValue,
  isValidPathSegmentName,
  isValidPathSegmentPrefix,
  isValidPercent,
  isValidPortName,
  isValidPortNumber,
  isWildcardDns1123Subdomain,
  maxLengthError,
  regexError,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
} from './dns-names.ts';
export { decodeGoDuration, formatDurationMs, formatGoDuration, parseDurationMs, parseGoDuration } from './duration.ts';
export {
  aggregateText,
  forbidden,
  GoText,
  invalid,
  problemBody,
  problemText,
  required,
  type FieldProblem,
  type FieldProblemType,
} from './field-problem.ts';
export {
  escapeFieldValue,
  exactFieldMatch,
  formatFieldSelector,
  matchesFields,
  parseFieldSelector,
  unescapeFieldValue,
  type FieldSelector,
  type FieldTerm,
} from './field-selectors.ts';
export { atoi, MAX_INT64, MIN_INT64, parseInt64 } from './go-numbers.ts';
export { goScalar, goStrings, quote, quoteTime } from './go-print.ts';
export { goSyntax, goTypeName, type GoField, type GoType } from './go-syntax.ts';
export {
  intOrStringFromJson,
  intValue,
  legacyIntOrPercent,
  parseIntOrString,
  scaledIntOrPercent,
  type IntOrString,
} from './int-or-string.ts';
export { jsonKind, unmarshalString, wrongJsonType } from './json-kinds.ts';
export {
  compileRequirement,
  formatRequirement,
  labelRequirement,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
} from './label-requirement.ts';
export {
  areLabels,
  EVERYTHING,
  formatLabelSelection,
  formatLabelSelector,
  labelMatcher,
  labelSelectorAsSelection,
  NOTHING,
  parseLabelSelector,
  validateLabelName,
  validateLabels,
  validateLabelSelector,
  validateLabelSelectorRequirement,
  type LabelMatcher,
  type LabelSelection,
  type LabelSelector,
  type LabelSelectorRequirement,
} from './label-selectors.ts';
export { inOrder } from './order.ts';
export { addQuantities, compareQuantities, isZeroQuantity, quantitySign, roundedUp, subQuantities } from './quantity-arithmetic.ts';
export { decimalText, formatQuantity } from './quantity-text.ts';
export { milliUnitsOf, quantityMilliValue, quantityValue, scaledValue, unitsOf } from './quantity-value.ts';
export { parseQuantity, quantity, quantityFromJson, ZERO_QUANTITY, type Quantity, type QuantityFormat } from './quantity.ts';
export { didYouMean, editDistance, nearest } from './suggest.ts';
export { decodeMicroTime, decodeTime, formatMicroTime, formatTime, parseTime, readTime } from './time.ts';
