/**
 * The syntax of single values: quantities, durations, instants, names, addresses, selectors, percentages. All functions are pure, and
 * independent of kinds, clocks and other modules. Parsers return `Parsed<T>`: a value, or the error text for the user, in upstream's words.
 * Checks return a list of problems; an empty list means valid. Functions of stored texts (`parseTime`, `unitsOf`, `labelMatcher`) cache
 * their results for hot paths; they throw on texts that have not been validated.
 */
export { compareVersions } from './api-versions.ts';
export { base64OfBytes, base64OfText, byteLength, bytesOfBase64, compareText, isBase64, textOfBase64 } from './bytes.ts';
export * from './lists.ts';
export { bad, good, jsonIn, memoised, type Parsed } from './parsed.ts';
export { civilFromDays, daysFromCivil } from './calendar.ts';
export {
  formatIp,
  ipBlockContains,
  isIpv4,
  parseCidr,
  parseIp,
  validateIpBlock,
  validateIpv4,
  validateIpv6,
  validateNonSpecialIp,
  type Ip,
} from './cidr.ts';
export * from './dns-names.ts';
export { DER, der, derBits, derMembers, derOid, type DerValue, derValues } from './der.ts';
export { formatDurationMs, formatGoDuration, expectedDuration, parseDurationMs, parseGoDuration } from './duration.ts';
export { aggregateText, GoText, problemBody, problemText, type FieldProblem } from './field-problem.ts';
export { exactFieldMatch, matchesFields, parseFieldSelector, unescapeFieldValue, type FieldSelector } from './field-selectors.ts';
export { atoi, parseInt64 } from './go-numbers.ts';
export { goStrings, quote } from './go-print.ts';
export { goSyntax, type GoField, type GoType } from './go-syntax.ts';
export { legacyIntOrPercent, scaledIntOrPercent } from './int-or-string.ts';
export { compileRequirement, labelRequirement, type LabelOperator, type Labels } from './label-requirement.ts';
export {
  areLabels,
  formatLabelSelection,
  formatLabelSelector,
  labelMatcher,
  labelSelectorAsSelection,
  matcherOfText,
  NOTHING,
  parseLabelSelector,
  validateLabelName,
  validateLabels,
  validateLabelSelector,
  type LabelMatcher,
  type LabelSelection,
  type LabelSelector,
} from './label-selectors.ts';
export * from './quantity-arithmetic.ts';
export { formatQuantity } from './quantity-text.ts';
export { BINARY, DECIMAL } from './quantity-suffixes.ts';
export { makeQuantity, parseQuantity, quantity, ZERO_QUANTITY, type Quantity } from './quantity.ts';
export { isJsonMapping, isLong, RawNumber } from './raw-number.ts';
export { didYouMean, editDistance, nearest, plural } from './suggest.ts';
export { decodeMicroTime, decodeTime, formatMicroTime, formatTime, LATEST_START_MS, parseTime, readTime } from './time.ts';
