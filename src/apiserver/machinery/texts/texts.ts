/** Descriptions of structs and fields, by the struct's name as errors print it; `''` is the struct itself. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Some conditions also have the time of their last check. */
export const LAST_PROBE = { lastProbeTime: 'When it was last looked at.' };

/** Returns the descriptions of a condition of any kind. */
export const conditionTexts = (about: string, types: string): Readonly<Record<string, string>> => ({
  '': about,
  type: `What is judged: ${types}. One condition a type.`,
  status: 'True, False or Unknown.',
  reason: 'Why, as one word in CamelCase, for programs.',
  message: 'Why, as a sentence, for people.',
  lastTransitionTime: 'When the status last changed from one value to another.',
});
