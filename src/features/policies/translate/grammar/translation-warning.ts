/** The reasons why a sentence became no rule. None of these texts repeats a word of the sentence. */
export const WARNING_MESSAGES = {
  not_understood: "The sentence was not understood as a whole, so no rule was made of it",
  amount_without_currency: "The amount has no currency; write its ISO code, for example 5000 USD",
  ambiguous_currency: "The word or sign stands for several currencies; write the ISO code, for example USD",
  amount_precision: "The amount has more decimals than its currency",
  number_out_of_range:
    "A number is outside what the field can hold, or not a whole number where one is needed",
  unknown_provider: "The sentence names a provider that is not configured here",
  time_without_zone: "Hours are UTC; write UTC after them",
  time_not_whole_hour: "Only whole hours can be tested",
  weights_not_100: "The percentages of a split must be whole, for different providers, and add up to 100",
  unconditional: "The sentence would apply to every payment; write 'all payments' if it should",
  contradiction: "Two conditions of the sentence exclude each other",
  too_complex: "The conditions nest deeper than a rule can",
  second_default: "An earlier sentence sets another default provider",
  changed_by_next: "The next sentence continues this one and was not understood",
  too_many_rules: "A policy holds no more rules than the ones before this sentence",
  too_long: "The sentence is too long",
  too_much_text: "This sentence and all later ones were not read: the text is too long",
} as const;
export type WarningCode = keyof typeof WARNING_MESSAGES;

/** TRANS-4: `sentence_index` counts from 0. */
export interface TranslationWarning {
  sentence_index: number;
  code: WarningCode;
  message: string;
}

export function translationWarning(sentenceIndex: number, code: WarningCode): TranslationWarning {
  return { sentence_index: sentenceIndex, code, message: WARNING_MESSAGES[code] };
}
